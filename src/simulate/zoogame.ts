// Cheats of the zoo as a move log: each run alone against a guard of its own, all runs side by side in one log. Imported by
// simulate/index.ts.
import { MoveGuard } from '../guard.ts';
import type { MoveLogEvent } from '../log/events.ts';
import { CHEATS, type Cheat, type Played, playCheat } from './cheats/index.ts';
import { seeded } from './random.ts';
import { type OpenStage, openStage } from './stage.ts';

export interface ZooOptions {
  /** Names as `ZOO_NAMES` has them. */
  readonly cheats: readonly string[];
  /** Runs of each cheat. */
  readonly runs: number;
  readonly seed: number;
}

/** What came of one cheat. */
export interface ZooCount {
  readonly cheat: string;
  /** Runs that the map had a place for, and those of them that were refused or watched. */
  runs: number;
  caught: number;
}

/** No log can hold what this one sends. */
const UNWRITABLE = 'NaN and friends';
/** Runs begin so far apart, ms. */
const APART_MS = 250;
/** A map without a place for it in so many tries has none. */
const TRIES = 3;

const BY_WORD: ReadonlyMap<string, Cheat> = new Map(
  [...CHEATS.values()].filter(({ name }) => name !== UNWRITABLE).map((cheat) => [wordOf(cheat.name), cheat]),
);

/** The cheats' names as one word each. */
export const ZOO_NAMES: readonly string[] = [...BY_WORD.keys()];

/** How each cheat works, in a sentence, by name. */
export const ZOO: ReadonlyMap<string, string> = new Map([...BY_WORD].map(([word, { how }]) => [word, how]));

function wordOf(name: string): string {
  return name.replaceAll(/[ /]/g, '-');
}

export class ZooGame {
  /** Milliseconds told. */
  time = 0;
  readonly counts: ZooCount[] = [];
  readonly #stage: OpenStage;
  readonly #options: ZooOptions;

  /** @param bytes MSET bytes that navguard's own check has passed */
  static async open(bytes: Uint8Array, options: ZooOptions): Promise<ZooGame> {
    return new ZooGame(await openStage('', bytes, { seed: options.seed, walkers: 1, seconds: 1 }), options);
  }

  private constructor(stage: OpenStage, options: ZooOptions) {
    this.#stage = stage;
    this.#options = options;
  }

  /** What the server saw, by time. All runs are played first: memory holds them all. */
  *events(): Generator<MoveLogEvent, void, undefined> {
    const all: MoveLogEvent[] = [];
    let number = 0;
    for (const word of this.#options.cheats) {
      const cheat = BY_WORD.get(word);
      if (cheat === undefined) throw new Error(`no cheat ${word}`);
      const count: ZooCount = { cheat: word, runs: 0, caught: 0 };
      this.counts.push(count);
      for (let i = 1; i <= this.#options.runs; i++) {
        const random = seeded(seeded(this.#options.seed + 7919 * number).next() * 2 ** 32);
        const played = this.#play(cheat, `${word}-${i}`, random, APART_MS * number++);
        if (played === null && i >= TRIES && count.runs === 0) break;
        if (played === null || played.claims === 0) continue;
        count.runs++;
        if (played.caught !== null) count.caught++;
        for (const event of played.events) all.push(event);
      }
    }
    all.sort((a, b) => a.t - b.t);
    for (const event of all) {
      this.time = event.t;
      yield event;
    }
  }

  #play(cheat: Cheat, id: string, random: ReturnType<typeof seeded>, startMs: number): Played | null {
    const cast = cheat.make(this.#stage, id, random, startMs);
    if (cast === null) return null;
    const clock = { now: startMs };
    const guard = new MoveGuard(this.#stage.guarded, {}, { now: () => clock.now });
    const played = playCheat(guard, clock, cast, random, cheat.caughtBy);
    const { cheatingFrom } = cast.actor.hand;
    for (const event of played.events) {
      // before it cheats it plays like everybody else
      if (event.t < cheatingFrom && 'seq' in event) event.expect = 'accept';
    }
    return played;
  }

  /** Gives recast-navigation's memory back. */
  destroy(): void {
    this.#stage.destroy();
  }
}
