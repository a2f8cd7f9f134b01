// The exact walk: whether the straight plan segment between two grid points stays on the mesh, told without losing a
// ray. Imported by rays.ts and reach.ts. Every decision is the exact sign of a determinant; t is for reports only.
//
// Edge walking with vertex events: the signs s(v) of orient(S, E, v) decide the exit edge p -> q, s(p) < 0 < s(q), the
// same for both polygons of a shared edge (consistent edge functions; Woop, Benthin and Wald 2013, made exact by integer
// coordinates). Where the line leaves through a vertex, the walk rotates through that vertex's fan, over links only, to
// a polygon whose closed cone holds the direction.
// Invariant: the current closed polygon holds a point of [S, E], and the exit lies farther along E - S than every
// earlier exit, or equally far after a rotation; rotation is taken once per vertex. A convex polygon meets the line in
// one interval, so none is left twice. Bound: polygons + vertices steps, each of at most 8 corners, and per vertex one
// pass over its fan. The cap is an assertion: `overruns` counts its breaches and stays 0.

import { ldU32 } from '../src/kernel/twin/memory.ts';
import { lowestBit, signs } from '../src/kernel/twin/signs.ts';
import { carries, outOfBand } from './band.ts';
import { H_POLYGONS, H_VERTICES, MAP_BASE, NONE, P_X, P_Z } from './layout.ts';
import { count, heightAt, neighbour, unit, vid, x, z } from './mesh.ts';
import { orient } from './orient.ts';

// What stopped the last walk.
const STOP_NONE: u32 = 0;
const STOP_EDGE: u32 = 1;
const STOP_VERTEX: u32 = 2;
const STOP_FLOOR: u32 = 3;

let overruns: u32 = 0;
/** How often a walk hit its step cap: never, unless a mesh breaks the packed map's promises. */
export function walkOverruns(): u32 {
  return overruns;
}

// State of the walk in hand: last polygon, what stopped it, how far (t), and up to two blocking edges (two at a vertex).
let lastPoly: u32 = 0;
let stop: u32 = 0;
let stopT: f64 = 0.0;
let wall1: u32 = 0;
let wall1Edge: u32 = 0;
let wall2: u32 = 0;
let wall2Edge: u32 = 0;
let floorGap: f64 = 0.0;

// The best walk of the last `raySegment`: see the getters.
let hitPoly: u32 = 0;
let hitStop: u32 = 0;
let hitT: f64 = 0.0;
let hitWall1: u32 = 0;
let hitWall1Edge: u32 = 0;
let hitWall2: u32 = 0;
let hitWall2Edge: u32 = 0;
let hitFloorGap: f64 = 0.0;

/** Record address of the polygon in which the last ray ended. */
export function rayPolygon(): u32 {
  return hitPoly;
}
/** Fraction of the segment walked by the last ray: 1 when clear. */
export function rayT(): f64 {
  return hitT;
}
/**
 * How far (m) the last ray's target (grid point, units) lies beyond what stopped it: its plan distance to the blocking
 * edge, at a vertex to the nearer of the two wall edges there; on the wrong floor how far its height is out of the band.
 */
export function rayEdgeDistance(ex: f64, ez: f64): f64 {
  if (hitStop === STOP_NONE) return 0.0;
  if (hitStop === STOP_FLOOR) return hitFloorGap;
  let d: f64 = edgeDistance2(hitWall1, hitWall1Edge, ex, ez);
  if (hitWall2 !== 0) d = Math.min(d, edgeDistance2(hitWall2, hitWall2Edge, ex, ez));
  return Math.sqrt(d) * unit();
}

function after(p: u32, i: u32): u32 {
  return i + 1 < count(p) ? i + 1 : 0;
}
function before(p: u32, i: u32): u32 {
  return (i === 0 ? count(p) : i) - 1;
}

/** Squared distance (units) of a point to the closed edge i of polygon p. */
export function edgeDistance2(p: u32, i: u32, px: f64, pz: f64): f64 {
  const ax: f64 = x(p, i);
  const az: f64 = z(p, i);
  const j: u32 = after(p, i);
  const ex: f64 = x(p, j) - ax;
  const ez: f64 = z(p, j) - az;
  const s: f64 = Math.min(Math.max(((px - ax) * ex + (pz - az) * ez) / (ex * ex + ez * ez), 0.0), 1.0);
  const qx: f64 = px - (ax + s * ex);
  const qz: f64 = pz - (az + s * ez);
  return qx * qx + qz * qz;
}

/** The corner of polygon p with this vertex id, or NONE. */
function cornerOf(p: u32, vertex: u32): u32 {
  const n: u32 = count(p);
  for (let i: u32 = 0; i < n; i++) {
    if (vid(p, i) === vertex) return i;
  }
  return NONE;
}

/** Whether the closed cone of polygon p at corner i, which lies on the line, holds the direction (dx, dz). */
function coneHolds(p: u32, i: u32, dx: f64, dz: f64): bool {
  const wx: f64 = x(p, i);
  const wz: f64 = z(p, i);
  const j: u32 = after(p, i);
  if (dx * (z(p, j) - wz) - dz * (x(p, j) - wx) > 0.0) return false;
  const k: u32 = before(p, i);
  return dx * (z(p, k) - wz) - dz * (x(p, k) - wx) >= 0.0;
}

/**
 * Rotates from polygon p around its corner i, over links, to a polygon whose closed cone holds the direction; 0 when the
 * fan has none, and then wall1 and wall2 are the fan's two wall edges. Bound: one pass over the fan each way; the fan is
 * a chain between two walls or a circle through p.
 */
function rotate(p: u32, i: u32, dx: f64, dz: f64): u32 {
  const vertex: u32 = vid(p, i);
  const limit: u32 = ldU32(MAP_BASE + H_POLYGONS);
  wall1 = 0;
  wall2 = 0;
  let q: u32 = p;
  let k: u32 = i;
  for (let s: u32 = 0; s < limit; s++) {
    const edge: u32 = before(q, k);
    const next: u32 = neighbour(q, edge);
    if (next === 0) {
      wall1 = q;
      wall1Edge = edge;
      break;
    }
    if (next === p) return 0;
    q = next;
    k = cornerOf(q, vertex);
    if (k === NONE) return 0;
    if (coneHolds(q, k, dx, dz)) return q;
  }
  q = p;
  k = i;
  for (let s: u32 = 0; s < limit; s++) {
    const next: u32 = neighbour(q, k);
    if (next === 0) {
      wall2 = q;
      wall2Edge = k;
      break;
    }
    q = next;
    k = cornerOf(q, vertex);
    if (k === NONE) return 0;
    if (coneHolds(q, k, dx, dz)) return q;
  }
  return 0;
}

/** Walks from S in closed polygon `start` towards E. True when a polygon holding E is reached: lastPoly. */
function walk(start: u32, sx: f64, sz: f64, ex: f64, ez: f64): bool {
  const dx: f64 = ex - sx;
  const dz: f64 = ez - sz;
  let p: u32 = start;
  lastPoly = p;
  stop = STOP_NONE;
  stopT = 1.0;
  if (dx === 0.0 && dz === 0.0) return true;
  const c: f64 = dx * sz - dz * sx;
  const cap: u32 = ldU32(MAP_BASE + H_POLYGONS) + ldU32(MAP_BASE + H_VERTICES);
  for (let steps: u32 = 0; steps <= cap; steps++) {
    const m: u32 = signs(p + P_X, p + P_Z, count(p), dx, dz, c);
    // Bit i: corner i right of the line, corner i + 1 left of it. A convex polygon has at most one such edge.
    const left: u32 = m >>> 8;
    const exit: u32 = m & ((left >>> 1) | (left << 7)) & 0xff;
    if (exit !== 0) {
      const i: u32 = lowestBit(exit);
      const j: u32 = (i + 1) & 7;
      const px: f64 = x(p, i);
      const pz: f64 = z(p, i);
      // S lies inside and the line leaves here, so E is in the polygon exactly when it is not beyond this edge.
      const beyond: f64 = orient(px, pz, x(p, j), z(p, j), ex, ez);
      if (beyond >= 0.0) {
        lastPoly = p;
        return true;
      }
      const next: u32 = neighbour(p, i);
      if (next === 0) {
        lastPoly = p;
        stop = STOP_EDGE;
        wall1 = p;
        wall1Edge = i;
        wall2 = 0;
        const inside: f64 = orient(px, pz, x(p, j), z(p, j), sx, sz);
        stopT = inside > 0.0 ? inside / (inside - beyond) : 0.0;
        return false;
      }
      p = next;
      continue;
    }
    // The line leaves at a vertex: the farthest corner on it.
    const n: u32 = count(p);
    let w: u32 = NONE;
    let ahead: f64 = -Infinity;
    for (let i: u32 = 0; i < n; i++) {
      if (((m >>> i) & 0x101) === 0) {
        const dot: f64 = (x(p, i) - sx) * dx + (z(p, i) - sz) * dz;
        if (dot > ahead) {
          ahead = dot;
          w = i;
        }
      }
    }
    const whole: f64 = dx * dx + dz * dz;
    lastPoly = p;
    if (ahead >= whole) return true;
    const next: u32 = w === NONE ? 0 : rotate(p, w, dx, dz);
    if (next === 0) {
      stop = STOP_VERTEX;
      stopT = ahead > 0.0 ? ahead / whole : 0.0;
      return false;
    }
    p = next;
  }
  overruns = (overruns + 1) >>> 0;
  lastPoly = p;
  stop = STOP_VERTEX;
  stopT = 0.0;
  wall1 = 0;
  wall2 = 0;
  return false;
}

// Whether polygon p is a floor for E; keeps the smallest miss for the report.
function floorFits(p: u32, ex: f64, ez: f64, ey: f64, below: f64, above: f64): bool {
  if (carries(p, ex, ez, ey, below, above)) return true;
  floorGap = Math.min(floorGap, outOfBand(heightAt(p, ex, ez), ey, below, above));
  return false;
}

/**
 * The polygon on E's floor that the walk has reached: p itself, or, when E lies on p's rim, one that shares the point
 * with it over links. 0 = the floor is another one. Bound: p's corners and one pass each way over one fan.
 */
function floorOf(p: u32, ex: f64, ez: f64, ey: f64, below: f64, above: f64): u32 {
  floorGap = Infinity;
  if (floorFits(p, ex, ez, ey, below, above)) return p;
  const n: u32 = count(p);
  for (let i: u32 = 0; i < n; i++) {
    if (x(p, i) === ex && z(p, i) === ez) return floorInFan(p, i, ex, ez, ey, below, above);
  }
  for (let i: u32 = 0; i < n; i++) {
    const j: u32 = after(p, i);
    if (orient(x(p, i), z(p, i), x(p, j), z(p, j), ex, ez) === 0.0) {
      const q: u32 = neighbour(p, i);
      return q !== 0 && floorFits(q, ex, ez, ey, below, above) ? q : 0;
    }
  }
  return 0;
}

function floorInFan(p: u32, i: u32, ex: f64, ez: f64, ey: f64, below: f64, above: f64): u32 {
  const vertex: u32 = vid(p, i);
  const limit: u32 = ldU32(MAP_BASE + H_POLYGONS);
  for (let side: u32 = 0; side < 2; side++) {
    let q: u32 = p;
    let k: u32 = i;
    for (let s: u32 = 0; s < limit; s++) {
      q = neighbour(q, side === 0 ? before(q, k) : k);
      if (q === 0) break;
      if (q === p) return 0;
      if (floorFits(q, ex, ez, ey, below, above)) return q;
      k = cornerOf(q, vertex);
      if (k === NONE) return 0;
    }
  }
  return 0;
}

/**
 * The straight segment from S (held by each of the n >= 1 listed polygons) to E, grid points in units; E's height ey and
 * band in metres. Every start polygon is tried until one reaches E on its floor. Returns true when one does; rayPolygon,
 * rayT and rayEdgeDistance tell of that walk, or of the one that came farthest.
 */
export function raySegment(
  list: u32,
  n: u32,
  sx: f64,
  sz: f64,
  ex: f64,
  ez: f64,
  ey: f64,
  below: f64,
  above: f64,
): bool {
  hitT = -1.0;
  for (let i: u32 = 0; i < n; i++) {
    if (walk(ldU32(list + (i << 2)), sx, sz, ex, ez)) {
      const floor: u32 = floorOf(lastPoly, ex, ez, ey, below, above);
      if (floor !== 0) {
        hitPoly = floor;
        hitStop = STOP_NONE;
        hitT = 1.0;
        return true;
      }
      stop = STOP_FLOOR;
    }
    if (stopT > hitT) {
      hitT = stopT;
      hitPoly = lastPoly;
      hitStop = stop;
      hitWall1 = wall1;
      hitWall1Edge = wall1Edge;
      hitWall2 = wall2;
      hitWall2Edge = wall2Edge;
      hitFloorGap = floorGap;
    }
  }
  return false;
}
