// The public cases (test/cases/README.md): every log is what test/cases/make/ tells, and the guard's verdicts are what the
// log expects. `npx vitest run test/cases -u` writes the logs anew.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { GridMap } from '../src/gridmap.ts';
import { MoveGuard } from '../src/guard.ts';
import { auditLog, MoveLog, mapOfHeader, Replay, type ReplayGuard, Tally } from '../src/log/index.ts';
import { Reason, VERDICT_WORDS } from '../src/reasons.ts';
import type { Verdict } from '../src/types.ts';
import { carriers } from './cases/make/carriers.ts';
import { clock } from './cases/make/clock.ts';
import { doors } from './cases/make/doors.ts';
import { exploits } from './cases/make/exploits.ts';
import { floors } from './cases/make/floors.ts';
import { links } from './cases/make/links.ts';
import { numbers } from './cases/make/numbers.ts';
import { speed } from './cases/make/speed.ts';
import { teleports } from './cases/make/teleports.ts';
import { walls } from './cases/make/walls.ts';

const FOLDER = join(__dirname, 'cases');
const LOGS = [
  ...clock(),
  ...numbers(),
  ...walls(),
  ...floors(),
  ...teleports(),
  ...carriers(),
  ...speed(),
  ...exploits(),
  ...links(),
  ...doors(),
];

/** Every public case that is a log. */
const CASES = [
  ...['A1', 'A3', 'A4', 'A6', 'A7', 'A10', 'A12', 'A14', 'A15', 'A17', 'A18', 'A19'],
  ...['B1', 'B2', 'B4', 'B6', 'B9'],
  ...['C1', 'C3', 'C4', 'C6', 'C7', 'C9', 'C11', 'C12', 'C14', 'C15', 'C17', 'C18', 'C20', 'C21', 'C23', 'C24'],
  ...['D1', 'D3', 'D4', 'D6', 'D7', 'D8', 'D10', 'D11', 'D13', 'D14', 'D15', 'D17', 'D18', 'D20'],
  ...['E1', 'E3', 'E4', 'E6', 'E7', 'E10'],
  ...['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12', 'F13', 'F14', 'F15', 'F16', 'F17'],
];
const HERE = ['A9', 'C26'];

describe.each(LOGS.map((log) => [log.name, log] as const))('%s', (name, log) => {
  const file = join(FOLDER, `${name}.ndjson`);
  test('is what the story tells', async () => {
    await expect(log.text()).toMatchFileSnapshot(file);
  });
  test('is judged as it expects', async () => {
    const summary = await auditLog(file);
    const shown = summary.mismatches.slice(0, 5).map((m) => JSON.stringify(m));
    expect([summary.mismatchCount, shown.join('\n')]).toEqual([0, '']);
    expect(summary.expected).toBeGreaterThan(0);
    // cheats and honest players alike fit their map and format
    expect(summary.hints).toEqual([]);
  });
  test('would not pass a guard that accepts everything, or one that refuses everything', async () => {
    // honest players pass, cheats do not: nearly every log has both
    const lax = await mismatches(file, true);
    const strict = await mismatches(file, false);
    if (!HONEST_ONLY.has(idOf(name)) && !HONEST_LOGS.has(name)) expect(lax).toBeGreaterThan(0);
    expect(strict).toBeGreaterThan(0);
  });
});

/** Cases, and variations of cases, in which nothing is to be refused. */
const HONEST_ONLY = new Set(['A6', 'A18', 'A19', 'C3', 'C20', 'E7', 'E10', 'F12', 'F13']);
const HONEST_LOGS = new Set(['C12-ledge-0.3-on-a-tile-border', 'C24-heights-of-the-pelvis']);

function idOf(name: string): string {
  return name.split('-')[0];
}

/** How many expectations of a log fail when every claim gets the same answer. */
async function mismatches(file: string, accepted: boolean): Promise<number> {
  const log = await MoveLog.open(file);
  try {
    const nothing = () => undefined;
    const facts = [
      'enter',
      'leave',
      'setSpeed',
      'rtt',
      'grant',
      'teleport',
      'impulse',
      'boost',
      'pause',
      'state',
      'ack',
      ...['area', 'link', 'block', 'unblock', 'carrier', 'attach', 'detach'],
    ];
    const guard = {
      ...Object.fromEntries([...facts, 'version', 'progress'].map((name) => [name, nothing])),
      move: (_id: string, _seq: number, x: number, y: number, z: number) => same(accepted, [x, y, z]),
      begin: (_id: string, claim: { from: never }) => same(accepted, claim.from),
      input: () => same(accepted, [0, 0, 0]),
    } as unknown as ReplayGuard;
    const tally = new Tally();
    tally.begin(file);
    const replay = new Replay(guard, {}, { now: 0 }, tally, { file, check: true });
    do {
      for (let event = log.next(); event !== null; event = log.next()) replay.step(event, log.line);
    } while (await log.more());
    return tally.summary().mismatchCount;
  } finally {
    await log.close();
  }
}

function same(accepted: boolean, pos: [number, number, number]): Verdict {
  const verdict = accepted ? 'accept' : 'correct';
  const reason = accepted ? 'Accept' : 'SpeedLimit';
  const made: Verdict = {
    verdict,
    verdictCode: VERDICT_WORDS.indexOf(verdict) as Verdict['verdictCode'],
    accepted,
    reason,
    reasonCode: Reason[reason],
    detail: '',
    pos,
    straight: null,
    length: null,
    bound: null,
    used: null,
    allowed: null,
    score: 0,
    action: 'none',
    correction: accepted ? 0 : 1,
    snapshot: null,
    copy: () => made,
  };
  return made;
}

test('no case is forgotten, and no log is left over', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));
  expect(files.sort()).toEqual(LOGS.map((log) => `${log.name}.ndjson`).sort());
  expect([...new Set(files.map(idOf))].sort()).toEqual([...CASES].sort());
  expect(new Set([...CASES, ...HERE]).size).toBe(CASES.length + HERE.length);
});

describe('cases that no log can tell', () => {
  const map = GridMap.from(
    Array.from({ length: 6 }, () => '.'.repeat(40)),
    { cell: 10 },
  );
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('A9 the wall clock steps back 5 s and on 3,600 s while the monotonic clock runs on', () => {
    const play = (wallSteps: boolean) => {
      let monotonic = 1000;
      let wall = 1.7e12;
      vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
      vi.spyOn(Date, 'now').mockImplementation(() => wall);
      const guard = new MoveGuard(map);
      guard.enter('p', { pos: [200, 0, 30], speed: 6 });
      const verdicts: unknown[] = [];
      for (let i = 1; i <= 60; i++) {
        monotonic += 50;
        wall += 50;
        if (wallSteps && i === 20) wall -= 5000;
        if (wallSteps && i === 40) wall += 3_600_000;
        verdicts.push({ ...guard.move('p', i, 200 + 0.3 * i, 0, 30).copy() });
        expect([i, guard.move('p', i, 0, 0, 0).reason]).toEqual([i, 'Replay']);
      }
      return { verdicts, state: guard.stateOf('p') };
    };
    const steady = play(false);
    const stepping = play(true);
    expect(steady.verdicts.every((v) => (v as Verdict).verdict === 'accept')).toBe(true);
    expect(stepping).toEqual(steady);
  });

  test('B1, B2 numbers that are none leave the state bit for bit as it was', () => {
    let now = 0;
    const guard = new MoveGuard(map, {}, { now: () => now });
    guard.enter('p', { pos: [200, 0, 30], speed: 6 });
    now = 50;
    expect(guard.move('p', 1, 200.3, 0, 30).verdict).toBe('accept');
    const before = guard.stateOf('p');
    now = 100;
    for (const bad of [NaN, Infinity, -Infinity]) {
      for (const pos of [
        [bad, 0, 30],
        [200.6, bad, 30],
        [200.6, 0, bad],
      ]) {
        const v = guard.move('p', 2, pos[0], pos[1], pos[2]);
        expect([v.verdict, v.reason, v.pos]).toEqual(['reject', 'Malformed', [200.3, 0, 30]]);
      }
      const walk = { seq: 2, from: [200.3, 0, 30], to: [203, 0, 30], speed: 6, duration: 500 };
      expect(guard.begin('p', { ...walk, speed: bad }).reason).toBe('Malformed');
      expect(guard.begin('p', { ...walk, duration: bad }).reason).toBe('Malformed');
    }
    expect(guard.stateOf('p')).toEqual(before);
    expect(guard.move('p', 2, 200.6, 0, 30).verdict).toBe('accept');
  });

  test('A6 speeds of claims in one millisecond are finite', () => {
    const guard = new MoveGuard(map, {}, { now: () => 100 });
    guard.enter('p', { pos: [200, 0, 30], speed: 6 });
    for (let i = 1; i <= 20; i++) {
      const v = guard.move('p', i, 200 + 0.15 * i, 0, 30);
      for (const n of [v.score, v.used, v.allowed, v.straight]) expect(Number.isFinite(n)).toBe(true);
    }
  });

  test('C20 the dash crosses forty polygons and more', async () => {
    const log = await MoveLog.open(join(FOLDER, 'C20-dash-through-clutter.ndjson'));
    const clutter = await mapOfHeader(log.header, log.name);
    await log.close();
    for (const side of [0, 0.5]) {
      const crossed = new Set<number>();
      for (let k = 0; k <= 6000; k++) {
        const found = clutter.locate([4 + k / 200, 0, side === 0 ? 10 : 9.8 + (side * k) / 6000]);
        if (found !== null) crossed.add(found.polygon);
      }
      expect(crossed.size).toBeGreaterThanOrEqual(40);
    }
  });

  test('C18 the loader warns of the link, and says where it is', async () => {
    const log = await MoveLog.open(join(FOLDER, 'C18-a-teleporter-pad.ndjson'));
    const map = await mapOfHeader(log.header, log.name);
    await log.close();
    const far = map.info.findings.filter(({ kind }) => kind === 'far-link');
    expect(far.map(({ count, at }) => [count, at?.map(([x, , z]) => [x, z])])).toEqual([[1, [[20, 10]]]]);
    expect(far[0].message).toContain('a move there needs a grant');
    expect(map.links.map(({ name, open }) => [name, open])).toEqual([['pads', false]]);
  });

  test('C24 without the offset the audit says what is wrong', async () => {
    const file = join(FOLDER, 'C24-heights-of-the-pelvis.ndjson');
    const summary = await auditLog(file, { rules: { yOffset: 0 }, check: false });
    expect(summary.hints.filter((hint) => hint.includes('yOffset'))).toEqual([
      'All targets are 0.9 m above the mesh: set yOffset to 0.9.',
    ]);
    expect((await auditLog(file)).hints).toEqual([]);
  });

  test.each<[string, (x: number, y: number, z: number) => number[], RegExp]>([
    ['axes swapped, centimetres', (x, y, z) => [x * 100, z * 100, y * 100], /y and z swapped.*centimetres/],
    ['centimetres', (x, y, z) => [x * 100, y * 100, z * 100], /centimetres/],
    ['axes swapped', (x, y, z) => [x, z, y], /y and z swapped/],
    ['another map altogether', (x, y, z) => [x + 5000, y, z - 900], /check that the log belongs to this map/],
  ])('C26 a log that does not fit its map is said in one sentence: %s', async (_name, change, words) => {
    // the honest part of a log on a mesh
    const log = await MoveLog.open(join(FOLDER, 'F13-sliding-outside-the-mesh.ndjson'));
    const lines = [JSON.stringify({ ...log.header, rules: undefined })];
    do {
      for (let event = log.next(); event !== null; event = log.next()) {
        const { expect: _, ...rest } = event as typeof event & { expect?: unknown };
        const pos = (rest as { pos?: [number, number, number] }).pos;
        lines.push(JSON.stringify(pos === undefined ? rest : { ...rest, pos: change(...pos) }));
      }
    } while (await log.more());
    await log.close();
    const source = (async function* () {
      yield Buffer.from(`${lines.join('\n')}\n`);
    })();
    const { hints, claims } = await auditLog(source, { name: 'changed.ndjson' });
    expect(claims).toBeGreaterThan(100);
    expect(hints).toHaveLength(1);
    expect(hints[0]).toMatch(/targets lie off the mesh/);
    expect(hints[0]).toMatch(words);
  });
});
