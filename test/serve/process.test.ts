// The command as a process of its own, as it was built: players of another process, verdicts equal to an audit of what it
// recorded, pages, and an end in good order. Needs dist/ (npm run build).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ServerProcess } from '../../bench/serve/child.ts';
import { Crowd } from '../../bench/serve/crowd.ts';
import { routesOf } from '../../bench/serve/routes.ts';
import { loadMapFile } from '../../src/log/maps.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
const MAP = resolve(__dirname, '../../navdata/maps/pillars.bin');
let folder = '';
let server: ServerProcess | null = null;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-serve-'));
});
afterEach(async () => {
  await server?.stop();
  server = null;
});
afterAll(() => rmSync(folder, { recursive: true }));

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A cheat: hops ten metres, again and again, and one who speaks text. */
function cheat(url: string): Promise<WebSocket> {
  const ws = new WebSocket(`${url}room0?form=json&name=hopper`);
  let seq = 0;
  return new Promise((done, fail) => {
    ws.once('error', fail);
    ws.on('message', (data) => {
      const said = JSON.parse(String(data)) as { op: string; pos: number[]; correction: number };
      if (said.op === 'correction') ws.send(JSON.stringify({ op: 'ack', correction: said.correction }));
      if (said.op !== 'hello' && said.op !== 'correction') return;
      const [x, y, z] = said.pos;
      setTimeout(() => ws.send(JSON.stringify({ op: 'move', seq: ++seq, pos: [x + 10, y, z] })), 40);
      done(ws);
    });
  });
}

test('served, recorded, audited: no difference; SIGTERM ends it in good order', async () => {
  const record = ['--record', join(folder, 'moves.ndjson'), '--record-expect', '--record-max-mb', '0.1'];
  server = await ServerProcess.start(MAIN, [MAP, ...record, '--no-kick']);
  expect(await (await fetch(`${server.pages}/healthz`)).json()).toMatchObject({ ok: true, sockets: 0 });
  const crowd = new Crowd(server.url, routesOf(await loadMapFile(MAP), 6));
  await crowd.grow(20, 10);
  const hopper = await cheat(server.url);
  await wait(2500);
  const metrics = await server.metrics();
  expect(metrics.get('navguard_sockets')).toBe(21);
  expect(metrics.get('navguard_rooms')).toBe(2);
  expect(metrics.get('navguard_verdicts_total{verdict="accept",reason="Accept"}')).toBeGreaterThan(500);
  expect([...metrics.keys()].some((name) => name.startsWith('navguard_map_info{hash="'))).toBe(true);
  expect(metrics.get('navguard_answer_seconds_count')).toBeGreaterThan(500);
  const refusals = [...metrics].filter(([name]) => name.startsWith('navguard_verdicts_total{verdict="correct"'));
  expect(refusals.length).toBeGreaterThan(0);
  // the crowd is still there when it ends: it is told so
  const closing = new Promise<number>((done) => hopper.once('close', (code) => done(code)));
  const code = await server.stop();
  expect(code).toBe(0);
  expect(await closing).toBe(1001);
  const seen = crowd.take();
  crowd.stop();
  expect(seen.refused).toBe(0);
  expect(seen.snapshots).toBeGreaterThan(20);
  expect(JSON.parse(server.lines.at(-1) as string).msg).toBe('stopped');
  const { claims } = JSON.parse(server.lines.at(-1) as string) as { claims: number };
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  const audit = spawnSync(process.execPath, [MAIN, 'audit', folder, '--check', '--json'], { encoding: 'utf8' });
  expect(audit.stderr).toBe('');
  const summary = JSON.parse(audit.stdout) as {
    claims: number;
    expected: number;
    mismatchCount: number;
    refused: number;
  };
  expect(summary).toMatchObject({ claims, expected: claims, mismatchCount: 0 });
  expect(summary.refused).toBeGreaterThan(0);
  expect(audit.status).toBe(0);
});

test('pages on a port of their own; wrong flags are one sentence', async () => {
  server = await ServerProcess.start(MAIN, [MAP, '--admin-port', '0', '--log-level', 'info']);
  const game = server.url.replace('ws:', 'http:');
  expect((await fetch(`${server.pages}/metrics`)).status).toBe(200);
  expect((await fetch(`${game}metrics`)).status).toBe(500);
  expect(await server.stop()).toBe(0);
  for (const [flags, words] of [
    [['--tick-ms', '1'], 'tickMs is 1, expected 10 to 1000 ms'],
    [['--port', 'x'], '--port is x, expected a number'],
    [['--spawn', '1,2'], '--spawn is 1,2, expected x,y,z in metres'],
    [['--spawn', '900,0,900'], '--spawn is 900,0,900, expected a place on the floor of'],
    [['--record', join(folder, 'x.log')], 'expected a name that ends in .ngml or .ndjson'],
    [['--record', '/nowhere/x.ngml'], 'there is no folder /nowhere'],
  ] as const) {
    const run = spawnSync(process.execPath, [MAIN, 'serve', MAP, ...flags], { encoding: 'utf8' });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(words);
    expect(run.stderr.trim().split('\n').length).toBe(1);
  }
});
