// String pulling: the shortest plan walk inside one corridor. Imported by corridor.ts.
//
// Lee & Preparata 1984 (funnel over a sleeve), on a deque: [left end .. apex .. right end]. Invariant: both chains turn
// outwards only (left chain to the left, right chain to the right), so the taut string from the apex to any point of
// the last portal runs along one chain and then straight. All turns are exact signs over whole shared edges.
// An end in line with the other chain's first point: the portal is seen edge-on, every walk through it passes the nearer
// of the two, so the apex moves there. (A walk that goes on round it by half a turn or more would otherwise lose it.)
// At an off-mesh link the string ends and begins anew: both ends of the link are corners, whatever their turn.
// Bound: every end is pushed once and popped once: two steps a portal.
import { ldF64, ldU32, stF64 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import { CORNER_CAP, CORNER_STRIDE, F_CORNERS, F_HEAP, NODE_CAP } from './layout.ts';
import { toMetresX, toMetresZ } from './mesh.ts';
import { orient } from './orient.ts';

// Deque slots: f64 x, z (units), y (metres). They lie in the heap's memory, which the finished search no longer needs:
// 2 x NODE_CAP + 3 slots of 24 bytes are less than HEAP_CAP x HEAP_STRIDE.
const SLOT: u32 = 24;
const MIDDLE: u32 = NODE_CAP + 1;

let left: u32 = 0;
let apex: u32 = 0;
let right: u32 = 0;
let corners: u32 = 0;
let first: u32 = 0; // number of the corner where the present string began

function slotAt(i: u32): u32 {
  return ldU32(frame() + F_HEAP) + i * SLOT;
}
function put(i: u32, px: f64, pz: f64, py: f64): void {
  const at: u32 = slotAt(i);
  stF64(at, px);
  stF64(at + 8, pz);
  stF64(at + 16, py);
}
/** Side of the point seen from slot i towards slot j. */
function side(i: u32, j: u32, px: f64, pz: f64): f64 {
  const a: u32 = slotAt(i);
  const b: u32 = slotAt(j);
  return orient(ldF64(a), ldF64(a + 8), ldF64(b), ldF64(b + 8), px, pz);
}
/** Whether the point, on the line from slot i to slot j, lies on j's side of slot i. */
function sameWay(i: u32, j: u32, px: f64, pz: f64): bool {
  const a: u32 = slotAt(i);
  const b: u32 = slotAt(j);
  return (ldF64(b) - ldF64(a)) * (px - ldF64(a)) + (ldF64(b + 8) - ldF64(a + 8)) * (pz - ldF64(a + 8)) > 0.0;
}
/** Whether the point, on the line from slot i to slot j, lies at j or behind it. */
function behind(i: u32, j: u32, px: f64, pz: f64): bool {
  const a: u32 = slotAt(i);
  const b: u32 = slotAt(j);
  return (ldF64(b) - ldF64(a)) * (px - ldF64(b)) + (ldF64(b + 8) - ldF64(a + 8)) * (pz - ldF64(b + 8)) >= 0.0;
}
function isAt(i: u32, px: f64, pz: f64): bool {
  const at: u32 = slotAt(i);
  return ldF64(at) === px && ldF64(at + 8) === pz;
}

/**
 * Appends slot i to the path; a corner on the way straight on is no corner. So every corner but the ends of strings is a
 * bend round one end of a portal, no portal has two, a link has two, and there are at most portals + 2 x links + 2. x and
 * z stay in units until funnelEnd.
 */
function emit(i: u32): void {
  const slot: u32 = slotAt(i);
  const px: f64 = ldF64(slot);
  const pz: f64 = ldF64(slot + 8);
  const last: u32 = ldU32(frame() + F_CORNERS) + corners * CORNER_STRIDE - CORNER_STRIDE;
  if (ldF64(last) === px && ldF64(last + 16) === pz) return;
  let at: u32 = last + CORNER_STRIDE;
  if (corners - first >= 2) {
    const before: u32 = last - CORNER_STRIDE;
    const ax: f64 = ldF64(before);
    const az: f64 = ldF64(before + 16);
    const bx: f64 = ldF64(last);
    const bz: f64 = ldF64(last + 16);
    if (orient(ax, az, bx, bz, px, pz) === 0.0 && (bx - ax) * (px - bx) + (bz - az) * (pz - bz) > 0.0) at = last;
  }
  if (at !== last) {
    // Never more than the area holds, see above.
    if (corners >= CORNER_CAP) return;
    corners = corners + 1;
  }
  stF64(at, px);
  stF64(at + 8, ldF64(slot + 16));
  stF64(at + 16, pz);
}

/** Begins a string at the start point. */
export function funnelBegin(px: f64, pz: f64, py: f64): void {
  left = MIDDLE;
  apex = MIDDLE;
  right = MIDDLE;
  put(MIDDLE, px, pz, py);
  const at: u32 = ldU32(frame() + F_CORNERS);
  stF64(at, px);
  stF64(at + 8, py);
  stF64(at + 16, pz);
  corners = 1;
  first = 0;
}

/** Pulls the string taut to its last point. */
function close(px: f64, pz: f64, py: f64): void {
  funnelLeft(px, pz, py);
  for (let i: u32 = apex; i > left; i--) emit(i - 1);
}

/** A link from (ax, az) to (bx, bz): ends the string at the one and begins it anew at the other. */
export function funnelLink(ax: f64, az: f64, ay: f64, bx: f64, bz: f64, by: f64): void {
  close(ax, az, ay);
  if (corners < CORNER_CAP) {
    first = corners;
    const at: u32 = ldU32(frame() + F_CORNERS) + corners * CORNER_STRIDE;
    stF64(at, bx);
    stF64(at + 8, by);
    stF64(at + 16, bz);
    corners = corners + 1;
  }
  left = MIDDLE;
  apex = MIDDLE;
  right = MIDDLE;
  put(MIDDLE, bx, bz, by);
}

/** The left end of the next portal. */
export function funnelLeft(px: f64, pz: f64, py: f64): void {
  if (isAt(left, px, pz)) return;
  while (left < apex && side(left + 1, left, px, pz) <= 0.0) left = left + 1;
  if (left === apex) {
    while (apex < right) {
      const s: f64 = side(apex, apex + 1, px, pz);
      if (s > 0.0) break;
      if (s === 0.0 && !behind(apex, apex + 1, px, pz)) {
        if (!sameWay(apex, apex + 1, px, pz)) break;
        put(apex, px, pz, py);
        emit(apex);
        left = apex;
        return;
      }
      apex = apex + 1;
      emit(apex);
    }
    left = apex;
    if (isAt(apex, px, pz)) return;
  }
  left = left - 1;
  put(left, px, pz, py);
}

/** The right end of the next portal: funnelLeft in the mirror. */
export function funnelRight(px: f64, pz: f64, py: f64): void {
  if (isAt(right, px, pz)) return;
  while (right > apex && side(right - 1, right, px, pz) >= 0.0) right = right - 1;
  if (right === apex) {
    while (apex > left) {
      const s: f64 = side(apex, apex - 1, px, pz);
      if (s < 0.0) break;
      if (s === 0.0 && !behind(apex, apex - 1, px, pz)) {
        if (!sameWay(apex, apex - 1, px, pz)) break;
        put(apex, px, pz, py);
        emit(apex);
        right = apex;
        return;
      }
      apex = apex - 1;
      emit(apex);
    }
    right = apex;
    if (isAt(apex, px, pz)) return;
  }
  right = right + 1;
  put(right, px, pz, py);
}

/** Ends the string at the target; writes the corners (metres) to F_CORNERS and returns the plan length in units. */
export function funnelEnd(px: f64, pz: f64, py: f64): f64 {
  close(px, pz, py);
  let length: f64 = 0.0;
  let at: u32 = ldU32(frame() + F_CORNERS);
  let ax: f64 = ldF64(at);
  let az: f64 = ldF64(at + 16);
  stF64(at, toMetresX(ax));
  stF64(at + 16, toMetresZ(az));
  for (let i: u32 = 1; i < corners; i++) {
    at = at + CORNER_STRIDE;
    const bx: f64 = ldF64(at);
    const bz: f64 = ldF64(at + 16);
    length += Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
    stF64(at, toMetresX(bx));
    stF64(at + 16, toMetresZ(bz));
    ax = bx;
    az = bz;
  }
  if (corners > 1) {
    stF64(at + 8, py);
    return length;
  }
  // The same grid point: still a path of two corners.
  at = at + CORNER_STRIDE;
  stF64(at, toMetresX(px));
  stF64(at + 8, py);
  stF64(at + 16, toMetresZ(pz));
  corners = 2;
  return 0.0;
}

/** Number of corners of the last string, start and target included. */
export function funnelCorners(): u32 {
  return corners;
}
