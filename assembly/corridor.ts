// The length that a Detour-style client would report: A* over polygons, then string pulling. An upper bound: the walk it
// returns is real, but there may be a shorter one. Imported by reach.ts, exact.ts and index.ts.
//
// A* by the rules of DetourNavMeshQuery.cpp (findPath): a polygon gets one position when it is first reached, the middle
// of the edge entered; cost = 3-D distances between positions; heuristic = 3-D distance to the end x 0.999; a goal polygon
// also costs the last leg and has no heuristic; a closed polygon opens again when it becomes cheaper. Different from
// Detour: every polygon that holds an end is a start (goal); shared edges are whole; area costs are not weighed. An
// off-mesh link is a step from polygon to polygon that costs the way to its one end and its length; the polygon landed in,
// when not reached before, has its position at the other end.
//
// Invariants.
// 1. Components count links as joined, whatever their direction: different components are no walk at all, in O(1).
// 2. A portal is skipped only when every walk through it is longer than the limit: with m its middle and w its width,
//    |s m| + |m e| - w <= |s p| + |p e| for every p of it; a link A to B when |s A| + |A B| + |B e| is. So an empty heap
//    proves "over", and when nothing was skipped that there is no walk at all.
// Bounds: NODE_CAP nodes, HEAP_CAP pushes in all (each a pop), 8 edges and MAX_POLY_LINKS links a pop; then one pass over
// the path.
import { ldF32, ldF64, ldU32, stF32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import { funnelBegin, funnelCorners, funnelEnd, funnelLeft, funnelLink, funnelRight } from './funnel.ts';
import { nextGeneration } from './generation.ts';
import { heapKey, heapPayload, heapPop, heapPush } from './heap.ts';
import {
  F_HEAP,
  F_LIST_E,
  F_LIST_S,
  F_NODES,
  F_PATH,
  F_VISIT,
  H_INV_UNIT,
  HEAP_CAP,
  IN,
  MAP_BASE,
  NODE_CAP,
  NODE_STRIDE,
  NONE,
  OUT,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_OVER,
  S_TO_OFF,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
} from './layout.ts';
import { endOpen, endPoly, endX, endY, endZ, firstEnd, nextEnd } from './links.ts';
import { closestFloor, place, placedX, placedZ } from './locate.ts';
import { component, count, heightAt, idOf, neighbour, unit, x, y, z } from './mesh.ts';

// Node record.
const N_POLY: u32 = 0; // u32, record address
const N_PARENT: u32 = 4; // u32, node number or NONE
// u32: edge of the parent's polygon in the low three bits, then the flags below; with LINKED in the upper 24 bits the link
// end in the parent's polygon.
const N_STATE: u32 = 8;
const N_Y: u32 = 12; // f32, metres
const N_X: u32 = 16; // f64, units: middles of edges lie on half units
const N_Z: u32 = 24; // f64
const N_COST: u32 = 32; // f64, units
const N_TOTAL: u32 = 40; // f64, cost + heuristic

const EDGE: u32 = 7;
const OPEN: u32 = 8;
const CLOSED: u32 = 16;
const PLACED: u32 = 32; // the position is set: it never changes again
const GOAL: u32 = 64;
const LINKED: u32 = 128; // reached over a link
const LINK_SHIFT: u32 = 8;
/** How the node was reached and where it lies: what closing keeps. */
const KEPT: u32 = 0xffffffa7; // EDGE | PLACED | LINKED | all of the upper bits

const HEURISTIC_SCALE: f64 = 0.999;
/** What rounding may have added to a sum of square roots that is used as a lower bound. */
const LOWER: f64 = 0.999999999999;

// State of the running search; one runs at a time in an instance.
let goalX: f64 = 0.0;
let goalZ: f64 = 0.0;
let goalY: f64 = 0.0; // units
let inverseUnit: f64 = 0.0;
let generation: u32 = 0;
let cap: u32 = 0;
let heapSize: u32 = 0;
let pushes: u32 = 0;
let cut: bool = false; // a node found no room

// Answers of the last search.
let length: f64 = 0.0;
let nodes: u32 = 0;
let pathSize: u32 = 0;
let proven: bool = false;

/** Plan length (units) of the walk found: with S_WALK, and with an S_OVER that is not proven; else Infinity. */
export function corridorLength(): f64 {
  return length;
}
export function corridorNodes(): u32 {
  return nodes;
}
/** Polygons of the walk found, ids at F_PATH. */
export function corridorPolygons(): u32 {
  return pathSize;
}

function planDistance(ax: f64, az: f64, bx: f64, bz: f64): f64 {
  return Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
}

/** Appends a node without position or state for polygon p; the caller has seen that there is room. */
function newNode(p: u32, state: u32): u32 {
  const index: u32 = nodes;
  const f: u32 = frame();
  const node: u32 = ldU32(f + F_NODES) + index * NODE_STRIDE;
  stU32(node + N_POLY, p);
  stU32(node + N_PARENT, NONE);
  stU32(node + N_STATE, state);
  const entry: u32 = ldU32(f + F_VISIT) + (idOf(p) << 3);
  stU32(entry, generation);
  stU32(entry + 4, index);
  nodes = index + 1;
  return node;
}

/**
 * The component that starts and ends share: NONE when they share none. Several floors may hold an end, so there may be
 * several components on each side; then any shared one answers. Bound: the product of both lists, each one fan.
 */
export function sharedComponent(starts: u32, startCount: u32, ends: u32, endCount: u32): u32 {
  for (let i: u32 = 0; i < startCount; i++) {
    const c: u32 = component(ldU32(starts + (i << 2)));
    for (let k: u32 = 0; k < endCount; k++) {
      if (component(ldU32(ends + (k << 2))) === c) return c;
    }
  }
  return NONE;
}

/**
 * Pulls the string through the corridor that ends at node `goal`; leaves polygon ids at F_PATH. Returns whether it did:
 * parents form a tree as long as steps are longer than rounding, which a broken map could undo; then it stops.
 */
function pull(goal: u32, sx: f64, sz: f64, sy: f64, gx: f64, gz: f64, gy: f64): bool {
  const f: u32 = frame();
  const base: u32 = ldU32(f + F_NODES);
  const path: u32 = ldU32(f + F_PATH);
  pathSize = 0;
  let index: u32 = goal;
  while (index !== NONE) {
    if (pathSize === nodes) {
      pathSize = 0;
      return false;
    }
    pathSize = pathSize + 1;
    index = ldU32(base + index * NODE_STRIDE + N_PARENT);
  }
  index = goal;
  let at: u32 = path + (pathSize << 2);
  while (index !== NONE) {
    at = at - 4;
    stU32(at, index);
    index = ldU32(base + index * NODE_STRIDE + N_PARENT);
  }
  funnelBegin(sx, sz, sy);
  let p: u32 = ldU32(base + ldU32(path) * NODE_STRIDE + N_POLY);
  stU32(path, idOf(p));
  for (let i: u32 = 1; i < pathSize; i++) {
    at = path + (i << 2);
    const node: u32 = base + ldU32(at) * NODE_STRIDE;
    const state: u32 = ldU32(node + N_STATE);
    if ((state & LINKED) !== 0) {
      const e: u32 = state >>> LINK_SHIFT;
      funnelLink(endX(e), endZ(e), endY(e), endX(e ^ 1), endZ(e ^ 1), endY(e ^ 1));
    } else {
      // Leaving a counter-clockwise polygon over edge r -> l: r is the right end, l the left one.
      const r: u32 = state & EDGE;
      const l: u32 = r + 1 === count(p) ? 0 : r + 1;
      funnelLeft(x(p, l), z(p, l), y(p, l));
      funnelRight(x(p, r), z(p, r), y(p, r));
    }
    p = ldU32(node + N_POLY);
    stU32(at, idOf(p));
  }
  length = funnelEnd(gx, gz, gy);
  return true;
}

/**
 * A step from node `index` into polygon q: of cost `cost` as far as (fx, fz, fy), and straight on from there to q's
 * position, which is (ex, ez, ey) when q was never reached. x, z and fy in units, ey in metres; `how` says over what.
 * Bound: one push.
 */
function relax(index: u32, q: u32, cost: f64, fx: f64, fz: f64, fy: f64, ex: f64, ez: f64, ey: f64, how: u32): void {
  const f: u32 = frame();
  const entry: u32 = ldU32(f + F_VISIT) + (idOf(q) << 3);
  let number: u32 = 0;
  if (ldU32(entry) === generation) {
    number = ldU32(entry + 4);
  } else {
    if (nodes >= cap) {
      cut = true;
      return;
    }
    number = nodes;
    newNode(q, 0);
  }
  const next: u32 = ldU32(f + F_NODES) + number * NODE_STRIDE;
  const known: u32 = ldU32(next + N_STATE);
  if ((known & PLACED) === 0) {
    stF64(next + N_X, ex);
    stF64(next + N_Z, ez);
    stF32(next + N_Y, ey);
  }
  const px: f64 = ldF64(next + N_X);
  const pz: f64 = ldF64(next + N_Z);
  const py: f64 = ldF32(next + N_Y) * inverseUnit;
  const step: f64 = Math.sqrt((px - fx) * (px - fx) + (py - fy) * (py - fy) + (pz - fz) * (pz - fz));
  const rest: f64 = Math.sqrt((goalX - px) * (goalX - px) + (goalY - py) * (goalY - py) + (goalZ - pz) * (goalZ - pz));
  let newCost: f64 = cost + step;
  let total: f64 = newCost + rest * HEURISTIC_SCALE;
  if ((known & GOAL) !== 0) {
    newCost = newCost + rest;
    total = newCost;
  }
  if ((known & (OPEN | CLOSED)) !== 0 && total >= ldF64(next + N_TOTAL)) return;
  if (pushes >= HEAP_CAP) {
    cut = true;
    return;
  }
  pushes = pushes + 1;
  stU32(next + N_PARENT, index);
  stU32(next + N_STATE, (known & GOAL) | OPEN | PLACED | how);
  stF64(next + N_COST, newCost);
  stF64(next + N_TOTAL, total);
  heapSize = heapPush(ldU32(f + F_HEAP), heapSize, HEAP_CAP, total, number);
}

/**
 * From (sx, sz) in the polygons of F_LIST_S to (gx, gz) in those of F_LIST_E; lengths and positions in units, floor
 * heights sy, gy in metres. S_WALK, S_UNREACHABLE, S_OVER or S_UNDECIDED; the numbers behind it by the functions above.
 */
export function corridorSearch(
  startCount: u32,
  endCount: u32,
  sx: f64,
  sz: f64,
  sy: f64,
  gx: f64,
  gz: f64,
  gy: f64,
  limit: f64,
  maxNodes: u32,
): u32 {
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const ends: u32 = ldU32(f + F_LIST_E);
  const base: u32 = ldU32(f + F_NODES);
  const visit: u32 = ldU32(f + F_VISIT);
  const heap: u32 = ldU32(f + F_HEAP);
  length = Infinity;
  nodes = 0;
  pathSize = 0;
  proven = false;

  if (sharedComponent(starts, startCount, ends, endCount) === NONE) return S_UNREACHABLE;
  // Written so that a limit that is not a number is not met.
  if (!(planDistance(sx, sz, gx, gz) * LOWER <= limit)) {
    proven = true;
    return S_OVER;
  }
  cap = maxNodes < NODE_CAP ? maxNodes : NODE_CAP;
  if (startCount + endCount > cap) return S_UNDECIDED;

  // Goals first: they always have a node, and on equal totals the lower number, a goal, comes first.
  generation = nextGeneration();
  for (let i: u32 = 0; i < endCount; i++) newNode(ldU32(ends + (i << 2)), GOAL);
  for (let i: u32 = 0; i < startCount; i++) {
    const p: u32 = ldU32(starts + (i << 2));
    if (ldU32(visit + (idOf(p) << 3)) === generation) {
      // One convex polygon holds both.
      stU32(ldU32(f + F_PATH), idOf(p));
      pathSize = 1;
      funnelBegin(sx, sz, sy);
      length = funnelEnd(gx, gz, gy);
      return S_WALK;
    }
  }
  const inverse: f64 = ldF64(MAP_BASE + H_INV_UNIT);
  const gyUnits: f64 = gy * inverse;
  inverseUnit = inverse;
  goalX = gx;
  goalZ = gz;
  goalY = gyUnits;
  heapSize = 0;
  pushes = 0;
  cut = false;
  for (let i: u32 = 0; i < startCount; i++) {
    const index: u32 = nodes;
    const node: u32 = newNode(ldU32(starts + (i << 2)), OPEN | PLACED);
    stF64(node + N_X, sx);
    stF64(node + N_Z, sz);
    stF32(node + N_Y, sy);
    // The height as stored, as for every other node: a position has one heuristic, or going back to it could gain.
    const rise: f64 = gyUnits - ldF32(node + N_Y) * inverse;
    const first: f64 = HEURISTIC_SCALE * Math.sqrt((gx - sx) * (gx - sx) + rise * rise + (gz - sz) * (gz - sz));
    stF64(node + N_COST, 0.0);
    stF64(node + N_TOTAL, first);
    heapSize = heapPush(heap, heapSize, HEAP_CAP, first, index);
    pushes = pushes + 1;
  }

  const limited: bool = limit < Infinity;
  let skipped: bool = false;
  while (heapSize > 0) {
    const key: f64 = heapKey(heap);
    const index: u32 = heapPayload(heap);
    heapSize = heapPop(heap, heapSize);
    const node: u32 = base + index * NODE_STRIDE;
    const state: u32 = ldU32(node + N_STATE);
    // An entry left behind by a cheaper one.
    if ((state & OPEN) === 0 || key !== ldF64(node + N_TOTAL)) continue;
    if ((state & GOAL) !== 0) {
      if (!pull(index, sx, sz, sy, gx, gz, gy)) return S_UNDECIDED;
      return length <= limit ? S_WALK : S_OVER;
    }
    stU32(node + N_STATE, (state & KEPT) | CLOSED);
    const p: u32 = ldU32(node + N_POLY);
    const parent: u32 = ldU32(node + N_PARENT);
    const parentPoly: u32 = parent === NONE ? 0 : ldU32(base + parent * NODE_STRIDE + N_POLY);
    const nx: f64 = ldF64(node + N_X);
    const nz: f64 = ldF64(node + N_Z);
    const ny: f64 = ldF32(node + N_Y) * inverse;
    const cost: f64 = ldF64(node + N_COST);
    const n: u32 = count(p);
    for (let i: u32 = 0; i < n; i++) {
      const q: u32 = neighbour(p, i);
      if (q === 0 || q === parentPoly) continue;
      const k: u32 = i + 1 === n ? 0 : i + 1;
      const ax: f64 = x(p, i);
      const az: f64 = z(p, i);
      const bx: f64 = x(p, k);
      const bz: f64 = z(p, k);
      const mx: f64 = (ax + bx) * 0.5;
      const mz: f64 = (az + bz) * 0.5;
      if (limited) {
        const least: f64 = planDistance(sx, sz, mx, mz) + planDistance(mx, mz, gx, gz) - planDistance(ax, az, bx, bz);
        if (least * LOWER > limit) {
          skipped = true;
          continue;
        }
      }
      relax(index, q, cost, nx, nz, ny, mx, mz, (y(p, i) + y(p, k)) * 0.5, i);
    }
    let following: u32 = firstEnd(p);
    while (following !== 0) {
      const e: u32 = following - 1;
      following = nextEnd(e);
      const q: u32 = endPoly(e ^ 1);
      if (q === p || q === parentPoly || !endOpen(e)) continue;
      const ax: f64 = endX(e);
      const az: f64 = endZ(e);
      const ay: f64 = endY(e) * inverse;
      const bx: f64 = endX(e ^ 1);
      const bz: f64 = endZ(e ^ 1);
      const bMetres: f64 = endY(e ^ 1);
      const by: f64 = bMetres * inverse;
      if (limited) {
        const least: f64 = planDistance(sx, sz, ax, az) + planDistance(ax, az, bx, bz) + planDistance(bx, bz, gx, gz);
        if (least * LOWER > limit) {
          skipped = true;
          continue;
        }
      }
      const there: f64 = Math.sqrt((ax - nx) * (ax - nx) + (ay - ny) * (ay - ny) + (az - nz) * (az - nz));
      const over: f64 = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az));
      relax(index, q, cost + there + over, bx, bz, by, bx, bz, bMetres, LINKED | (e << LINK_SHIFT));
    }
  }
  if (cut) return S_UNDECIDED;
  if (!skipped) return S_UNREACHABLE;
  proven = true;
  return S_OVER;
}

/** IN 10, or what a batch says: a whole number of nodes, NODE_CAP when it is not one or larger. */
export function nodeCap(value: f64): u32 {
  return value >= 0.0 && value < (NODE_CAP as f64) ? (value as u32) >>> 0 : NODE_CAP;
}

function corridorBetween(
  ax: f64,
  ay: f64,
  az: f64,
  bx: f64,
  by: f64,
  bz: f64,
  below: f64,
  above: f64,
  tolerance: f64,
  limit: f64,
  maxNodes: u32,
  hint: u32,
): u32 {
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const ends: u32 = ldU32(f + F_LIST_E);
  length = Infinity;
  nodes = 0;
  pathSize = 0;
  proven = false;
  const startCount: u32 = place(ax, ay, az, below, above, tolerance, hint, starts);
  if (startCount === NONE) return S_OUT_OF_RANGE;
  const sx: f64 = placedX();
  const sz: f64 = placedZ();
  const endCount: u32 = place(bx, by, bz, below, above, tolerance, NONE, ends);
  if (endCount === NONE) return S_OUT_OF_RANGE;
  if (startCount === 0) return S_FROM_OFF;
  if (endCount === 0) return S_TO_OFF;
  const gx: f64 = placedX();
  const gz: f64 = placedZ();
  const sy: f64 = heightAt(closestFloor(starts, startCount, sx, sz, ay), sx, sz);
  const gy: f64 = heightAt(closestFloor(ends, endCount, gx, gz, by), gx, gz);
  return corridorSearch(startCount, endCount, sx, sz, sy, gx, gz, gy, limit * ldF64(MAP_BASE + H_INV_UNIT), maxNodes);
}

/** Entry point: see KernelExports.corridor. */
export function corridor(fromPolygon: u32): u32 {
  const f: u32 = frame();
  const a: u32 = f + IN;
  const status: u32 = corridorBetween(
    ldF64(a),
    ldF64(a + 8),
    ldF64(a + 16),
    ldF64(a + 24),
    ldF64(a + 32),
    ldF64(a + 40),
    ldF64(a + 48),
    ldF64(a + 56),
    ldF64(a + 64),
    ldF64(a + 72),
    nodeCap(ldF64(a + 80)),
    fromPolygon,
  );
  const out: u32 = f + OUT;
  stF64(out, length * unit());
  stF64(out + 8, pathSize === 0 ? 0.0 : (funnelCorners() as f64));
  stF64(out + 16, nodes as f64);
  stF64(out + 24, pathSize as f64);
  stF64(out + 32, proven ? 1.0 : 0.0);
  return status;
}

/**
 * Entry point. from, to: f64[3n]; polygon: u32[n] hints; limit: f64[n]. Out: status u32[n], length f64[n] (Infinity when
 * there is none). below, above, tolerance, node cap in IN 6, 7, 8, 10.
 */
export function batchCorridor(n: u32, from: u32, to: u32, polygon: u32, limit: u32, status: u32, lengths: u32): void {
  const a: u32 = frame() + IN;
  const below: f64 = ldF64(a + 48);
  const above: f64 = ldF64(a + 56);
  const tolerance: f64 = ldF64(a + 64);
  const maxNodes: u32 = nodeCap(ldF64(a + 80));
  const scale: f64 = unit();
  for (let i: u32 = 0; i < n; i++) {
    const s: u32 = from + i * 24;
    const e: u32 = to + i * 24;
    stU32(
      status + (i << 2),
      corridorBetween(
        ldF64(s),
        ldF64(s + 8),
        ldF64(s + 16),
        ldF64(e),
        ldF64(e + 8),
        ldF64(e + 16),
        below,
        above,
        tolerance,
        ldF64(limit + (i << 3)),
        maxNodes,
        ldU32(polygon + (i << 2)),
      ),
    );
    stF64(lengths + (i << 3), length * scale);
  }
}
