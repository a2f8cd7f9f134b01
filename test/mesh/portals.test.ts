// Portals of a side file: read strictly, placed on the mesh whole or reported, named, and kept by a pack.
import { describe, expect, test } from 'vitest';
import { MAX_PORTALS, type Portal, readPortals, withPortals } from '../../src/bytes/portals.ts';
import { NavguardError } from '../../src/errors.ts';
import { NavMap } from '../../src/map.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { linksOf } from '../../src/pack/linkview.ts';
import { random as seeded } from '../oracle/random.ts';
import { meshOf, type Ring } from './handmade.ts';

const box = (x0: number, z0: number, x1: number, z1: number, y = 0, tile = 0): Ring => ({
  corners: [
    [x0, y, z0],
    [x1, y, z0],
    [x1, y, z1],
    [x0, y, z1],
  ],
  tile,
});
/** Two islands of 10 x 10 m, 4 m apart in x; cells of a quarter metre. */
const ISLANDS = [box(0, 0, 40, 40), box(56, 0, 96, 40)];
const kinds = (map: NavMap): Record<string, number> =>
  Object.fromEntries(map.info.findings.map(({ kind, count }) => [kind, count]));
const fault = (given: unknown): string => {
  try {
    readPortals(given);
  } catch (error) {
    if (error instanceof NavguardError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
};

describe('the side file', () => {
  test('a list, an object with the list, text and bytes are the same', () => {
    const list = [{ name: 'j1', start: [1, 0, 1], end: [8, 0, 1], width: 2, costModifier: 1.5, autoUpdate: true }];
    for (const given of [
      list,
      { portals: list },
      JSON.stringify(list),
      Buffer.from(JSON.stringify({ portals: list })),
    ]) {
      expect(readPortals(given)).toEqual(list);
    }
  });

  test.each([
    [[{ start: [0, 0, 0] }], 'portals[0] end: expected [x, y, z]', 'got undefined'],
    [[{ start: [0, 0, 0], end: [0, 0, Number.NaN] }], 'portals[0] end: expected [x, y, z]', 'got [0,0,null]'],
    [[{ start: [0, 0, 0], end: [1, 0, 0], widht: 2 }], 'portals[0]: expected only the fields start, end', '"widht"'],
    [[{ name: 'a', start: [0, 0, 0], end: [1, 0, 0], width: -1 }], 'portals[0] ("a") width: expected metres', 'got -1'],
    [[{ start: [0, 0, 0], end: [1, 0, 0], seconds: 1, speed: 2 }], 'seconds or speed', 'got both'],
    [[{ start: [0, 0, 0], end: [1, 0, 0], bidirectional: 1 }], 'bidirectional: expected true or false', 'got 1'],
    [[{ start: [0, 0, 0], end: [1, 0, 0], name: '' }], 'name: expected a text of 1 to 256', 'got ""'],
    [[{ start: [0, 0, 0], end: [1, 0, 0], area: 64 }], 'area: expected a whole number of 0..63', 'got 64'],
    [{ portals: [], version: 1 }, 'only the field "portals"', '"version"'],
    ['{', 'expected JSON', 'got "{"'],
    [null, 'a list of portals', 'got null'],
    [[null], 'portals[0]: expected an object', 'got null'],
    [Array.from({ length: MAX_PORTALS + 1 }, () => ({})), `at most ${MAX_PORTALS}`, `got ${MAX_PORTALS + 1}`],
  ])('%j is refused, and the sentence says where', (given, where, got) => {
    const message = fault(given);
    expect(message).toMatch(/^BAD_ARGUMENT /);
    expect(message).toContain(where);
    expect(message).toContain(got);
  });
});

describe('on the mesh', () => {
  test('a point to point portal: one link, named, open, in the pack; links of the export come first', () => {
    const portals: Portal[] = [
      { name: 'j1', start: [9.5, 0, 5], end: [14.5, 0, 5], radius: 0.4, bidirectional: false, area: 3, flags: 4 },
      { name: 7, start: [9.5, 0, 8], end: [14.5, 0, 8], open: false, agentType: 'humanoid', speed: 2.5 },
      { start: [9.5, 0, 2], end: [14.5, 0, 2], costModifier: 3, autoUpdate: true },
    ];
    const own = { from: [1, 0, 1], to: [20, 0, 1], radius: 0.5, bidirectional: true, area: 0, flags: 1 } as const;
    const mesh = meshOf(ISLANDS, { links: [{ ...own, userId: 9, tile: 0 }] });
    const map = NavMap.fromMesh(mesh, { portals });
    const rows = map.links.map((l) => [l.name, l.from, l.to, l.bidirectional, l.open, l.cost, l.seconds, l.agentType]);
    expect(rows).toEqual([
      [null, [1, 0, 1], [20, 0, 1], true, true, 1, null, null],
      ['j1', [9.5, 0, 5], [14.5, 0, 5], false, true, 1, null, null],
      ['7', [9.5, 0, 8], [14.5, 0, 8], true, false, 1, 2, 'humanoid'],
      [null, [9.5, 0, 2], [14.5, 0, 2], true, true, 3, null, null],
    ]);
    expect(map.links[1]).toMatchObject({ area: 3, flags: 4, userId: 0, polygons: [0, 1], portal: 1, width: 0 });
    expect(map.links[1].radius).toBeCloseTo(0.4, 6);
    expect(map.links[3].autoUpdate).toBe(true);
    expect([...map.kernel.states]).toEqual([3, 1, 0, 3]);
    expect(map.info.findings).toEqual([]);
    expect(NavMap.fromPack(map.toPack()).links).toEqual(map.links);
    expect(NavMap.fromPack(map.toPack()).info).toEqual(map.info);
    expect(linksOf(map.links, 'j1')).toEqual([1]);
    expect(linksOf(map.links, 7)).toEqual([2]);
    expect(linksOf(map.links, 9)).toEqual([0]);
    expect(linksOf(map.links, '#3')).toEqual([3]);
    expect(linksOf(map.links, '#4')).toEqual([]);
    expect(linksOf(map.links, 'j2')).toEqual([]);
  });

  test('agent types: those of another are left out, those without one are for all', () => {
    const at = (z: number, agentType?: string | number): Portal => ({
      ...{ start: [9, 0, z], end: [15, 0, z], name: `at ${z}` },
      ...(agentType === undefined ? {} : { agentType }),
    });
    const portals = [at(2), at(4, 'ogre'), at(6, 1)];
    const names = (agentType?: string | number) =>
      NavMap.fromMesh(meshOf(ISLANDS), { portals, ...(agentType === undefined ? {} : { agentType }) }).links.map(
        ({ name }) => name,
      );
    expect(names()).toEqual(['at 2', 'at 4', 'at 6']);
    expect(names('ogre')).toEqual(['at 2', 'at 4']);
    expect(names(1)).toEqual(['at 2', 'at 6']);
    expect(names('1')).toEqual(['at 2', 'at 6']);
    expect(names('bat')).toEqual(['at 2']);
  });

  test('a width becomes links side by side, half a metre apart at most, that cover all of it', () => {
    const map = NavMap.fromMesh(meshOf(ISLANDS), {
      portals: [{ name: 'gate', start: [9.5, 0, 5], end: [14.5, 0, 5], width: 3 }],
    });
    expect(map.links.length).toBe(6);
    expect(map.links.map(({ from }) => from[2])).toEqual([3.75, 4.25, 4.75, 5.25, 5.75, 6.25]);
    expect(new Set(map.links.map(({ portal, width, name }) => `${portal} ${width} ${name}`))).toEqual(
      new Set(['0 3 gate']),
    );
    expect(new Set(map.links.map(({ radius }) => radius))).toEqual(new Set([0.25]));
    expect(linksOf(map.links, 'gate')).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('where it crosses several polygons each has one, however thin; what finds no floor is left out', () => {
    // strips across the way, of 0.25 m and more, that do not touch
    const strips = [box(0, 0, 40, 2), box(0, 3, 40, 4), box(0, 5, 40, 6), box(0, 7, 40, 20)];
    const map = NavMap.fromMesh(meshOf([...strips, box(56, 0, 96, 40)]), {
      portals: [{ start: [9.9, 0, 2], end: [14.1, 0, 2], width: 9, radius: 0.05 }],
    });
    expect(new Set(map.links.map(({ polygons }) => polygons[0]))).toEqual(new Set([0, 1, 2, 3]));
    expect(map.info.findings).toEqual([]);
    expect(map.links.every(({ polygons }) => polygons[0] >= 0 && polygons[1] >= 0)).toBe(true);
  });

  test('straight up it is as wide all round', () => {
    const map = NavMap.fromMesh(meshOf([box(0, 0, 40, 40), box(0, 0, 40, 40, 4)]), {
      portals: [{ start: [5, 0, 5], end: [5, 4, 5], width: 3 }],
    });
    expect(map.links.map(({ radius, from, to }) => [radius, from, to])).toEqual([[1.5, [5, 0, 5], [5, 4, 5]]]);
  });

  test('what is wrong with links is told with its place', () => {
    const portals: Portal[] = [
      { start: [12, 0, 5], end: [14.5, 0, 5] },
      { start: [9, 0, 5], end: [30, 0, 5] },
      { start: [1, 0, 1], end: [2, 0, 2] },
      { start: [9, 0, 9], end: [15, 0, 9] },
      { start: [9, 0, 9], end: [15, 0, 9] },
    ];
    const { findings } = NavMap.fromMesh(meshOf(ISLANDS), { portals }).info;
    expect(findings.map(({ kind, count, at }) => [kind, count, at])).toEqual([
      [
        'unlinked-link',
        2,
        [
          [12, 0, 5],
          [30, 0, 5],
        ],
      ],
      ['looped-link', 1, [[1, 0, 1]]],
      ['doubled-link', 1, [[9, 0, 9]]],
    ]);
  });

  test('between tiles that are no neighbours it is closed until opened, and said so; open: true opens it', () => {
    const tiles = [0, 1, 2].map((x) => ({ ...meshOf([]).tiles[0], x, y: 0, layer: 0 }));
    const base = meshOf([box(0, 0, 40, 40, 0, 0), box(40, 0, 80, 40, 0, 1), box(96, 0, 136, 40, 0, 2)]);
    const mesh: NavMesh = { ...base, tiles: base.tiles.map((tile, i) => ({ ...tile, ...tiles[i], x: i, y: 0 })) };
    const near = NavMap.fromMesh(mesh, { portals: [{ start: [19, 0, 5], end: [25, 0, 5] }] });
    expect(near.info.findings).toEqual([]);
    const far = (open?: boolean) =>
      NavMap.fromMesh(mesh, {
        portals: [{ start: [1, 0, 5], end: [25, 0, 5], ...(open === undefined ? {} : { open }) }],
      });
    expect(kinds(far())).toEqual({ 'far-link': 1 });
    expect(far().info.findings[0].at).toEqual([[1, 0, 5]]);
    expect([...far().kernel.states, ...far(true).kernel.states]).toEqual([0, 3]);
    // the middle one is by itself
    expect(far().info.components).toBe(2);
    expect(kinds(far(true))).toEqual({ 'far-link': 1 });
  });

  test('longer than 64 m on one tile is warned of', () => {
    const mesh = meshOf([box(0, 0, 40, 40), box(400, 0, 440, 40)]);
    const map = NavMap.fromMesh(mesh, { portals: [{ start: [9, 0, 5], end: [105, 0, 5] }] });
    expect(kinds(map)).toEqual({ 'long-link': 1 });
    expect(map.links[0].open).toBe(true);
  });

  test('a name switches all its links, one way too; what is closed at the start opens', () => {
    const map = NavMap.fromMesh(meshOf(ISLANDS), {
      portals: [
        { name: 'gate', start: [9.5, 0, 5], end: [14.5, 0, 5], width: 1 },
        { name: 'way', start: [9.5, 0, 8], end: [14.5, 0, 8], bidirectional: false, open: false },
      ],
    });
    const states = () => [...map.kernel.states];
    expect(states()).toEqual([3, 3, 0]);
    map.link('gate', 'backward');
    expect(states()).toEqual([2, 2, 0]);
    map.link('gate', false);
    map.link('way', true);
    expect(states()).toEqual([0, 0, 1]);
    map.link('#1', true);
    expect(states()).toEqual([0, 3, 1]);
    map.link('way', 'backward');
    expect(states()).toEqual([0, 3, 0]);
    expect(() => map.link('gates', true)).toThrow(/one of the map's 3 links/);
    expect(NavMap.fromPack(map.toPack()).links.map(({ open }) => open)).toEqual([true, true, false]);
  });

  test('a packed map takes no further portals', () => {
    const pack = NavMap.fromMesh(meshOf(ISLANDS)).toPack();
    expect(() => NavMap.fromPack(pack, { portals: [] })).toThrow(/portals/);
  });

  test('random side files: every portal is placed or reported, none is lost', () => {
    const seed = 20260730;
    const random = seeded(seed);
    for (let round = 0; round < 60; round++) {
      const mesh = meshOf([...ISLANDS, box(0, 48, 40, 88, 2), box(0, 0, 40, 40, 4)]);
      const place = (): [number, number, number] => [random() * 30 - 2, random() * 5, random() * 26 - 2];
      const portals: Portal[] = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => ({
        start: place(),
        end: place(),
        name: `p${i}`,
        ...(random() < 0.5 ? { width: random() * 12 } : {}),
        ...(random() < 0.5 ? { radius: 0.01 + random() } : {}),
        ...(random() < 0.3 ? { bidirectional: false } : {}),
        ...(random() < 0.3 ? { open: random() < 0.5 } : {}),
        ...(random() < 0.3 ? { costModifier: random() * 4 - 1 } : {}),
        ...(random() < 0.3 ? { seconds: random() * 4 } : {}),
      }));
      const map = NavMap.fromMesh(mesh, { portals });
      const unlinked = portals.filter((_, i) => {
        const links = map.links.filter(({ name }) => name === `p${i}`);
        expect(links.length, `seed ${seed} round ${round} portal ${i}`).toBeGreaterThan(0);
        const whole = links.every(({ polygons: [a, b] }) => a >= 0 && b >= 0);
        if (!whole) expect(links.length).toBe(1);
        return !whole;
      });
      expect(kinds(map)['unlinked-link'] ?? 0, `seed ${seed} round ${round}`).toBe(unlinked.length);
      expect(NavMap.fromPack(map.toPack()).links).toEqual(map.links);
      const conforming = conform(withPortals(mesh, portals));
      expect(conforming.links.length).toBe(map.links.length);
    }
  });
});
