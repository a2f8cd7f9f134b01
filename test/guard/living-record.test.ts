// Recordings of entities on maps that change: they begin with what the map was, and give the same verdicts when they are run.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { auditLog } from '../../src/log/index.ts';
import { NavMap } from '../../src/map.ts';
import type { NavLink } from '../../src/mesh/navmesh.ts';
import { ringMesh } from '../oracle/rings.ts';
import { random } from './rounding.ts';

const M = 1024;
const DOOR = 5;
const bar = (x0: number, z0: number, x1: number, z1: number) => ({
  at: [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * M),
});
const link: NavLink = {
  ...{ from: [40.5, 0, 5], to: [60.5, 0, 5] },
  ...{ radius: 0.5, bidirectional: true, area: 0, flags: 1, userId: 7, tile: 0 },
};
function doorMap(): NavMap {
  const { mesh } = ringMesh([bar(0, 0, 20, 10), bar(20, 0, 21, 10), bar(21, 0, 41, 10), bar(60, 0, 70, 10)]);
  return NavMap.fromMesh({ ...mesh, areas: Uint8Array.from([0, DOOR, 0, 0]), links: [link] });
}

/** Runs a recording on a fresh map; the mismatches, and how many verdicts were compared. */
async function replayed(log: string): Promise<readonly [unknown[], number]> {
  const summary = await auditLog(bytes(log), { map: doorMap(), check: true });
  return [summary.mismatches.slice(0, 3), summary.expected];
}
async function* bytes(log: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(log);
}

interface Game {
  readonly guards: MoveGuard[];
  readonly map: NavMap;
}

/** Walkers who walk as they like on a map whose door, link, mud and obstacle change through either guard, or itself. */
function play(seed: number, events: number): Game {
  const rand = random(seed * 104_729);
  const map = doorMap();
  map.area(DOOR, { open: false });
  map.block('old', { box: [3, -1, 3, 4, 2, 4] });
  const clock = { now: 1000 };
  const guards = [0, 1].map(() => new MoveGuard(map, {}, { now: () => clock.now, record: { events } }));
  const at = Array.from({ length: 4 }, (_, k) => [5 + 8 * k, 5] as [number, number]);
  const seq = [0, 0, 0, 0];
  for (let k = 0; k < 4; k++) guards[k % 2].enter(`p${k}`, { pos: [at[k][0], 0, 5], speed: 6 });
  for (let i = 0; i < 600; i++) {
    clock.now += 25;
    const what = rand();
    const [x] = at[0];
    const to = rand() < 0.7 ? guards[Math.floor(rand() * 2)] : map;
    if (what < 0.02) to.area(DOOR, { open: rand() < 0.5 });
    else if (what < 0.03) to.link(7, [true, false, 'forward', 'backward'][Math.floor(rand() * 4)] as boolean);
    else if (what < 0.04) to.area(0, { speed: rand() < 0.5 ? 1 : 0.5 });
    else if (what < 0.05) to.block('crate', { box: [x, -1, 3, x + 1, 1, 6] });
    else if (what < 0.06) to.unblock('crate');
    const k = Math.floor(rand() * 4);
    const guard = guards[k % 2];
    if (rand() < 0.05) {
      const target = [1 + rand() * 38, 0, 1 + rand() * 8] as const;
      const from = guard.positionAt(`p${k}`) as [number, number, number];
      guard.begin(`p${k}`, { seq: ++seq[k], from, to: target, speed: 6, duration: 10_000 });
      continue;
    }
    if (rand() < 0.05) {
      guard.input(`p${k}`, ++seq[k], [rand() - 0.5, rand() - 0.5], 100);
      continue;
    }
    const here = guard.positionAt(`p${k}`) as [number, number, number];
    const v = guard.move(`p${k}`, ++seq[k], here[0] + (rand() - 0.5) * 1.2, 0, here[2] + (rand() - 0.5) * 0.8);
    if (v.pos !== null) at[k] = [v.pos[0], v.pos[2]];
  }
  return { guards, map };
}

describe('a recording of an entity on a map that changes', () => {
  test.each([512, 32])('of %i events gives the same verdicts when it is run', async (events) => {
    for (let seed = 1; seed <= 4; seed++) {
      const { guards } = play(seed, events);
      for (const guard of guards) {
        for (const id of [undefined, 'p0', 'p1', 'p2', 'p3']) {
          const recording = guard.record(id);
          if (recording.events.length === 0) continue;
          const [mismatches, compared] = await replayed(recording.text());
          expect([seed, id, mismatches]).toEqual([seed, id, []]);
          expect(compared).toBeGreaterThan(3);
        }
      }
    }
  });
  test('begins with what was closed, and since when', async () => {
    const map = doorMap();
    const clock = { now: 5000 };
    map.area(DOOR, { open: false });
    const guard = new MoveGuard(map, {}, { now: () => clock.now, record: {} });
    guard.enter('p', { pos: [19.7, 0, 5], speed: 6 });
    expect(guard.record('p').events[0]).toMatchObject({
      op: 'restore',
      map: [{ op: 'area', area: DOOR, open: false }],
    });
    expect(guard.kept('p')?.map).toEqual([{ op: 'area', area: DOOR, open: false }]);
    guard.area(DOOR, { open: true });
    clock.now = 6000;
    guard.area(DOOR, { open: false });
    expect(guard.kept('p')?.map).toEqual([{ op: 'area', area: DOOR, open: false, t: 6000 }]);
    // who goes on from there knows how old the closing is
    expectGraceUntil6150(guard, 1, 21.3);
  });
  test('what another guard, or the map itself, changed is told as facts', () => {
    const map = doorMap();
    const clock = { now: 0 };
    const guard = new MoveGuard(map, {}, { now: () => clock.now, record: {} });
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    const told = (): unknown[] => guard.record('p').events.filter(({ op }) => op !== 'enter');
    map.area(DOOR, { open: false, speed: 0.5 });
    map.link(7, 'forward');
    map.block('crate', { cylinder: [10, 0, 5, 1, 2] });
    clock.now = 700;
    guard.score('p');
    expect(told()).toEqual([
      { t: 700, op: 'area', area: DOOR, open: false, speed: 0.5 },
      { t: 700, op: 'link', link: '#0', open: 'forward' },
      { t: 700, op: 'block', obstacle: 'crate', cylinder: [10, 0, 5, 1, 2] },
    ]);
    map.area(DOOR, { open: true, speed: 1 });
    map.link(7, true);
    map.unblock('crate');
    clock.now = 800;
    guard.score('p');
    expect(told().slice(3)).toEqual([
      { t: 800, op: 'area', area: DOOR, open: true, speed: 1 },
      { t: 800, op: 'link', link: '#0', open: true },
      { t: 800, op: 'unblock', obstacle: 'crate' },
    ]);
  });
  test('a portal that is closed as the map is loaded is closed again', () => {
    const { mesh } = ringMesh([bar(0, 0, 41, 10), bar(60, 0, 70, 10)]);
    const portal = { start: [40.5, 0, 5], end: [60.5, 0, 5], name: 'hatch', open: false } as const;
    const map = NavMap.fromMesh(mesh, { portals: [portal] });
    const clock = { now: 0 };
    const guard = new MoveGuard(map, {}, { now: () => clock.now, record: {} });
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    for (const open of [true, false]) {
      clock.now += 500;
      map.link('hatch', open);
      guard.score('p');
    }
    expect(guard.record('p').events.filter(({ op }) => op === 'link')).toEqual([
      { t: 500, op: 'link', link: '#0', open: true },
      { t: 1000, op: 'link', link: '#0', open: false },
    ]);
  });
  test('what the caller makes of its list afterwards is no part of it', () => {
    const map = doorMap();
    const guard = new MoveGuard(map, {}, { now: () => 0, record: {} });
    const box = [3, -1, 3, 4, 2, 4];
    guard.block('crate', { box });
    box[0] = -30;
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    const told = { op: 'block', obstacle: 'crate', box: [3, -1, 3, 4, 2, 4] };
    expect(guard.kept('p')?.map).toEqual([{ ...told, t: 0 }]);
    expect(map.living.facts()).toEqual([told]);
  });
  test('begins with what was slowed down, since when and from what', () => {
    const map = doorMap();
    const clock = { now: 5000 };
    const guard = new MoveGuard(map, {}, { now: () => clock.now, record: {} });
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    clock.now = 6000;
    guard.move('p', 1, 5, 0, 5);
    guard.area(0, { speed: 0.1 });
    expect(guard.kept('p')?.map).toEqual([{ op: 'area', area: 0, speed: 0.1, since: 6000, was: 1 }]);
    expectGraceUntil6150(guard, 2, 6);
  });
});

/** Who goes on from what `guard` keeps of p knows how old the change of 6000 is: a claim that needs its grace has it until 6150. */
function expectGraceUntil6150(guard: MoveGuard, seq: number, x: number): void {
  for (const [at, word] of [
    [6150, 'accept'],
    [6151, 'correct'],
  ] as const) {
    const later = { now: 6100 };
    const other = new MoveGuard(doorMap(), {}, { now: () => later.now });
    other.restore('p', guard.kept('p') as never);
    later.now = at;
    expect(other.move('p', seq, x, 0, 5).verdict).toBe(word);
  }
}
