// Maps of any size for benches: rolling tiled ground with obstacles. Made on demand, never committed.
// Imported by bench/ and tests.
import { type Box, type BuildSpec, buildNavMesh, type Triangle } from '../src/build/index.ts';
import { seeded } from '../src/simulate/random.ts';

/** Metres; a square of this side has about as many polygons as POLYGONS_PER_LOT. */
const LOT = 8;
const POLYGONS_PER_LOT = 6.2;

/** The spec behind `largeMap`: `columns` x `rows` squares of 8 m with two or three obstacles each. */
export function largeSpec(columns: number, rows: number): BuildSpec {
  const random = seeded(7000 + columns * rows);
  const step = 4;
  const height = (i: number, k: number): number => Math.round(100 * (Math.sin(i * 0.7) + Math.cos(k * 0.5))) / 100;
  const triangles: Triangle[] = [];
  for (let k = 0; k < (rows * LOT) / step; k++) {
    for (let i = 0; i < (columns * LOT) / step; i++) {
      const [x0, z0, x1, z1] = [i * step, k * step, (i + 1) * step, (k + 1) * step];
      const [a, b, c, d] = [height(i, k), height(i + 1, k), height(i + 1, k + 1), height(i, k + 1)];
      triangles.push([x0, a, z0, x0, d, z1, x1, b, z0], [x1, b, z0, x0, d, z1, x1, c, z1]);
    }
  }
  const boxes: Box[] = [];
  for (let lot = 0; lot < columns * rows; lot++) {
    const obstacles = 2 + random.below(2);
    for (let i = 0; i < obstacles; i++) {
      const x = (lot % columns) * LOT + random.between(1, LOT - 1);
      const z = Math.floor(lot / columns) * LOT + random.between(1, LOT - 1);
      const [w, d] = [random.between(0.3, 1.5), random.between(0.3, 1.5)];
      boxes.push([x - w, -4, z - d, x + w, 5, z + d]);
    }
  }
  return {
    cell: 0.3,
    cellHeight: 0.2,
    agent: { radius: 0.5, height: 2, climb: 0.6, slope: 45 },
    tile: 80,
    triangles,
    boxes,
  };
}

/**
 * MSET bytes of a tiled map with at least `polygons` polygons (and not many more): 150, 1,500 and 8,400 are the sizes
 * that benches use. The same bytes for the same number.
 */
export async function largeMap(polygons: number): Promise<Uint8Array> {
  const columns = Math.max(1, Math.floor(Math.sqrt(polygons / POLYGONS_PER_LOT)));
  let rows = Math.max(1, Math.floor(polygons / POLYGONS_PER_LOT / columns));
  while (true) {
    const bytes = await buildNavMesh(largeSpec(columns, rows));
    const made = polygonsIn(bytes);
    if (made >= polygons) return bytes;
    rows += Math.max(1, Math.ceil(rows * (polygons / made - 1)));
  }
}

/** The polygons that the tile headers of MSET bytes count. */
export function polygonsIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 40;
  let polygons = 0;
  for (let tile = view.getInt32(8, true); tile > 0; tile--) {
    polygons += view.getInt32(at + 8 + 24, true);
    at += 8 + view.getInt32(at + 4, true);
  }
  return polygons;
}
