// Hostile sockets cost only themselves: beside each of them an honest player, in the same server, has every claim answered,
// in time, and the server's memory and its sockets stay within bounds. The sockets speak raw TCP where a library would not
// do what they do.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { Crowd } from '../../bench/serve/crowd.ts';
import { routesOf } from '../../bench/serve/routes.ts';
import { loadMapFile } from '../../src/log/maps.ts';
import type { NavMap } from '../../src/map.ts';
import { type Server, startServer } from '../../src/serve/server.ts';
import { blankMove, blankMoveBegin, encodeMove, encodeMoveBegin } from '../../src/wire/index.ts';

let map: NavMap;
let server: Server;
let crowd: Crowd;
const HONEST = 4;
/** An answer in the same process as all attackers, ms: generous, on a busy machine. */
const P99_MS = 500;

beforeAll(async () => {
  map = await loadMapFile(resolve(__dirname, '../../navdata/maps/pillars.bin'));
  server = await startServer(map, {
    perAddress: 64,
    joinsPerSecond: 200,
    maxSockets: 100,
    queueBytes: 16_384,
    queueLimitBytes: 65_536,
    pingMs: 100,
    deadMs: 700,
    graceMs: 500,
  });
  crowd = new Crowd(`ws://127.0.0.1:${server.port}/`, routesOf(map, 6));
  await crowd.grow(HONEST, HONEST);
});
afterAll(async () => {
  crowd.stop();
  await server.close();
});
beforeEach(() => void crowd.take());

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function until(holds: () => boolean, ms = 5000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds() && performance.now() < end) await wait(10);
  expect(holds()).toBe(true);
}

/** The honest ones were served, and nothing of the attack is left. */
async function unharmed(): Promise<void> {
  await until(() => server.clients.size === HONEST);
  await until(() => crowd.players.every(({ unanswered }) => unanswered <= 4));
  // an attack may be over before anybody has moved
  await wait(100);
  const seen = crowd.take();
  expect(seen.closed).toBe(0);
  expect(seen.refused).toBe(0);
  expect(seen.answered).toBeGreaterThan(0);
  expect(seen.quantile(0.99)).toBeLessThan(P99_MS);
}

/** A WebSocket by hand: what it sends is what is given. */
function raw(path = '/attack'): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      const key = randomBytes(16).toString('base64');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
    socket.once('data', () => done(socket));
    socket.once('error', fail);
    socket.on('error', () => undefined);
  });
}

/** A masked frame (the mask is zero). */
function frame(opcode: number, payload: Uint8Array): Buffer {
  const n = payload.length;
  const head = n < 126 ? Buffer.from([0x80 | opcode, 0x80 | n]) : Buffer.from([0x80 | opcode, 0xfe, n >> 8, n & 255]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((done) => (socket.destroyed ? done() : socket.once('close', () => done())));

function moveFrame(seq: number): Buffer {
  const bytes = new Uint8Array(39);
  encodeMove(new DataView(bytes.buffer), 0, { ...blankMove(), seq, x: 1, y: 0, z: 1 });
  return frame(2, bytes);
}

test('bytes that are no WebSocket frames', async () => {
  for (let i = 0; i < 8; i++) {
    const socket = await raw();
    const gone = closed(socket);
    socket.resume();
    socket.write(randomBytes(4096));
    socket.end();
    await gone;
  }
  await unharmed();
});

test('frames that are none of the protocol close after a few', async () => {
  const before = server.counts.closed.protocol;
  const socket = await raw();
  socket.resume();
  for (let i = 0; i < 40; i++)
    socket.write(
      frame(
        i % 2 === 0 ? 2 : 1,
        randomBytes(1 + (i % 60)).map((b) => 32 + (b % 90)),
      ),
    );
  await closed(socket);
  expect(server.counts.closed.protocol).toBeGreaterThan(before);
  await unharmed();
});

test('a flood of text is dropped, then closed, and the rest is not read', async () => {
  const before = server.counts.closed.rate;
  const frames = server.counts.frames;
  const socket = await raw();
  socket.resume();
  const text = frame(1, Buffer.from('{"op":"move","seq":1,"pos":[0,0,0]}'));
  const flood = Buffer.concat(Array.from({ length: 20_000 }, () => text));
  for (let i = 0; i < 10; i++) socket.write(flood);
  await closed(socket);
  expect(server.counts.closed.rate).toBe(before + 1);
  // 200,000 were sent: two bursts and what one read brought
  expect(server.counts.frames - frames).toBeLessThan(20_000);
  await unharmed();
});

test('a frame of 10 MB is refused by its head', async () => {
  const socket = await raw();
  socket.resume();
  const memory = process.memoryUsage().arrayBuffers;
  const head = Buffer.alloc(14);
  head[0] = 0x82;
  head[1] = 0xff;
  head.writeBigUInt64BE(10_000_000n, 2);
  socket.write(head);
  await closed(socket);
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(4 << 20);
  await unharmed();
});

test('sequence numbers in a storm are verdicts', async () => {
  const socket = await raw('/attack?name=storm');
  socket.resume();
  for (let i = 0; i < 100; i++) socket.write(moveFrame(i % 3 === 0 ? 0xffffffff : (i * 0x9e3779b1) >>> 0));
  const before = server.counts.claims;
  await wait(100);
  expect(server.counts.claims).toBeGreaterThan(before);
  socket.destroy();
  await unharmed();
});

test('thousands of ids: what is not its own is answered and costs no state', async () => {
  const entities = server.entities;
  const before = server.counts.dropped.foreign;
  const socket = await raw();
  socket.resume();
  const bytes = new Uint8Array(122);
  for (let i = 0; i < 100; i++) {
    const claim = { ...blankMoveBegin(), seq: i, entity: 1_000_000 + i, hasData: true };
    encodeMoveBegin(new DataView(bytes.buffer), 0, claim);
    socket.write(frame(2, bytes));
  }
  for (let i = 0; i < 15; i++) socket.write(frame(1, Buffer.from('{"op":"spawn"}')));
  await until(() => server.counts.dropped.foreign >= before + 100);
  expect(server.entities).toBeLessThanOrEqual(entities + 4);
  socket.destroy();
  await unharmed();
  expect(server.entities).toBe(HONEST);
});

test('who does not read is sent no more, then cut, and its bytes are bounded', async () => {
  const before = server.counts.closed.slow;
  const socket = await raw('/attack?form=json');
  // the kernel's buffers fill first
  socket.pause();
  let most = 0;
  const claim = frame(1, Buffer.from('{"op":"move","seq":1,"pos":[1,2,3]}'));
  const client = [...server.clients].at(-1);
  // its answers, as if its claims were many: the limit of claims is another test's
  const timer = setInterval(() => {
    for (let i = 0; i < 200; i++) client?.send(new Uint8Array(1024));
    most = Math.max(most, server.unsent().fullest);
  }, 2);
  socket.write(claim);
  await until(() => server.counts.closed.slow > before, 10_000);
  clearInterval(timer);
  expect(most).toBeLessThan(65_536 + 4096);
  socket.destroy();
  await unharmed();
});

test('a half-open connection is cut', async () => {
  const before = server.counts.closed.dead;
  const socket = await raw();
  // it is there for TCP, and never says anything again: no pong either
  socket.resume();
  await closed(socket);
  expect(server.counts.closed.dead).toBe(before + 1);
  await unharmed();
});

test('who names itself after a number to come shares no entity with its owner, and leaves it no score', async () => {
  const own = await startServer(map, {});
  try {
    const open = async (query: string) => {
      const ws = new WebSocket(`ws://127.0.0.1:${own.port}/lobby?form=json${query}`);
      const said: Record<string, unknown>[] = [];
      ws.on('message', (data) => said.push(JSON.parse(String(data))));
      await until(() => said.length > 0);
      return { ws, said };
    };
    const named = await Promise.all([4, 5, 6, 7].map((number) => open(`&name=${number}`)));
    const victims = [await open(''), await open('')];
    for (const { ws } of named) ws.close();
    await until(() => own.clients.size === 2);
    for (const { ws, said } of victims) {
      ws.send(JSON.stringify({ op: 'move', seq: 1, pos: said[0].pos }));
      await until(() => said.some(({ op }) => op === 'answer'));
      expect(said.find(({ op }) => op === 'answer')).toMatchObject({ seq: 1, reason: 'Accept' });
    }
    const later = await open('&name=6');
    expect(new Set([...named, ...victims, later].map(({ said }) => said[0].id)).size).toBe(6);
    expect(victims.map(({ said }) => said[0].id)).toEqual(['lobby/#5', 'lobby/#6']);
  } finally {
    await own.close();
  }
});

test('joining and leaving in a storm: so many of one address, and its ledger comes back', async () => {
  const refused = server.counts.refused.address;
  let opened = 0;
  let turnedAway = 0;
  const one = (): Promise<void> =>
    new Promise((done) => {
      const ws = new WebSocket(`ws://127.0.0.1:${server.port}/attack`);
      ws.on('open', () => {
        opened++;
        ws.close();
      });
      ws.on('error', () => turnedAway++);
      ws.on('close', () => done());
    });
  for (let i = 0; i < 4; i++) await Promise.all(Array.from({ length: 100 }, one));
  expect(opened).toBeGreaterThan(20);
  expect(turnedAway).toBeGreaterThan(20);
  expect(server.counts.refused.address).toBeGreaterThan(refused);
  await unharmed();
  expect(server.rooms.size).toBe(1);
});

test('requests that are no upgrade, and upgrades that are none', async () => {
  const url = `http://127.0.0.1:${server.port}`;
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(405);
  for (const path of ['/%00', `/${'a'.repeat(33)}`, '/a?name=a%20b']) {
    const ws = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
    const status = await new Promise((done) => {
      ws.on('unexpected-response', (_, response) => done(response.statusCode));
      ws.on('open', () => done('open'));
      ws.on('error', () => undefined);
    });
    expect(status, path).toBe(400);
    ws.terminate();
  }
  await unharmed();
});

test('while it shuts down the pages answer 503 and nobody new comes in; one who does not hang up is cut', async () => {
  const own = await startServer(map, { graceMs: 700 });
  const at = `127.0.0.1:${own.port}`;
  // raw: it never answers the closing frame
  const socket = connect(own.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET /lobby HTTP/1.1\r\nHost: ${at}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await until(() => own.clients.size === 1);
  const closed = own.close();
  const page = await fetch(`http://${at}/healthz`);
  expect(page.status).toBe(503);
  expect(await page.json()).toMatchObject({ ok: false, closing: true });
  const late = new WebSocket(`ws://${at}/lobby`);
  const said = await new Promise<number | undefined>((done) => {
    late.once('unexpected-response', (_, response) => done(response.statusCode));
    late.once('error', () => done(undefined));
  });
  expect(said).toBe(503);
  await closed;
  socket.destroy();
  await expect(fetch(`http://${at}/healthz`)).rejects.toThrow();
});
