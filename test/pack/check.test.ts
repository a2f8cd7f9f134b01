// Hostile packed maps: every clause of the check refuses a pack that breaks it alone; every flipped byte is refused or
// leaves a map that is safe to ask.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { createKernel } from '../../src/kernel/index.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { packInfo } from '../../src/pack/view.ts';
import { box, meshOf } from '../mesh/handmade.ts';
import { random } from '../oracle/random.ts';
import { rehash } from './rehash.ts';

/** Three boxes with a T-junction, an island and a link: every section has something in it. */
const MESH: NavMesh = {
  ...meshOf([box(0, 0, 10, 10), box(10, 0, 20, 4, 1), box(10, 4, 20, 10, 1), box(30, 0, 40, 10, 1, 1)], {
    portals: [
      [0, 1],
      [0, 2],
    ],
    links: [
      { from: [4.5, 0, 1], to: [8, 1, 1], radius: 0.5, bidirectional: true, area: 3, flags: 1, userId: 9, tile: 1 },
      { from: [4.5, 0, 1], to: [90, 0, 1], radius: 0.5, bidirectional: false, area: 0, flags: 1, userId: 0, tile: 1 },
    ],
  }),
  // One extra detail vertex in the middle of polygon 0: four triangles, one of them given clockwise.
  detailFirstVertex: Uint32Array.from([0, 1, 1, 1, 1]),
  detailVertices: Float32Array.from([1.25, 0.25, 1.25]),
  detailFirstTriangle: Uint32Array.from([0, 4, 4, 4, 4]),
  detailTriangles: Uint8Array.from([0, 1, 4, 1, 2, 4, 3, 2, 4, 3, 0, 4]),
};
const PACK = pack(MESH, conform(MESH));

const u32 = (at: number) => new DataView(PACK).getUint32(at, true);
const TABLE = 232;
const at = (section: number) => u32(TABLE + 8 * section);
const [POLYS, DETAILS, VERTS, TRIS, STARTS, LIST, LINKS, INFO] = [0, 1, 2, 3, 4, 5, 6, 7].map(at);

/** The link's first end stands in polygon 1, a unit beside the border at this z. */
const RIM = new DataView(PACK).getFloat32(LINKS + 8, true) + 1;

function mutated(change: (view: DataView) => unknown): ArrayBuffer {
  const copy = PACK.slice(0);
  change(new DataView(copy));
  return copy;
}
const put32 = (at: number, value: number) => (view: DataView) => view.setUint32(at, value, true);
const putF = (at: number, value: number) => (view: DataView) => view.setFloat32(at, value, true);
const putD = (at: number, value: number) => (view: DataView) => view.setFloat64(at, value, true);
const put8 = (at: number, value: number) => (view: DataView) => view.setUint8(at, value);
const add32 = (at: number, by: number) => (view: DataView) => view.setUint32(at, view.getUint32(at, true) + by, true);
const swapU32 = (a: number, b: number) => (view: DataView) => {
  const one = view.getUint32(a, true);
  view.setUint32(a, view.getUint32(b, true), true);
  view.setUint32(b, one, true);
};

test('the pack itself passes, and says what it is', () => {
  checkPack(PACK);
  const info = packInfo(PACK);
  expect(info.polygons).toBe(4);
  expect(info.sourcePolygons).toBe(4);
  expect(info.components).toBe(1);
  expect(info.links).toBe(2);
  expect(info.area).toBeCloseTo((100 + 100 + 100) / 16, 12);
  expect(info.bounds).toEqual({ min: [0, 0, 0], max: [10, 1, 2.5] });
  expect(info.findings.map((f) => f.kind)).toEqual(['split-edge', 'unlinked-link']);
  expect(info.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('the same mesh packs to the same bytes', () => {
  expect(new Uint8Array(pack(MESH, conform(MESH)))).toEqual(new Uint8Array(PACK));
});

test('a wrong hash is its own sentence', () => {
  expect(() => checkPack(mutated(put8(POLYS + 96, 6)))).toThrow(/content hash .*damaged or edited/);
});

test('every prefix is refused', () => {
  for (let length = 0; length < PACK.byteLength; length++) {
    expect(() => checkPack(PACK.slice(0, length))).toThrow(NavguardError);
  }
});

describe('one broken clause each, hash made right', () => {
  const cases: [string, (view: DataView) => unknown, RegExp][] = [
    ['magic', put32(0, 0x12345678), /magic: expected 0x4b50474e, got 0x12345678/],
    ['version', put32(4, 2), /format version: expected 1, got 2/],
    ['length', put32(8, 8), /length: expected 8 bytes, as its header says, got \d+/],
    ['section count', put32(12, 7), /number of sections: expected 8, got 7/],
    ['no polygons', put32(48, 0), /polygons: expected at least 1, got 0/],
    ['polygon count', add32(48, 1), /section polygons: length/],
    ['polygon count of 4 billion', put32(48, 0xffffffff), /section polygons: length/],
    ['vertex ids', add32(52, 1), /vertex ids/],
    ['components', add32(56, 1), /components/],
    ['link count', add32(60, 1), /section links: length/],
    ['detail count', add32(64, 1), /section detail index: length/],
    ['grid width', add32(68, 1), /section cell starts: length/],
    ['grid height 0', put32(72, 0), /section cell starts: length/],
    ['longest list', add32(76, 1), /longest grid list/],
    ['origin not finite', putD(80, Number.NaN), /origin x/],
    ['unit zero', putD(96, 0), /unit/],
    ['unit negative', putD(96, -1), /unit/],
    ['inverse of the unit', putD(104, 1023), /inverse of the unit/],
    ['grid corner off whole numbers', putD(112, -1e3 - 0.5), /grid x/],
    ['grid corner inside the map', putD(112, 1e6), /grid x/],
    ['grid corner far out', putD(120, -(2 ** 40)), /grid z/],
    ['grid cell no power of two', putD(128, 1000), /grid cell/],
    ['grid cell not finite', putD(128, Number.POSITIVE_INFINITY), /grid cell/],
    ['grid inverse', putD(136, 0.5), /inverse of the grid cell/],
    ['bounds', putD(144, -9999), /bound x/],
    ['upper bounds', putD(168, 9999), /bound Z/],
    ['lowest height', putD(176, -1), /lowest height/],
    ['highest height', putD(184, 0.5), /highest height/],
    ['cell size', putD(192, -0.1), /cell size/],
    ['cell height', putD(200, Number.NaN), /cell height/],
    ['agent height', putD(208, Number.NEGATIVE_INFINITY), /agent height/],
    ['agent radius', putD(216, -1), /agent radius/],
    ['agent climb', putD(224, Number.NaN), /agent climb/],
    ['section offset', add32(TABLE, 8), /section polygons: offset/],
    ['sections overlap', put32(TABLE + 8 * 5, STARTS), /section cell lists: offset/],
    ['section length', add32(TABLE + 8 * 2 + 4, 12), /section detail triangles: offset|end/],
    ['section beyond the end', put32(TABLE + 8 * 7 + 4, 0x7fffffff), /section info: end/],
    ['reserved header bytes', put8(300, 1), /reserved byte 300/],
    ['corner count 2', put8(POLYS + 96, 2), /polygon 0 corners: expected 3 to 8, got 2/],
    ['corner count 9', put8(POLYS + 96, 9), /polygon 0 corners/],
    ['corner count one less', put8(POLYS + 96, 4), /polygon 0 lane 4/],
    ['corner not whole', putF(POLYS, 0.5), /lane 0 x: expected a whole number/],
    ['corner not finite', putF(POLYS + 32, Number.NaN), /lane 0 z: expected a whole number/],
    ['corner out of range', putF(POLYS, 2 ** 25), /lane 0 x/],
    ['corner height', putF(POLYS + 160, Number.POSITIVE_INFINITY), /lane 0 height/],
    ['not convex', (v) => [POLYS, POLYS + 32].map((at) => swapU32(at + 4, at + 8)(v)), /convex/],
    ['spare lane x', putF(POLYS + 28, 7), /spare lane repeats corner 0/],
    ['spare lane z', putF(POLYS + 32 + 28, 7), /spare lane repeats corner 0/],
    ['spare lane neighbour', put32(POLYS + 64 + 28, POLYS), /spare lane has none/],
    ['spare lane vertex id', put32(POLYS + 128 + 28, 3), /spare lane repeats corner 0/],
    ['spare lane height', putF(POLYS + 160 + 28, 3), /spare lane repeats corner 0/],
    ['neighbour into the header', (v) => putNeighbour(v, 8), /neighbour: expected a multiple of 192/],
    ['neighbour between records', (v) => putNeighbour(v, POLYS + 191), /neighbour: expected a multiple of 192/],
    ['neighbour past the records', (v) => putNeighbour(v, POLYS + 4 * 192), /neighbour: expected a multiple of 192/],
    ['neighbour itself', (v) => putNeighbour(v, POLYS), /expected polygon 0 to share it/],
    ['neighbour elsewhere', (v) => putNeighbour(v, POLYS + 3 * 192), /expected polygon 3 to share it/],
    ['neighbour forgotten on one side', (v) => putNeighbour(v, 0), /to share it and name/],
    ['vertex id', put32(POLYS + 128, 99), /vertex id|spare/],
    ['two vertex ids swapped', swapU32(POLYS + 132, POLYS + 136), /one per fan/],
    ['component', put32(POLYS + 100, 1), /polygon 0 component: expected 0, got 1/],
    ['polygon id', put32(POLYS + 108, 2), /polygon 0 id/],
    ['corners at walls', put32(POLYS + 124, 0), /corners at walls/],
    ['corners at walls, spare lanes', add32(POLYS + 124, 128), /corners at walls/],
    ['source', put32(POLYS + 120, 4), /polygon 0 source: expected below 4, got 4/],
    ['lowest height of a polygon', putF(POLYS + 112, 0.1), /polygon 0 lowest height/],
    ['highest height of a polygon', putF(POLYS + 116, Number.NaN), /polygon 0 highest height/],
    ['detail offset off the index', put32(POLYS + 104, DETAILS - 16), /polygon 0 detail/],
    ['detail offset between entries', put32(POLYS + 104, DETAILS + 4), /polygon 0 detail/],
    ['detail vertices begin', add32(DETAILS, 4), /detail 0 vertices begin/],
    ['detail triangles begin', add32(DETAILS + 4, 4), /detail 0 triangles begin/],
    ['detail vertex count', put32(DETAILS + 8, 257), /detail 0 vertices/],
    ['detail vertex count too small', put32(DETAILS + 8, 2), /detail 0 vertices/],
    ['detail triangle count 0', put32(DETAILS + 12, 0), /detail 0 triangles/],
    ['detail triangle count', put32(DETAILS + 12, 400), /detail 0 triangles/],
    ['detail plane', add32(DETAILS + 16, 1), /detail 0 plane: expected .* from its vertices/],
    ['detail spread', add32(DETAILS + 32 + 28, 1), /detail 1 plane/],
    ['detail triangles left over', add32(DETAILS + 3 * 32 + 12, -1), /end of the detail triangles/],
    ['detail vertex x', putF(VERTS, 1e9), /detail 0 vertex 0 x/],
    ['detail vertex z', putF(VERTS + 8, 0.25), /detail 0 vertex 0 z/],
    ['detail vertex height', putF(VERTS + 4, Number.NaN), /detail 0 vertex 0 height/],
    ['detail vertex height out of the bounds', putF(VERTS + 4, 5), /detail 0 plane/],
    ['triangle corner', put8(TRIS, 5), /detail 0 triangle 0: expected vertices below 5/],
    ['triangle fourth byte', put8(TRIS + 3, 1), /fourth byte/],
    ['triangle clockwise', (v) => swap8(v, TRIS, TRIS + 1), /counter-clockwise/],
    ['cell start', add32(STARTS + 4, 1), /grid cell 1 begins/],
    ['first cell start', put32(STARTS, 1), /grid cell 0 begins/],
    ['list entry', put32(LIST, 3), /grid entry 0/],
    ['list entry past the polygons', put32(LIST + 4, 4), /grid entry 1/],
    ['link position', putF(LINKS, Number.NaN), /link 0 position/],
    ['link position not whole', putF(LINKS + 8, 0.5), /link 0 position/],
    ['link height', putF(LINKS + 4, Number.POSITIVE_INFINITY), /link 0 height/],
    ['link radius', putF(LINKS + 24, -1), /link 0 radius/],
    ['link flags', put32(LINKS + 28, 2), /link 0 flags/],
    ['link polygon', put32(LINKS + 32, POLYS + 1), /link 0 polygon/],
    ['link polygon far out', put32(LINKS + 36, 0xffffff40), /link 0 polygon/],
    ['link end outside of its polygon', putF(LINKS, 9000), /link 0 position: expected strictly inside polygon 1/],
    ['link end on the rim of its polygon', putF(LINKS + 8, RIM), /link 0 position: expected strictly inside polygon 1/],
    ['link end named of a neighbour', put32(LINKS + 32, POLYS), /link 0 position: expected strictly inside polygon 0/],
    ['link end forgotten', put32(LINKS + 36, 0), /link 0 state: expected 0, got 3/],
    ['link that changes the components', (v) => [36, 56].map((f) => put32(LINKS + f, 0)(v)), /next end|first link end/],
    ['link chain that turns back', put32(LINKS + 48, 1), /link 0 next end: expected 0, got 1/],
    ['link chain past the links', put32(LINKS + 52, 9), /link 0 next end/],
    ['link chain begins elsewhere', put8(POLYS + 192 + 125, 3), /polygon 1 first link end: expected 1, got 3/],
    ['link chain left out', put8(POLYS + 192 + 125, 0), /polygon 1 first link end: expected 1, got 0/],
    ['link chain of a polygon without links', put8(POLYS + 125, 1), /polygon 0 first link end/],
    ['link state', put32(LINKS + 56, 1), /link 0 state: expected 3, got 1/],
    ['link made one-way', put32(LINKS + 28, 0), /link 0 state: expected 1, got 3/],
    ['link cost', put32(LINKS + 60, 0x3f800000), /link 0 cost: expected 0, more than 1/],
    ['link area', put32(LINKS + 40, 256), /link 0 area/],
    ['info not JSON', put8(INFO, 0x7d), /info: expected UTF-8 JSON/],
    ['info not UTF-8', put8(INFO + 12, 0xff), /info: expected UTF-8 JSON/],
  ];

  /** Changes the first neighbour of polygon 0. */
  function putNeighbour(view: DataView, value: number): void {
    for (let i = 0; i < 8; i++) {
      const lane = POLYS + 64 + 4 * i;
      if (view.getUint32(lane, true) === 0) continue;
      view.setUint32(lane, value, true);
      return;
    }
  }
  function swap8(view: DataView, a: number, b: number): void {
    const one = view.getUint8(a);
    view.setUint8(a, view.getUint8(b));
    view.setUint8(b, one);
  }

  test.each(cases)('%s', (_, change, says) => {
    const buffer = rehash(mutated(change));
    expect(new Uint8Array(buffer)).not.toEqual(new Uint8Array(PACK));
    expect(() => checkPack(buffer)).toThrow(NavguardError);
    expect(() => checkPack(buffer)).toThrow(says);
  });

  test.each([
    ['a missing list entry', 'drop'],
    ['a list entry too many', 'add'],
  ])('%s', (_, kind) => {
    // Lists of another length: the sections after them move, so the pack is put together anew.
    const lists = u32(TABLE + 8 * 5 + 4) / 4 + (kind === 'drop' ? -1 : 1);
    const shift = Math.ceil((LIST + 4 * lists) / 8) * 8 - LINKS;
    const buffer = new ArrayBuffer(PACK.byteLength + shift);
    const bytes = new Uint8Array(buffer);
    bytes.set(new Uint8Array(PACK, 0, Math.min(LIST + 4 * lists, LINKS)));
    bytes.set(new Uint8Array(PACK, LINKS), LINKS + shift);
    const view = new DataView(buffer);
    view.setUint32(8, buffer.byteLength, true);
    view.setUint32(TABLE + 8 * 5 + 4, 4 * lists, true);
    view.setUint32(TABLE + 8 * 6, LINKS + shift, true);
    view.setUint32(TABLE + 8 * 7, INFO + shift, true);
    const cells = u32(68) * u32(72);
    view.setUint32(STARTS + 4 * cells, lists, true);
    expect(() => checkPack(rehash(buffer))).toThrow(/grid/);
  });
});

test('every byte flipped: refused by the hash', () => {
  const copy = PACK.slice(0);
  const bytes = new Uint8Array(copy);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] ^= 1 << (i % 8);
    expect(() => checkPack(copy), `byte ${i}`).toThrow(NavguardError);
    bytes[i] ^= 1 << (i % 8);
  }
  checkPack(copy);
});

/** Bytes whose value is forced by the rest of the pack. */
function isStructure(i: number): boolean {
  const inPolygon = (i - POLYS) % 192;
  return (
    i < 80 ||
    (i >= TABLE && i < POLYS) ||
    (i >= POLYS &&
      i < DETAILS &&
      // Neighbours and count; component, detail, id; corners at walls and vertex ids.
      ((inPolygon >= 64 && inPolygon <= 96) ||
        (inPolygon >= 100 && inPolygon < 112) ||
        (inPolygon >= 124 && inPolygon < 160))) ||
    (i >= DETAILS && i < VERTS) ||
    (i >= STARTS && i < LINKS) ||
    // Chains and states. (Which polygon an unlinked link's other end is on is only information, and so are costs.)
    (i >= LINKS && i < INFO && (i - LINKS) % 64 >= 48 && (i - LINKS) % 64 < 60)
  );
}

test('every bit flipped, hash made right: refused, or a map that can be asked anything', () => {
  const kernel = createKernel('twin');
  let refused = 0;
  let passed = 0;
  const next = random(5);
  for (let i = 0; i < PACK.byteLength; i++) {
    for (let bit = 0; bit < 8; bit++) {
      if (i >= 16 && i < 48) continue;
      const buffer = mutated((view) => view.setUint8(i, view.getUint8(i) ^ (1 << bit)));
      rehash(buffer);
      try {
        checkPack(buffer);
      } catch (error) {
        expect(error, `byte ${i} bit ${bit}`).toBeInstanceOf(NavguardError);
        refused++;
        continue;
      }
      passed++;
      expect(isStructure(i), `byte ${i} bit ${bit} passed`).toBe(false);
      packInfo(buffer);
      if (bit !== 0) continue;
      kernel.load(buffer);
      for (let q = 0; q < 4; q++) {
        kernel.input.set([next() * 12 - 1, 0, next() * 4 - 1, next() * 12 - 1, 0, next() * 4 - 1, 1, 3, 0.2, 50, 4096]);
        kernel.corridor(0xffffffff);
        expect(kernel.ray(0xffffffff)).toBeLessThanOrEqual(8);
      }
    }
  }
  // What may pass: area, flags, user ids, the agent's sizes, heights of inner detail vertices, words of the notes.
  expect(refused).toBeGreaterThan(passed);
  expect(passed).toBeGreaterThan(0);
});
