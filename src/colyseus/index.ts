// navguard/colyseus: a guard in a Colyseus room. The public front of this folder.
import type { MoveGuard } from '../guard.ts';
import { RoomMoves, type RoomMovesOptions } from './moves.ts';
import type { GuardableRoom, RoomClient } from './room.ts';

export { type RoomEntry, RoomMoves, type RoomMovesOptions } from './moves.ts';
export type { GuardableRoom, RoomClient } from './room.ts';

/**
 * Lets a guard judge what the clients of a room claim; call it in `onCreate`, and `enter` of what it returns in `onJoin`.
 *
 * From clients: `move` { seq, x, y, z }, `begin` { seq, from, to, speed, duration, ... } and `input` { seq, dir, ms } as the
 * guard's methods of these names take them, and `ack` n, the number of a correction (0 for `place`).
 * To the client: `accept` { seq, x, y, z }; `correct` { seq, correction, reason, x, y, z }, to be obeyed and confirmed;
 * `refuse` { seq, reason, detail, x, y, z } for what cannot be judged and for refused `begin`s; `place` { x, y, z } after a
 * teleport and after a reconnection. To the others, and to them only: `moved` { id, x, y, z }, `began` { id, x, y, z, to,
 * speed, stop }, `left` { id }. Claims that were on their way when a correction went out are not answered.
 *
 * Works with rooms of @colyseus/core 0.18. Throws `BAD_ARGUMENT` for a wrong option.
 */
export function guardRoom<C extends RoomClient>(
  room: GuardableRoom<C>,
  guard: MoveGuard,
  options: RoomMovesOptions<C> = {},
): RoomMoves<C> {
  return new RoomMoves(room, guard, options);
}
