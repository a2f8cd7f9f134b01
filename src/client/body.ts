// Thin glue between the validator and an engine's body: what each action means for what is on the screen. Needs two
// functions of the engine, and knows nothing else of it. Imported by callers.
import { shown } from './options.ts';
import type { SnapshotValidator } from './validator.ts';
import { type Point, type Snapshot, SnapshotAction, type SnapshotActionCode } from './words.ts';

/** What the glue needs of an engine: a body that can be read and shifted, in the units of the snapshots. */
export interface Body {
  /** Writes where the body is shown now. */
  read(out: Point): void;
  /** Moves it by so much. */
  shift(dx: number, dy: number, dz: number): void;
}

/**
 * Blends a body towards believed snapshots over `blendMs`; a leap (a re-baseline, an announced teleport) is shown at once;
 * dropped and reported snapshots do not touch it. A body that this client steers gives its prediction: the error of that
 * prediction is what is blended away, and what the player did since stays. Others are blended to the snapshot itself.
 */
export class SnapshotBody {
  readonly validator: SnapshotValidator;
  private readonly body: Body;
  private readonly blendMs: number;
  private readonly at: Point;
  /** What is left to shift (x, y, z), ms left for it, time of the last frame. */
  private readonly rest: Float64Array;

  /** `blendMs`: ms of at least 0, default 100. Throws RangeError for it, and for a body without `read` and `shift`. */
  constructor(validator: SnapshotValidator, body: Body, blendMs = 100) {
    if (typeof body?.read !== 'function' || typeof body.shift !== 'function') {
      throw new RangeError(`SnapshotBody: expected a body with methods read and shift, got ${shown(body)}`);
    }
    if (!(blendMs >= 0 && blendMs < Infinity)) {
      throw new RangeError(`SnapshotBody: expected blendMs to be a number of at least 0 ms, got ${shown(blendMs)}`);
    }
    this.validator = validator;
    this.body = body;
    this.blendMs = blendMs;
    this.at = { x: 0.5, y: 0.5, z: 0.5 };
    this.rest = new Float64Array(5);
  }

  /** Judges a snapshot and notes what is to be shifted. `predicted` as in `SnapshotValidator.check`. */
  receive(nowMs: number, snapshot: Snapshot, predicted: Point | null = null): SnapshotActionCode {
    const { validator, at, rest } = this;
    const action = validator.check(nowMs, snapshot, predicted);
    if (action >= SnapshotAction.drop) return action;
    // a steered body whose prediction held stays as it is
    if (predicted !== null && action === SnapshotAction.accept && !validator.leapt) return action;
    if (predicted === null) this.body.read(at);
    const from = predicted ?? at;
    rest[0] = snapshot.x - from.x;
    rest[1] = snapshot.y - from.y;
    rest[2] = snapshot.z - from.z;
    rest[3] = validator.leapt ? 0 : this.blendMs;
    rest[4] = nowMs;
    if (rest[3] === 0) this.frame(nowMs);
    return action;
  }

  /** Shifts the body by this frame's share. Call it once a frame. */
  frame(nowMs: number): void {
    const { rest } = this;
    const passed = nowMs - rest[4];
    rest[4] = nowMs;
    if (rest[0] === 0 && rest[1] === 0 && rest[2] === 0) return;
    const share = passed < rest[3] ? Math.max(0, passed / rest[3]) : 1;
    const dx = rest[0] * share;
    const dy = rest[1] * share;
    const dz = rest[2] * share;
    rest[0] -= dx;
    rest[1] -= dy;
    rest[2] -= dz;
    rest[3] -= Math.max(0, passed);
    this.body.shift(dx, dy, dz);
  }

  /** Nothing is left to shift: call it when the body was placed by a correction. */
  settle(): void {
    this.rest.fill(0, 0, 4);
  }
}
