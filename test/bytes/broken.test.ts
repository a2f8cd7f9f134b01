// A seeded slice of the mutant sweep (the whole of it runs in a killable process: test/long/bytes-mutants.test.ts), and
// what happens when recast-navigation itself fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMset } from '../../src/bytes/check.ts';
import { importTiles } from '../../src/bytes/foreign.ts';
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
