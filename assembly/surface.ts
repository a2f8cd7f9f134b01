// Entry points of the walk along the surface: a start placed on the mesh, a motion in metres, then slide.ts. Imported by
// index.ts only.
//
// A motion is counted in whole units of the grid, each coordinate towards zero, so no walk is longer than what was asked;
// what that leaves over on open floor is reported, for the caller to add to the next motion: then no speed is lost, however
// short the steps. The end is a grid point of a closed polygon, both are reported, and a next call that gets them starts
// exactly there, in that polygon's fan and on its floor.

import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { carries } from './band.ts';
import { frame } from './frame.ts';
import { F_LIST_S, H_INV_UNIT, IN, MAP_BASE, NONE, OUT, S_CLEAR, S_FROM_OFF, S_OUT_OF_RANGE } from './layout.ts';
import { closestFloor, place, placedDistance, placedX, placedZ } from './locate.ts';
import {
  heightAt,
  holds,
  idOf,
  OFF_GRID,
  polyAt,
  polygons,
  toMetresX,
  toMetresZ,
  toUnitsX,
  toUnitsZ,
  unit,
} from './mesh.ts';
import {
  slide,
  slideCount,
  slideLegs,
  slideLength,
  slideNormalX,
  slideNormalZ,
  slidePolygon,
  slideX,
  slideZ,
} from './slide.ts';

/**
 * Longest motion in x or z, units: across the whole range. From any point of a mesh its target lies within 3 * 2^24, so
 * differences to mesh points stay <= 2^26 and determinants with an edge <= 2^52: still exact.
 */
const MOTION_MAX: f64 = 33554432.0;

// The motion of the last call, units, and how far its start was from the mesh, metres.
let motionX: f64 = 0.0;
let motionZ: f64 = 0.0;
let offMesh: f64 = 0.0;

/** The largest whole number of units that is not longer than |m| metres, with m's sign; Infinity or NaN stay. */
function wholeUnits(m: f64): f64 {
  const size: f64 = Math.abs(m);
  const u: f64 = unit();
  let n: f64 = Math.floor(size * ldF64(MAP_BASE + H_INV_UNIT));
  // The product with 1 / unit may miss a whole number by its rounding.
  if ((n + 1.0) * u <= size) n = n + 1.0;
  else if (n * u > size) n = n - 1.0;
  return m < 0.0 ? -n : n;
}

/** `from`: address of f64 x, y, z (m). A hint that holds the start (closed, in the band) is where the motion begins. */
function surfaceFrom(from: u32, mx: f64, mz: f64, below: f64, above: f64, tolerance: f64, hint: u32, keep: bool): u32 {
  const y: f64 = ldF64(from + 8);
  let px: f64 = toUnitsX(ldF64(from));
  let pz: f64 = toUnitsZ(ldF64(from + 16));
  if (px === OFF_GRID || pz === OFF_GRID || !(Math.abs(y) < Infinity)) return S_OUT_OF_RANGE;
  motionX = wholeUnits(mx);
  motionZ = wholeUnits(mz);
  offMesh = 0.0;
  const list: u32 = ldU32(frame() + F_LIST_S);
  let n: u32 = 1;
  const known: bool =
    hint < polygons() && holds(polyAt(hint), px, pz) && carries(polyAt(hint), px, pz, y, below, above);
  if (known) stU32(list, polyAt(hint));
  else {
    n = place(ldF64(from), y, ldF64(from + 16), below, above, tolerance, hint, list);
    px = placedX();
    pz = placedZ();
    offMesh = placedDistance();
  }
  // Written so that NaN fails it.
  if (!(Math.abs(motionX) <= MOTION_MAX && Math.abs(motionZ) <= MOTION_MAX)) return S_OUT_OF_RANGE;
  if (n === 0) return S_FROM_OFF;
  const first: u32 = closestFloor(list, n, px, pz, y);
  const word: u32 = slide(first, px, pz, motionX, motionZ, keep);
  if (n === 1 || word === S_CLEAR) return word;
  // Without a hint any fan of this floor at the point may lead on, where they touch only by it: a clear one, else the one
  // that goes farthest.
  const height: f64 = heightAt(first, px, pz);
  let best: u32 = first;
  let farthest: f64 = slideLength();
  for (let i: u32 = 0; i < n; i++) {
    const p: u32 = ldU32(list + (i << 2));
    if (p === first || heightAt(p, px, pz) !== height) continue;
    if (slide(p, px, pz, motionX, motionZ, false) === S_CLEAR) {
      best = p;
      break;
    }
    if (slideLength() > farthest) {
      farthest = slideLength();
      best = p;
    }
  }
  return slide(best, px, pz, motionX, motionZ, keep);
}

/** Walked length in metres: the sum of the legs, and no more than the straight motion, whatever the rounding. */
function lengthOf(straight: f64): f64 {
  return Math.min(slideLength() * unit(), straight);
}

/**
 * Entry point: see KernelExports.surface. Off the mesh or out of range: OUT 0..11 are 0 and OUT 3 is NONE.
 */
export function surface(fromPolygon: u32): u32 {
  const f: u32 = frame();
  const a: u32 = f + IN;
  const mx: f64 = ldF64(a + 24);
  const mz: f64 = ldF64(a + 40);
  const word: u32 = surfaceFrom(a, mx, mz, ldF64(a + 48), ldF64(a + 56), ldF64(a + 64), fromPolygon, true);
  const out: u32 = f + OUT;
  for (let i: u32 = 0; i < 13; i++) stF64(out + (i << 3), 0.0);
  if (word === S_OUT_OF_RANGE || word === S_FROM_OFF) {
    stF64(out + 24, NONE as f64);
    return word;
  }
  const p: u32 = slidePolygon();
  stF64(out, toMetresX(slideX()));
  stF64(out + 8, heightAt(p, slideX(), slideZ()));
  stF64(out + 16, toMetresZ(slideZ()));
  stF64(out + 24, idOf(p) as f64);
  const straight: f64 = Math.sqrt(motionX * motionX + motionZ * motionZ) * unit();
  const length: f64 = lengthOf(straight);
  stF64(out + 32, length);
  stF64(out + 40, straight - length);
  stF64(out + 48, slideCount() as f64);
  const nx: f64 = slideNormalX();
  const nz: f64 = slideNormalZ();
  const size: f64 = Math.sqrt(nx * nx + nz * nz);
  if (size > 0.0) {
    // Adding zero turns -0 into 0.
    stF64(out + 56, nx / size + 0.0);
    stF64(out + 64, nz / size + 0.0);
  }
  if (word === S_CLEAR) {
    stF64(out + 72, mx - motionX * unit());
    stF64(out + 80, mz - motionZ * unit());
  }
  stF64(out + 88, offMesh);
  stF64(out + 96, (slideLegs() + 1) as f64);
  return word;
}

/**
 * Entry point. from, delta: f64[3n] (y of delta is not read); polygon: u32[n] hints or NONE; out: status u32[n], point
 * f64[3n] (where off the mesh or out of range: as asked), lengths f64[n], last u32[n] (else NONE). below, above, tolerance
 * in IN 6, 7, 8. `point` may be `from` and `last` may be `polygon`: then a batch is one step of a simulation in place.
 */
export function batchSurface(
  n: u32,
  from: u32,
  delta: u32,
  polygon: u32,
  status: u32,
  point: u32,
  lengths: u32,
  last: u32,
): void {
  const a: u32 = frame() + IN;
  const below: f64 = ldF64(a + 48);
  const above: f64 = ldF64(a + 56);
  const tolerance: f64 = ldF64(a + 64);
  for (let i: u32 = 0; i < n; i++) {
    const at: u32 = from + i * 24;
    const by: u32 = delta + i * 24;
    const to: u32 = point + i * 24;
    const q: u32 = i << 2;
    const word: u32 = surfaceFrom(at, ldF64(by), ldF64(by + 16), below, above, tolerance, ldU32(polygon + q), false);
    stU32(status + q, word);
    if (word === S_OUT_OF_RANGE || word === S_FROM_OFF) {
      const y: f64 = ldF64(at + 8);
      const z: f64 = ldF64(at + 16);
      stF64(to, ldF64(at));
      stF64(to + 8, y);
      stF64(to + 16, z);
      stF64(lengths + (i << 3), 0.0);
      stU32(last + q, NONE);
      continue;
    }
    const p: u32 = slidePolygon();
    stF64(to, toMetresX(slideX()));
    stF64(to + 8, heightAt(p, slideX(), slideZ()));
    stF64(to + 16, toMetresZ(slideZ()));
    stF64(lengths + (i << 3), lengthOf(Math.sqrt(motionX * motionX + motionZ * motionZ) * unit()));
    stU32(last + q, idOf(p));
  }
}
