// Tile caches: the ground that a file spells is the ground that is loaded, cell by cell; broken files end in one sentence.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decompressFastLz } from '../../src/bytes/fastlz.ts';
import { equalNavMesh, readNavMesh } from '../../src/bytes/index.ts';
import { NavguardError } from '../../src/errors.ts';
import { NavMap } from '../../src/map.ts';
import { type NavMesh, polygonCount } from '../../src/mesh/navmesh.ts';
import { between, random } from '../oracle/random.ts';
import { flips, nastyWords, prefixes, scattered } from './mutants.ts';
import {
  type CacheForm,
  type Ground,
  type GroundTile,
  PLAIN_FORM,
  smallGround,
  writeTileCache,
} from './writers/tilecache.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

/** Every form in which the same ground can be written. */
const FORMS: readonly CacheForm[] = [false, true].flatMap((bounds) =>
  [false, true].flatMap((bigEndian) => ([1, 2] as const).map((level) => ({ bounds, bigEndian, level }))),
);

/** Rooms: rectangles of ground of some area and height, over a floor that may be missing. Two tiles by two. */
function rooms(seed: number): Ground {
  const next = random(seed);
  // in smaller tiles Recast cuts winding contours short: it gives up after width x height steps
  const width = between(next, 20, 40);
  const height = between(next, 20, 40);
  const tiles: GroundTile[] = [];
  for (const [tx, ty] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [-1, 2],
  ]) {
    const areas = new Array<number>(width * height).fill(next() < 0.5 ? 63 : 0);
    const heights = areas.map(() => 0);
    for (let n = between(next, 1, 4); n > 0; n--) {
      const x0 = between(next, 0, width - 3);
      const z0 = between(next, 0, height - 3);
      const x1 = between(next, x0 + 2, width);
      const z1 = between(next, z0 + 2, height);
      const area = [0, 1, 63, 63, 7][between(next, 0, 4)];
      const y = between(next, 0, 3);
      for (let z = z0; z < z1; z++) {
        for (let x = x0; x < x1; x++) [areas[x + z * width], heights[x + z * width]] = [area, area === 0 ? 0 : y];
      }
    }
    tiles.push({ tx, ty, layer: 0, areas, heights, base: 5 });
  }
  return { cell: 0.5, step: 0.25, width, height, origin: [-10, 1, 3], climb: 1, simplify: 0, tiles };
}

/** Which polygons hold a point in plan. */
function polygonsAt(mesh: NavMesh, x: number, z: number): number[] {
  const found: number[] = [];
  for (let p = 0; p < polygonCount(mesh); p++) {
    let inside = false;
    for (let c = mesh.first[p], last = mesh.first[p + 1] - 1; c < mesh.first[p + 1]; last = c++) {
      const [a, b] = [3 * mesh.corners[c], 3 * mesh.corners[last]];
      const [ax, az, bx, bz] = [mesh.vertices[a], mesh.vertices[a + 2], mesh.vertices[b], mesh.vertices[b + 2]];
      if (az > z !== bz > z && x < ((bx - ax) * (z - az)) / (bz - az) + ax) inside = !inside;
    }
    if (inside) found.push(p);
  }
  return found;
}

/** Compares a mesh with the ground, cell by cell: there where ground is, once, with its area and height, and nowhere else. */
function expectGround(mesh: NavMesh, ground: Ground, seed: number): void {
  const { width, height, cell, step, origin } = ground;
  for (const tile of ground.tiles) {
    for (let i = 0; i < tile.areas.length; i++) {
      const x = origin[0] + (tile.tx * width + (i % width) + 0.5) * cell;
      const z = origin[2] + (tile.ty * height + Math.floor(i / width) + 0.5) * cell;
      const where = `seed ${seed}, tile ${tile.tx},${tile.ty}, cell ${i % width},${Math.floor(i / width)}`;
      const found = polygonsAt(mesh, x, z);
      expect(found.length, where).toBe(tile.areas[i] === 0 ? 0 : 1);
      if (found.length === 0) continue;
      expect(mesh.areas[found[0]], where).toBe(tile.areas[i] === 63 ? 0 : tile.areas[i]);
      const y = mesh.vertices[3 * mesh.corners[mesh.first[found[0]]] + 1];
      // a corner takes the highest cell around it that can be climbed
      expect(Math.abs(y - origin[1] - (tile.base + tile.heights[i]) * step), where).toBeLessThanOrEqual(4 * step);
    }
  }
}

describe('tile caches', () => {
  it('random ground is loaded as written, in every form', { timeout: 60_000 }, async () => {
    let polygons = 0;
    for (let seed = 1; seed <= 24; seed++) {
      const ground = rooms(seed);
      if (ground.tiles.every((tile) => tile.areas.every((area) => area === 0))) continue;
      const mesh = await readNavMesh(writeTileCache(ground));
      expectGround(mesh, ground, seed);
      polygons += polygonCount(mesh);
      const form = FORMS[seed % FORMS.length];
      const other = await readNavMesh(writeTileCache(ground, form));
      const renamed = { ...other, format: mesh.format };
      expect(equalNavMesh(renamed, mesh), `seed ${seed} ${JSON.stringify(form)}`).toBeNull();
    }
    expect(polygons).toBeGreaterThan(300);
  });

  it('tiles are joined where the ground goes on', async () => {
    const map = await NavMap.load(writeTileCache(smallGround()));
    expect(map.info.format).toBe('TSET tile cache, 2 layers');
    expect(map.info.components).toBe(1);
    expect(map.reach([0.5, 0, 2.5], [11.5, 0, 2.5], 30).status).toBe('walk');
    expect(map.ray([4.5, 0, 4.5], [11.5, 0, 2.5]).clear).toBe(true);
  });

  it('ground without an area is area 0 with flags 1; the option areas says otherwise', async () => {
    const bytes = writeTileCache(smallGround());
    const plain = await readNavMesh(bytes);
    expect([...new Set(plain.areas)].sort()).toEqual([0, 4]);
    expect([...new Set(plain.flags)]).toEqual([1]);
    const mapped = await readNavMesh(bytes, { areas: { 63: { area: 9, flags: 2 }, 4: { area: 0, flags: 32 } } });
    expect([...new Set(mapped.areas)].sort()).toEqual([0, 9]);
    expect(mapped.areas.every((area, p) => mapped.flags[p] === (area === 9 ? 2 : 32))).toBe(true);
    const zero = await readNavMesh(bytes, { areas: { 0: { area: 3 } } });
    expect([...new Set(zero.areas)].sort()).toEqual([3, 4]);
  });

  it('scale and flip are applied as to any export', async () => {
    const mesh = await readNavMesh(writeTileCache(smallGround()), { scale: 0.01, flip: true });
    expect(mesh.tiles[1].bounds[0]).toBeCloseTo(-0.12, 6);
    expect(mesh.lattice.cell).toBeCloseTo(0.005, 9);
  });
});

describe('broken tile caches', () => {
  const small = writeTileCache(smallGround());

  it('every prefix is refused by a sentence', async () => {
    const { loaded } = await outcomes(prefixes(small));
    expect(loaded).toBe(0);
  });

  it('changed bytes and words: refused by a sentence, or loaded', { timeout: 60_000 }, async () => {
    const flipped = await outcomes(flips(small, 0xff), 2);
    expect(flipped.refused).toBeGreaterThan(100);
    expect((await outcomes(nastyWords(small), 3)).refused).toBeGreaterThan(200);
    expect((await outcomes(scattered(small, 300, 5))).refused).toBeGreaterThan(200);
  });

  const at = (bytes: Uint8Array, change: (view: DataView) => void): Uint8Array => {
    const copy = bytes.slice();
    change(new DataView(copy.buffer));
    return copy;
  };
  it.each<[string, Uint8Array, RegExp]>([
    ['a gigabyte of tile slots', at(small, (v) => v.setInt32(84, 2 ** 30, true)), /layer slots .* got 1073741824/],
    ['a gigabyte of obstacles', at(small, (v) => v.setInt32(88, 2 ** 30, true)), /obstacle slots .* got 1073741824/],
    ['another version', at(small, (v) => v.setInt32(4, 2, true)), /tile cache version: got 2, expected 1/],
    ['tiles of another width', at(small, (v) => v.setFloat32(24, 9, true)), /tile width: got 9 m, expected 6 m/],
    ['a layer of another width', at(small, (v) => v.setUint8(148, 13)), /cells along the layer: got 13, expected 12/],
    ['a layer elsewhere', at(small, (v) => v.setFloat32(120, 50, true)), /upper x bound: got 6, expected 50/],
    ['no tile header', at(small, (v) => v.setUint32(100, 7, true)), /layer magic: got 0x00000007/],
    ['a layer twice', at(small, (v) => v.setUint32(92, v.getUint32(100 + v.getInt32(96, true), true), true)), /slot/],
    ['more bytes', Uint8Array.from([...small, 0]), /bytes after the last of 2 layers: got 1/],
    ['LZ4 in place of FastLZ', at(small, (v) => v.setUint8(156, 0xf0)), /FastLZ/],
  ])('%s', async (_name, bytes, sentence) => {
    await expect(readNavMesh(bytes)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(sentence),
    });
  });

  it('a region with more neighbours than the builder has room for never reaches it', async () => {
    await expect(readNavMesh(writeTileCache(comb()))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/neighbours of a region: got more than the 16/),
    });
  });

  it('outlines that would keep the builder busy for minutes never reach it', async () => {
    const areas = Array.from({ length: 128 * 128 }, (_, i) => (((i % 128) + Math.floor(i / 128)) % 4 < 2 ? 63 : 0));
    const tile = { ty: 0, layer: 0, base: 0, areas, heights: areas.map(() => 0) };
    const ground = { ...smallGround(), width: 128, height: 128, simplify: 0 };
    const tiles = [0, 2, 4, 6].map((tx) => ({ ...tile, tx }));
    await expect(readNavMesh(writeTileCache({ ...ground, tiles }))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/steps to join the polygons/),
    });
  });

  it('no ground at all', async () => {
    const ground = smallGround();
    const empty = { ...ground, tiles: [{ ...ground.tiles[0], areas: ground.tiles[0].areas.map(() => 0) }] };
    await expect(readNavMesh(writeTileCache(empty))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/no ground in any layer/),
    });
  });
});

/** One wide strip below many separate teeth: each tooth is a region of its own that touches the strip. */
function comb(): Ground {
  const width = 80;
  const areas = Array.from({ length: width * 10 }, (_, i) => (Math.floor(i / width) < 2 || i % 2 === 0 ? 63 : 0));
  return {
    ...smallGround(),
    width,
    tiles: [{ tx: 0, ty: 0, layer: 0, base: 0, heights: areas.map(() => 0), areas }],
  };
}

describe('FastLZ', () => {
  it('random bytes never leave the arrays, and every stream ends', () => {
    const next = random(77);
    const into = new Uint8Array(300);
    let sound = 0;
    for (let n = 0; n < 20_000; n++) {
      const bytes = Uint8Array.from({ length: between(next, 0, 60) }, () => between(next, 0, 255));
      const got = decompressFastLz(bytes, 0, bytes.length, into);
      expect(got).toBeGreaterThanOrEqual(-1);
      expect(got).toBeLessThanOrEqual(300);
      if (got >= 0) sound++;
    }
    expect(sound).toBeGreaterThan(100);
  });

  it('far copies of level 2', () => {
    const areas = Array.from({ length: 128 * 120 }, (_, i) => (i * 7919) % 63 && 63);
    const ground: Ground = {
      ...smallGround(),
      width: 128,
      height: 120,
      tiles: [{ tx: 0, ty: 0, layer: 0, base: 0, areas, heights: areas.map((_, i) => (i * i) % 3) }],
    };
    for (const level of [1, 2] as const) {
      const bytes = writeTileCache(ground, { ...PLAIN_FORM, level });
      const grids = new Uint8Array(3 * areas.length);
      expect(decompressFastLz(bytes, 156, bytes.length, grids)).toBe(grids.length);
      expect([...grids.subarray(areas.length, 2 * areas.length)]).toEqual(areas);
    }
  });
});

async function outcomes(
  mutants: Iterable<{ name: string; bytes: Uint8Array }>,
  step = 1,
): Promise<{ loaded: number; refused: number }> {
  let loaded = 0;
  let refused = 0;
  let i = 0;
  for (const { name, bytes } of mutants) {
    if (i++ % step !== 0) continue;
    try {
      await readNavMesh(bytes);
      loaded++;
    } catch (error) {
      if (!(error instanceof NavguardError)) throw new Error(`${name}: ${String(error)}`);
      expect(['BAD_FILE', 'UNSUPPORTED_FORMAT'], `${name}: ${error.message}`).toContain(error.code);
      expect(error.message).toMatch(/^[A-Z].+\.$/);
      refused++;
    }
  }
  return { loaded, refused };
}

if (SAMPLES !== undefined) {
  describe('real tile caches', () => {
    it.each([
      ['dotrecast/dungeon_all_tiles_tilecache.bin', 'TSET tile cache, 30 layers', 30, 127],
      ['navmeshscene/nav_test.obj.tilecache.bin', 'TSAT tile cache, 106 layers', 106, 297],
    ])('%s: %s, %d tiles, %d polygons', async (file, format, tiles, polygons) => {
      const mesh = await readNavMesh(new Uint8Array(readFileSync(join(SAMPLES, file))));
      expect([mesh.format, mesh.tiles.length, polygonCount(mesh)]).toEqual([format, tiles, polygons]);
      expect(mesh.agent).toEqual({ height: 2, radius: 0.6, climb: 0.9 });
      const map = NavMap.fromMesh(mesh);
      expect(map.info.polygons).toBeGreaterThanOrEqual(polygons);
    });
  });
}
