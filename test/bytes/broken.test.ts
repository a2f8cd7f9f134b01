// A seeded slice of the mutant sweep (the whole of it runs in a killable process: test/long/bytes-mutants.test.ts), and
// what happens when recast-navigation itself fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMset } from '../../src/bytes/check.ts';
import { importTiles } from '../../src/bytes/foreign.ts';
import { acceptImport } from '../../src/bytes/import.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavguardError } from '../../src/errors.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import { flips, type Mutant, prefixes } from './mutants.ts';
import { smallMset } from './small.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;
const files: [string, () => Promise<Uint8Array>][] = [['generated', smallMset]];
if (SAMPLES !== undefined) {
  files.push(['stair2', async () => new Uint8Array(readFileSync(join(SAMPLES, 'go-detour/solomesh-stair2.bin')))]);
}

describe.each(files)('%s', (_name, make) => {
  it('every prefix is refused by a sentence', async () => {
    const outcomes = await outcomesOf(prefixes(await make()), 1);
    expect(outcomes.loaded).toBe(0);
  });

  it('every third byte inverted: refused by a sentence, or loaded as it spells', async () => {
    const { loaded, refused } = await outcomesOf(flips(await make(), 0xff), 3);
    expect(loaded).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(20);
  });
});

/** Loads every `step`-th mutant; an error that is not ours, or not a sentence, fails. */
async function outcomesOf(mutants: Iterable<Mutant>, step: number): Promise<{ loaded: number; refused: number }> {
  let loaded = 0;
  let refused = 0;
  let i = 0;
  for (const mutant of mutants) {
    if (i++ % step !== 0) continue;
    try {
      await readNavMesh(mutant.bytes);
      loaded++;
    } catch (error) {
      if (!(error instanceof NavguardError)) throw new Error(`${mutant.name}: ${String(error)}`);
      expect(['BAD_FILE', 'UNSUPPORTED_FORMAT'], `${mutant.name}: ${error.message}`).toContain(error.code);
      expect(error.message).toMatch(/^[A-Z].+\.$/);
      refused++;
    }
  }
  return { loaded, refused };
}

describe('recast-navigation fails on bytes that were not checked', () => {
  it('its throw becomes IMPORT_FAILED, and the next good file loads on a fresh instance', async () => {
    const good = await smallMset();
    const set = checkMset(good);
    const bad = good.slice();
    // Vertices of the first tile 10^9: its sections lie far outside the memory.
    new DataView(bad.buffer).setInt32(48 + 28, 1e8, true);
    await expect(importTiles(bad, set)).rejects.toMatchObject({
      code: 'IMPORT_FAILED',
      message: expect.stringMatching(/^recast-navigation failed on a file that passed the check: .+\.$/),
    });
    expect(polygonCount(await readNavMesh(good))).toBe(12);
  });

  it('a file that it does not take at all becomes IMPORT_FAILED', async () => {
    const good = await smallMset();
    const bad = good.slice();
    bad[0] = 0;
    // The importer leaves its result unset then: null, or an address that is none.
    await expect(importTiles(bad, checkMset(good))).rejects.toMatchObject({ code: 'IMPORT_FAILED' });
    expect(polygonCount(await readNavMesh(good))).toBe(12);
  });

  it('a tile that it left out leaves a hole that is counted', async () => {
    const good = await smallMset();
    const set = checkMset(good);
    const bad = good.slice();
    bad[set.tiles[1].at] ^= 1;
    const imported = await importTiles(bad, set);
    expect(imported.tileCount).toBe(3);
    expect(imported.tiles.map((tile) => tile !== null)).toEqual([true, false, true, true]);
  });
});

describe('recast-navigation holds something else than the file spells', () => {
  async function imported() {
    const bytes = await smallMset();
    const set = checkMset(bytes);
    return { bytes, set, held: await importTiles(bytes, set) };
  }
  type Held = Awaited<ReturnType<typeof importTiles>>;
  const tampered = (held: Held, t: number, change: (tile: Uint8Array) => unknown): Held => {
    const tiles = held.tiles.map((tile) => tile?.slice() ?? null);
    change(tiles[t] as Uint8Array);
    return { ...held, tiles };
  };

  /** The first polygon with an edge on the tile's border: only of those are links read. */
  const atBorder = (tile: Uint8Array, polys: number): number => {
    const view = new DataView(tile.buffer, tile.byteOffset);
    let at = polys;
    while (![0, 1, 2, 3, 4, 5].some((k) => view.getUint16(at + 16 + 2 * k, true) >= 0x8000)) at += 32;
    return at;
  };

  it.each<[string, (held: Held, polys: number) => Held, string]>([
    [
      'a tile fewer',
      (held) => ({ ...held, tileCount: 3 }),
      'got 3 tiles with 14 polygons, expected 4 tiles with 14 polygons',
    ],
    ['a polygon more', (held) => ({ ...held, polyCount: 15 }), 'got 4 tiles with 15 polygons'],
    ['a slot empty', (held) => ({ ...held, tiles: [null, ...held.tiles.slice(1)] }), 'got tile 0 with another header'],
    ['another header', (held) => tampered(held, 2, (tile) => tile[30]++), 'got tile 2 with another header'],
    [
      'another area',
      (held, polys) => tampered(held, 1, (tile) => (tile[polys + 31] = 9)),
      'got a mesh in which areas[2] is 0 in one and 9 in the other',
    ],
    ['another vertex', (held) => tampered(held, 1, (tile) => tile[100]++), 'got a mesh in which vertices['],
    [
      'a first link outside the tile',
      (held, polys) => tampered(held, 1, (tile) => (tile[atBorder(tile, polys) + 3] = 9)),
      'got tiles that cannot be read (The file ends too early',
    ],
  ])('%s', async (_name, tamper, says) => {
    const { bytes, set, held } = await imported();
    expect(polygonCount(acceptImport(bytes, set, held).mesh)).toBe(12);
    const error = (() => {
      try {
        return acceptImport(bytes, set, tamper(held, set.tiles[1].sections.polys));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: 'IMPORT_FAILED' });
    expect((error as Error).message).toContain(`recast-navigation imported something else: ${says}`);
  });

  it('links that run in a circle end all the same', async () => {
    const { bytes, set, held } = await imported();
    const { polys, links } = set.tiles[1].sections;
    const circle = tampered(held, 1, (tile) => {
      const view = new DataView(tile.buffer);
      const first = view.getUint32(polys, true);
      view.setUint32(links + 12 * first + 4, first, true);
    });
    expect(polygonCount(acceptImport(bytes, set, circle).mesh)).toBe(12);
  });
});
