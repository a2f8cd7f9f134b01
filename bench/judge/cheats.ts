// One cheat on one map, run after run with seeds in a row: how many were caught, and how soon. Imported by worker.ts.
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import { type Cheat, playCheat } from '../../src/simulate/cheats/index.ts';
import { seeded } from '../../src/simulate/random.ts';
import type { OpenStage } from '../../src/simulate/stage.ts';

/** What came of one cheat's runs on one map. */
export interface CheatRow {
  readonly map: string;
  readonly cheat: string;
  /** Runs that the map had a place for. */
  readonly runs: number;
  readonly caught: number;
  /** Not caught, and never ahead of an honest player by as much as bends and rounding hide: it gained nothing. */
  readonly harmless: number;
  /** Caught, but after more claims, time or metres than its bound; and runs with a claim let through that must not be. */
  readonly late: number;
  readonly fouls: number;
  /** Claims of the honest start that were refused. */
  readonly honestRefused: number;
  /** Until the first refusal or `watch`, of each run that was caught: claims, ms, metres ahead of an honest player. */
  readonly claims: readonly number[];
  readonly ms: readonly number[];
  readonly metres: readonly number[];
  /** Seeds of the runs that broke a bar. */
  readonly seeds: readonly number[];
}

/** Positions are rounded, metres. */
const ROUNDING = 0.6;
/** A map without a place for it in so many tries has none. */
const TRIES = 3;

export function judgeCheat(stage: OpenStage, cheat: Cheat, runs: number, seed: number): CheatRow {
  const row = {
    map: stage.map,
    cheat: cheat.name,
    runs: 0,
    caught: 0,
    harmless: 0,
    late: 0,
    fouls: 0,
    honestRefused: 0,
  };
  const claims: number[] = [];
  const ms: number[] = [];
  const metres: number[] = [];
  const seeds: number[] = [];
  const { bound, ahead, caughtBy, wins, harmless, control } = cheat;
  // the ground that places for hops are found on knows no links: what looks like a wall may have a legal way through
  if (control.open === true && stage.guarded instanceof NavMap && stage.guarded.info.links > 0)
    return { ...row, claims, ms, metres, seeds };
  for (let i = 0; i < runs; i++) {
    const random = seeded(seed + i);
    const cast = cheat.make(stage, 'c', random, 0);
    if (cast === null) {
      if (i + 1 >= TRIES && row.runs === 0) break;
      continue;
    }
    const clock = { now: 0 };
    const guard = new MoveGuard(stage.guarded, {}, { now: () => clock.now });
    const played = playCheat(guard, clock, cast, random, caughtBy);
    if (played.claims === 0) continue;
    row.runs++;
    const { caught, honestRefused } = played;
    const { speed } = cast.actor.hand.habits;
    row.honestRefused += honestRefused;
    // what a single claim can win must never be let through, however often it is tried; a hover starts anew on the ground
    const fouls = bound.claims === 1 ? played.fouls : played.foulsUncaught;
    if (fouls > 0) row.fouls++;
    let broken = fouls > 0 || honestRefused > 0;
    if (caught !== null) {
      row.caught++;
      claims.push(caught.claims);
      ms.push(caught.ms);
      metres.push(caught.metres);
      const late =
        caught.claims > (bound.claims ?? Infinity) ||
        caught.ms > (bound.ms ?? Infinity) ||
        caught.metres > ahead * speed + ROUNDING;
      if (late) row.late++;
      broken ||= late;
    } else if (wins === 'metres' && played.ahead < harmless * speed) row.harmless++;
    else broken = true;
    if (broken) seeds.push(seed + i);
  }
  return { ...row, claims, ms, metres, seeds };
}
