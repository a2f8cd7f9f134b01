// What the messages of Protocol Buffers share on their way to the frames and back: positions, map version and progress, move
// data, and the checks that the binary decoders make. Imported by the rest of wire/proto/.
import { create } from '@bufbuild/protobuf';
import { REASON_NAMES, type ReasonCode } from '../../reasons.ts';
import { type MoveBeginBody, WIRE_STRATEGIES } from '../begin.ts';
import { isFinite64, type Said } from '../fields.ts';
import { type MoveData, MoveDataSchema, type Strategy, type Vec3, Vec3Schema } from './navguard_pb.ts';

/** Map version and progress as messages hold them. */
interface SaidMessage {
  mapVersion?: number | undefined;
  progress?: number | undefined;
}

export function isU32(n: number): boolean {
  return Number.isInteger(n) && n >= 0 && n <= 0xffffffff;
}

export function isI32(n: number): boolean {
  return Number.isInteger(n) && n >= -0x80000000 && n <= 0x7fffffff;
}

export function isReason(n: number): n is ReasonCode {
  return Number.isInteger(n) && n >= 0 && n < REASON_NAMES.length;
}

export function isSaid({ mapVersion, progress }: SaidMessage): boolean {
  return (mapVersion === undefined || isU32(mapVersion)) && (progress === undefined || isU32(progress));
}

export function setSaid(out: Said, { mapVersion, progress }: SaidMessage): void {
  out.mapVersion = mapVersion ?? -1;
  out.progress = progress ?? -1;
}

/** The fields of a message's initial value: absent when not said. */
export function saidOf({ mapVersion, progress }: Readonly<Said>): { mapVersion?: number; progress?: number } {
  return { ...(mapVersion >= 0 ? { mapVersion } : {}), ...(progress >= 0 ? { progress } : {}) };
}

export function isFiniteVec(vec: Vec3 | undefined): vec is Vec3 {
  return vec !== undefined && isFinite64(vec.x) && isFinite64(vec.y) && isFinite64(vec.z);
}

export function vecOf(p: { readonly x: number; readonly y: number; readonly z: number }): Vec3 {
  return create(Vec3Schema, { x: p.x, y: p.y, z: p.z });
}

/** A position that is missing in a claim is not a number: the guard answers `Malformed`. */
export function setVec(out: { x: number; y: number; z: number }, vec: Vec3 | undefined): void {
  out.x = vec?.x ?? Number.NaN;
  out.y = vec?.y ?? Number.NaN;
  out.z = vec?.z ?? Number.NaN;
}

/** Undefined for a frame without move data. */
export function dataOf(body: Readonly<MoveBeginBody>): MoveData | undefined {
  if (!body.hasData) return undefined;
  const { from, to } = body;
  return create(MoveDataSchema, {
    strategy: body.strategy as Strategy,
    kind: body.kind,
    flags: body.flags,
    from: { x: from[0], y: from[1], z: from[2] },
    ...(body.hasTarget ? { to: { x: to[0], y: to[1], z: to[2] } } : {}),
    facing: body.facing,
    durationMs: body.durationMs,
    speed: body.speed,
    stop: body.stop,
    chaseMs: body.chaseMs,
    timestampMs: body.timestampMs,
  });
}

/** What fits into the fields of a frame; an unknown strategy is the guard's to judge. */
export function isData(data: MoveData | undefined): boolean {
  if (data === undefined) return true;
  const { strategy, kind, flags } = data;
  return isU32(strategy) && strategy <= 0xff && isU32(kind) && kind <= 0xffff && isU32(flags);
}

/** What a broadcast may hold: move data, finite, of a known strategy. */
export function isStarted(data: MoveData | undefined): boolean {
  if (data === undefined || !isData(data) || data.strategy >= WIRE_STRATEGIES.length) return false;
  if (!isFiniteVec(data.from) || (data.to !== undefined && !isFiniteVec(data.to))) return false;
  const { facing, durationMs, speed, stop, chaseMs, timestampMs } = data;
  return [facing, durationMs, speed, stop, chaseMs, timestampMs].every(isFinite64);
}

export function setData(out: MoveBeginBody, data: MoveData | undefined): void {
  const { from, to } = out;
  out.hasData = data !== undefined;
  out.hasTarget = data?.to !== undefined;
  out.strategy = data?.strategy ?? 0;
  out.kind = data?.kind ?? 0;
  out.flags = data?.flags ?? 0;
  const missing = data === undefined ? 0 : Number.NaN;
  from[0] = data?.from?.x ?? missing;
  from[1] = data?.from?.y ?? missing;
  from[2] = data?.from?.z ?? missing;
  to[0] = data?.to?.x ?? 0;
  to[1] = data?.to?.y ?? 0;
  to[2] = data?.to?.z ?? 0;
  out.facing = data?.facing ?? 0;
  out.durationMs = data?.durationMs ?? 0;
  out.speed = data?.speed ?? 0;
  out.stop = data?.stop ?? 0;
  out.chaseMs = data?.chaseMs ?? 0;
  out.timestampMs = data?.timestampMs ?? 0;
}
