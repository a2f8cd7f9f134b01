// Two versions of a map: random rooms of whole cells, against counting cells; and one of everything by hand.
import { expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import type { NavLink, NavMesh } from '../../src/mesh/navmesh.ts';
import { diffMaps, type MapDiff } from '../../src/report/diff.ts';
import { diffJson, diffPicture, diffText, type Version } from '../../src/report/difftext.ts';
import { box, meshOf, type Ring } from '../mesh/handmade.ts';
import { between, random } from '../oracle/random.ts';
import { byClass, parseXml, subpaths } from './pictures.ts';

const metre = { cell: 1 };

function diff(old: NavMesh, now: NavMesh): { diff: MapDiff; old: Version; now: Version } {
  const [a, b] = [NavMap.fromMesh(old), NavMap.fromMesh(now)];
  return {
    diff: diffMaps({ pack: a.toPack(), info: a.info }, { pack: b.toPack(), info: b.info }),
    old: { name: 'old.bin', info: a.info },
    now: { name: 'now.bin', info: b.info },
  };
}

const SIDE = 12;
const cellBox = (cell: number): Ring => {
  const [x, z] = [3 * (cell % SIDE), 3 * Math.floor(cell / SIDE)];
  return box(x, z, x + 3, z + 3);
};

/** Sets of cells that hang together over their sides. */
function rooms(cells: ReadonlySet<number>): Map<number, number> {
  const room = new Map<number, number>();
  for (const start of cells) {
    if (room.has(start)) continue;
    const open = [start];
    room.set(start, start);
    while (open.length > 0) {
      const cell = open.pop() as number;
      for (const [dx, dz] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const [x, z] = [(cell % SIDE) + dx, Math.floor(cell / SIDE) + dz];
        const next = z * SIDE + x;
        if (x < 0 || z < 0 || x >= SIDE || z >= SIDE || !cells.has(next) || room.has(next)) continue;
        room.set(next, start);
        open.push(next);
      }
    }
  }
  return room;
}

test('random rooms: gained, lost, split and merged as counting cells says', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed);
    const old = new Set(Array.from({ length: SIDE * SIDE }, (_, i) => i).filter(() => next() < 0.55));
    const now = new Set(old);
    for (let i = between(next, 0, 12); i > 0; i--) {
      const cell = between(next, 0, SIDE * SIDE - 1);
      if (!now.delete(cell)) now.add(cell);
    }
    const found = diff(meshOf([...old].map(cellBox), metre), meshOf([...now].map(cellBox), metre)).diff;
    const [gained, lost] = [[...now].filter((c) => !old.has(c)), [...old].filter((c) => !now.has(c))];
    expect(found.gainedArea, `seed ${seed}`).toBeCloseTo(9 * gained.length, 6);
    expect(found.lostArea, `seed ${seed}`).toBeCloseTo(9 * lost.length, 6);
    expect(found.gained, `seed ${seed}`).toHaveLength(new Set(rooms(new Set(gained)).values()).size);
    for (const [changes, cells] of [
      [found.gained, gained],
      [found.lost, lost],
    ] as const) {
      for (const { at } of changes) {
        expect(cells, `seed ${seed}`).toContain(Math.floor(at[2] / 3) * SIDE + Math.floor(at[0] / 3));
      }
    }
    const [before, after] = [rooms(old), rooms(now)];
    const many = (from: Map<number, number>, to: Map<number, number>) => {
      const met = new Map<number, Set<number>>();
      for (const [cell, room] of from) {
        const other = to.get(cell);
        if (other !== undefined) met.set(room, (met.get(room) ?? new Set()).add(other));
      }
      return [...met.values()]
        .map((set) => set.size)
        .filter((size) => size > 1)
        .sort();
    };
    expect(found.split.map(({ into }) => into.length).sort(), `seed ${seed}`).toEqual(many(before, after));
    expect(found.merged.map(({ into }) => into.length).sort(), `seed ${seed}`).toEqual(many(after, before));
    expect(found.same, `seed ${seed}`).toBe(gained.length + lost.length === 0);
  }
});

const jump: NavLink = {
  from: [5, 0, 5],
  to: [25, 0, 5],
  radius: 0.5,
  bidirectional: true,
  area: 0,
  flags: 1,
  userId: 1,
  tile: 0,
};
const OLD = meshOf([box(0, 0, 10, 10), box(20, 0, 30, 10)], { ...metre, links: [jump] });

test('the same ground in other polygons, order and lattice is the same map', () => {
  const cut = meshOf([box(20, 0, 26, 10), box(26, 0, 30, 10), box(0, 0, 10, 4), box(0, 4, 10, 10)], {
    ...metre,
    links: [jump],
  });
  const { diff: found, old, now } = diff(OLD, cut);
  expect(found.same).toBe(true);
  expect(diffText(old, now, found)).toContain('The two are the same: the same ground, components and links.\n');
  expect(diff(OLD, OLD).diff.same).toBe(true);
});

test('a part of a polygon, another height, another area, links and the agent', () => {
  const now = {
    ...meshOf([box(0, 0, 10, 7), box(20, 0, 30, 10, 0, 2)], {
      ...metre,
      links: [
        { ...jump, bidirectional: false },
        { ...jump, from: [1, 0, 1] },
      ],
    }),
    areas: Uint8Array.from([3, 0]),
    agent: { height: 2, radius: 0.5, climb: 0.4 },
  };
  const { diff: found, ...versions } = diff(OLD, now);
  // three metres of the one room, and the other went up two metres
  expect(found.lost.map(({ area }) => Math.round(area))).toEqual([100, 30]);
  expect(found.gained.map(({ area, at }) => [Math.round(area), at])).toEqual([[100, [25, 2, 5]]]);
  expect(found.lost[1].at).toEqual([5, 0, 8.5]);
  expect(found.remarkedArea).toBeCloseTo(70, 6);
  expect(found.remarked[0].at).toEqual([5, 0, 3.5]);
  expect(found.links.map(({ what }) => what).sort()).toEqual(['added', 'added', 'removed']);
  expect(found.agent).toBe(true);
  expect(found.same).toBe(false);
  const text = diffText(versions.old, versions.now, found);
  expect(text).toContain('Ground gained: 100 m2 in 1 piece (cut out exactly)\n  100 m2  at (25, 2, 5)\n');
  expect(text).toContain('Ground lost: 130 m2 in 2 pieces');
  expect(text).toContain('Ground of another area or with other flags: 70 m2\n');
  const json = diffJson(versions.old, versions.now, found);
  expect(json).toMatchObject({ same: false, lost: { pieces: 2 }, links: [{}, {}, {}] });
  const root = parseXml(diffPicture(versions.old, versions.now, found));
  expect(byClass(root, 'gained').filter((e) => e.name === 'path')).toHaveLength(1);
  expect(byClass(root, 'lostground').filter((e) => e.name === 'path')).toHaveLength(2);
  expect(byClass(root, 'kept').flatMap((e) => subpaths(e.attributes.d))).toHaveLength(2);
  expect(byClass(root, 'lost').filter((e) => e.children.length > 0)).toHaveLength(1);
});

test('the title of a picture has the names without their folders, or with the last one where the names are one', () => {
  const found = diff(OLD, OLD);
  const title = (a: string, b: string) =>
    byClass(parseXml(diffPicture({ ...found.old, name: a }, { ...found.now, name: b }, found.diff)), 'title')[0].text;
  expect(title('/long/way/monday.bin', 'maps/friday.bin')).toBe('monday.bin -&gt; friday.bin: 0 m2 gained, 0 m2 lost');
  expect(title('/srv/monday/map.bin', '/srv/friday/map.bin')).toMatch(/^monday\/map\.bin -&gt; friday\/map\.bin: /);
});

test('a link at the same places that changed its direction has changed', () => {
  const now = meshOf([box(0, 0, 10, 10), box(20, 0, 30, 10)], { ...metre, links: [{ ...jump, bidirectional: false }] });
  expect(diff(OLD, now).diff.links.map(({ what, link }) => [what, link.both])).toEqual([['changed', false]]);
});

test('cuts across polygons: areas add up exactly', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const next = random(seed);
    const [x0, z0] = [between(next, 0, 10), between(next, 0, 10)];
    const triangle: Ring = {
      corners: [
        [x0, 0, z0],
        [x0, 0, z0 + between(next, 4, 20)],
        [x0 + between(next, 4, 20), 0, z0],
      ],
    };
    const { diff: found } = diff(meshOf([box(0, 0, 8, 20), box(8, 0, 20, 20)], metre), meshOf([triangle], metre));
    const size = ((triangle.corners[1][2] - z0) * (triangle.corners[2][0] - x0)) / 2;
    // |A| - |A without B| = |B| - |B without A|
    expect(400 - found.lostArea, `seed ${seed}`).toBeCloseTo(size - found.gainedArea, 6);
  }
});
