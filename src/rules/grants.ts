// Grants: the server's word that an entity may appear somewhere once. Bound to place, radius and time. Imported by
// rules/ and guard.ts.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import type { Verdict } from '../types.ts';
import { accept } from './answer.ts';
import { release } from './carried.ts';
import { forgetPut } from './confirm.ts';
import { endPending } from './corrections.ts';
import { Q_RATE, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import {
  ATTACHED,
  FLAGS,
  FLOOR,
  GRANT,
  GRANT_COUNT,
  GRANT_MAX,
  GRANT_STRIDE,
  GRANTED,
  GROUND_Y,
  OPEN,
  STALE,
} from './ledger.ts';
import { putAtClaim, stopWalk } from './places.ts';
import { ask } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';

/** The walk from a grant's place to the claim may be this much longer than its radius: not through a wall. */
const WALK_OF_RADIUS = 1.5;

/** Adds a grant; expired ones go, and of too many the oldest. */
export function addGrant(
  f: Float64Array,
  o: number,
  t: number,
  x: number,
  y: number,
  z: number,
  radius: number,
  ttlMs: number,
): void {
  for (let k = f[o + GRANT_COUNT] - 1; k >= 0; k--) {
    if (t > f[o + GRANT + k * GRANT_STRIDE + 4]) removeGrant(f, o, k);
  }
  if (f[o + GRANT_COUNT] === GRANT_MAX) removeGrant(f, o, 0);
  const g = o + GRANT + f[o + GRANT_COUNT] * GRANT_STRIDE;
  f[g] = x;
  f[g + 1] = y;
  f[g + 2] = z;
  f[g + 3] = radius;
  f[g + 4] = t + ttlMs;
  f[o + GRANT_COUNT] += 1;
  f[o + FLAGS] = f[o + FLAGS] | GRANTED;
}

/** A teleport voids what was granted before. */
export function voidGrants(f: Float64Array, o: number): void {
  f[o + GRANT_COUNT] = 0;
  f[o + FLAGS] = f[o + FLAGS] & ~GRANTED;
  f.fill(0, o + GRANT, o + GRANT + GRANT_MAX * GRANT_STRIDE);
}

function removeGrant(f: Float64Array, o: number, k: number): void {
  const g = o + GRANT;
  const end = g + f[o + GRANT_COUNT] * GRANT_STRIDE;
  f.copyWithin(g + k * GRANT_STRIDE, g + (k + 1) * GRANT_STRIDE, end);
  f.fill(0, end - GRANT_STRIDE, end);
  f[o + GRANT_COUNT] -= 1;
  if (f[o + GRANT_COUNT] === 0) f[o + FLAGS] = f[o + FLAGS] & ~GRANTED;
}

/**
 * Whether the claim at hand is longer than a walk in the client time that is unaccounted for: credit that was saved up might pay for it,
 * but then what the line held back behind it would find none. Steps into a grant's radius are shorter than that radius.
 */
export function leaps(f: Float64Array, o: number, q: Float64Array): boolean {
  const straight = q[Q_STRAIGHT];
  if (!(straight > q[Q_RATE] * f[o + OPEN])) return false;
  for (let k = 0; k < f[o + GRANT_COUNT]; k++) if (straight > f[o + GRANT + k * GRANT_STRIDE + 3]) return true;
  return false;
}

/**
 * Check 5, asked only when the claim is not a legal walk, or a leap: the grant whose place it is at is spent and the claim accepted;
 * null when there is none, and then nothing has changed.
 */
export function redeem(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { kernel, rules, q } = scene;
  const t = q[Q_T];
  const x = q[Q_X];
  const z = q[Q_Z];
  for (let k = 0; k < f[o + GRANT_COUNT]; k++) {
    const g = o + GRANT + k * GRANT_STRIDE;
    const radius = f[g + 3];
    if (t > f[g + 4] || !(planDistance(f[g], f[g + 2], x, z) <= radius)) continue;
    const budget = radius * WALK_OF_RADIUS;
    ask(
      kernel,
      f[g],
      scene.level(f[g + 1]),
      f[g + 2],
      x,
      scene.level(q[Q_Y]),
      z,
      scene.below,
      scene.above,
      scene.edge,
      budget,
      rules.nodeCap,
    );
    const status = kernel.reach(NONE, NONE) >>> 0;
    if (status !== S_WALK && !(status === S_CLEAR && kernel.output[1] <= budget)) continue;
    const straight = q[Q_STRAIGHT];
    removeGrant(f, o, k);
    stopWalk(scene, f, o, t);
    f[o + FLAGS] = f[o + FLAGS] & ~STALE;
    f[o + OPEN] = 0;
    if ((f[o + FLAGS] & ATTACHED) !== 0) release(scene, f, o);
    // granted is a place, not a height: a flight there began on its floor
    putAtClaim(scene, f, o);
    f[o + GROUND_Y] = Math.min(f[o + GROUND_Y], f[o + FLOOR]);
    endPending(f, o, t, rules.scoreHalfLifeMs);
    forgetPut(f, o);
    return accept(scene, f, o, straight, NaN, -1, NaN, NaN);
  }
  return null;
}
