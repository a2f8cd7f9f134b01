// Players of one client model as a move log: the closed loop played with a guard of its own, event by event. Imported by
// simulate/index.ts.
import { NavguardError } from '../errors.ts';
import type { Rules } from '../guard.ts';
import type { MoveLogEvent } from '../log/events.ts';
import { closestWord } from '../nearest.ts';
import type { Arena } from './arena.ts';
import { honestArena, rulesOf } from './cast.ts';
import { type ClientModel, MODELS, modelNamed } from './models.ts';
import { type OpenStage, openStage } from './stage.ts';

export interface GameOptions {
  /** Name of a client model. */
  readonly model: string;
  readonly players: number;
  readonly seconds: number;
  readonly seed: number;
}

/** Between two looks at what has come out, ms of play. */
const SLICE_MS = 500;

export class ModelGame {
  /** Milliseconds played. */
  time = 0;
  readonly seconds: number;
  /** What the model's client makes the server say: belongs into the log's header. */
  readonly rules: Partial<Rules>;
  readonly #stage: OpenStage;
  readonly #arena: Arena;
  #out: MoveLogEvent[] = [];

  /**
   * @param bytes MSET bytes that navguard's own check has passed
   * @throws NavguardError BAD_ARGUMENT for a model that is none
   */
  static async open(bytes: Uint8Array, options: GameOptions): Promise<ModelGame> {
    const client = modelNamed(options.model);
    if (client === undefined) {
      const names = MODELS.map((m) => m.name);
      const nearest = closestWord(options.model, names);
      throw new NavguardError(
        'BAD_ARGUMENT',
        `--model is "${options.model}"; the nearest known is "${nearest}", all are: ${names.join(', ')}.`,
        { option: 'model', got: options.model, expected: names },
      );
    }
    const stage = await openStage('', bytes, { seed: options.seed, walkers: 24, seconds: 60 });
    return new ModelGame(stage, client, options);
  }

  private constructor(stage: OpenStage, client: ClientModel, { players, seconds, seed }: GameOptions) {
    this.#stage = stage;
    this.seconds = seconds;
    this.rules = rulesOf(client);
    this.#arena = honestArena(stage, client, { seed, players, tap: (event) => void this.#out.push(event) });
  }

  /** Claims judged so far, and those of them that an honest player should not have had refused. */
  get counts(): { moves: number; refused: number } {
    const refused = this.#arena.outcomes.reduce((all, o) => all + o.refusals, 0);
    return { moves: this.#arena.judged, refused };
  }

  /** The server's log from the first to the last event. Once only. */
  *events(): Generator<MoveLogEvent, void, undefined> {
    const end = this.seconds * 1000;
    while (this.time < end) {
      this.time = Math.min(end, this.time + SLICE_MS);
      this.#arena.run(this.time);
      yield* this.#out;
      this.#out = [];
    }
  }

  /** Gives recast-navigation's memory back. */
  destroy(): void {
    this.#stage.destroy();
  }
}
