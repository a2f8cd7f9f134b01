// Check 11: whether a flight since the last ground contact explains how high or low a claim is. Imported by rules/.
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { AIR_SLACK, highest, lowest } from './air.ts';
import { windowMs } from './credit.ts';
import { Q_T, Q_Y } from './hand.ts';
import { GROUND_T, GROUND_Y, LAUNCH } from './ledger.ts';
import { refuse } from './refuse.ts';
import type { Scene } from './scene.ts';

/** Refuses the claim at hand as Airborne when no flight explains it; null when one does. */
export function judgeAir(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules } = scene;
  const since = q[Q_T] - f[o + GROUND_T];
  // what was claimed at either end may have been on its way for this long
  const jitter = windowMs(f, o, q[Q_T], scene.terms);
  const height = scene.level(q[Q_Y]) - f[o + GROUND_Y];
  const up = highest(since, jitter, scene.jumpSpeed + f[o + LAUNCH], rules.gravity, rules.fallSpeedMax);
  const down = lowest(since, jitter, rules.gravity, rules.fallSpeedMax);
  if (height <= up && height >= down) return null;
  // as metres above (below) the last ground, the slack counted on both sides so that the ratio stays tame
  const used = height > up ? Math.max(height, 0) + AIR_SLACK : -height;
  const allowed = height > up ? Math.max(up, 0) + AIR_SLACK : -down;
  return refuse(scene, f, o, Reason.Airborne, used, allowed);
}
