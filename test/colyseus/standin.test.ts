// The Colyseus adapter with stand-ins for rooms, clients and sockets, on every Node: answers, who is told, round-trip times,
// sessions, and a seeded storm of messages that are none.
import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { guardRoom, type RoomMovesOptions } from '../../src/colyseus/index.ts';
import { MoveGuard } from '../../src/guard.ts';
import { random } from '../guard/rounding.ts';
import { floors } from '../guard/world.ts';

const map = floors([[0, 0, 40, 40, 0]]);

class Socket extends EventEmitter {
  readyState = 1;
  readonly pings: Uint8Array[] = [];
  ping(data: Uint8Array): void {
    this.pings.push(data);
  }
}

class Client {
  readonly told: unknown[][] = [];
  readonly ref = new Socket();
  readonly sessionId: string;
  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }
  send(...message: unknown[]): void {
    this.told.push(message);
  }
}

class Room {
  clients: Client[] = [];
  readonly listeners = new Map<string, (client: Client, message: unknown) => void>();
  readonly others: unknown[][] = [];
  readonly ticks: [() => void, number][] = [];
  readonly held: [Client, number][] = [];
  clock = { setInterval: (tick: () => void, ms: number) => this.ticks.push([tick, ms]) };
  onDrop?(client: Client): unknown;
  onReconnect?(client: Client): unknown;
  onLeave?(client: Client): unknown;
  onMessage(type: string, listener: (client: Client, message: unknown) => void): void {
    this.listeners.set(type, listener);
  }
  broadcast(type: string, message: unknown, { except }: { except: Client }): void {
    this.others.push([type, message, except.sessionId]);
  }
  allowReconnection(client: Client, seconds: number): Promise<never> {
    this.held.push([client, seconds]);
    return Promise.reject(new Error('not joined'));
  }
  /** A message from a client. */
  hear(client: Client, type: string, message: unknown): void {
    this.listeners.get(type)?.(client, message);
  }
}

function open(options: RoomMovesOptions<Client> = {}) {
  const at = { t: 1000 };
  const room = new Room();
  const guard = new MoveGuard(map, {}, { now: () => at.t });
  const moves = guardRoom<Client>(room, guard, options);
  const join = (sessionId: string): Client => {
    const client = new Client(sessionId);
    room.clients.push(client);
    moves.enter(client, { pos: [5, 0, 5], speed: 6 });
    return client;
  };
  return { at, room, guard, moves, join };
}

describe('a guarded room of stand-ins', () => {
  test.each([1, 2])('any message is a verdict and an answer, never an exception (seed %i)', (seed) => {
    const rand = random(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(rand() * list.length)];
    const verdicts = vi.fn();
    const { at, room, join } = open({ onVerdict: verdicts });
    const clients = [join('a'), join('b'), new Client('stranger')];
    const odd = (): unknown =>
      pick<unknown>([
        ...[undefined, null, true, 'x', '', 1, -1, 0.5, Number.NaN, Infinity, 2 ** 40, 1n],
        ...[[], [5, 0, 5], [5, 0], ['5', 0, 5], {}, { length: 3, 0: 5, 1: 0, 2: 6 }, new Map(), new Date(), () => 0],
        ...[new Uint8Array(9), new Float64Array([5, 0, 6]), Object.create(null), Symbol('x')],
      ]);
    let next = 10;
    const sane: Record<string, () => unknown> = {
      seq: () => (rand() < 0.05 ? 7 : ++next),
      x: () => (rand() < 0.01 ? 35 : 5 + rand()),
      y: () => 0,
      z: () => 5,
      from: () => [5, 0, 5],
      to: () => ({ length: 3, 0: 6, 1: 0, 2: 5 }),
      speed: () => 6,
      duration: () => 5000,
      dir: () => [1, 0],
      ms: () => 50,
    };
    const told = new Set<unknown>();
    let answered = 0;
    for (let k = 0; k < 20_000; k++) {
      at.t += rand() * 20;
      const message: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(sane))
        if (rand() < 0.97) message[name] = rand() < 0.04 ? odd() : value();
      for (const name of ['stop', 'strategy', 'mapVersion', 'progress', '__proto__', 'toString']) {
        if (rand() < 0.02) message[name] = odd();
      }
      const type = pick(['move', 'begin', 'input', 'ack']);
      const client = pick(clients);
      room.hear(client, type, rand() < 0.05 ? odd() : type === 'ack' ? odd() : message);
      answered += client.told.length;
      for (const [word, said] of client.told.splice(0)) {
        told.add(word);
        if (word === 'refuse') told.add((said as { reason: string }).reason);
      }
    }
    expect(answered).toBeGreaterThan(5000);
    expect(verdicts.mock.calls.length).toBeGreaterThan(14_000);
    for (const word of ['accept', 'refuse', 'correct', 'Malformed', 'Replay', 'UnknownEntity']) {
      expect([...told]).toContain(word);
    }
    // the others, never the one itself, and nobody hears of a stranger
    expect(new Set(room.others.map(([, , except]) => except))).toEqual(new Set(['a', 'b']));
    for (const [, message, except] of room.others) expect((message as { id: string }).id).toBe(except);
  });

  test('without acknowledge and broadcast only refusals are answered', () => {
    const { at, room, join } = open({ acknowledge: false, broadcast: false });
    const a = join('a');
    at.t += 50;
    room.hear(a, 'move', { seq: 1, x: 5.2, y: 0, z: 5 });
    expect([a.told, room.others]).toEqual([[], []]);
    room.hear(a, 'move', { seq: 2, x: 30, y: 0, z: 5 });
    expect(a.told.map(([type]) => type)).toEqual(['correct']);
  });

  test('round-trip times: one ping at a time, only its own pong counts, what was sent before counts as none', () => {
    const { room, guard, join } = open({ rttEveryMs: 500 });
    const rtt = vi.spyOn(guard, 'rtt');
    const a = join('a');
    const [[tick, ms]] = room.ticks;
    expect(ms).toBe(500);
    expect(a.ref.pings.length).toBe(1);
    tick();
    expect(a.ref.pings.length).toBe(1);
    a.ref.emit('pong', new Uint8Array(0));
    a.ref.emit('pong', new Uint8Array(8));
    expect(rtt).not.toHaveBeenCalled();
    a.ref.emit('pong', Buffer.from(a.ref.pings[0]));
    a.ref.emit('pong', Buffer.from(a.ref.pings[0]));
    expect(rtt.mock.calls).toEqual([['a', expect.any(Number)]]);
    tick();
    expect(a.ref.pings.length).toBe(2);
    expect(a.ref.pings[1]).not.toEqual(a.ref.pings[0]);
    // a socket that is closing is let alone; one that left is not listened to
    a.ref.emit('pong', Buffer.from(a.ref.pings[1]));
    a.ref.readyState = 2;
    tick();
    expect(a.ref.pings.length).toBe(2);
    room.clients = [];
    room.onLeave?.(a);
    return vi.waitFor(() => expect(a.ref.listenerCount('pong')).toBe(0));
  });

  test('a transport without ping frames is not asked', () => {
    const { room, moves, guard } = open();
    const bare = { sessionId: 'a', told: [] as unknown[], send: () => undefined };
    moves.enter(bare as never, { pos: [5, 0, 5], speed: 6 });
    room.ticks[0][0]();
    expect(guard.positionAt('a')).toEqual([5, 0, 5]);
  });

  test('who drops may come back for reconnectSeconds; a refused reconnection is no unhandled rejection', async () => {
    const { room, join } = open({ reconnectSeconds: 7 });
    const a = join('a');
    room.onDrop?.(a);
    expect(room.held).toEqual([[a, 7]]);
    await new Promise((done) => setTimeout(done, 5));
    const never = open({ reconnectSeconds: 0 });
    expect(never.room.onDrop).toBeUndefined();
  });

  test.each([
    [{ reconnectSeconds: -1 }, /guardRoom: reconnectSeconds: expected a finite number of at least 0, got -1/],
    [{ rttEveryMs: Number.NaN }, /guardRoom: rttEveryMs: expected a finite number of at least 0, got NaN/],
  ])('a wrong option is said: %o', (options, sentence) => {
    expect(() => open(options)).toThrow(sentence);
  });

  test('a client has one entity', () => {
    const { moves, join } = open();
    const a = join('a');
    expect(() => moves.enter(a, { pos: [5, 0, 5], speed: 6 })).toThrow(/client: expected one without an entity/);
    const elsewhere = open();
    const other = elsewhere.moves.export(elsewhere.join('other')) as Uint8Array;
    expect(() => moves.adopt(a, other)).toThrow(/client: expected one without an entity/);
    expect([moves.idOf(a), moves.guard.slot('other')]).toEqual(['a', -1]);
    expect(moves.leave(a)).toBe(true);
    expect(moves.leave(a)).toBe(false);
    expect([moves.idOf(a), moves.export(a), moves.teleport(a, [1, 0, 1])]).toEqual([null, null, false]);
  });

  test('who enters with wrong values drives nobody out', () => {
    const { moves, join, room } = open();
    const a = join('a');
    // it has dropped, and its session is still waited for
    room.clients = room.clients.filter((client) => client !== a);
    const b = new Client('b');
    expect(() => moves.enter(b, { id: 'a', pos: [Number.NaN, 0, 5], speed: 6 })).toThrow(/pos/);
    expect([moves.idOf(a), moves.idOf(b)]).toEqual(['a', null]);
    moves.enter(b, { id: 'a', pos: [5, 0, 5], speed: 6 });
    expect([moves.idOf(a), moves.idOf(b)]).toEqual([null, 'a']);
  });
});
