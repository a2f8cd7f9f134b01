// A motion along the surface: straight until a wall, then along the wall, over as many walls as the motion lasts. Imported
// by surface.ts only.
//
// Meaning. A motion d lasts from 1 to 0. Where the straight way on is walkable (closed set), the entity moves with d; at a
// wall it moves with the projection of d on that wall, as long as the straight way on stays closed; where it opens (the
// wall ends or bends away) it moves with d again. It stops where no wall leads on: head-on, in a corner between two walls,
// and at the tip of a corner that halves d exactly. That is the projected dynamical system of a constant field (Dupuis and
// Nagurney 1993): one motion equals the same motion cut into pieces, up to the rounding below. Time is given back, not
// length: what the projection takes off is lost.
//
// Exact. Every leg runs between grid points, from a polygon to a polygon, and is a clear walk of ray.ts; so no leg passes
// a wall, a pinch or a gap between floors. Which wall stops the straight way, whether a wall leads on, which of two walls
// at a corner is the nearer to d, and where a wall ends are signs of integers: the direction is always d itself, and a
// wall is left at its end, which is a grid point. Only two kinds of points are not on the grid: where d meets the inside of
// a wall edge, and where the motion runs out. For these the nearest grid point stands that a clear leg reaches, on the
// walkable side of the wall, and never longer than the motion; time is counted from the real point.
//
// Bound. Each turn of the loop but the last ends at the end of a wall with a strictly greater product with d, so none is
// reached twice: at most as many turns as vertices, and never more than LEGS_MAX legs and SLIDES_MAX slides (collinear
// walls in a row count as one). A turn asks at most 26 rays more than it makes legs.

import { ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { lowestBit, signs } from '../src/kernel/twin/signs.ts';
import { frame } from './frame.ts';
import {
  CORNER_STRIDE,
  F_CORNERS,
  F_LIST_E,
  H_POLYGONS,
  MAP_BASE,
  NODE_CAP,
  NONE,
  P_X,
  P_Z,
  S_BLOCKED,
  S_CLEAR,
  S_UNDECIDED,
  S_WALK,
} from './layout.ts';
import { count, heightAt, neighbour, toMetresX, toMetresZ, vid, x, z } from './mesh.ts';
import { rayPolygon, raySegment, rayT } from './ray.ts';

/** Largest number of slides of one motion. */
export const SLIDES_MAX: u32 = 64;
/** Largest number of legs of one motion: its corners fit where those of a path do. */
export const LEGS_MAX: u32 = NODE_CAP;

// The motion in hand, units: where it stands and in which polygon, what it is, how much of it is left (1 .. 0).
let atX: f64 = 0.0;
let atZ: f64 = 0.0;
let poly: u32 = 0;
let dx: f64 = 0.0;
let dz: f64 = 0.0;
let left: f64 = 0.0;
let walked: f64 = 0.0;
let legs: u32 = 0;
let slides: u32 = 0;
let record: bool = false;
// Direction of the last slide, and inward normal of the last wall (not of unit length; 0, 0 = none).
let lineX: f64 = 0.0;
let lineZ: f64 = 0.0;
let normalX: f64 = 0.0;
let normalZ: f64 = 0.0;
// The wall in hand: edge from a to b, walkable side left, and the way along it: b - a or a - b.
let ax: f64 = 0.0;
let az: f64 = 0.0;
let bx: f64 = 0.0;
let bz: f64 = 0.0;
let wayX: f64 = 0.0;
let wayZ: f64 = 0.0;

/** Where the last motion ended (units, on the grid), in which polygon (record address), and what it did. */
export function slideX(): f64 {
  return atX;
}
export function slideZ(): f64 {
  return atZ;
}
export function slidePolygon(): u32 {
  return poly;
}
/** Plan length of all legs, units. */
export function slideLength(): f64 {
  return walked;
}
export function slideCount(): u32 {
  return slides;
}
export function slideLegs(): u32 {
  return legs;
}
/** Inward normal of the last wall, not of unit length; 0, 0 when the motion met none. */
export function slideNormalX(): f64 {
  return normalX;
}
export function slideNormalZ(): f64 {
  return normalZ;
}

/** Whether the straight leg by (ox, oz) from where the motion stands is walkable, whatever the height. */
function clearTo(ox: f64, oz: f64): bool {
  const one: u32 = ldU32(frame() + F_LIST_E);
  stU32(one, poly);
  return raySegment(one, 1, atX, atZ, atX + ox, atZ + oz, 0.0, Infinity, Infinity);
}

function corner(): void {
  if (!record) return;
  const c: u32 = ldU32(frame() + F_CORNERS) + legs * CORNER_STRIDE;
  stF64(c, toMetresX(atX));
  stF64(c + 8, heightAt(poly, atX, atZ));
  stF64(c + 16, toMetresZ(atZ));
}

/** Walks the leg by (ox, oz), which is none when both are 0; false when it is not clear. */
function leg(ox: f64, oz: f64): bool {
  if (ox === 0.0 && oz === 0.0) return true;
  if (!clearTo(ox, oz)) return false;
  poly = rayPolygon();
  atX = atX + ox;
  atZ = atZ + oz;
  walked = walked + Math.sqrt(ox * ox + oz * oz);
  legs = legs + 1;
  corner();
  return true;
}

/** The nearest integer, halves away from zero: the same after a mirror. */
function nearestInteger(v: f64): f64 {
  return v < 0.0 ? -Math.floor(0.5 - v) : Math.floor(v + 0.5);
}

// What `settle` looks for.
const FREE: u32 = 0; // where the motion runs out on open floor
const TO_WALL: u32 = 1; // where d meets the wall in hand: farther along d
const ON_WALL: u32 = 2; // where the motion runs out along the wall in hand: farther along the way

/**
 * Walks to the grid point that stands for the real point by (rx, rz) from here: the nearest one of the 25 around it whose
 * leg is clear and, squared, at most `most`; at a wall also on its walkable side, between its ends and farther along than
 * here. Staying is one of them, where near. False when there is none. Ties by the distance from the line of d, then by
 * the product with d, then by the product with the way. Bound: 25 rays.
 */
function settle(rx: f64, rz: f64, most: f64, mode: u32): bool {
  const cx: f64 = nearestInteger(rx);
  const cz: f64 = nearestInteger(rz);
  let refused: u32 = 0;
  while (true) {
    let best: u32 = NONE;
    let least: f64 = Infinity;
    let aside: f64 = 0.0;
    let ahead: f64 = 0.0;
    let along: f64 = 0.0;
    for (let i: u32 = 0; i < 25; i++) {
      if (((refused >>> i) & 1) !== 0) continue;
      const ox: f64 = cx + ((i % 5) as f64) - 2.0;
      const oz: f64 = cz + (((i / 5) | 0) as f64) - 2.0;
      if (ox * ox + oz * oz > most) continue;
      const forth: f64 = ox * dx + oz * dz;
      const by: f64 = ox * wayX + oz * wayZ;
      if (mode !== FREE) {
        if ((mode === TO_WALL ? forth : by) <= 0.0 && (ox !== 0.0 || oz !== 0.0)) continue;
        if (!besideWall(atX + ox, atZ + oz)) continue;
      }
      const d: f64 = (ox - rx) * (ox - rx) + (oz - rz) * (oz - rz);
      if (d > least) continue;
      const off: f64 = Math.abs(ox * dz - oz * dx);
      if (d === least) {
        if (off > aside) continue;
        if (off === aside && (forth < ahead || (forth === ahead && by <= along))) continue;
      }
      best = i;
      least = d;
      aside = off;
      ahead = forth;
      along = by;
    }
    if (best === NONE) return false;
    if (leg(cx + ((best % 5) as f64) - 2.0, cz + (((best / 5) | 0) as f64) - 2.0)) return true;
    refused = (refused | (1 << best)) >>> 0;
  }
}

/** Whether a point lies in the half strip over the wall in hand: on its walkable side, between its ends. */
function besideWall(px: f64, pz: f64): bool {
  const ux: f64 = bx - ax;
  const uz: f64 = bz - az;
  if (ux * (pz - az) - uz * (px - ax) < 0.0) return false;
  return (px - ax) * ux + (pz - az) * uz >= 0.0 && (bx - px) * ux + (bz - pz) * uz >= 0.0;
}

/** The end of the wall in hand that the way leads to. */
function endX(): f64 {
  return wayX === bx - ax && wayZ === bz - az ? bx : ax;
}
function endZ(): f64 {
  return wayX === bx - ax && wayZ === bz - az ? bz : az;
}

/** Takes edge i of polygon p as the wall in hand, with the way from a to b. */
function takeWall(p: u32, i: u32): void {
  const j: u32 = i + 1 < count(p) ? i + 1 : 0;
  ax = x(p, i);
  az = z(p, i);
  bx = x(p, j);
  bz = z(p, j);
  wayX = bx - ax;
  wayZ = bz - az;
  normalX = -wayZ;
  normalZ = wayX;
}

function turnRound(): void {
  wayX = ax - bx;
  wayZ = az - bz;
}

/** The corner of polygon p with this vertex id, or NONE. */
function cornerOf(p: u32, vertex: u32): u32 {
  const n: u32 = count(p);
  for (let i: u32 = 0; i < n; i++) {
    if (vid(p, i) === vertex) return i;
  }
  return NONE;
}

// The wall edge of a fan last found by `fanWall`.
let fanPoly: u32 = 0;
let fanEdge: u32 = 0;

/**
 * The wall at the end of the fan around corner i of polygon p: with `incoming` the one that runs into the vertex, else the
 * one that runs out of it. False when the fan is a circle. Bound: one pass over the fan.
 */
function fanWall(p: u32, i: u32, incoming: bool): bool {
  const vertex: u32 = vid(p, i);
  const limit: u32 = ldU32(MAP_BASE + H_POLYGONS);
  let q: u32 = p;
  let k: u32 = i;
  for (let s: u32 = 0; s < limit; s++) {
    const edge: u32 = incoming ? (k === 0 ? count(q) : k) - 1 : k;
    const next: u32 = neighbour(q, edge);
    if (next === 0) {
      fanPoly = q;
      fanEdge = edge;
      return true;
    }
    if (next === p) return false;
    q = next;
    k = cornerOf(q, vertex);
    if (k === NONE) return false;
  }
  return false;
}

/** 2^26: halves of integers below 2^52. */
const HALF: f64 = 67108864.0;

/** Sign of a * b - c * d for integers in [0, 2^51]: exact, by halves; every sum stays below 2^53. */
export function compareProducts(a: f64, b: f64, c: f64, d: f64): f64 {
  const ah: f64 = Math.floor(a / HALF);
  const al: f64 = a - ah * HALF;
  const bh: f64 = Math.floor(b / HALF);
  const bl: f64 = b - bh * HALF;
  const ch: f64 = Math.floor(c / HALF);
  const cl: f64 = c - ch * HALF;
  const dh: f64 = Math.floor(d / HALF);
  const dl: f64 = d - dh * HALF;
  const low: f64 = al * bl - cl * dl;
  const carry: f64 = Math.floor(low / HALF);
  const middle: f64 = ah * bl + al * bh - (ch * dl + cl * dh) + carry;
  const over: f64 = Math.floor(middle / HALF);
  const high: f64 = ah * bh - ch * dh + over;
  if (high !== 0.0) return high;
  const rest: f64 = middle - over * HALF;
  return rest !== 0.0 ? rest : low - carry * HALF;
}

/**
 * At a vertex that the straight way does not pass: takes the wall of its fan that is nearer to d in angle, if less than a
 * right angle. False when none is, or when both are equally near.
 */
function chooseWall(): bool {
  const n: u32 = count(poly);
  let i: u32 = 0;
  while (i < n && (x(poly, i) !== atX || z(poly, i) !== atZ)) i++;
  if (i === n) return false;
  if (!fanWall(poly, i, true)) return false;
  const inPoly: u32 = fanPoly;
  const inEdge: u32 = fanEdge;
  if (!fanWall(poly, i, false)) return false;
  takeWall(inPoly, inEdge);
  const backX: f64 = -wayX;
  const backZ: f64 = -wayZ;
  takeWall(fanPoly, fanEdge);
  const ahead: f64 = dx * wayX + dz * wayZ;
  const behind: f64 = dx * backX + dz * backZ;
  if (ahead <= 0.0 && behind <= 0.0) return false;
  let incoming: bool = ahead <= 0.0;
  if (ahead > 0.0 && behind > 0.0) {
    // Angles below a right angle compare as their tangents.
    const side: f64 = compareProducts(
      Math.abs(dx * wayZ - dz * wayX),
      behind,
      Math.abs(dx * backZ - dz * backX),
      ahead,
    );
    if (side === 0.0) return false;
    incoming = side > 0.0;
  }
  if (incoming) {
    takeWall(inPoly, inEdge);
    turnRound();
  }
  return true;
}

/**
 * Along the wall in hand from here; the real point lies by (rx, rz) from here. Returns S_CLEAR when the wall's end was
 * reached with motion left, else the answer of the whole motion.
 */
function along(rx: f64, rz: f64, full: f64): u32 {
  const ahead: f64 = dx * wayX + dz * wayZ;
  if (lineX * wayZ - lineZ * wayX !== 0.0 || lineX * wayX + lineZ * wayZ <= 0.0) {
    if (slides === SLIDES_MAX) return S_UNDECIDED;
    slides = slides + 1;
    lineX = wayX;
    lineZ = wayZ;
  }
  const ox: f64 = endX() - atX;
  const oz: f64 = endZ() - atZ;
  const most: f64 = (full - walked) * (full - walked);
  const time: f64 = ((ox - rx) * wayX + (oz - rz) * wayZ) / ahead;
  if (time < left && ox * ox + oz * oz <= most) {
    if (!leg(ox, oz)) return S_BLOCKED;
    left = left - time;
    return S_CLEAR;
  }
  const share: f64 = (Math.min(left, time) * ahead) / (wayX * wayX + wayZ * wayZ);
  left = 0.0;
  settle(rx + share * wayX, rz + share * wayZ, most, ON_WALL);
  return S_WALK;
}

/**
 * The motion by (mx, mz) from a grid point in closed polygon `start`, all in units. Returns S_CLEAR (straight all the way:
 * the end is exactly the target), S_WALK (the motion was used up along walls), S_BLOCKED (walls stopped it) or S_UNDECIDED
 * (more slides or legs than one motion may have; it stands where it came to). With `keep` the corners of the legs are
 * written to F_CORNERS, the start first.
 */
export function slide(start: u32, px: f64, pz: f64, mx: f64, mz: f64, keep: bool): u32 {
  atX = px;
  atZ = pz;
  poly = start;
  dx = mx;
  dz = mz;
  left = 1.0;
  walked = 0.0;
  legs = 0;
  slides = 0;
  record = keep;
  lineX = 0.0;
  lineZ = 0.0;
  normalX = 0.0;
  normalZ = 0.0;
  corner();
  if (dx === 0.0 && dz === 0.0) return S_CLEAR;
  const full: f64 = Math.sqrt(dx * dx + dz * dz);
  while (legs < LEGS_MAX - 2) {
    const before: u32 = legs;
    const open: bool = clearTo(dx, dz);
    if (open && before === 0) {
      leg(dx, dz);
      return S_CLEAR;
    }
    const t: f64 = open ? 1.0 : rayT();
    wayX = 0.0;
    wayZ = 0.0;
    if (t >= left) {
      settle(left * dx, left * dz, (full - walked) * (full - walked), FREE);
      return S_WALK;
    }
    const p: u32 = rayPolygon();
    const n: u32 = count(p);
    const m: u32 = signs(p + P_X, p + P_Z, n, dx, dz, dx * atZ - dz * atX);
    const over: u32 = m >>> 8;
    // As in ray.ts: the edge from right of the line to left of it, if any.
    const exit: u32 = m & ((over >>> 1) | (over << 7)) & 0xff;
    let rx: f64 = 0.0;
    let rz: f64 = 0.0;
    if (exit !== 0) {
      takeWall(p, lowestBit(exit));
      const ahead: f64 = dx * wayX + dz * wayZ;
      if (ahead < 0.0) turnRound();
      rx = t * dx;
      rz = t * dz;
      const fromX: f64 = atX;
      const fromZ: f64 = atZ;
      if (!settle(rx, rz, (full - walked) * (full - walked), TO_WALL)) return S_BLOCKED;
      if (ahead === 0.0) return S_BLOCKED;
      rx = rx - (atX - fromX);
      rz = rz - (atZ - fromZ);
    } else {
      // At a vertex: the farthest corner on the line.
      let w: u32 = NONE;
      let farthest: f64 = -Infinity;
      for (let i: u32 = 0; i < n; i++) {
        if (((m >>> i) & 0x101) !== 0) continue;
        const dot: f64 = (x(p, i) - atX) * dx + (z(p, i) - atZ) * dz;
        if (dot > farthest) {
          farthest = dot;
          w = i;
        }
      }
      if (w === NONE || farthest < 0.0 || !leg(x(p, w) - atX, z(p, w) - atZ) || !chooseWall()) return S_BLOCKED;
    }
    left = left - t;
    const word: u32 = along(rx, rz, full);
    if (word !== S_CLEAR) return word;
    if (legs === before) return S_BLOCKED;
  }
  return S_UNDECIDED;
}
