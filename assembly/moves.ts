// A wave of moves: which of many straight moves are clear, on which polygon they end, and how high its floor is there. Asked
// by the guard for all claims of a chunk at once. Imported by index.ts only.
//
// What is clear here is clear for `reach`, with the same target polygon and floor to the bit; whatever is not an ordinary
// move (a start on a rim or off the mesh, a vertex event, a rim of another floor) is asked of the one-ray walk as `reach`
// asks it. A move that is not clear gets no further answer: `reach` says why.
// A start strictly inside its polygon stands on no other one of that floor, so one walk decides. Most moves end in the
// polygon they begin in: those are done at once, and the memory accesses of one overlap with those of the next; the rest
// advances in the rounds of wave.ts. Bound: polygons + vertices rounds a wave, and one ray of ray.ts per move at most.

import { ldF32, ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { aim } from '../src/kernel/twin/raylanes.ts';
import { lowestBit, signs } from '../src/kernel/twin/signs.ts';
import { inBand, nearHeights } from './band.ts';
import { frame } from './frame.ts';
import {
  F_LIST_S,
  F_MOVES,
  F_NODES,
  FLOOR_ONLY,
  H_POLYGONS,
  H_VERTICES,
  IN,
  M_FLOOR,
  M_FROM,
  M_POLYGON,
  M_TO,
  MAP_BASE,
  MOVE_STRIDE,
  MOVES,
  NONE,
  P_X,
  P_Z,
  W_BITS,
  W_EDGE,
  W_EX,
  W_EZ,
  W_MOVE,
  W_POLY,
} from './layout.ts';
import { place, placedX, placedZ } from './locate.ts';
import {
  count,
  heightAt,
  INSIDE,
  idOf,
  neighbour,
  OFF_GRID,
  polyAt,
  polygons,
  stands,
  toUnitsX,
  toUnitsZ,
  x,
  z,
} from './mesh.ts';
import { orient } from './orient.ts';
import { rayPolygon, raySegment } from './ray.ts';
import { advance, LARGE, reached, touch, WAVE } from './wave.ts';

/** Ends move w in polygon p at a grid point, when the floor there carries the asked height; else it is asked alone. */
function land(w: u32, p: u32, ex: f64, ez: f64, below: f64, above: f64, tolerance: f64, list: u32): void {
  const floor: f64 = heightAt(p, ex, ez);
  if (inBand(floor, ldF64(w + M_TO + 8), below, above)) {
    stF64(w + M_POLYGON, idOf(p) as f64);
    stF64(w + M_FLOOR, floor);
  } else askAlone(w, below, above, tolerance, list);
}

/** The straight way as `reach` asks it, with its hint. */
function askAlone(w: u32, below: f64, above: f64, tolerance: f64, list: u32): void {
  const hint: u32 = ldF64(w + M_POLYGON) as u32;
  stF64(w + M_POLYGON, NONE as f64);
  // where it does not know its side of a corner, it may know no more afterwards: the rules see to it
  if (hint >= FLOOR_ONLY && hint !== NONE) return;
  const ex: f64 = toUnitsX(ldF64(w + M_TO));
  const ey: f64 = ldF64(w + M_TO + 8);
  const ez: f64 = toUnitsZ(ldF64(w + M_TO + 16));
  if (ex === OFF_GRID || ez === OFF_GRID || !(Math.abs(ey) < Infinity)) return;
  const n: u32 = place(
    ldF64(w + M_FROM),
    ldF64(w + M_FROM + 8),
    ldF64(w + M_FROM + 16),
    below,
    above,
    tolerance,
    hint,
    list,
  );
  if (n === 0 || n === NONE) return;
  if (!raySegment(list, n, placedX(), placedZ(), ex, ez, ey, below, above)) return;
  stF64(w + M_POLYGON, idOf(rayPolygon()) as f64);
  stF64(w + M_FLOOR, heightAt(rayPolygon(), ex, ez));
}

/** Answers move w, or prepares ray r for the rounds and returns 1. */
function launch(w: u32, r: u32, below: f64, above: f64, tolerance: f64, limit: u32, list: u32): u32 {
  const hint: u32 = ldF64(w + M_POLYGON) as u32;
  const sx: f64 = toUnitsX(ldF64(w + M_FROM));
  const sz: f64 = toUnitsZ(ldF64(w + M_FROM + 16));
  const ex: f64 = toUnitsX(ldF64(w + M_TO));
  const ez: f64 = toUnitsZ(ldF64(w + M_TO + 16));
  const known: bool = hint < limit && sx !== OFF_GRID && sz !== OFF_GRID && ex !== OFF_GRID && ez !== OFF_GRID;
  if (known) {
    const p: u32 = polyAt(hint);
    if (stands(p, sx, sz) === INSIDE && nearHeights(p, ldF64(w + M_FROM + 8), below, above)) {
      const dx: f64 = ex - sx;
      const dz: f64 = ez - sz;
      const c: f64 = dx * sz - dz * sx;
      const m: u32 = signs(p + P_X, p + P_Z, count(p), dx, dz, c);
      const left: u32 = m >>> 8;
      const exit: u32 = m & ((left >>> 1) | (left << 7)) & 0xff;
      if (exit !== 0) {
        const i: u32 = lowestBit(exit);
        const j: u32 = (i + 1) & 7;
        const beyond: f64 = orient(x(p, i), z(p, i), x(p, j), z(p, j), ex, ez);
        if (beyond >= 0.0) {
          land(w, p, ex, ez, below, above, tolerance, list);
          return 0;
        }
        const next: u32 = neighbour(p, i);
        if (next === 0) {
          stF64(w + M_POLYGON, NONE as f64);
          return 0;
        }
        // Only a height that is not finite stops it here; `askAlone` says what that means.
        if (aim(w + M_FROM, w + M_TO, r, MAP_BASE)) {
          stU32(r + W_POLY, next);
          stU32(r + W_MOVE, w);
          return 1;
        }
      }
      if (dx === 0.0 && dz === 0.0) {
        land(w, p, ex, ez, below, above, tolerance, list);
        return 0;
      }
    }
  }
  askAlone(w, below, above, tolerance, list);
  return 0;
}

/**
 * Entry point: see KernelExports.clearMoves. Questions and answers stand at F_MOVES; below, above, tolerance in IN 6, 7, 8.
 */
export function clearMoves(n: u32): void {
  const f: u32 = frame();
  const below: f64 = ldF64(f + IN + 48);
  const above: f64 = ldF64(f + IN + 56);
  const tolerance: f64 = ldF64(f + IN + 64);
  const list: u32 = ldU32(f + F_LIST_S);
  const moves: u32 = ldU32(f + F_MOVES);
  const rays: u32 = ldU32(f + F_NODES);
  const live: u32 = rays + (WAVE << W_BITS);
  const limit: u32 = polygons();
  const cap: u32 = ldU32(MAP_BASE + H_POLYGONS) + ldU32(MAP_BASE + H_VERTICES);
  const large: bool = limit > LARGE;
  const size: u32 = n < MOVES ? n : MOVES;
  if (large) {
    let seen: u32 = 0;
    for (let i: u32 = 0; i < size; i++) {
      const hint: u32 = ldF64(moves + i * MOVE_STRIDE + M_POLYGON) as u32;
      seen = seen ^ touch(polyAt(hint < limit ? hint : 0));
    }
    // Stored, or the reads would be dropped.
    stU32(live + WAVE * 4, seen >>> 0);
  }
  let crossing: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    const r: u32 = rays + (crossing << W_BITS);
    stU32(live + (crossing << 2), r);
    crossing = crossing + launch(moves + i * MOVE_STRIDE, r, below, above, tolerance, limit, list);
  }
  let going: u32 = crossing;
  for (let round: u32 = 0; going > 0 && round <= cap; round++) going = advance(live, going, large);
  // The cap is an assertion, as in ray.ts: rays that broke it are asked again, and counted there.
  for (let k: u32 = 0; k < going; k++) stU32(ldU32(live + (k << 2)) + W_EDGE, NONE);
  for (let k: u32 = 0; k < crossing; k++) {
    const r: u32 = rays + (k << W_BITS);
    const w: u32 = ldU32(r + W_MOVE);
    if (ldU32(r + W_EDGE) === NONE) askAlone(w, below, above, tolerance, list);
    else if (reached(r)) {
      land(w, ldU32(r + W_POLY), ldF32(r + W_EX), ldF32(r + W_EZ), below, above, tolerance, list);
    } else stF64(w + M_POLYGON, NONE as f64);
  }
}
