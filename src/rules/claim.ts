// Claims as they come from clients: whatever they hold, reading them gives numbers or the name of a fault, never an
// exception. Imported by guard.ts.
import { NavguardError } from '../errors.ts';
import { Reason, type ReasonCode } from '../reasons.ts';
import { isSequence } from './sequence.ts';

function isFinite64(n: unknown): n is number {
  return typeof n === 'number' && n - n === 0;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** What is wrong with a move's fields, in words; '' when nothing is. */
export function moveFault(id: unknown, seq: unknown, x: unknown, y: unknown, z: unknown): string {
  if (typeof id !== 'string') return `id: expected a string, got ${kindOf(id)}`;
  if (!isSequence(seq)) return `seq: expected a whole number of 0..4294967295, got ${kindOf(seq)}`;
  if (!isFinite64(x)) return `x: expected a finite number, got ${kindOf(x)}`;
  if (!isFinite64(y)) return `y: expected a finite number, got ${kindOf(y)}`;
  if (!isFinite64(z)) return `z: expected a finite number, got ${kindOf(z)}`;
  return '';
}

/** What a move or begin claim may say about the map and the level. */
export interface ClaimOptions {
  readonly mapVersion?: unknown;
  readonly progress?: unknown;
  /** A client's word: buys nothing. */
  readonly skill?: unknown;
  /** Moves only: the name of the carrier that the client says it stands on. */
  readonly carrier?: unknown;
  /** ...and where on it, [x, y, z] in the carrier's coordinates, metres. */
  readonly offset?: unknown;
}

/** The readable part of a claim's options; reused. */
export class ReadOptions {
  mapVersion: string | number | undefined;
  progress: string | number | undefined;
  carrier: string | number | undefined;
  readonly offset = new Float64Array(3);

  /** Reads the options; returns the fault in words, '' when there is none. Getters may throw, fields may be anything. */
  read(options: unknown): string {
    this.mapVersion = undefined;
    this.progress = undefined;
    this.carrier = undefined;
    if (options === undefined || options === null) return '';
    if (typeof options !== 'object') return `options: expected an object, got ${kindOf(options)}`;
    try {
      const { mapVersion, progress, carrier, offset } = options as ClaimOptions;
      if (!isLabel(mapVersion)) return `mapVersion: expected a string, got ${kindOf(mapVersion)}`;
      if (!isLabel(progress)) return `progress: expected a number or a string, got ${kindOf(progress)}`;
      if (!isLabel(carrier)) return `carrier: expected a string or a number, got ${kindOf(carrier)}`;
      if (!isMissing(carrier) && !readVec(offset, this.offset))
        return 'offset: expected [x, y, z] with three finite numbers beside carrier';
      this.mapVersion = mapVersion ?? undefined;
      this.progress = progress ?? undefined;
      this.carrier = carrier ?? undefined;
      return '';
    } catch (error) {
      // the caller's own mistake, a call to the guard from a getter, is not the client's
      if (error instanceof NavguardError) throw error;
      return 'options: reading a field failed';
    }
  }
}

function isLabel(value: unknown): value is string | number | undefined | null {
  return value === undefined || value === null || typeof value === 'string' || isFinite64(value);
}

/** The longest that a key may be said to have been held, ms: what is claimed beyond it does not count. */
const INPUT_MAX_MS = 1000;

/** The numbers of an input claim; reused. */
export class ReadInput {
  /** Direction in x and z: of length 1 at most, 0, 0 = stand. */
  dirX = 0;
  dirZ = 0;
  /** 0..INPUT_MAX_MS. */
  ms = 0;

  /** Reads a claim; returns the fault in words, '' when there is none. */
  read(seq: unknown, dir: unknown, ms: unknown): string {
    if (!isSequence(seq)) return `seq: expected a whole number of 0..4294967295, got ${kindOf(seq)}`;
    if (!isFinite64(ms) || ms < 0) return `ms: expected a finite number >= 0, got ${kindOf(ms)}`;
    try {
      if (dir === null || typeof dir !== 'object') return `dir: expected [x, z], got ${kindOf(dir)}`;
      const pair = dir as ArrayLike<unknown>;
      if (pair.length !== 2) return 'dir: expected [x, z] with two finite numbers';
      const x = pair[0];
      const z = pair[1];
      if (!isFinite64(x) || !isFinite64(z)) return 'dir: expected [x, z] with two finite numbers';
      this.#aim(x, z);
    } catch (error) {
      if (error instanceof NavguardError) throw error;
      return 'dir: reading it failed';
    }
    this.ms = Math.min(ms, INPUT_MAX_MS);
    return '';
  }

  #aim(x: number, z: number): void {
    // by the larger part first: the square of a huge number is no number
    const larger = Math.max(Math.abs(x), Math.abs(z));
    const scale = Math.max(larger, 1);
    const a = x / scale;
    const b = z / scale;
    const size = Math.sqrt(a * a + b * b);
    const over = scale > 1 || size > 1 ? size : 1;
    // -0 becomes 0
    this.dirX = a / over + 0;
    this.dirZ = b / over + 0;
  }
}

/** A click-to-move claim as a caller passes it: nothing about it is trusted. */
export interface BeginClaim extends ClaimOptions {
  readonly seq: unknown;
  /** Where the client says it stands, [x, y, z] in metres. */
  readonly from: unknown;
  /** Where it goes. */
  readonly to: unknown;
  /** m/s. */
  readonly speed: unknown;
  /** ms. */
  readonly duration: unknown;
  /** Metres before the target at which it stops (default 0). */
  readonly stop?: unknown;
  /** `hero`, `monster`, `bullet` or `rotation`: decides the verdict's `snapshot`. Without it there is none. */
  readonly strategy?: unknown;
  /** What else clients send with it. Hostile values are refused; of the rest nothing is used. */
  readonly kind?: unknown;
  /** An angle, or a direction of two or three numbers. */
  readonly facing?: unknown;
  /** ms. */
  readonly chaseDuration?: unknown;
  /** A whole number of 0..2^32-1. */
  readonly flags?: unknown;
  /** The client's clock. */
  readonly timestamp?: unknown;
}

/** The numbers of a begin claim; reused. */
export class ReadBegin {
  seq = 0;
  readonly from = new Float64Array(3);
  readonly to = new Float64Array(3);
  speed = 0;
  durationMs = 0;
  stop = 0;
  strategy: unknown;
  reason: ReasonCode = Reason.Malformed;

  /** Reads a claim; returns the fault in words ('' when there is none) and sets `reason`. */
  read(claim: unknown, maxStop: number): string {
    this.reason = Reason.Malformed;
    if (claim === null || typeof claim !== 'object') {
      this.reason = Reason.NullMoveData;
      return `claim: expected an object, got ${kindOf(claim)}`;
    }
    try {
      const { seq, from, to, speed, duration, stop, strategy } = claim as BeginClaim;
      if (!isSequence(seq)) return `seq: expected a whole number of 0..4294967295, got ${kindOf(seq)}`;
      this.seq = seq;
      this.strategy = strategy;
      // who only turns goes nowhere: what is said of a way is not needed
      const turns = strategy === 'rotation';
      if (!turns && isMissing(to)) {
        this.reason = Reason.TargetPos;
        return 'to: expected [x, y, z], got nothing';
      }
      if (!(turns && isMissing(from)) && !readVec(from, this.from))
        return 'from: expected [x, y, z] with three finite numbers';
      if (!(turns && isMissing(to)) && !readVec(to, this.to)) return 'to: expected [x, y, z] with three finite numbers';
      if (!(turns && isMissing(speed)) && !isLength(speed))
        return `speed: expected a finite number >= 0, got ${kindOf(speed)}`;
      if (!(turns && isMissing(duration)) && !isLength(duration))
        return `duration: expected a finite number >= 0, got ${kindOf(duration)}`;
      const short = stop ?? 0;
      if (!isFinite64(short) || short < 0 || short > maxStop)
        return `stop: expected a number of 0..${maxStop}, got ${kindOf(stop)}`;
      if (strategy !== undefined && strategy !== null && typeof strategy !== 'string' && !isFinite64(strategy))
        return `strategy: expected a string, got ${kindOf(strategy)}`;
      this.speed = isLength(speed) ? speed : 0;
      this.durationMs = isLength(duration) ? duration : 0;
      this.stop = short;
      return extraFault(claim as BeginClaim);
    } catch (error) {
      if (error instanceof NavguardError) throw error;
      return 'claim: reading a field failed';
    }
  }
}

/** What is wrong with the fields that nothing depends on. */
function extraFault({ kind, facing, chaseDuration, flags, timestamp }: BeginClaim): string {
  if (!isLabel(kind)) return `kind: expected a number or a string, got ${kindOf(kind)}`;
  if (!isMissing(facing) && !isFacing(facing)) return 'facing: expected a finite number, or two or three of them';
  if (!isMissing(chaseDuration) && !isLength(chaseDuration))
    return `chaseDuration: expected a finite number >= 0, got ${kindOf(chaseDuration)}`;
  if (!isMissing(flags) && !isSequence(flags))
    return `flags: expected a whole number of 0..4294967295, got ${kindOf(flags)}`;
  if (!isMissing(timestamp) && !isFinite64(timestamp))
    return `timestamp: expected a finite number, got ${kindOf(timestamp)}`;
  return '';
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isLength(value: unknown): value is number {
  return isFinite64(value) && value >= 0;
}

function isFacing(value: unknown): boolean {
  if (isFinite64(value)) return true;
  if (value === null || typeof value !== 'object') return false;
  const v = value as ArrayLike<unknown>;
  const { length } = v;
  if (length !== 2 && length !== 3) return false;
  for (let k = 0; k < length; k++) if (!isFinite64(v[k])) return false;
  return true;
}

function readVec(value: unknown, out: Float64Array): boolean {
  if (value === null || typeof value !== 'object') return false;
  const v = value as ArrayLike<unknown>;
  if (v.length !== 3) return false;
  const a = v[0];
  const b = v[1];
  const c = v[2];
  if (!isFinite64(a) || !isFinite64(b) || !isFinite64(c)) return false;
  // -0 becomes 0
  out[0] = a + 0;
  out[1] = b + 0;
  out[2] = c + 0;
  return true;
}
