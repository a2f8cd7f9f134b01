// Accessors over the off-mesh links of the packed map at MAP_BASE. Imported by the searches. A link end is named by its
// number: end A (even) or B (odd) of link e / 2; places are exact integers in units, strictly inside their polygon.
import { ldF32, ldU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import {
  CORNER_BITS,
  F_STATES,
  H_TABLE,
  L_AX,
  L_AY,
  L_AZ,
  L_END_STRIDE,
  L_NEXT_A,
  L_POLY_A,
  LINK_STRIDE,
  MAP_BASE,
  P_CORNERS,
  SECTION_LINKS,
} from './layout.ts';

/** 1 + the first end from which a link leaves polygon p, 0 = none. Chains end: the pack's check proves it. */
export function firstEnd(p: u32): u32 {
  return ldU32(p + P_CORNERS) >>> CORNER_BITS;
}

function linkAt(e: u32): u32 {
  return MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_LINKS * 8) + (e >>> 1) * LINK_STRIDE;
}
/** 1 + the end after e in its polygon's chain, 0 = e was the last. */
export function nextEnd(e: u32): u32 {
  return ldU32(linkAt(e) + L_NEXT_A + ((e & 1) << 2));
}
/** Whether the link may be entered at end e now. */
export function endOpen(e: u32): bool {
  return ((ldU32(ldU32(frame() + F_STATES) + ((e >>> 1) << 2)) >>> (e & 1)) & 1) !== 0;
}
/** Record address of the polygon that holds end e; only of linked ends. */
export function endPoly(e: u32): u32 {
  return MAP_BASE + ldU32(linkAt(e) + L_POLY_A + ((e & 1) << 2));
}
export function endX(e: u32): f64 {
  return ldF32(linkAt(e) + L_AX + (e & 1) * L_END_STRIDE);
}
export function endZ(e: u32): f64 {
  return ldF32(linkAt(e) + L_AZ + (e & 1) * L_END_STRIDE);
}
/** Metres: the floor at end e. */
export function endY(e: u32): f64 {
  return ldF32(linkAt(e) + L_AY + (e & 1) * L_END_STRIDE);
}
