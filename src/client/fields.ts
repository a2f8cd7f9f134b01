// The first check: is every field of a snapshot a number of its range? Imported by client/validator.ts.
import { shown } from './options.ts';
import type { Snapshot } from './words.ts';

/** A number that snapshots carry beside the position, in `values`. */
export interface SnapshotField {
  readonly name: string;
  /** Least and greatest value, both allowed. */
  readonly min: number;
  readonly max: number;
  /** Only whole numbers. Default false. */
  readonly whole?: boolean | undefined;
}

/** Lower and upper corner of where entities can be: x, y, z, x, y, z in metres. */
export type Bounds = readonly [number, number, number, number, number, number];

/** Metres each way: more than any map of navguard has. */
const FAR = 32_768;

/** Ranges of all fields: 0 is the tick, 1..3 the position, then `fields`. */
export class FieldRanges {
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  private readonly whole: Uint8Array;
  private readonly names: readonly string[];
  /** The value of the last field that was out of range; NaN when it was no number. */
  private readonly bad: Float64Array;

  /** Throws RangeError for bounds or fields that hold no value. */
  constructor(fixedPoint: number, bounds: Bounds | undefined, fields: readonly SnapshotField[] | undefined) {
    const corners = bounds ?? [-FAR, -FAR, -FAR, FAR, FAR, FAR];
    const scale = fixedPoint === 0 ? 1 : fixedPoint;
    if (!(Array.isArray(corners) && corners.length === 6)) {
      throw new RangeError(`bounds: expected [x, y, z, x, y, z] in metres, got ${shown(corners)}`);
    }
    const further = fields ?? [];
    if (!Array.isArray(further)) throw new RangeError(`fields: expected a list, got ${shown(further)}`);
    const n = 4 + further.length;
    this.min = new Float64Array(n);
    this.max = new Float64Array(n);
    this.whole = new Uint8Array(n);
    this.bad = new Float64Array(1);
    this.names = ['tick', 'x', 'y', 'z', ...further.map((field: SnapshotField) => String(field?.name))];
    this.set(0, 0, 0xffffffff, true);
    for (let k = 0; k < 3; k++) {
      const [low, high] = [corners[k] * scale, corners[k + 3] * scale];
      // differences of two positions are then exact, too
      if (fixedPoint !== 0 && !(low >= -(2 ** 51) && high <= 2 ** 51)) {
        throw new RangeError(`bounds: expected at most 2^51 fixed-point units each way, got ${low}..${high}`);
      }
      this.set(1 + k, low, high, fixedPoint !== 0);
    }
    further.forEach((field: SnapshotField, k: number) => {
      this.set(4 + k, field?.min, field?.max, field?.whole === true);
    });
  }

  private set(k: number, min: number, max: number, whole: boolean): void {
    if (!(Number.isFinite(min) && Number.isFinite(max) && min <= max)) {
      throw new RangeError(
        `${this.names[k]}: expected a range of two finite numbers, got ${shown(min)}..${shown(max)}`,
      );
    }
    this.min[k] = min;
    this.max[k] = max;
    this.whole[k] = whole ? 1 : 0;
  }

  /** Index of the first field that is no number of its range; -1 when all are. Whatever the snapshot is, it never throws. */
  firstBad(snapshot: Snapshot): number {
    if (typeof snapshot !== 'object' || snapshot === null) return this.blame(0, undefined);
    const place = this.firstBadPlace(snapshot);
    if (place >= 0) return place;
    const n = this.min.length;
    if (n === 4) return -1;
    const { values } = snapshot;
    if (typeof values !== 'object' || values === null) return this.blame(4, undefined);
    const { min, max, whole } = this;
    for (let k = 4; k < n; k++) {
      const value = values[k - 4];
      const good = typeof value === 'number' && value >= min[k] && value <= max[k];
      if (!(good && !(whole[k] === 1 && Math.floor(value) !== value))) return this.blame(k, value);
    }
    return -1;
  }

  /** The same of tick and position alone. Written out: numbers that are passed on may be put into the heap. */
  firstBadPlace(snapshot: Snapshot): number {
    const { min, max } = this;
    const { tick, x, y, z } = snapshot;
    // a comparison with NaN is false: written so that it refuses
    if (!(typeof tick === 'number' && tick >= min[0] && tick <= max[0] && Math.floor(tick) === tick)) {
      return this.blame(0, tick);
    }
    const whole = this.whole[1] === 1;
    if (!(typeof x === 'number' && x >= min[1] && x <= max[1] && !(whole && Math.floor(x) !== x)))
      return this.blame(1, x);
    if (!(typeof y === 'number' && y >= min[2] && y <= max[2] && !(whole && Math.floor(y) !== y)))
      return this.blame(2, y);
    if (!(typeof z === 'number' && z >= min[3] && z <= max[3] && !(whole && Math.floor(z) !== z)))
      return this.blame(3, z);
    return -1;
  }

  private blame(k: number, value: unknown): number {
    this.bad[0] = typeof value === 'number' ? value : NaN;
    return k;
  }

  name(k: number): string {
    return this.names[k];
  }
  /** The value found last. */
  get badValue(): number {
    return this.bad[0];
  }
  /** The end of field k's range that `badValue` missed: its greatest value, or its least when it was under that. */
  limit(k: number): number {
    return this.bad[0] < this.min[k] ? this.min[k] : this.max[k];
  }
}
