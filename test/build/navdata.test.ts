// The bundled maps are what their recipes say, and lead where their names promise.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENERATOR, makeBundle, sha256 } from '../../navdata/bundle.ts';
import { largeMap, polygonsIn } from '../../navdata/large.ts';
import { RECIPES } from '../../navdata/maps.ts';
import { buildNavMesh } from '../../src/build/index.ts';
import { Ground, type Point } from '../../src/simulate/ground.ts';

const navdata = join(import.meta.dirname, '..', '..', 'navdata');

describe('navdata', () => {
  it('is made again byte for byte', async () => {
    const bundle = await makeBundle();
    expect([...bundle.keys()].length).toBe(RECIPES.length * 2 + 1);
    for (const [name, bytes] of bundle) {
      expect(sha256(readFileSync(join(navdata, name))), `${name}: run "npm run navdata"`).toBe(sha256(bytes));
    }
  });

  it('names the sha256 of every file, and the generator of package.json', () => {
    const manifest = JSON.parse(readFileSync(join(navdata, 'manifest.json'), 'utf8'));
    const listed = Object.entries<{ sha256: string }>({ ...manifest.maps, ...manifest.logs });
    expect(listed.length).toBe(RECIPES.length * 2);
    for (const [name, { sha256: expected }] of listed) expect(sha256(readFileSync(join(navdata, name)))).toBe(expected);
    const { dependencies } = JSON.parse(readFileSync(join(navdata, '..', 'package.json'), 'utf8'));
    expect(manifest.generator).toBe(`recast-navigation ${dependencies['recast-navigation']}`);
    expect(manifest.generator).toBe(GENERATOR);
  });
});

const at = (x: number, y: number, z: number): Point => ({ x, y, z });
const FAR = Number.POSITIVE_INFINITY;

/** Plan metres of the walk between two places, at least and at most; FAR = none. */
const WALKS: [map: string, what: string, from: Point, to: Point, atLeast: number, atMost: number][] = [
  ['floors', 'up the stairs', at(10, 0.1, 3.5), at(25, 3.1, 10), 16, 30],
  ['floors', 'onto the balcony', at(10, 0.1, 3.5), at(2, 3.1, 10), FAR, FAR],
  ['floors', 'from the balcony to the upper floor', at(2, 3.1, 10), at(25, 3.1, 10), FAR, FAR],
  ['floors', 'under the balcony', at(10, 0.1, 3.5), at(1.5, 0.1, 7), 8, 14],
  ['floors', 'round the long wall', at(15, 0.1, 9), at(15, 0.1, 11), 22, 30],
  ['islands', 'over the bridge', at(3, 0.1, 3), at(20, 0.1, 3), 17, 25],
  ['islands', 'over a gap', at(20, 0.1, 3), at(30, 0.1, 3), FAR, FAR],
  ['islands', 'over the other gap', at(3, 0.1, 3), at(3, 0.1, 20), FAR, FAR],
  ['pillars', 'round the long wall', at(0, 0.1, -2), at(0, 0.1, 2), 25, 45],
  ['thin-walls', 'through the doors', at(2, 0.1, 2), at(6, 0.1, 22), 18, 40],
  ['thin-walls', 'through a wall', at(3, 0.1, 22), at(5, 0.1, 22), 30, 60],
  ['maze', 'corner to corner', at(1.5, 0.1, 1.5), at(28.5, 0.1, 28.5), 40, 200],
];

describe('the bundled maps', () => {
  it.each(WALKS)('%s: %s', async (name, _what, from, to, atLeast, atMost) => {
    const ground = await Ground.open(await buildNavMesh(RECIPES.find((r) => r.name === name)?.spec), 1);
    try {
      for (const end of [from, to]) expect(ground.onGround(end)).not.toBeNull();
      const walk = ground.walk(from, to);
      expect(walk).toBeGreaterThanOrEqual(atLeast);
      expect(walk).toBeLessThanOrEqual(atMost);
    } finally {
      ground.destroy();
    }
  });

  it('terrain has ground to walk on, slopes to climb and slopes too steep, in nine tiles', async () => {
    const recipe = RECIPES.find((r) => r.name === 'terrain');
    const bytes = await buildNavMesh(recipe?.spec);
    expect(new DataView(bytes.buffer, bytes.byteOffset).getInt32(8, true)).toBe(9);
    const ground = await Ground.open(bytes, 1);
    // The ridge: up its gentle side, not through its steep one.
    const [foot, top, steep] = [at(31, 0, 24), at(24.5, 3, 24), at(21.5, 0, 24)].map((p) => {
      for (let y = -2; y < 6; y += 0.25) {
        const found = ground.onGround({ ...p, y });
        if (found !== null) return found;
      }
      return p;
    });
    expect(top.y - foot.y).toBeGreaterThan(1.5);
    expect(ground.walk(foot, top)).toBeLessThan(15);
    expect(ground.walk(steep, top)).toBeGreaterThan(15);
    ground.destroy();
  });
});

describe('largeMap', () => {
  it.each([150, 1500, 8400])('has %d polygons or a few more, in tiles', async (polygons) => {
    const bytes = await largeMap(polygons);
    expect(polygonsIn(bytes)).toBeGreaterThanOrEqual(polygons);
    expect(polygonsIn(bytes)).toBeLessThan(polygons * 1.3);
  });
});
