// The checks of each section of a hostile packed map but the links. Imported by check.ts and checklinks.ts. Sections are already known to lie inside
// the pack, in order, with the lengths of the header's counts.
import * as L from '../../assembly/layout.ts';
import { fanIds, walledVertices } from '../mesh/assemble.ts';
import { fillBins } from '../mesh/bins.ts';
import { isConvex, turn } from '../mesh/ring.ts';
import { RANGE_UNITS } from '../mesh/snap.ts';
import { expect, fail, MOST_DETAIL_TRIS, MOST_DETAIL_VERTS } from './limits.ts';
import { planeOf } from './plane.ts';

export type Sections = readonly { readonly offset: number; readonly length: number }[];

/** Polygon records read into flat arrays. */
export interface Records {
  readonly count: number;
  readonly first: Uint32Array;
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly y: Float32Array;
  readonly vertex: Uint32Array;
  readonly neighbour: Int32Array;
  readonly polygonOf: Uint32Array;
  readonly source: Uint32Array;
}

/** A whole number of units within the range. */
export function unitsAt(view: DataView, at: number, what: string): number {
  const v = view.getFloat32(at, true);
  if (!(Number.isInteger(v) && Math.abs(v) <= RANGE_UNITS)) {
    fail(what, `a whole number of at most ${RANGE_UNITS} units`, `${v}`);
  }
  return v;
}

export function finiteAt(view: DataView, at: number, what: string): number {
  const v = view.getFloat32(at, true);
  if (!Number.isFinite(v)) fail(what, 'a finite number', `${v}`);
  return v;
}

/** Number of the record at a byte offset. */
export function recordAt(
  offset: number,
  section: { offset: number; length: number },
  stride: number,
  what: string,
): number {
  const inside = offset - section.offset;
  if (inside < 0 || inside >= section.length || inside % stride !== 0) {
    fail(
      what,
      `a multiple of ${stride} in ${section.offset}..${section.offset + section.length - stride}`,
      `${offset}`,
    );
  }
  return inside / stride;
}

/** Words of 4 bytes from one offset on: a pack's records are aligned, and every machine that runs this is little-endian. */
interface Words {
  readonly f: Float32Array;
  readonly u: Uint32Array;
}

function wordsOf(view: DataView): Words {
  const { buffer, byteLength } = view;
  return { f: new Float32Array(buffer, 0, byteLength >>> 2), u: new Uint32Array(buffer, 0, byteLength >>> 2) };
}

/** 3..8 corners, exact convexity, whole shared edges, one vertex id per fan, padding lanes, bounds. */
export function checkPolygons(view: DataView, sections: Sections): Records {
  const section = sections[L.SECTION_POLYGONS];
  const count = section.length / L.POLY_STRIDE;
  const { f, u } = wordsOf(view);
  const first = new Uint32Array(count + 1);
  const begin = section.offset >>> 2;
  for (let p = 0, at = begin + (L.P_COUNT >>> 2); p < count; p++, at += WORDS) {
    const n = u[at] & 255;
    if (n < 3 || n > L.MAX_CORNERS) fail(`polygon ${p} corners`, `3 to ${L.MAX_CORNERS}`, `${n}`);
    first[p + 1] = first[p] + n;
  }
  const corners = first[count];
  const records: Records = {
    count,
    first,
    x: new Int32Array(corners),
    z: new Int32Array(corners),
    y: new Float32Array(corners),
    vertex: new Uint32Array(corners),
    neighbour: new Int32Array(corners).fill(-1),
    polygonOf: new Uint32Array(corners),
    source: new Uint32Array(count),
  };
  const { x, z, y, vertex, neighbour, polygonOf, source } = records;
  let minX = Number.POSITIVE_INFINITY;
  let minZ = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxZ = Number.NEGATIVE_INFINITY;
  for (let p = 0, at = begin; p < count; p++, at += WORDS) {
    const a = first[p];
    const n = first[p + 1] - a;
    for (let i = 0; i < n; i++) {
      const fx = f[at + X + i];
      const fz = f[at + Z + i];
      const fy = f[at + Y + i];
      const across = u[at + NEI + i];
      // Words beyond the range of an integer change when cut to one; a NaN becomes 0.
      const ix = fx | 0;
      const iz = fz | 0;
      if (ix !== fx || iz !== fz || !inRange(ix) || !inRange(iz) || !(fy - fy === 0)) checkLane(view, section, p, i);
      const c = a + i;
      x[c] = ix;
      z[c] = iz;
      y[c] = fy;
      vertex[c] = u[at + VID + i];
      polygonOf[c] = p;
      if (across !== 0) {
        const q = (across - section.offset) / L.POLY_STRIDE;
        if (!(q >= 0 && q < count) || Math.floor(q) !== q) {
          recordAt(across, section, L.POLY_STRIDE, `polygon ${p} lane ${i} neighbour`);
        }
        neighbour[c] = q;
      }
      if (ix < minX) minX = ix;
      if (ix > maxX) maxX = ix;
      if (iz < minZ) minZ = iz;
      if (iz > maxZ) maxZ = iz;
    }
    for (let i = n; i < L.MAX_CORNERS; i++) {
      if (
        f[at + X + i] !== x[a] ||
        f[at + Z + i] !== z[a] ||
        f[at + Y + i] !== y[a] ||
        u[at + VID + i] !== vertex[a] ||
        u[at + NEI + i] !== 0
      ) {
        checkSpareLane(view, section, records, p, i);
      }
    }
    if (!isConvex(x, z, a, n)) {
      fail(`polygon ${p}`, 'a convex counter-clockwise ring with an area', 'another ring');
    }
    if (u[at + (L.P_ID >>> 2)] !== p) expect(u[at + (L.P_ID >>> 2)], p, `polygon ${p} id`);
    source[p] = u[at + (L.P_SOURCE >>> 2)];
  }
  const bounds = [minX, minZ, maxX, maxZ];
  [L.H_MIN_X, L.H_MIN_Z, L.H_MAX_X, L.H_MAX_Z].forEach((at, i) => {
    expect(view.getFloat64(at, true), bounds[i], `bound ${'x z X Z'.split(' ')[i]}`);
  });
  checkEdges(view, records);
  return records;
}

/** A record and its lanes, in words. */
const WORDS = L.POLY_STRIDE >>> 2;
const X = L.P_X >>> 2;
const Z = L.P_Z >>> 2;
const Y = L.P_Y >>> 2;
const NEI = L.P_NEI >>> 2;
const VID = L.P_VID >>> 2;

function inRange(units: number): boolean {
  return units >= -RANGE_UNITS && units <= RANGE_UNITS;
}

/** Says what is wrong with a corner; only called when something is. */
function checkLane(view: DataView, section: { offset: number }, p: number, i: number): void {
  const at = section.offset + p * L.POLY_STRIDE + 4 * i;
  unitsAt(view, at + L.P_X, `polygon ${p} lane ${i} x`);
  unitsAt(view, at + L.P_Z, `polygon ${p} lane ${i} z`);
  finiteAt(view, at + L.P_Y, `polygon ${p} lane ${i} height`);
}

function checkSpareLane(view: DataView, section: { offset: number }, records: Records, p: number, i: number): void {
  const at = section.offset + p * L.POLY_STRIDE + 4 * i;
  const a = records.first[p];
  const lane = `polygon ${p} lane ${i}`;
  expect(view.getFloat32(at + L.P_X, true), records.x[a], `${lane} x (a spare lane repeats corner 0)`);
  expect(view.getFloat32(at + L.P_Z, true), records.z[a], `${lane} z (a spare lane repeats corner 0)`);
  expect(view.getFloat32(at + L.P_Y, true), records.y[a], `${lane} height (a spare lane repeats corner 0)`);
  expect(view.getUint32(at + L.P_VID, true), records.vertex[a], `${lane} vertex id (a spare lane repeats corner 0)`);
  expect(view.getUint32(at + L.P_NEI, true), 0, `${lane} neighbour (a spare lane has none)`);
}

/** Every neighbour shares the whole edge in reverse and names this polygon back; vertex ids are those of the fans. */
function checkEdges(view: DataView, records: Records): void {
  const { first, x, z, neighbour } = records;
  const twin = new Int32Array(x.length).fill(-1);
  for (let p = 0; p < records.count; p++) {
    const a = first[p];
    const end = first[p + 1];
    for (let c = a; c < end; c++) {
      const q = neighbour[c];
      if (q < 0 || twin[c] >= 0) continue;
      const d = c + 1 === end ? a : c + 1;
      const last = first[q + 1] - 1;
      // A convex ring has each directed edge once, so there is at most one candidate, and it is one both ways.
      for (let e = first[q], before = last; e <= last; before = e++) {
        if (x[e] !== x[c] || z[e] !== z[c] || x[before] !== x[d] || z[before] !== z[d]) continue;
        if (neighbour[before] !== p) continue;
        twin[c] = before;
        twin[before] = c;
      }
      if (twin[c] < 0) {
        fail(`polygon ${p} edge ${c - a}`, `polygon ${q} to share it and name ${p} back`, 'no such edge there');
      }
    }
  }
  const { vertex, count } = fanIds({ ...records, twin });
  expect(view.getUint32(L.H_VERTICES, true), count, 'vertex ids');
  for (let c = 0; c < vertex.length; c++) {
    if (records.vertex[c] !== vertex[c]) {
      const p = records.polygonOf[c];
      fail(`polygon ${p} corner ${c - first[p]} vertex id`, `${vertex[c]} (one per fan)`, `${records.vertex[c]}`);
    }
  }
  const walled = walledVertices({ ...records, vertexCount: count });
  const bytes = new Uint8Array(view.buffer);
  for (let p = 0, at = L.H_END + L.P_CORNERS; p < records.count; p++, at += L.POLY_STRIDE) {
    let bits = 0;
    for (let c = first[p]; c < first[p + 1]; c++) bits |= walled[vertex[c]] << (c - first[p]);
    if (bytes[at] !== bits) expect(bytes[at], bits, `polygon ${p} corners at walls`);
  }
}

/** Detail meshes tile their sections in order; triangles stay inside; heights are finite and enclosed. */
export function checkDetails(view: DataView, sections: Sections, records: Records): void {
  const { f, u } = wordsOf(view);
  const bytes = new Uint8Array(view.buffer);
  const index = sections[L.SECTION_DETAIL_INDEX];
  const verts = sections[L.SECTION_DETAIL_VERTS];
  const tris = sections[L.SECTION_DETAIL_TRIS];
  const count = index.length / L.DETAIL_STRIDE;
  const low = new Float64Array(count);
  const high = new Float64Array(count);
  let vertAt = verts.offset;
  let triAt = tris.offset;
  for (let d = 0, at = index.offset >>> 2; d < count; d++, at += L.DETAIL_STRIDE >>> 2) {
    const n = u[at + (L.D_VERT_COUNT >>> 2)];
    const m = u[at + (L.D_TRI_COUNT >>> 2)];
    if (u[at] !== vertAt) expect(u[at], vertAt, `detail ${d} vertices begin`);
    if (u[at + 1] !== triAt) expect(u[at + 1], triAt, `detail ${d} triangles begin`);
    if (n < 3 || n > MOST_DETAIL_VERTS) fail(`detail ${d} vertices`, `3 to ${MOST_DETAIL_VERTS}`, `${n}`);
    if (m < 1 || m > MOST_DETAIL_TRIS) fail(`detail ${d} triangles`, `1 to ${MOST_DETAIL_TRIS}`, `${m}`);
    if (vertAt + n * L.DETAIL_VERT_STRIDE > verts.offset + verts.length) {
      fail(`detail ${d} vertices`, 'to end inside their section', `${n}`);
    }
    if (triAt + m * L.DETAIL_TRI_STRIDE > tris.offset + tris.length) {
      fail(`detail ${d} triangles`, 'to end inside their section', `${m}`);
    }
    const from = vertAt >>> 2;
    const to = from + 3 * n;
    let bottom = Number.POSITIVE_INFINITY;
    let top = Number.NEGATIVE_INFINITY;
    for (let v = from; v < to; v += 3) {
      const x = f[v];
      const y = f[v + 1];
      const z = f[v + 2];
      if ((x | 0) !== x || (z | 0) !== z || !inRange(x) || !inRange(z) || !(y - y === 0)) {
        const which = `detail ${d} vertex ${(v - from) / 3}`;
        unitsAt(view, 4 * v, `${which} x`);
        unitsAt(view, 4 * v + 8, `${which} z`);
        finiteAt(view, 4 * v + 4, `${which} height`);
      }
      if (y < bottom) bottom = y;
      if (y > top) top = y;
    }
    vertAt += n * L.DETAIL_VERT_STRIDE;
    low[d] = bottom;
    high[d] = top;
    const plane = planeOf(f, from, to);
    if (
      !Object.is(f[at + (L.D_SLOPE_X >>> 2)], plane.slopeX) ||
      !Object.is(f[at + (L.D_SLOPE_Z >>> 2)], plane.slopeZ) ||
      !Object.is(f[at + (L.D_LEVEL >>> 2)], plane.level) ||
      !Object.is(f[at + (L.D_SPREAD >>> 2)], plane.spread)
    ) {
      const wanted = [plane.slopeX, plane.slopeZ, plane.level, plane.spread];
      const stored = [L.D_SLOPE_X, L.D_SLOPE_Z, L.D_LEVEL, L.D_SPREAD].map((field) => f[at + (field >>> 2)]);
      fail(`detail ${d} plane`, `${wanted.join(', ')} from its vertices`, stored.join(', '));
    }
    for (let t = 0; t < m; t++, triAt += L.DETAIL_TRI_STRIDE) {
      const a = bytes[triAt];
      const b = bytes[triAt + 1];
      const c = bytes[triAt + 2];
      if (a >= n || b >= n || c >= n) fail(`detail ${d} triangle ${t}`, `vertices below ${n}`, `${a}, ${b}, ${c}`);
      if (bytes[triAt + 3] !== 0) expect(bytes[triAt + 3], 0, `detail ${d} triangle ${t} fourth byte`);
      const i = from + 3 * a;
      const j = from + 3 * b;
      const k = from + 3 * c;
      if (turn(f[i], f[i + 2], f[j], f[j + 2], f[k], f[k + 2]) < 0) {
        fail(`detail ${d} triangle ${t}`, 'counter-clockwise', 'clockwise');
      }
    }
  }
  expect(vertAt, verts.offset + verts.length, 'end of the detail vertices');
  expect(triAt, tris.offset + tris.length, 'end of the detail triangles');

  let minY = Number.POSITIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  const { first, y } = records;
  for (let p = 0, at = sections[L.SECTION_POLYGONS].offset >>> 2; p < records.count; p++, at += WORDS) {
    const offset = u[at + (L.P_DETAIL >>> 2)];
    const d = (offset - index.offset) / L.DETAIL_STRIDE;
    if (!(d >= 0 && d < count) || Math.floor(d) !== d) {
      recordAt(offset, index, L.DETAIL_STRIDE, `polygon ${p} detail`);
    }
    let bottom = low[d];
    let top = high[d];
    for (let c = first[p]; c < first[p + 1]; c++) {
      if (y[c] < bottom) bottom = y[c];
      if (y[c] > top) top = y[c];
    }
    const lowest = f[at + (L.P_YMIN >>> 2)];
    const highest = f[at + (L.P_YMAX >>> 2)];
    if (lowest !== bottom) expect(lowest, bottom, `polygon ${p} lowest height`);
    if (highest !== top) expect(highest, top, `polygon ${p} highest height`);
    if (bottom < minY) minY = bottom;
    if (top > maxY) maxY = top;
  }
  expect(view.getFloat64(L.H_MIN_Y, true), minY, 'lowest height');
  expect(view.getFloat64(L.H_MAX_Y, true), maxY, 'highest height');
}

/** The locate grid covers the map, and each cell lists exactly the polygons that touch it: a gap would lose players. */
export function checkGrid(view: DataView, sections: Sections, records: Records): void {
  const u32 = (at: number) => view.getUint32(at, true);
  const f64 = (at: number) => view.getFloat64(at, true);
  const starts = sections[L.SECTION_CELL_START];
  const lists = sections[L.SECTION_CELL_LIST];
  const grid = {
    x: f64(L.H_GRID_X),
    z: f64(L.H_GRID_Z),
    cell: f64(L.H_GRID_CELL),
    width: u32(L.H_GRID_W),
    height: u32(L.H_GRID_H),
  };
  if (!(grid.cell >= 1 && grid.cell <= 2 ** 30 && Number.isInteger(Math.log2(grid.cell)))) {
    fail('grid cell', 'a power of two of 1 to 2^30 units', `${grid.cell}`);
  }
  expect(f64(L.H_GRID_INV), 1 / grid.cell, 'inverse of the grid cell');
  for (const [name, low, side, least, most] of [
    ['x', grid.x, grid.width, f64(L.H_MIN_X), f64(L.H_MAX_X)],
    ['z', grid.z, grid.height, f64(L.H_MIN_Z), f64(L.H_MAX_Z)],
  ] as const) {
    if (!(Number.isInteger(low) && low >= -(2 ** 30) && low <= least)) {
      fail(`grid ${name}`, `a whole number of -2^30 to ${least}`, `${low}`);
    }
    if (side < 1) fail(`grid cells in ${name}`, 'at least 1', `${side}`);
    if (low + side * grid.cell < most) fail(`grid ${name}`, `to reach ${most}`, `${low + side * grid.cell}`);
  }
  const entries = lists.length / 4;
  const bins = fillBins(records, grid, entries);
  if (bins === null || bins.list.length !== entries) {
    fail('grid lists', 'one entry per polygon and touched cell', `${entries} entries`);
  }
  const { u } = wordsOf(view);
  for (let i = 0, at = starts.offset >>> 2; i < bins.start.length; i++, at++) {
    if (u[at] !== bins.start[i]) expect(u[at], bins.start[i], `grid cell ${i} begins`);
  }
  for (let i = 0, at = lists.offset >>> 2; i < entries; i++, at++) {
    if (u[at] !== bins.list[i]) expect(u[at], bins.list[i], `grid entry ${i}`);
  }
  expect(u32(L.H_MAX_LIST), bins.longest, 'longest grid list');
}
