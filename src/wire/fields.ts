// Fields that several frames share: fixed-point metres, positions, and the map version and progress that a claim may carry.
// A leaf of wire/: imports only leaves.
import { REASON_NAMES } from '../reasons.ts';

/** Steps of the fixed-point positions in a metre. */
export const STEPS_PER_METRE = 1024;

/** Metres to steps: the nearest, within 32 bits; not a number is 0. */
export function stepsOf(metres: number): number {
  const steps = Math.round(metres * STEPS_PER_METRE);
  return steps === steps ? Math.max(-0x80000000, Math.min(steps, 0x7fffffff)) : 0;
}

/** False for NaN and the infinities. */
export function isFinite64(n: number): boolean {
  return n - n === 0;
}

/** Whether three f64 from `offset` are finite. */
export function finitePosition(view: DataView, offset: number): boolean {
  return (
    isFinite64(view.getFloat64(offset)) &&
    isFinite64(view.getFloat64(offset + 8)) &&
    isFinite64(view.getFloat64(offset + 16))
  );
}

/** Whether the reason code at `offset` has been given out. */
export function knownReason(view: DataView, offset: number): boolean {
  return view.getUint8(offset) < REASON_NAMES.length;
}

/** Bits of a claim's `has` byte. */
export const HAS_MAP_VERSION = 1;
export const HAS_PROGRESS = 2;

/** What a claim may say of the map and the level, as u32 numbers; -1 = not said. */
export interface Said {
  mapVersion: number;
  progress: number;
}

/** 9 bytes: u8 has (1 = map version, 2 = progress), u32 map version, u32 progress; 0 where not said. */
export function writeSaid(view: DataView, offset: number, said: Readonly<Said>): void {
  const { mapVersion, progress } = said;
  view.setUint8(offset, (mapVersion >= 0 ? HAS_MAP_VERSION : 0) | (progress >= 0 ? HAS_PROGRESS : 0));
  view.setUint32(offset + 1, Math.max(mapVersion, 0));
  view.setUint32(offset + 5, Math.max(progress, 0));
}

/** One spelling for each meaning: no unknown bits, and 0 where nothing is said. */
export function plainSaid(view: DataView, offset: number): boolean {
  const has = view.getUint8(offset);
  return has <= (HAS_MAP_VERSION | HAS_PROGRESS) && plainNumbers(view, has, offset + 1);
}

/** The two numbers at `offset` are 0 where the bits of `has` do not announce them. */
export function plainNumbers(view: DataView, has: number, offset: number): boolean {
  return (
    ((has & HAS_MAP_VERSION) !== 0 || view.getUint32(offset) === 0) &&
    ((has & HAS_PROGRESS) !== 0 || view.getUint32(offset + 4) === 0)
  );
}

export function readSaid(view: DataView, offset: number, said: Said): void {
  readNumbers(view, view.getUint8(offset), offset + 1, said);
}

export function readNumbers(view: DataView, has: number, offset: number, said: Said): void {
  said.mapVersion = (has & HAS_MAP_VERSION) !== 0 ? view.getUint32(offset) : -1;
  said.progress = (has & HAS_PROGRESS) !== 0 ? view.getUint32(offset + 4) : -1;
}

/** Whether all bytes of [from, to) are 0. */
export function isZero(view: DataView, from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (view.getUint8(k) !== 0) return false;
  return true;
}

/** Sets the bytes of [from, to) to 0. */
export function setZero(view: DataView, from: number, to: number): void {
  for (let k = from; k < to; k++) view.setUint8(k, 0);
}
