// From frames to what the guard's methods take: plain values, so that wire/ needs nothing of the guard. Imported by
// wire/index.ts.
import { type MoveBeginRequest, WIRE_STRATEGIES } from './begin.ts';
import type { Said } from './fields.ts';

/** A click-to-move claim as `guard.begin` takes it. */
export interface WireBeginClaim {
  readonly seq: number;
  readonly from: [number, number, number];
  /** Undefined when the frame names no target: `TargetPos`, unless it only turns. */
  readonly to: [number, number, number] | undefined;
  readonly speed: number;
  readonly duration: number;
  readonly stop: number;
  /** A number when the wire's is none of WIRE_STRATEGIES: the guard refuses it with `MoveStrategy`. */
  readonly strategy?: string | number;
  readonly kind: number;
  readonly facing: number;
  readonly chaseDuration: number;
  readonly flags: number;
  readonly timestamp: number;
  readonly mapVersion?: number;
  readonly progress?: number;
}

/** What `guard.move` and `guard.input` take last. */
export interface WireOptions {
  mapVersion: number | undefined;
  progress: number | undefined;
}

/**
 * The claim of a MoveBegin, for `guard.begin`: a new object. Null for a frame without move data, which the guard answers with
 * `NullMoveData`. Numbers travel as they came: NaN is the guard's to judge.
 */
export function beginClaimOf(frame: Readonly<MoveBeginRequest>): WireBeginClaim | null {
  if (!frame.hasData) return null;
  const { from, to, strategy, mapVersion, progress } = frame;
  return {
    seq: frame.seq,
    from: [from[0], from[1], from[2]],
    to: frame.hasTarget ? [to[0], to[1], to[2]] : undefined,
    speed: frame.speed,
    duration: frame.durationMs,
    stop: frame.stop,
    ...(strategy === 0 ? {} : { strategy: WIRE_STRATEGIES[strategy] ?? strategy }),
    kind: frame.kind,
    facing: frame.facing,
    chaseDuration: frame.chaseMs,
    flags: frame.flags,
    timestamp: frame.timestampMs,
    ...(mapVersion < 0 ? {} : { mapVersion }),
    ...(progress < 0 ? {} : { progress }),
  };
}

/**
 * What a Move or an Input says of map and level, for the last parameter of `guard.move` and `guard.input`: `reused`, filled,
 * or undefined when it says nothing.
 */
export function optionsOf(frame: Readonly<Said>, reused: WireOptions): WireOptions | undefined {
  const { mapVersion, progress } = frame;
  if (mapVersion < 0 && progress < 0) return undefined;
  reused.mapVersion = mapVersion < 0 ? undefined : mapVersion;
  reused.progress = progress < 0 ? undefined : progress;
  return reused;
}
