// Lays out an instance's scratch memory behind the map: frame, candidate lists, search nodes, heap, path, corners. Run
// once per map load; nothing is allocated afterwards.
import { ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { setFrame } from './frame.ts';
import {
  AREA_COUNT,
  CORNER_CAP,
  CORNER_STRIDE,
  F_AREAS,
  F_BATCH,
  F_CORNERS,
  F_END,
  F_GENERATION,
  F_HEAP,
  F_LIST_E,
  F_LIST_S,
  F_MOVES,
  F_NODES,
  F_PATH,
  F_ROOTS,
  F_SLOW,
  F_STATES,
  F_VISIT,
  H_LINKS,
  H_MAX_LIST,
  H_POLYGONS,
  H_VERTICES,
  HEAP_CAP,
  HEAP_STRIDE,
  MAP_BASE,
  MOVE_STRIDE,
  MOVES,
  NODE_CAP,
  ROOT_STRIDE,
  SHORT_STRIDE,
} from './layout.ts';

/** Rounds up to 8 bytes. */
function align(p: u32): u32 {
  return (((p + 7) >>> 3) << 3) >>> 0;
}

/**
 * Writes the frame's pointer table and returns the first address after scratch. Only addresses are written: the memory
 * itself need not exist yet beyond the frame. The visit table must be zero before the first search (fresh memory is), and
 * the links' states must stand at F_STATES.
 */
export function setup(frameAddress: u32): u32 {
  setFrame(frameAddress);
  stU32(frameAddress + F_SLOW, 0);
  for (let area: u32 = 0; area < AREA_COUNT; area++) stF64(frameAddress + F_AREAS + (area << 3), 1.0);
  const polygons: u32 = ldU32(MAP_BASE + H_POLYGONS);
  const listBytes: u32 = align(((ldU32(MAP_BASE + H_MAX_LIST) + 1) * 4) >>> 0);
  let at: u32 = (frameAddress + F_END) >>> 0;
  stU32(frameAddress + F_LIST_S, at);
  at = (at + listBytes) >>> 0;
  stU32(frameAddress + F_LIST_E, at);
  at = (at + listBytes) >>> 0;
  stU32(frameAddress + F_VISIT, at);
  at = (at + polygons * 8) >>> 0;
  stU32(frameAddress + F_NODES, at);
  at = (at + NODE_CAP * SHORT_STRIDE) >>> 0;
  stU32(frameAddress + F_HEAP, at);
  at = (at + HEAP_CAP * HEAP_STRIDE) >>> 0;
  stU32(frameAddress + F_PATH, at);
  at = (at + NODE_CAP * 4) >>> 0;
  stU32(frameAddress + F_CORNERS, at);
  at = (at + CORNER_CAP * CORNER_STRIDE) >>> 0;
  at = align(at);
  stU32(frameAddress + F_ROOTS, at);
  at = (at + (ldU32(MAP_BASE + H_VERTICES) + 2 * ldU32(MAP_BASE + H_LINKS)) * ROOT_STRIDE) >>> 0;
  stU32(frameAddress + F_GENERATION, 0);
  at = (((at + 63) >>> 6) << 6) >>> 0;
  stU32(frameAddress + F_MOVES, at);
  at = (at + MOVES * MOVE_STRIDE) >>> 0;
  stU32(frameAddress + F_STATES, at);
  at = align((at + ldU32(MAP_BASE + H_LINKS) * 4) >>> 0);
  stU32(frameAddress + F_BATCH, at);
  return at;
}
