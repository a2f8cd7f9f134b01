// The Colyseus adapter against a real server and real clients (Node >= 22, where Colyseus is installed): honest clients are
// left alone, cheats are corrected, garbage is a verdict, and no way out and in again buys anything.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import { COLYSEUS, openTown, type Player, root, START, type Town } from './town.ts';

const [X, Y, Z] = START;

test('who has no Colyseus can load the adapter: it imports nothing of it', () => {
  const folder = join(root, 'src/colyseus');
  const files = readdirSync(folder);
  expect(files).toContain('index.ts');
  for (const file of files) {
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/from '@colyseus|import\('@colyseus/);
  }
});

if (COLYSEUS !== null) {
  describe('a guarded Colyseus room', () => {
    let town: Town;
    beforeAll(async () => {
      town = await openTown();
    });
    afterAll(() => town.close());

    /** Steps along x, each in 50 ms of the guard's clock; the last answer. */
    async function walk(player: Player, seq: number, steps: number, dx: number, from = X) {
      let last: Awaited<ReturnType<Player['say']>> = { type: '', message: null };
      for (let k = 1; k <= steps; k++) {
        town.t += 50;
        last = await player.say('move', { seq: seq + k, x: from + k * dx, y: Y, z: Z });
      }
      return last;
    }
    const score = (player: Player) => town.movesOf(player).guard.score(player.room.sessionId) as number;

    test('an honest client is accepted all the way, and the others are told, they only', async () => {
      const a = await town.create();
      const b = await town.join({ room: a.room.roomId });
      await walk(a, 0, 40, 0.28);
      expect(a.told.map(({ type }) => type)).toEqual(Array(40).fill('accept'));
      expect(a.of('accept').at(-1)).toEqual({ seq: 40, x: X + 40 * 0.28, y: Y, z: Z });
      await b.heard(40, 'moved');
      expect(b.of('moved').at(-1)).toEqual({ id: a.room.sessionId, x: X + 40 * 0.28, y: Y, z: Z });
      expect(b.told.length).toBe(40);
      expect(score(a)).toBe(0);
      // a click: the server walks, the others are told of it
      town.t += 50;
      const claim = { seq: 41, from: [X + 11.2, Y, Z], to: [X + 5, Y, Z], speed: 6, duration: 2000 };
      expect((await a.say('begin', claim)).type).toBe('accept');
      const [began] = await b.heard(1, 'began').then(() => b.of('began'));
      expect(began).toMatchObject({ id: a.room.sessionId, to: [X + 5, Y, Z], speed: 6, stop: 0 });
      town.t += 500;
      const walked = town.movesOf(a).guard.positionAt(a.room.sessionId)?.[0] as number;
      expect(walked).toBeCloseTo(X + 11.2 - 3, 1);
      // and an input: the server walks by direction
      town.t += 50;
      const input = await a.say('input', { seq: 42, dir: [1, 0], ms: 50 });
      expect(input.message.x).toBeGreaterThan(walked - 0.4);
      // goes: the others hear it
      await a.room.leave();
      await b.heard(1, 'left');
      expect(b.of('left')).toEqual([{ id: a.room.sessionId }]);
      await b.room.leave();
    });

    test('a speed hack is corrected to where it stands, and goes on from there once it obeys', async () => {
      const a = await town.create();
      const b = await town.join({ room: a.room.roomId });
      const last = await walk(a, 0, 1, 4);
      expect(last.type).toBe('correct');
      expect(last.message).toEqual({ seq: 1, correction: 1, reason: 'SpeedLimit', x: X, y: Y, z: Z });
      // what was on its way is not answered, and nobody hears of it
      a.room.send('move', { seq: 2, x: X + 5, y: Y, z: Z });
      a.room.send('ack', last.message.correction);
      town.t += 50;
      expect((await a.say('move', { seq: 3, x: X + 0.2, y: Y, z: Z })).type).toBe('accept');
      expect(a.of('refuse')).toEqual([]);
      await b.heard(1, 'moved');
      expect(b.of('moved')).toEqual([{ id: a.room.sessionId, x: X + 0.2, y: Y, z: Z }]);
      expect(score(a)).toBeGreaterThan(1);
      // three times too fast for two seconds: it gets no farther than its speed
      const start = X + 0.2;
      for (let k = 1; k <= 40; k++) {
        town.t += 50;
        a.room.send('move', { seq: 3 + k, x: Math.min(start + k * 0.9, 29), y: Y, z: Z });
      }
      await a.settled();
      const at = town.movesOf(a).guard.positionAt(a.room.sessionId) as number[];
      expect(at[0] - start).toBeLessThan(6 * 1.15 * 2 + 1);
      expect(a.of('correct').length).toBeGreaterThan(1);
      await Promise.all([a.room.leave(), b.room.leave()]);
    });

    test('a hop through the wall is corrected', async () => {
      const a = await town.create();
      // to the wall, and a second of standing there
      let seq = 0;
      for (let k = 1; k <= 30; k++) {
        town.t += 50;
        const at = { x: Math.min(X + k * 0.25, X + 2), y: Y, z: Math.min(Z + k * 0.1, 2.4) };
        expect((await a.say('move', { seq: ++seq, ...at })).type).toBe('accept');
      }
      town.t += 50;
      // 1.5 m as the crow flies, 6.2 m on foot
      const hop = await a.say('move', { seq: ++seq, x: X + 2, y: Y, z: 3.9 });
      expect(hop.type).toBe('correct');
      expect(hop.message).toMatchObject({ reason: 'Wall', z: 2.4 });
      await a.room.leave();
    });

    test('garbage is a verdict: the client stays, and so does everyone else', async () => {
      const a = await town.create();
      const b = await town.join({ room: a.room.roomId });
      const garbage: unknown[] = [
        undefined,
        null,
        0,
        'move',
        [],
        [1, 2, 3],
        { seq: 'x' },
        { seq: 1, x: Number.NaN, y: 0, z: 0 },
        { seq: 1, x: Infinity, y: 0, z: 0 },
        { seq: -1, x: 1, y: 0, z: 1 },
        { seq: 2 ** 40, x: 1, y: 0, z: 1 },
        { seq: 1, x: {}, y: [], z: null },
        { seq: 1, x: X, y: Y, z: Z, mapVersion: {}, progress: [] },
        { seq: 1n, x: 1n, y: 1n, z: 1n },
        new Uint8Array(1000),
        new Date(),
        { seq: 1, from: { length: 3, 0: 1, 1: 0, 2: 1 }, to: {}, speed: 'x', duration: null },
        { seq: 1, dir: 'xy', ms: {} },
      ];
      for (const type of ['move', 'begin', 'input']) {
        for (const message of garbage) {
          const answer = await a.say(type, message);
          expect(answer.type, `${type} ${String(message)}`).toBe('refuse');
          expect(['Malformed', 'TargetPos', 'NullMoveData']).toContain(answer.message.reason);
        }
      }
      for (const said of [undefined, null, 'x', -1, 1.5, Number.NaN, {}, [1], 2 ** 60]) a.room.send('ack', said);
      town.t += 50;
      expect((await a.say('move', { seq: 1, x: X + 0.2, y: Y, z: Z })).type).toBe('accept');
      // bytes that are no message at all cost the sender its connection, nobody else
      a.room.connection.send(Uint8Array.from([13, 164, 109, 111, 118, 101, 0xc1, 0xc1]));
      await b.heard(1, 'moved');
      expect((await b.say('move', { seq: 1, x: X + 0.1, y: Y, z: Z })).type).toBe('accept');
      await b.room.leave();
    });

    test('who has not entered is unknown, not an error', async () => {
      const a = await town.create();
      town.movesOf(a).leave(town.clientOf(a));
      const answer = await a.say('move', { seq: 1, x: X, y: Y, z: Z });
      expect(answer).toMatchObject({ type: 'refuse', message: { seq: 1, reason: 'UnknownEntity' } });
      await a.room.leave();
    });

    test('a client that comes back after a drop has the ledger it had, and is told where it stands', async () => {
      const a = await town.create();
      const { guard } = town.movesOf(a);
      // all its credit is spent, and a correction is on record
      expect((await walk(a, 0, 1, 9)).type).toBe('correct');
      // heard of the correction: not sooner than a round trip after it
      town.t += 20;
      expect((await a.say('move', { seq: 2, x: X + 1.5, y: Y, z: Z })).type).toBe('accept');
      const before = guard.stateOf(a.room.sessionId);
      const token = a.room.reconnectionToken;
      await town.drop(a);
      const back = await town.reconnect(token);
      expect(back.room.sessionId).toBe(a.room.sessionId);
      await back.heard(1, 'place');
      expect(back.of('place')).toEqual([{ x: X + 1.5, y: Y, z: Z }]);
      const after = guard.stateOf(a.room.sessionId);
      // (its socket was measured anew)
      // and what grows by itself was counted up to now
      if (before !== null && after !== null) for (const k of [L.RTT, L.PACE, L.PACE_T]) before[k] = after[k];
      expect(after).toEqual(before);
      // no credit came of it, and old numbers are used up
      expect((await back.say('move', { seq: 2, x: X + 1.5, y: Y, z: Z })).message.reason).toBe('Replay');
      expect((await back.say('move', { seq: 3, x: X + 3, y: Y, z: Z })).type).toBe('correct');
      await back.room.leave();
    });

    test('leaving and joining again buys nothing: the score stays, spent credit stays spent', async () => {
      const a = await town.create({ id: 'ann' });
      const { roomId } = a.room;
      const { guard } = town.movesOf(a);
      expect((await walk(a, 0, 1, 9)).type).toBe('correct');
      // heard of the correction: not sooner than a round trip after it
      town.t += 20;
      expect((await a.say('move', { seq: 2, x: X + 1.5, y: Y, z: Z })).type).toBe('accept');
      const scored = guard.score('ann') as number;
      expect(scored).toBeGreaterThan(1);
      await a.room.leave();
      expect(guard.score('ann')).toBeNull();
      const b = await town.join({ room: roomId, id: 'ann' });
      expect(guard.score('ann')).toBe(scored);
      expect((await b.say('move', { seq: 1, x: X + 1.5, y: Y, z: Z })).type).toBe('correct');
      await b.room.leave();
    });

    test('one player, one session: a second one is refused, one that dropped makes room', async () => {
      const a = await town.create({ id: 'ben' });
      const { roomId } = a.room;
      await expect(town.join({ room: roomId, id: 'ben' })).rejects.toThrow(/id: expected one that is not in this room/);
      expect((await walk(a, 0, 1, 0.2)).type).toBe('accept');
      await town.drop(a);
      const b = await town.join({ room: roomId, id: 'ben' });
      expect(town.movesOf(b).idOf(town.clientOf(b))).toBe('ben');
      // the old session has no entity any more
      const old = await town.reconnect(a.room.reconnectionToken);
      expect((await old.say('move', { seq: 9, x: X, y: Y, z: Z })).message.reason).toBe('UnknownEntity');
      await old.room.leave();
      expect(town.movesOf(b).guard.positionAt('ben')).toEqual(START);
      await b.room.leave();
    });

    test('two rooms do not mix, though players have the same name', async () => {
      const a = await town.create({ id: 'cat' });
      const b = await town.create({ id: 'cat' });
      expect(a.room.roomId).not.toBe(b.room.roomId);
      town.movesOf(b).guard.setSpeed('cat', 100);
      await walk(a, 0, 5, 0.25);
      expect((await walk(b, 0, 1, 4)).type).toBe('accept');
      expect((await walk(a, 5, 1, 9)).type).toBe('correct');
      expect(town.movesOf(b).guard.score('cat')).toBe(0);
      expect([...a.of('moved'), ...b.of('moved')]).toEqual([]);
      await Promise.all([a.room.leave(), b.room.leave()]);
    });

    test('an entity goes to another room with all that is remembered of it', async () => {
      const a = await town.create({ id: 'dan' });
      expect((await walk(a, 0, 1, 9)).type).toBe('correct');
      const scored = town.movesOf(a).guard.score('dan');
      const moved = town.movesOf(a).export(town.clientOf(a)) as Uint8Array;
      await a.room.leave();
      const b = await town.create({ id: 'eve' });
      const d = await town.handOver(b.room.roomId, moved);
      expect(town.movesOf(d).idOf(town.clientOf(d))).toBe('dan');
      expect(town.movesOf(d).guard.score('dan')).toBe(scored);
      town.t += 50;
      expect((await d.say('move', { seq: 2, x: X + 0.2, y: Y, z: Z })).type).toBe('accept');
      await expect(town.handOver(b.room.roomId, moved)).rejects.toThrow(/not present/);
      await expect(town.handOver(b.room.roomId, moved.subarray(8))).rejects.toThrow(/magic/);
      await Promise.all([b.room.leave(), d.room.leave()]);
    });

    test('a teleport is told to all, and claims from before it are ignored until it is confirmed', async () => {
      const a = await town.create();
      const b = await town.join({ room: a.room.roomId });
      const moves = town.movesOf(a);
      expect(moves.teleport(town.clientOf(a), [24, Y, Z])).toBe(true);
      await Promise.all([a.heard(1, 'place'), b.heard(1, 'moved')]);
      expect(a.of('place')).toEqual([{ x: 24, y: Y, z: Z }]);
      town.t += 50;
      a.room.send('move', { seq: 1, x: X + 0.2, y: Y, z: Z });
      a.room.send('ack', 0);
      expect((await a.say('move', { seq: 2, x: 24.2, y: Y, z: Z })).type).toBe('accept');
      expect(a.told.map(({ type }) => type)).toEqual(['place', 'accept']);
      await Promise.all([a.room.leave(), b.room.leave()]);
    });

    test('the guard is told round-trip times by the socket itself', async () => {
      const a = await town.create();
      const moves = town.movesOf(a);
      const told: number[] = [];
      const tell = moves.guard.rtt.bind(moves.guard);
      const heard = new Promise<void>((done) => {
        moves.guard.rtt = (id: string, ms: number) => {
          expect(id).toBe(a.room.sessionId);
          told.push(ms);
          if (told.length >= 2) done();
          return tell(id, ms);
        };
      });
      await heard;
      for (const ms of told) expect(ms).toBeGreaterThan(0);
      await a.room.leave();
    });

    test("the room's own hooks are called first, and decide of reconnection", async () => {
      const a = await town.create({ hooks: 'own', id: 'fay' });
      const { roomId, sessionId, reconnectionToken } = a.room;
      const { guard } = town.movesOf(a);
      await town.drop(a);
      // 50 ms may be over before it is back: then it is gone, as the room wants it
      const back = await town.reconnect(reconnectionToken).catch(() => null);
      if (back !== null) {
        expect(town.seen).toEqual([`drop ${sessionId}`, `back ${sessionId}`]);
        await town.drop(back);
      }
      await expect.poll(() => town.seen.at(-1), { timeout: 10_000 }).toBe(`leave ${sessionId} fay`);
      await expect.poll(() => guard.positionAt('fay'), { timeout: 10_000 }).toBeNull();
      expect(town.rooms.get(roomId).clients.length).toBe(0);
    });
  });

  test('the example: an honest client and one that is three times too fast', async () => {
    const child: ChildProcess = spawn(process.execPath, ['play.mjs'], {
      cwd: join(root, 'examples/colyseus'),
      env: { ...process.env, PORT: String(20_000 + (process.pid % 20_000)) },
    });
    let out = '';
    child.stdout?.on('data', (data) => {
      out += data;
    });
    child.stderr?.on('data', (data) => {
      out += data;
    });
    const code = await new Promise((done) => child.on('close', done));
    expect(code, out).toBe(0);
    const row = (name: string): number[] =>
      (out.match(new RegExp(`'${name}' *│([^\n]*)`))?.[1] ?? '').split('│').map(Number);
    const [accepted] = row('honest');
    expect(accepted, out).toBeGreaterThan(50);
    const [, corrected] = row('three times too fast');
    expect(corrected, out).toBeGreaterThan(3);
  });

  test('fits the types of Colyseus, rooms of a state and of typed messages too', () => {
    const dir = mkdtempSync(join(tmpdir(), 'navguard-types-'));
    try {
      writeFileSync(join(dir, 'room.ts'), TYPED);
      const paths = {
        '@colyseus/*': [`${COLYSEUS}/@colyseus/*`],
        navguard: [`${root}/dist/src/index.d.ts`],
        'navguard/colyseus': [`${root}/dist/src/colyseus/index.d.ts`],
      };
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        typeRoots: [`${root}/node_modules/@types`],
        types: ['node'],
        paths,
      };
      writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['room.ts'] }));
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8' });
      expect(status, stdout).toBe(0);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

const TYPED = `
import { type Client, Room } from '@colyseus/core';
import { MoveGuard, type NavMap } from 'navguard';
import { guardRoom, type RoomMoves } from 'navguard/colyseus';

declare const map: NavMap;

export class Plain extends Room {
  moves!: RoomMoves<Client>;
  onCreate(): void {
    this.moves = guardRoom(this, new MoveGuard(map), { onVerdict: (client) => client.leave(4003) });
  }
  onJoin(client: Client): void {
    this.moves.enter(client, { pos: [1, 0, 1], speed: 6 });
  }
}

class State { x = 0; }
type Player = Client<{ userData: { score: number }; auth: { id: string }; messages: { hello: { text: string } } }>;

export class Typed extends Room<{ state: State; client: Player }> {
  moves!: RoomMoves<Player>;
  onCreate(): void {
    this.moves = guardRoom(this, new MoveGuard(map), {
      onVerdict: (client, verdict) => {
        this.state.x = verdict.pos?.[0] ?? 0;
        const id: string | undefined = client.auth?.id;
        if (id === '' && client.userData !== undefined) client.userData.score = verdict.score;
        // @ts-expect-error no such property
        client.nothing();
      },
    });
  }
  onJoin(client: Player): void {
    this.moves.enter(client, { id: client.auth?.id ?? '', pos: [1, 0, 1], speed: 6 });
    // @ts-expect-error pos is missing
    this.moves.enter(client, { speed: 6 });
  }
}
`;
