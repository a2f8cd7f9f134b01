// Writes tile caches (TSET, TSAT; little- or big-endian; FastLZ level 1 or 2) from a grid of ground, for tests. Shares no code
// with the reader: layout and compression are written down here a second time.

/** One tile of ground, row by row along z: what the layer of that tile holds. */
export interface GroundTile {
  readonly tx: number;
  readonly ty: number;
  readonly layer: number;
  /** Area of each cell, 0 = no ground. */
  readonly areas: readonly number[];
  /** Height of each cell above `base`, in steps. */
  readonly heights: readonly number[];
  readonly base: number;
}

export interface Ground {
  readonly cell: number;
  readonly step: number;
  /** Cells along a tile's sides. */
  readonly width: number;
  readonly height: number;
  readonly origin: readonly [number, number, number];
  /** Steps that a walker climbs. */
  readonly climb: number;
  readonly simplify: number;
  readonly tiles: readonly GroundTile[];
}

export interface CacheForm {
  readonly bounds: boolean;
  readonly bigEndian: boolean;
  readonly level: 1 | 2;
}

export const PLAIN_FORM: CacheForm = { bounds: false, bigEndian: false, level: 1 };

export function writeTileCache(ground: Ground, form: CacheForm = PLAIN_FORM): Uint8Array {
  const slots = 1 << Math.ceil(Math.log2(ground.tiles.length + 1));
  const out = new Out(!form.bigEndian);
  out
    .i32(form.bounds ? 0x54534154 : 0x54534554)
    .i32(1)
    .i32(ground.tiles.length);
  out.f32(...ground.origin, ground.width * ground.cell, ground.height * ground.cell);
  out.i32(slots, 1 << (22 - Math.log2(slots)));
  out.f32(...ground.origin, ground.cell, ground.step).i32(ground.width, ground.height);
  out.f32(2, 0.6, (ground.climb + 0.25) * ground.step, ground.simplify).i32(slots, 16);
  if (form.bounds) out.f32(-1, -1, -1, 1, 1, 1);
  ground.tiles.forEach((tile, n) => {
    const data = layer(ground, tile, form);
    out.i32(slots + n, data.length).bytes(data);
  });
  return out.done();
}

function layer(ground: Ground, tile: GroundTile, form: CacheForm): Uint8Array {
  const { width, height, cell, step, origin } = ground;
  const out = new Out(!form.bigEndian);
  const x = origin[0] + tile.tx * width * cell;
  const z = origin[2] + tile.ty * height * cell;
  const top = Math.max(0, ...tile.heights);
  out.i32(0x44544c52, 1, tile.tx, tile.ty, tile.layer);
  out.f32(x, origin[1] + tile.base * step, z, x + width * cell, origin[1] + (tile.base + top) * step);
  out.f32(z + height * cell).u16(tile.base, tile.base + top);
  const xs = tile.areas.flatMap((area, i) => (area ? [i % width] : []));
  const zs = tile.areas.flatMap((area, i) => (area ? [Math.floor(i / width)] : []));
  const [minX, maxX] = xs.length === 0 ? [width, 0] : [Math.min(...xs), Math.max(...xs)];
  const [minZ, maxZ] = zs.length === 0 ? [height, 0] : [Math.min(...zs), Math.max(...zs)];
  out.u8(width, height, minX, maxX, minZ, maxZ, 0, 0);
  const grids = [...tile.heights, ...tile.areas, ...connections(ground, tile)];
  return out.bytes(compress(Uint8Array.from(grids), form.level)).done();
}

/** Bits 0..3: the cell at -x, +z, +x, -z is of this layer; bits 4..7: the way leads to another tile. */
function connections(ground: Ground, tile: GroundTile): number[] {
  const { width, height, climb } = ground;
  return tile.areas.map((area, i) => {
    if (area === 0) return 0;
    let bits = 0;
    [
      [-1, 0],
      [0, 1],
      [1, 0],
      [0, -1],
    ].forEach(([dx, dz], dir) => {
      const x = (i % width) + dx;
      const z = Math.floor(i / width) + dz;
      if (x >= 0 && z >= 0 && x < width && z < height) {
        const n = x + z * width;
        if (tile.areas[n] !== 0 && Math.abs(tile.heights[n] - tile.heights[i]) <= climb) bits |= 1 << dir;
        return;
      }
      const other = ground.tiles.find((t) => t.tx === tile.tx + dx && t.ty === tile.ty + dz);
      if (other === undefined) return;
      const n = ((x + width) % width) + ((z + height) % height) * width;
      const climbed = Math.abs(other.base + other.heights[n] - tile.base - tile.heights[i]);
      if (other.areas[n] !== 0 && climbed <= climb) bits |= 16 << dir;
    });
    return bits;
  });
}

/** FastLZ: literal runs of at most 32 bytes, and copies of at least 3 from what came before. Greedy, by brute force. */
function compress(bytes: Uint8Array, level: 1 | 2): Uint8Array {
  const out: number[] = [];
  let literals: number[] = [];
  const flush = (): void => {
    for (let i = 0; i < literals.length; i += 32) {
      const run = literals.slice(i, i + 32);
      out.push(run.length - 1, ...run);
    }
    literals = [];
  };
  const furthest = level === 1 ? 8192 : 8191 + 65_536;
  const longest = level === 1 ? 264 : 4096;
  for (let at = 0; at < bytes.length; ) {
    let best = 0;
    let distance = 0;
    // neighbours, rows and whole grids behind are where copies are found
    for (const back of [1, 2, 3, 7, 8, 16, 24, 32, bytes.length / 3, (2 * bytes.length) / 3, 9000]) {
      if (!Number.isInteger(back) || back > at || back > furthest) continue;
      let length = 0;
      while (length < longest && at + length < bytes.length && bytes[at + length] === bytes[at + length - back])
        length++;
      if (length > best) [best, distance] = [length, back];
    }
    const far = level === 2 && distance > 8191;
    // the stream begins with a literal run, which carries the level
    if (at < 2 || best < (far ? 5 : 3)) {
      literals.push(bytes[at++]);
      continue;
    }
    flush();
    const away = far ? distance - 8192 : distance - 1;
    const high = far ? 31 : away >> 8;
    const rest = best - 3;
    if (rest < 6) out.push(((rest + 1) << 5) | high);
    else {
      out.push((7 << 5) | high);
      let more = rest - 6;
      if (level === 2) for (; more >= 255; more -= 255) out.push(255);
      out.push(more);
    }
    if (far) out.push(255, away >> 8, away & 255);
    else out.push(away & 255);
    at += best;
  }
  flush();
  out[0] |= (level - 1) << 5;
  return Uint8Array.from(out);
}

/** Bytes that grow, in one byte order. */
class Out {
  readonly #parts: number[] = [];
  readonly #little: boolean;

  constructor(little: boolean) {
    this.#little = little;
  }

  u8(...values: number[]): this {
    this.#parts.push(...values);
    return this;
  }

  u16(...values: number[]): this {
    return this.#each(values, 2, (view, value) => view.setUint16(0, value, this.#little));
  }

  i32(...values: number[]): this {
    return this.#each(values, 4, (view, value) => view.setInt32(0, value, this.#little));
  }

  f32(...values: number[]): this {
    return this.#each(values, 4, (view, value) => view.setFloat32(0, value, this.#little));
  }

  bytes(bytes: Uint8Array): this {
    for (const byte of bytes) this.#parts.push(byte);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }

  #each(values: readonly number[], size: number, set: (view: DataView, value: number) => void): this {
    for (const value of values) {
      const bytes = new Uint8Array(size);
      set(new DataView(bytes.buffer), value);
      this.#parts.push(...bytes);
    }
    return this;
  }
}

/** A small file that loads: one room of two areas with a hole, 12 x 10 cells, and a neighbour. */
export function smallGround(): Ground {
  const areas: number[] = Array.from({ length: 120 }, (_, i) =>
    ((i % 12) - 5) ** 2 + (Math.floor(i / 12) - 5) ** 2 < 4 ? 0 : 63,
  );
  for (let i = 0; i < 12; i++) areas[i] = 4;
  const flat = areas.map(() => 0);
  const tile = { ty: 0, layer: 0, heights: flat, base: 0 };
  return {
    cell: 0.5,
    step: 0.25,
    width: 12,
    height: 10,
    origin: [0, 0, 0],
    climb: 2,
    simplify: 1,
    tiles: [
      { ...tile, tx: 0, areas },
      { ...tile, tx: 1, areas: areas.map(() => 63) },
    ],
  };
}
