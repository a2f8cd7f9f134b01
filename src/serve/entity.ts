// An entity as the server keeps it beside the guard: its names, and where it stands for the others. A leaf of serve/.
import type { Judged } from './judge.ts';

/** One entity of one socket. */
export interface Entity extends Judged {
  /** The wire's number. */
  readonly number: number;
  /** Limit that it entered with, m/s. */
  readonly speed: number;
  /** Authoritative position, metres. */
  x: number;
  y: number;
  z: number;
  /** It has moved since the room's last tick. */
  moved: boolean;
  /** It walks a click-to-move path: for so many ticks without a step more the guard is asked where it stands. */
  walking: number;
}

/** Ticks without a step after which a walk is over. */
export const STILL_TICKS = 3;

/** Puts an entity where the guard says; true when that is somewhere else. */
export function place(entity: Entity, pos: readonly [number, number, number]): boolean {
  if (entity.x === pos[0] && entity.y === pos[1] && entity.z === pos[2]) return false;
  [entity.x, entity.y, entity.z] = pos;
  entity.moved = true;
  return true;
}
