// Every clause of the structural check has a row: one field of a good file changed, and the sentence that must come.
import { beforeAll, describe, expect, it } from 'vitest';
import { checkMset, MAX_FILE_BYTES } from '../../src/bytes/check.ts';
import { checkImportWork, importSteps, MAX_IMPORT_STEPS } from '../../src/bytes/checkwork.ts';
import { equalNavMesh, readMsetFile } from '../../src/bytes/index.ts';
import type { MsetDirectory } from '../../src/bytes/mset.ts';
import { NavguardError } from '../../src/errors.ts';
import { smallMset } from './small.ts';

const MAX = 0x7fffffff;
const BILLION = 1_000_000_000;

/** A good file under the knife: its tiles, and setters by place. Each setter returns the byte offset it wrote to. */
class Subject {
  bytes: Uint8Array;
  readonly set: MsetDirectory;
  constructor(good: Uint8Array) {
    this.bytes = good.slice();
    this.set = checkMset(good);
  }
  private get view(): DataView {
    return new DataView(this.bytes.buffer);
  }
  i32(at: number, value: number): number {
    this.view.setInt32(at, value, true);
    return at;
  }
  u16(at: number, value: number): number {
    this.view.setUint16(at, value, true);
    return at;
  }
  u8(at: number, value: number): number {
    this.bytes[at] = value;
    return at;
  }
  f32(at: number, value: number): number {
    this.view.setFloat32(at, value, true);
    return at;
  }
  /** Places: before a tile, in its header, in a polygon, a detail record, a BV node, a connection. */
  prefix = (t: number, offset: number) => this.set.tiles[t].at - 8 + offset;
  header = (t: number, offset: number) => this.set.tiles[t].at + offset;
  poly = (t: number, p: number, offset: number) => this.section(t, 'polys') + 32 * p + offset;
  detail = (t: number, p: number, offset: number) => this.section(t, 'details') + 12 * p + offset;
  node = (t: number, n: number) => this.section(t, 'bv') + 16 * n + 12;
  con = (t: number, k: number, offset: number) => this.section(t, 'offMesh') + 36 * k + offset;
  section(t: number, name: keyof MsetDirectory['tiles'][0]['sections']): number {
    return this.set.tiles[t].at + this.set.tiles[t].sections[name];
  }
  /** Leaves tile t only `links` link records, with counts and sizes that agree. */
  shrinkLinks(t: number, links: number): number {
    const { at, size, header } = this.set.tiles[t];
    const cut = (header.maxLinkCount - links) * 12;
    const from = this.section(t, 'links');
    const rest = this.bytes.slice(from + cut);
    this.bytes.set(rest, from);
    this.bytes = this.bytes.slice(0, this.bytes.length - cut);
    this.i32(at - 4, size - cut);
    return this.i32(at + 32, links);
  }
}

interface Row {
  readonly name: string;
  /** Changes the file; returns the byte that the error must name. */
  readonly edit: (s: Subject) => number;
  /** The end of the sentence after the byte. */
  readonly says: string;
  /** Tile and polygon that the error must name. */
  readonly tile?: number;
  readonly polygon?: number;
}

const finite = 'expected a finite number';
const notNegative = 'expected a finite number, not negative';

const setRows: Row[] = [
  { name: 'magic', edit: (s) => s.u8(0, 0x55), says: "magic: got 0x4d534555, expected 0x4d534554 ('MSET')" },
  { name: 'set version', edit: (s) => s.i32(4, 2), says: 'MSET version: got 2, expected 1' },
  { name: 'tile count 0', edit: (s) => s.i32(8, 0), says: 'tile count: got 0, expected 1..4 (the slots declared)' },
  { name: 'tile count -1', edit: (s) => s.i32(8, -1), says: 'tile count: got -1, expected 1..4 (the slots declared)' },
  {
    name: 'tile count 10^9',
    edit: (s) => s.i32(8, BILLION),
    says: `tile count: got ${BILLION}, expected 1..4 (the slots declared)`,
  },
  { name: 'origin x NaN', edit: (s) => s.f32(12, Number.NaN), says: `origin x: got NaN, ${finite}` },
  { name: 'origin y infinite', edit: (s) => s.f32(16, Infinity), says: `origin y: got Infinity, ${finite}` },
  { name: 'origin z infinite', edit: (s) => s.f32(20, -Infinity), says: `origin z: got -Infinity, ${finite}` },
  {
    name: 'tile width 0',
    edit: (s) => s.f32(24, 0),
    says: 'tile width: got 0, expected a finite length of at least 0.01 m',
  },
  {
    name: 'tile width NaN',
    edit: (s) => s.f32(24, Number.NaN),
    says: 'tile width: got NaN, expected a finite length of at least 0.01 m',
  },
  {
    name: 'tile width tiny',
    edit: (s) => s.f32(24, 2 ** -40),
    says: `tile width: got ${2 ** -40}, expected a finite length of at least 0.01 m`,
  },
  {
    name: 'tile height negative',
    edit: (s) => s.f32(28, -5),
    says: 'tile height: got -5, expected a finite length of at least 0.01 m',
  },
  {
    name: 'tile height infinite',
    edit: (s) => s.f32(28, Infinity),
    says: 'tile height: got Infinity, expected a finite length of at least 0.01 m',
  },
  { name: 'tile slots 0', edit: (s) => s.i32(32, 0), says: 'tile slots (maxTiles): got 0, expected 1..65536' },
  {
    name: 'tile slots 2^30',
    edit: (s) => s.i32(32, 2 ** 30),
    says: `tile slots (maxTiles): got ${2 ** 30}, expected 1..65536`,
  },
  {
    name: 'polygons a tile -1',
    edit: (s) => s.i32(36, -1),
    says: 'polygons a tile (maxPolys): got -1, expected at least 1',
  },
  {
    name: 'reference bits 23',
    edit: (s) => s.i32(36, 2 ** 21) && 32,
    says: 'bits that tile slots and polygons take of a reference: got 2 + 21, expected at most 22 together',
  },
  {
    name: 'reference bits 33, which wrap round in 32-bit arithmetic',
    edit: (s) => s.i32(36, 131_072) && s.i32(32, 65_536),
    says: 'bits that tile slots and polygons take of a reference: got 16 + 17, expected at most 22 together',
  },
  {
    name: 'a tile fewer',
    edit: (s) => s.i32(8, 3) && s.prefix(3, 0),
    says: 'bytes after the last of 3 tiles: got 828, expected 0',
  },
  {
    name: 'trailing bytes',
    edit: (s) => {
      const at = s.bytes.length;
      const longer = new Uint8Array(at + 3);
      longer.set(s.bytes);
      s.bytes = longer;
      return at;
    },
    says: 'bytes after the last of 4 tiles: got 3, expected 0',
  },
  {
    name: 'a tile more than the bytes hold',
    edit: (s) => {
      s.bytes = s.bytes.slice(0, s.prefix(3, 0));
      return s.bytes.length;
    },
    says: 'bytes left for a tile: got 0, expected at least 8',
    tile: 3,
  },
];

const directoryRows: Row[] = [
  {
    name: 'tile reference 0',
    edit: (s) => s.i32(s.prefix(1, 0), 0),
    says: 'salt of the tile reference: got 0, expected 1..1023',
    tile: 1,
  },
  {
    name: 'polygon bits in the tile reference',
    edit: (s) => s.i32(s.prefix(1, 0), 0x500007),
    says: 'polygon bits of the tile reference: got 0x00500007, expected the low 20 bits zero',
    tile: 1,
  },
  {
    name: 'slot past the last',
    // Three tiles in three slots need two bits, so that a fourth slot can be named.
    edit: (s) => s.i32(8, 3) && s.i32(32, 3) && s.i32(s.prefix(2, 0), 0x700000),
    says: 'tile slot: got 3, expected below 3',
    tile: 2,
  },
  {
    name: 'slot taken twice',
    edit: (s) => s.i32(s.prefix(2, 0), 0x500000),
    says: 'tile slot: got 1, taken by tile 1, expected a free slot',
    tile: 2,
  },
  {
    name: 'position taken twice',
    edit: (s) => s.i32(s.header(1, 8), 0),
    says: 'tile position: got (0, 0) layer 0, taken by tile 0, expected a free position',
    tile: 1,
  },
  {
    name: 'tile size 0',
    edit: (s) => s.i32(s.prefix(3, 4), 0),
    says: 'tile size in bytes: got 0, expected 100..820 (what the file still holds: 820)',
    tile: 3,
  },
  {
    name: 'tile size -1',
    edit: (s) => s.i32(s.prefix(3, 4), -1),
    says: 'tile size in bytes: got -1, expected 100..820 (what the file still holds: 820)',
    tile: 3,
  },
  {
    name: 'tile size 2^31 - 1',
    edit: (s) => s.i32(s.prefix(3, 4), MAX),
    says: `tile size in bytes: got ${MAX}, expected 100..820 (what the file still holds: 820)`,
    tile: 3,
  },
  {
    name: 'a file that ends inside a tile header',
    edit: (s) => {
      s.bytes = s.bytes.slice(0, s.prefix(3, 8) + 50);
      return s.prefix(3, 4);
    },
    says: 'tile size in bytes: got 820, expected at most 50, what the file still holds: it ends early',
    tile: 3,
  },
  {
    name: 'tile size 4 less than its sections',
    edit: (s) => s.i32(s.prefix(1, 4), 608),
    says: 'tile size in bytes: got 608, expected 612, the sum of the sections that its counts declare',
    tile: 1,
  },
  {
    name: 'tile magic',
    edit: (s) => s.u8(s.header(1, 0), 0x57),
    says: "tile magic: got 0x444e4157, expected 0x444e4156 ('DNAV')",
    tile: 1,
  },
  { name: 'tile version', edit: (s) => s.i32(s.header(1, 4), 6), says: 'tile version: got 6, expected 7', tile: 1 },
];

const count = (name: string, offset: number, value: number, says: string): Row => ({
  name,
  edit: (s) => s.i32(s.header(1, offset), value),
  says,
  tile: 1,
});
const real = (name: string, offset: number, value: number, says: string): Row => ({
  name,
  edit: (s) => s.f32(s.header(1, offset), value),
  says,
  tile: 1,
});

const headerRows: Row[] = [
  count('polygon count -1', 24, -1, 'polygon count: got -1, expected 0..1048576'),
  count('polygon count past its bits', 24, 2 ** 20 + 1, 'polygon count: got 1048577, expected 0..1048576'),
  count('vertex count 65,536', 28, 65_536, 'vertex count: got 65536, expected 0..65535'),
  count('vertex count 10^9', 28, BILLION, `vertex count: got ${BILLION}, expected 0..65535`),
  count('link count 0', 32, 0, 'link count: got 0, expected at least 1'),
  count('link count -1', 32, -1, 'link count: got -1, expected at least 1'),
  count('detail mesh count 0', 36, 0, 'detail mesh count: got 0, expected 3, one a ground polygon'),
  count('detail mesh count -1', 36, -1, 'detail mesh count: got -1, expected 0..2147483648'),
  count('detail vertex count -1', 40, -1, 'detail vertex count: got -1, expected 0..2147483648'),
  count('detail triangle count -1', 44, -1, 'detail triangle count: got -1, expected 0..2147483648'),
  count('BV node count -1', 48, -1, 'BV node count: got -1, expected 0..2147483648'),
  count('connection count -1', 52, -1, 'off-mesh connection count: got -1, expected 0..3'),
  count('more connections than polygons', 52, 4, 'off-mesh connection count: got 4, expected 0..3'),
  count('first connection polygon', 56, 2, 'first off-mesh polygon: got 2, expected 3'),
  ...[32, 40, 44, 48].map(
    (offset): Row => ({
      name: `count at byte ${offset} of the header 10^9`,
      edit: (s) => s.i32(s.header(1, offset), BILLION) && s.prefix(1, 4),
      says: 'the sum of the sections that its counts declare',
      tile: 1,
    }),
  ),
  real('agent height NaN', 60, Number.NaN, `agent height: got NaN, ${notNegative}`),
  real('agent radius negative', 64, -1, `agent radius: got -1, ${notNegative}`),
  real('agent climb infinite', 68, Infinity, `agent climb: got Infinity, ${notNegative}`),
  real('quantisation NaN', 96, Number.NaN, `BV quantisation factor: got NaN, ${notNegative}`),
  real('quantisation negative', 96, -4, `BV quantisation factor: got -4, ${notNegative}`),
  real(
    'quantisation huge',
    96,
    2 ** 30,
    `BV quantisation factor: got ${2 ** 30}, expected at most ${2 ** 24 / 5} for a tile of 5 m`,
  ),
  real('lower bound NaN', 72, Number.NaN, `lower x bound: got NaN, ${finite}`),
  real('upper bound infinite', 88, Infinity, 'upper y bound: got Infinity, expected a finite number >= 0'),
  real('bounds the wrong way round', 92, -1, 'upper z bound: got -1, expected a finite number >= 0'),
  real('bounds wider than any tile', 84, 1005, 'extent along x: got 1000 m, expected at most 64 tile cells of 5 m'),
  {
    name: 'bounds too many cells from the origin',
    edit: (s) => {
      s.f32(s.header(1, 92), 2 ** 30);
      return s.f32(s.header(1, 80), 2 ** 30);
    },
    says: `distance of the bounds from the origin along z: got ${2 ** 30} m, expected at most 16777216 tile cells of 5 m`,
    tile: 1,
  },
  count('tile x out of range', 8, -(2 ** 24) - 1, 'tile x: got -16777217, expected -16777216..16777216'),
  count('tile y out of range', 12, MAX, `tile y: got ${MAX}, expected -16777216..16777216`),
  count('layer negative', 16, -1, 'layer: got -1, expected at least 0'),
];

const polygonRows: Row[] = [
  {
    name: 'vertex NaN',
    edit: (s) => s.f32(s.section(1, 'verts') + 12 * 2 + 4, Number.NaN),
    says: `y of vertex 2: got NaN, ${finite}`,
    tile: 1,
  },
  {
    name: 'detail vertex infinite',
    edit: (s) => s.f32(s.section(3, 'detailVerts') + 12 + 8, Infinity),
    says: `z of detail vertex 1: got Infinity, ${finite}`,
    tile: 3,
  },
  {
    name: 'type of a ground polygon',
    edit: (s) => s.u8(s.poly(1, 2, 31), 0x40),
    says: 'polygon type: got 1, expected 0 (ground)',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'two corners',
    edit: (s) => s.u8(s.poly(1, 0, 30), 2),
    says: 'corners: got 2, expected 3..6',
    tile: 1,
    polygon: 0,
  },
  {
    name: '255 corners',
    edit: (s) => s.u8(s.poly(1, 0, 30), 255),
    says: 'corners: got 255, expected 3..6',
    tile: 1,
    polygon: 0,
  },
  {
    name: 'vertex past the last',
    edit: (s) => s.u16(s.poly(1, 0, 6), 7),
    says: 'vertex of corner 1: got 7, expected below 7',
    tile: 1,
    polygon: 0,
  },
  {
    name: "a connection's vertex in a ground polygon",
    edit: (s) => s.u16(s.poly(0, 1, 4), 6),
    says: 'vertex of corner 0: got 6, expected below 6',
    tile: 0,
    polygon: 1,
  },
  {
    name: 'a vertex twice',
    edit: (s) => s.u16(s.poly(1, 0, 8), 4),
    says: 'vertex of corner 2: got 4, that of corner 0, expected another',
    tile: 1,
    polygon: 0,
  },
  {
    name: 'border side odd',
    edit: (s) => s.u16(s.poly(1, 2, 22), 0x8003),
    says: 'border side of edge 3: got 3, expected 0, 2, 4 or 6',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'border side 8',
    edit: (s) => s.u16(s.poly(1, 2, 22), 0x8008),
    says: 'border side of edge 3: got 8, expected 0, 2, 4 or 6',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'border with further bits',
    edit: (s) => s.u16(s.poly(1, 2, 22), 0x8102),
    says: 'border side of edge 3: got 258, expected 0, 2, 4 or 6',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'border side across the edge',
    edit: (s) => s.u16(s.poly(1, 2, 22), 0x8000),
    says: 'edge 3, a border of side 0: got x 5.25 to 9.5, expected the same x',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'neighbour past the last',
    edit: (s) => s.u16(s.poly(1, 0, 20), 4),
    says: 'neighbour of edge 2: got 3, expected a ground polygon below 3',
    tile: 1,
    polygon: 0,
  },
  {
    name: "a connection's polygon as neighbour",
    edit: (s) => s.u16(s.poly(0, 1, 18), 3),
    says: 'neighbour of edge 1: got 2, expected a ground polygon below 2',
    tile: 0,
    polygon: 1,
  },
  {
    name: 'itself as neighbour',
    edit: (s) => s.u16(s.poly(1, 0, 20), 1),
    says: 'neighbour of edge 2: got 0, the polygon itself, expected another polygon',
    tile: 1,
    polygon: 0,
  },
  {
    name: 'a neighbour that does not lead back',
    edit: (s) => s.u16(s.poly(1, 2, 16), 0) && s.poly(1, 1, 20),
    says: 'neighbour of edge 2: got 2, which does not lead back over this edge, expected a neighbour that shares the edge',
    tile: 1,
    polygon: 1,
  },
  {
    name: 'a neighbour over another edge',
    edit: (s) => s.u16(s.poly(1, 2, 16), 0) && s.u16(s.poly(1, 2, 20), 2) && s.poly(1, 1, 20),
    says: 'neighbour of edge 2: got 2, which does not lead back over this edge, expected a neighbour that shares the edge',
    tile: 1,
    polygon: 1,
  },
  {
    name: 'too few links for the inner edges',
    edit: (s) => s.shrinkLinks(3, 3),
    says: 'link count: got 3, expected at least 4, its inner edges',
    tile: 3,
  },
];

const detailRows: Row[] = [
  {
    name: 'detail vertices past the last',
    edit: (s) => s.i32(s.detail(3, 0, 0), BILLION),
    says: `detail vertices: got ${BILLION} + 2, expected at most 9`,
    tile: 3,
    polygon: 0,
  },
  {
    name: 'detail vertices one past',
    edit: (s) => s.u8(s.detail(3, 2, 8), 8) && s.detail(3, 2, 0),
    says: 'detail vertices: got 4 + 8, expected at most 9',
    tile: 3,
    polygon: 2,
  },
  {
    name: 'detail triangles past the last',
    edit: (s) => s.i32(s.detail(1, 0, 4), -1),
    says: 'detail triangles: got 4294967295 + 1, expected at most 5',
    tile: 1,
    polygon: 0,
  },
  {
    name: 'no detail triangle',
    edit: (s) => s.u8(s.detail(1, 0, 9), 0),
    says: 'detail triangles: got 0, expected at least 1',
    tile: 1,
    polygon: 0,
  },
  {
    name: 'detail triangle with a vertex that is none',
    edit: (s) => s.u8(s.section(1, 'detailTris') + 4 * 2 + 1, 5),
    says: 'vertex 1 of detail triangle 0: got 5, expected below 5',
    tile: 1,
    polygon: 2,
  },
  {
    name: 'detail vertices shared by two polygons',
    edit: (s) => s.u8(s.detail(3, 0, 8), 3) && s.header(3, 40),
    says: 'detail vertices of all polygons: got 10, expected at most 9',
    tile: 3,
  },
  {
    name: 'detail triangles shared by two polygons',
    edit: (s) => s.u8(s.detail(1, 0, 9), 2) && s.header(1, 44),
    says: 'detail triangles of all polygons: got 6, expected at most 5',
    tile: 1,
  },
  {
    name: 'BV leaf of no polygon',
    edit: (s) => s.i32(s.node(1, 1), 3),
    says: 'polygon of BV leaf 1: got 3, expected below 3',
    tile: 1,
  },
  {
    name: "BV leaf of a connection's polygon",
    edit: (s) => s.i32(s.node(0, 1), 2),
    says: 'polygon of BV leaf 1: got 2, expected below 2',
    tile: 0,
  },
  {
    name: 'BV skip past the end',
    edit: (s) => s.i32(s.node(1, 2), -5),
    says: 'skip of BV node 2: got 5, expected at most 4',
    tile: 1,
  },
  {
    name: 'BV skip of -2^31',
    edit: (s) => s.i32(s.node(1, 0), -(2 ** 31)),
    says: `skip of BV node 0: got ${2 ** 31}, expected at most 6`,
    tile: 1,
  },
];

const connectionRows: Row[] = [
  {
    name: 'start NaN',
    edit: (s) => s.f32(s.con(0, 0, 0), Number.NaN),
    says: `x of the start of off-mesh connection 0: got NaN, ${finite}`,
    tile: 0,
  },
  {
    name: 'end infinite',
    edit: (s) => s.f32(s.con(0, 1, 20), Infinity),
    says: `z of the end of off-mesh connection 1: got Infinity, ${finite}`,
    tile: 0,
  },
  {
    name: 'radius negative',
    edit: (s) => s.f32(s.con(0, 1, 24), -0.5),
    says: `radius of off-mesh connection 1: got -0.5, ${notNegative}`,
    tile: 0,
  },
  {
    name: 'polygon of another',
    edit: (s) => s.u16(s.con(0, 1, 28), 0),
    says: 'polygon of off-mesh connection 1: got 0, expected 3',
    tile: 0,
  },
  {
    name: 'side 8',
    edit: (s) => s.u8(s.con(0, 1, 31), 8),
    says: 'side of off-mesh connection 1: got 8, expected 0..7 or 255',
    tile: 0,
  },
  {
    name: 'type of its polygon',
    edit: (s) => s.u8(s.poly(0, 2, 31), 0),
    says: 'polygon type: got 0, expected 1 (off-mesh connection)',
    tile: 0,
    polygon: 2,
  },
  {
    name: 'three corners',
    edit: (s) => s.u8(s.poly(0, 2, 30), 3),
    says: 'corners: got 3, expected 2',
    tile: 0,
    polygon: 2,
  },
  {
    name: "another polygon's vertex",
    edit: (s) => s.u16(s.poly(0, 3, 6), 7),
    says: 'vertex of corner 1: got 7, expected 9',
    tile: 0,
    polygon: 3,
  },
  {
    name: 'a neighbour',
    edit: (s) => s.u16(s.poly(0, 2, 18), 1),
    says: 'neighbour of edge 1 of an off-mesh connection: got 1, expected 0',
    tile: 0,
    polygon: 2,
  },
];

let good: Uint8Array;
beforeAll(async () => {
  good = await smallMset();
});

describe.each([
  ['the set', setRows],
  ['the tile directory', directoryRows],
  ['a tile header', headerRows],
  ['vertices and polygons', polygonRows],
  ['detail meshes and BV tree', detailRows],
  ['off-mesh connections', connectionRows],
])('%s is refused for', (_what, rows) => {
  it.each(rows)('$name', ({ edit, says, tile, polygon }) => {
    const subject = new Subject(good);
    const offset = edit(subject);
    const error = thrown(() => checkMset(subject.bytes));
    const where = (tile === undefined ? '' : `tile ${tile}, `) + (polygon === undefined ? '' : `polygon ${polygon}, `);
    expect(error.message).toMatch(new RegExp(`^Bad MSET file: ${where}byte ${offset}: .*\\.$`));
    expect(error.message).toContain(`${says}.`);
    expect(error.code).toBe('BAD_FILE');
    expect(error.detail).toMatchObject({ offset });
  });
});

describe('whole files are refused', () => {
  it('shorter than a header', () => {
    expect(thrown(() => checkMset(good.slice(0, 39))).message).toBe(
      'Bad MSET file: byte 0: file size: got 39 bytes, expected at least the 40 of a header.',
    );
  });

  it('longer than the cap', () => {
    const error = thrown(() => checkMset(new Uint8Array(MAX_FILE_BYTES + 1)));
    expect(error.message).toContain(`file size: got ${MAX_FILE_BYTES + 1} bytes, expected at most ${MAX_FILE_BYTES}.`);
  });

  it('without a ground polygon', () => {
    expect(thrown(() => checkMset(tileStack(1))).message).toContain(
      'ground polygons in all tiles: got 0, expected at least 1.',
    );
  });

  it('with 33 layers at one position, while 32 are no trouble', () => {
    expect(thrown(() => checkMset(tileStack(32))).message).toContain('ground polygons in all tiles');
    expect(thrown(() => checkMset(tileStack(33))).message).toContain('layers at (0, 0): got 33, expected at most 32.');
  });

  it('with a salt that Detour masks away', () => {
    const file = tileStack(1);
    new DataView(file.buffer).setUint32(40, 0x80000001, true);
    expect(thrown(() => checkMset(file)).message).toContain(
      'salt of the tile reference: got 2147483649, expected 1..2147483647.',
    );
  });
});

describe('work of an import', () => {
  /** A load of `edges` border edges, a quarter a side, and `connections` ends inside and towards each side. */
  const load = (edges: number, connections = 0) => ({
    edges,
    borders: [edges / 4, edges / 4, edges / 4, edges / 4] as [number, number, number, number],
    detailTriangles: 255,
    innerConnections: connections,
    outerConnections: Array.from({ length: 8 }, () => connections),
  });
  const steps = (set: MsetDirectory, edges: number, connections = 0) =>
    importSteps(
      set,
      set.tiles.map(() => load(edges, connections)),
    );

  it('grows with borders times edges and is refused above the cap', () => {
    const set = checkMset(good);
    // Two neighbours a tile in this 2 x 2 map: 4 tiles x 2 sides x edges / 4 x edges comparisons.
    expect(steps(set, 400) / steps(set, 40)).toBeGreaterThan(30);
    expect(steps(set, 40)).toBeLessThan(MAX_IMPORT_STEPS / 1e5);
    const heavy = set.tiles.map(() => load(60_000));
    expect(thrown(() => checkImportWork(set, heavy)).message).toMatch(
      /^Bad MSET file: byte 8: steps to link all tiles: got \d+, expected at most 4000000000\.$/,
    );
  });

  it('grows with connections, each of which searches a tile', () => {
    const set = checkMset(good);
    expect(steps(set, 40, 1000) - steps(set, 40)).toBeGreaterThan(4 * 1000 * 255);
  });

  it('counts layers at one position against each other, and slots searched from the lowest free one', () => {
    const set = checkMset(good);
    const stacked = { ...set, tiles: set.tiles.map((tile) => ({ ...tile, header: { ...tile.header, x: 0, y: 0 } })) };
    // Three other layers, all four borders: six times the two sides of the flat map.
    expect(steps(stacked, 4000) / steps(set, 4000)).toBeGreaterThan(5);
    const params = { ...set.params, maxTiles: 65_536 };
    const last = { ...set, params, tiles: set.tiles.map((tile, t) => ({ ...tile, slot: 65_535 - t })) };
    expect(steps(last, 0) - steps(set, 0)).toBeGreaterThan(4 * 65_000);
  });
});

describe('a neighbour may have its own copy of the shared corner', () => {
  it('at the same plan position, as unwelded exports have', () => {
    const subject = new Subject(good);
    // In tile 1 polygon 0 (4, 5, 6) leads over 6 -> 4 to polygon 2. Let vertex 5, used nowhere else, become a higher twin
    // of vertex 6, and polygon 0 be (4, 0, 5).
    const verts = subject.section(1, 'verts');
    subject.bytes.copyWithin(verts + 12 * 5, verts + 12 * 6, verts + 12 * 7);
    subject.f32(verts + 12 * 5 + 4, 0.5);
    subject.u16(subject.poly(1, 0, 6), 0);
    subject.u16(subject.poly(1, 0, 8), 5);
    expect(checkMset(subject.bytes).tiles.length).toBe(4);
    const x = new DataView(subject.bytes.buffer).getFloat32(verts + 12 * 5, true);
    subject.f32(verts + 12 * 5, x + 0.25);
    expect(thrown(() => checkMset(subject.bytes)).message).toContain(
      'neighbour of edge 2: got 2, which does not lead back',
    );
  });
});

describe('what Detour ignores does not matter', () => {
  it.each<[string, (s: Subject) => unknown]>([
    ['link records', (s) => s.bytes.fill(0xff, s.section(1, 'links'), s.section(1, 'details'))],
    ['first links', (s) => s.i32(s.poly(1, 0, 0), 12345)],
    ['unused corners of a triangle', (s) => s.u16(s.poly(1, 0, 12), 999)],
    ['the user id of a tile', (s) => s.i32(s.header(1, 20), -7)],
  ])('%s', (_name, edit) => {
    const subject = new Subject(good);
    edit(subject);
    expect(equalNavMesh(readMsetFile(subject.bytes), readMsetFile(good))).toBeNull();
  });
});

function thrown(run: () => unknown): NavguardError {
  try {
    run();
  } catch (error) {
    if (error instanceof NavguardError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `n` tiles at (0, 0), layers 0.., without polygons: made by hand. */
function tileStack(n: number): Uint8Array {
  const tileBytes = 8 + 100 + 12;
  const file = new Uint8Array(40 + n * tileBytes);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x4d534554, true);
  view.setInt32(4, 1, true);
  view.setInt32(8, n, true);
  view.setFloat32(24, 1, true);
  view.setFloat32(28, 1, true);
  view.setInt32(32, n, true);
  view.setInt32(36, 1, true);
  const slotBits = Math.ceil(Math.log2(n));
  for (let t = 0; t < n; t++) {
    const at = 40 + t * tileBytes;
    view.setUint32(at, 2 ** slotBits + t, true);
    view.setInt32(at + 4, tileBytes - 8, true);
    view.setUint32(at + 8, 0x444e4156, true);
    view.setInt32(at + 12, 7, true);
    view.setInt32(at + 24, t, true);
    view.setInt32(at + 8 + 32, 1, true);
    for (let axis = 0; axis < 3; axis++) view.setFloat32(at + 8 + 84 + 4 * axis, 1, true);
  }
  return file;
}
