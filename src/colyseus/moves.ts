// A guard in a Colyseus room: judges `move`, `begin` and `input` messages, answers them, tells the others, and keeps each
// entity's ledger over reconnections. Imported by index.ts.
import { NavguardError } from '../errors.ts';
import type { BeginClaim, ClaimOptions, MoveGuard } from '../guard.ts';
import type { Vec3, Verdict } from '../types.ts';
import { type GuardableRoom, type OpenRoom, type RoomClient, send } from './room.ts';
import { RoundTrip } from './roundtrip.ts';

/** How a room uses its guard. */
export interface RoomMovesOptions<C extends RoomClient = RoomClient> {
  /**
   * Told of every verdict, after it was answered: the place to write positions into the room's state, or to send someone
   * away. The verdict is reused: it is valid until the next call to the guard.
   */
  readonly onVerdict?: (client: C, verdict: Verdict, claim: 'move' | 'begin' | 'input') => void;
  /** `accept` messages for accepted claims (default true). Refused ones are always answered. */
  readonly acknowledge?: boolean;
  /** `moved`, `began` and `left` messages to the others (default true). Rooms that sync a state need none. */
  readonly broadcast?: boolean;
  /** A dropped client may come back within so many seconds (default 20; 0 = never). A room with an `onDrop` decides itself. */
  readonly reconnectSeconds?: number;
  /** How often round-trip times are measured, ms (default 2000; 0 = never). Transports without ping frames are not asked. */
  readonly rttEveryMs?: number;
}

/** Who enters: `id` is the player for good, such as a user id, so that leaving and joining again buys nothing. */
export interface RoomEntry {
  /** Default: the session's id, which is another one after each join. */
  readonly id?: string;
  readonly pos: Vec3;
  /** m/s */
  readonly speed: number;
  readonly player?: string;
}

const DEFAULTS = { acknowledge: true, broadcast: true, reconnectSeconds: 20, rttEveryMs: 2000 };

interface Session<C> {
  readonly id: string;
  client: C;
  roundTrip: RoundTrip | null;
  /** Number of the last correction that went out. */
  correction: number;
}

/** The moves of one room. Made by `guardRoom`. */
export class RoomMoves<C extends RoomClient = RoomClient> {
  readonly guard: MoveGuard;
  readonly #room: GuardableRoom<C>;
  readonly #open: OpenRoom<C>;
  readonly #options: RoomMovesOptions<C> & typeof DEFAULTS;
  /** By session id. */
  readonly #sessions = new Map<string, Session<C>>();
  /** Session ids by id in the guard. */
  readonly #present = new Map<string, string>();

  /** Use `guardRoom`. Throws `BAD_ARGUMENT` for a wrong option. */
  constructor(room: GuardableRoom<C>, guard: MoveGuard, options: RoomMovesOptions<C> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    for (const name of ['reconnectSeconds', 'rttEveryMs'] as const) {
      const value = this.#options[name];
      if (!(value >= 0 && value < Infinity)) throw wrong('guardRoom', name, 'a finite number of at least 0', value);
    }
    this.#room = room;
    const open = room as unknown as OpenRoom<C>;
    this.#open = open;
    this.guard = guard;
    open.onMessage('move', (client, said) => this.#move(client, said));
    open.onMessage('begin', (client, said) => this.#begin(client, said));
    open.onMessage('input', (client, said) => this.#input(client, said));
    open.onMessage('ack', (client, said) => this.#ack(client, said));
    if (this.#options.rttEveryMs > 0) room.clock.setInterval(() => this.#ping(), this.#options.rttEveryMs);
    this.#followSessions(room);
  }

  /** The room's own hooks go first; what they do not care for is done here. */
  #followSessions(room: GuardableRoom<C>): void {
    const { onDrop, onReconnect, onLeave } = room;
    const { reconnectSeconds } = this.#options;
    if (onDrop === undefined && reconnectSeconds > 0) {
      room.onDrop = (client) => {
        // who does not come back leaves: Colyseus calls onLeave then
        this.#open.allowReconnection(client, reconnectSeconds).then(undefined, () => undefined);
      };
    }
    room.onReconnect = (client) => {
      this.#resume(client);
      return onReconnect?.call(room, client);
    };
    room.onLeave = async (client, code) => {
      try {
        await onLeave?.call(room, client, code);
      } finally {
        // (an onLeave of its own may have waited for the client's return)
        if (!isIn(room.clients, client.sessionId)) this.leave(client);
      }
    };
  }

  /**
   * The client's entity enters, in `onJoin`. Returns its id in the guard. Throws `BAD_ARGUMENT` for wrong values and when
   * the id is in this room already, by a session that is connected: Colyseus refuses the join then.
   */
  enter(client: C, entry: RoomEntry): string {
    const { id = client.sessionId, ...rest } = entry;
    const other = this.#freeOf(client, id);
    this.guard.enter(id, rest);
    // only now: who could not enter has driven nobody out
    if (other !== undefined) this.#forget(other);
    this.#bind(client, id);
    return id;
  }

  /** The client's entity comes from another room or machine, as `export` gave it there. Returns its id. Throws as `guard.import`, and `BAD_ARGUMENT` for a client that has an entity. */
  adopt(client: C, data: Uint8Array, options?: { transitMs?: number }): string {
    if (this.#sessions.has(client.sessionId)) throw wrong('adopt', 'client', 'one without an entity', client.sessionId);
    const id = this.guard.import(data, options);
    this.#bind(client, id);
    return id;
  }

  /** The client's entity, for another machine; null when it has none. Let the client leave after it. */
  export(client: C): Uint8Array | null {
    const id = this.idOf(client);
    return id === null ? null : this.guard.export(id);
  }

  /** The entity goes; its ledger stays in the guard for 60 s. Called when the client leaves; true when there was one. */
  leave(client: C): boolean {
    const session = this.#sessions.get(client.sessionId);
    if (session === undefined) return false;
    session.roundTrip?.end();
    this.#sessions.delete(client.sessionId);
    this.#present.delete(session.id);
    this.guard.leave(session.id);
    if (this.#options.broadcast) this.#tellOthers(client, 'left', { id: session.id });
    return true;
  }

  /** The server moves the client's entity: tells the guard, the client (`place`, to be confirmed by `ack` 0) and the others. */
  teleport(client: C, to: Vec3): boolean {
    const id = this.idOf(client);
    if (id === null || !this.guard.teleport(id, to)) return false;
    const at = { x: to[0], y: to[1], z: to[2] };
    send(client, 'place', at);
    if (this.#options.broadcast) this.#tellOthers(client, 'moved', { id, ...at });
    return true;
  }

  /** The client's entity in the guard; null before it entered. */
  idOf(client: C): string | null {
    return this.#sessions.get(client.sessionId)?.id ?? null;
  }

  /** One player, one session: one that dropped makes room for its next. */
  /** The session that held the id and is gone, if any. Throws when client or id are taken. */
  #freeOf(client: C, id: string): string | undefined {
    if (this.#sessions.has(client.sessionId)) throw wrong('enter', 'client', 'one without an entity', client.sessionId);
    const other = this.#present.get(id);
    if (other !== undefined && isIn(this.#room.clients, other)) {
      throw wrong('enter', 'id', 'one that is not in this room', id);
    }
    return other;
  }

  #forget(sessionId: string): void {
    this.#sessions.get(sessionId)?.roundTrip?.end();
    this.#sessions.delete(sessionId);
  }

  #bind(client: C, id: string): void {
    const session: Session<C> = { id, client, roundTrip: null, correction: 0 };
    this.#sessions.set(client.sessionId, session);
    this.#present.set(id, client.sessionId);
    this.#measure(session);
  }

  #measure(session: Session<C>): void {
    session.roundTrip?.end();
    session.roundTrip = null;
    if (this.#options.rttEveryMs === 0) return;
    session.roundTrip = new RoundTrip(session.client.ref, (ms) => this.guard.rtt(session.id, ms));
    session.roundTrip.ping();
  }

  /** A client is back, on another socket: its entity stood still meanwhile, its ledger is the same. */
  #resume(client: C): void {
    const session = this.#sessions.get(client.sessionId);
    if (session === undefined) return;
    session.client = client;
    this.#measure(session);
    const pos = this.guard.positionAt(session.id);
    if (pos !== null) send(client, 'place', { x: pos[0], y: pos[1], z: pos[2] });
  }

  #ping(): void {
    for (const { roundTrip } of this.#sessions.values()) roundTrip?.ping();
  }

  // ---- messages: whatever comes is a verdict -------------------------------------------------------------------------------

  /** Who has not entered is unknown to the guard under the session's id. */
  #speaker(client: C): string {
    return this.#sessions.get(client.sessionId)?.id ?? client.sessionId;
  }

  #move(client: C, said: unknown): void {
    const { seq, x, y, z, mapVersion, progress } = fields(said);
    const id = this.#speaker(client);
    const options = optionsOf(mapVersion, progress);
    const verdict = this.guard.move(id, seq as number, x as number, y as number, z as number, options);
    if (verdict.accepted && this.#options.broadcast) this.#tellOthers(client, 'moved', { id, ...placeOf(verdict) });
    this.#answer(client, seq, verdict, 'move');
  }

  #begin(client: C, said: unknown): void {
    const { seq, to, speed, stop } = fields(said);
    const id = this.#speaker(client);
    const verdict = this.guard.begin(id, said as BeginClaim);
    if (verdict.accepted && this.#options.broadcast) {
      // (array-like is enough for the guard, and a client may send just that)
      const goal = to as ArrayLike<number>;
      const walk = { to: [goal[0], goal[1], goal[2]], speed, stop: stop ?? 0 };
      this.#tellOthers(client, 'began', { id, ...placeOf(verdict), ...walk });
    }
    this.#answer(client, seq, verdict, 'begin');
  }

  #input(client: C, said: unknown): void {
    const { seq, dir, ms, mapVersion, progress } = fields(said);
    const id = this.#speaker(client);
    const options = optionsOf(mapVersion, progress);
    const verdict = this.guard.input(id, seq as number, dir as number[], ms as number, options);
    if (verdict.accepted && this.#options.broadcast) this.#tellOthers(client, 'moved', { id, ...placeOf(verdict) });
    this.#answer(client, seq, verdict, 'input');
  }

  #answer(client: C, said: unknown, verdict: Verdict, claim: 'move' | 'begin' | 'input'): void {
    const seq = typeof said === 'number' ? said : null;
    const session = this.#sessions.get(client.sessionId);
    const { reason, detail, correction } = verdict;
    if (verdict.accepted) {
      if (this.#options.acknowledge) send(client, 'accept', { seq, ...placeOf(verdict) });
    } else if (verdict.verdict === 'correct' && session !== undefined && correction !== session.correction) {
      session.correction = correction;
      send(client, 'correct', { seq, correction, reason, ...placeOf(verdict) });
    } else if (verdict.verdict !== 'ignore') {
      send(client, 'refuse', { seq, reason, detail, ...placeOf(verdict) });
    }
    this.#options.onVerdict?.(client, verdict, claim);
  }

  #tellOthers(client: C, type: string, message: object): void {
    this.#open.broadcast(type, message, { except: client });
  }

  #ack(client: C, said: unknown): void {
    const id = this.idOf(client);
    if (id !== null && Number.isSafeInteger(said) && (said as number) >= 0) this.guard.ack(id, said as number);
  }
}

/** A message's fields; one that is no object has none. */
function fields(said: unknown): Record<string, unknown> {
  return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {};
}

/** What a claim says besides its numbers, whatever it is: the guard reads it. */
function optionsOf(mapVersion: unknown, progress: unknown): ClaimOptions | undefined {
  return mapVersion === undefined && progress === undefined ? undefined : ({ mapVersion, progress } as ClaimOptions);
}

function placeOf({ pos }: Verdict): { x: number; y: number; z: number } | undefined {
  return pos === null ? undefined : { x: pos[0], y: pos[1], z: pos[2] };
}

function isIn(clients: Iterable<RoomClient>, sessionId: string): boolean {
  for (const client of clients) if (client.sessionId === sessionId) return true;
  return false;
}

function wrong(method: string, name: string, expected: string, got: unknown): NavguardError {
  const shown = typeof got === 'string' ? JSON.stringify(got) : String(got);
  return new NavguardError('BAD_ARGUMENT', `${method}: ${name}: expected ${expected}, got ${shown}`, { got, expected });
}
