// What is held against an entity, in words and numbers: the layers' scores and the statistics behind them. Made on
// request, so it may allocate. Imported by guard.ts.
import { driftAt } from './drift.ts';
import { AHEAD_OVER, LIMIT, SCORE_T, SCORES } from './ledger.ts';
import type { Rules } from './rules.ts';
import { ACTION_WORDS, actionOf, halved, LAYER_NAMES, scoreAt } from './suspicion.ts';
import { windowAt } from './window.ts';

/** A kind of evidence: see `Evidence.layers`. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** What `MoveGuard.evidence` tells of one entity at the time of asking. */
export interface Evidence {
  /** Suspicion: the sum of the layers, the same number as a verdict's `score`. 0 = none. */
  readonly score: number;
  /** What the score comes to by the thresholds watchAt, restrictAt, kickAt. */
  readonly action: 'none' | 'watch' | 'restrict' | 'kick';
  /**
   * The score by kind, each halving in scoreHalfLifeMs. Fed by refusals: `speed`, `wall`, `teleport`, `air` (by hovering
   * as well), `state` (acting while dead or rooted). Never a refusal: `acceleration` (faster from second to second beyond
   * the limit), `continuity` (leaps off the predicted way), `behaviour` (intervals too regular, headings too straight) -
   * these three together stay below watchAt - and `drift` (walking longer than a clock within driftTolerance can).
   */
  readonly layers: Readonly<Record<LayerName, number>>;
  /** m/s over the last 25 to 30 s, or since the entity entered; standing counts. */
  readonly averageSpeed: number;
  /** The speed limit in force, m/s, without boosts and tolerance. */
  readonly limit: number;
  /** In the last 25 to 30 s: accepted legs longer than half a burst explains, and corrections sent. */
  readonly jumps: number;
  /**
   * How far the client's clock has run ahead of the server's since the entity first entered, s; negative: behind. Read
   * while it walks straight on at its full speed; the rest of its life is taken to run at the same rate (no longer than
   * `driftOver` squared / 5 s).
   */
  readonly driftSeconds: number;
  /** Seconds of walking that the drift was read from: it is worth little while this is small. */
  readonly driftOver: number;
}

/** The evidence at t. */
export function evidenceAt(f: Float64Array, o: number, t: number, rules: Rules): Evidence {
  const factor = halved((t - f[o + SCORE_T]) / rules.scoreHalfLifeMs);
  const layers = {} as Record<LayerName, number>;
  LAYER_NAMES.forEach((name, k) => {
    layers[name] = f[o + SCORES + k] * factor;
  });
  const score = scoreAt(f, o, t, rules.scoreHalfLifeMs);
  return {
    score,
    action: score === 0 ? 'none' : ACTION_WORDS[actionOf(score, rules.watchAt, rules.restrictAt, rules.kickAt)],
    layers,
    ...windowAt(f, o, t),
    limit: f[o + LIMIT],
    driftSeconds: driftAt(f, o, t) / 1000,
    driftOver: f[o + AHEAD_OVER] / 1000,
  };
}
