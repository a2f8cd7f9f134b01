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

/** 3..8 corners, exact convexity, whole shared edges, one vertex id per fan, padding lanes, bounds. */
export function checkPolygons(view: DataView, sections: Sections): Records {
  const section = sections[L.SECTION_POLYGONS];
  const count = section.length / L.POLY_STRIDE;
  const u32 = (at: number) => view.getUint32(at, true);
  const first = new Uint32Array(count + 1);
  for (let p = 0; p < count; p++) {
    const n = view.getUint8(section.offset + p * L.POLY_STRIDE + L.P_COUNT);
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
  const bounds = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let p = 0; p < count; p++) {
    const at = section.offset + p * L.POLY_STRIDE;
    const a = first[p];
    const n = first[p + 1] - a;
    for (let i = 0; i < L.MAX_CORNERS; i++) {
      const lane = `polygon ${p} lane ${i}`;
      const x = unitsAt(view, at + L.P_X + 4 * i, `${lane} x`);
      const z = unitsAt(view, at + L.P_Z + 4 * i, `${lane} z`);
      const y = finiteAt(view, at + L.P_Y + 4 * i, `${lane} height`);
      const id = u32(at + L.P_VID + 4 * i);
      const across = u32(at + L.P_NEI + 4 * i);
      if (i >= n) {
        expect(x, records.x[a], `${lane} x (a spare lane repeats corner 0)`);
        expect(z, records.z[a], `${lane} z (a spare lane repeats corner 0)`);
        expect(y, records.y[a], `${lane} height (a spare lane repeats corner 0)`);
        expect(id, records.vertex[a], `${lane} vertex id (a spare lane repeats corner 0)`);
        expect(across, 0, `${lane} neighbour (a spare lane has none)`);
        continue;
      }
      const c = a + i;
      records.x[c] = x;
      records.z[c] = z;
      records.y[c] = y;
      records.vertex[c] = id;
      records.polygonOf[c] = p;
      if (across !== 0) records.neighbour[c] = recordAt(across, section, L.POLY_STRIDE, `${lane} neighbour`);
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], z);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], z);
    }
    if (!isConvex(records.x, records.z, a, n)) {
      fail(`polygon ${p}`, 'a convex counter-clockwise ring with an area', 'another ring');
    }
    expect(u32(at + L.P_ID), p, `polygon ${p} id`);
    records.source[p] = u32(at + L.P_SOURCE);
  }
  [L.H_MIN_X, L.H_MIN_Z, L.H_MAX_X, L.H_MAX_Z].forEach((at, i) => {
    expect(view.getFloat64(at, true), bounds[i], `bound ${'x z X Z'.split(' ')[i]}`);
  });
  checkEdges(view, records);
  return records;
}

/** Every neighbour shares the whole edge in reverse and names this polygon back; vertex ids are those of the fans. */
function checkEdges(view: DataView, records: Records): void {
  const { first, x, z, neighbour } = records;
  const twin = new Int32Array(x.length).fill(-1);
  for (let p = 0; p < records.count; p++) {
    for (let c = first[p]; c < first[p + 1]; c++) {
      const q = neighbour[c];
      if (q < 0) continue;
      const d = c + 1 === first[p + 1] ? first[p] : c + 1;
      // A convex ring has each directed edge once, so there is at most one candidate.
      for (let e = first[q]; e < first[q + 1]; e++) {
        const f = e + 1 === first[q + 1] ? first[q] : e + 1;
        if (x[e] === x[d] && z[e] === z[d] && x[f] === x[c] && z[f] === z[c] && neighbour[e] === p) twin[c] = e;
      }
      if (twin[c] < 0) {
        fail(`polygon ${p} edge ${c - first[p]}`, `polygon ${q} to share it and name ${p} back`, 'no such edge there');
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
  for (let p = 0; p < records.count; p++) {
    let bits = 0;
    for (let c = first[p]; c < first[p + 1]; c++) bits |= walled[vertex[c]] << (c - first[p]);
    expect(view.getUint8(L.H_END + p * L.POLY_STRIDE + L.P_CORNERS), bits, `polygon ${p} corners at walls`);
  }
}

/** Detail meshes tile their sections in order; triangles stay inside; heights are finite and enclosed. */
export function checkDetails(view: DataView, sections: Sections, records: Records): void {
  const u32 = (at: number) => view.getUint32(at, true);
  const index = sections[L.SECTION_DETAIL_INDEX];
  const verts = sections[L.SECTION_DETAIL_VERTS];
  const tris = sections[L.SECTION_DETAIL_TRIS];
  const count = index.length / L.DETAIL_STRIDE;
  const low = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  let vertAt = verts.offset;
  let triAt = tris.offset;
  for (let d = 0; d < count; d++) {
    const at = index.offset + d * L.DETAIL_STRIDE;
    const n = u32(at + L.D_VERT_COUNT);
    const m = u32(at + L.D_TRI_COUNT);
    expect(u32(at + L.D_VERTS), vertAt, `detail ${d} vertices begin`);
    expect(u32(at + L.D_TRIS), triAt, `detail ${d} triangles begin`);
    if (n < 3 || n > MOST_DETAIL_VERTS) fail(`detail ${d} vertices`, `3 to ${MOST_DETAIL_VERTS}`, `${n}`);
    if (m < 1 || m > MOST_DETAIL_TRIS) fail(`detail ${d} triangles`, `1 to ${MOST_DETAIL_TRIS}`, `${m}`);
    if (vertAt + n * L.DETAIL_VERT_STRIDE > verts.offset + verts.length) {
      fail(`detail ${d} vertices`, 'to end inside their section', `${n}`);
    }
    if (triAt + m * L.DETAIL_TRI_STRIDE > tris.offset + tris.length) {
      fail(`detail ${d} triangles`, 'to end inside their section', `${m}`);
    }
    const x: number[] = [];
    const z: number[] = [];
    const points: number[] = [];
    for (let v = 0; v < n; v++, vertAt += L.DETAIL_VERT_STRIDE) {
      x.push(unitsAt(view, vertAt, `detail ${d} vertex ${v} x`));
      z.push(unitsAt(view, vertAt + 8, `detail ${d} vertex ${v} z`));
      const y = finiteAt(view, vertAt + 4, `detail ${d} vertex ${v} height`);
      low[d] = Math.min(low[d], y);
      high[d] = Math.max(high[d], y);
      points.push(x[v], y, z[v]);
    }
    const plane = planeOf(points);
    const stored = [L.D_SLOPE_X, L.D_SLOPE_Z, L.D_LEVEL, L.D_SPREAD].map((f) => view.getFloat32(at + f, true));
    const wanted = [plane.slopeX, plane.slopeZ, plane.level, plane.spread];
    if (!stored.every((v, i) => Object.is(v, wanted[i]))) {
      fail(`detail ${d} plane`, `${wanted.join(', ')} from its vertices`, stored.join(', '));
    }
    for (let t = 0; t < m; t++, triAt += L.DETAIL_TRI_STRIDE) {
      const [a, b, c] = [view.getUint8(triAt), view.getUint8(triAt + 1), view.getUint8(triAt + 2)];
      if (a >= n || b >= n || c >= n) fail(`detail ${d} triangle ${t}`, `vertices below ${n}`, `${a}, ${b}, ${c}`);
      expect(view.getUint8(triAt + 3), 0, `detail ${d} triangle ${t} fourth byte`);
      if (turn(x[a], z[a], x[b], z[b], x[c], z[c]) < 0) {
        fail(`detail ${d} triangle ${t}`, 'counter-clockwise', 'clockwise');
      }
    }
  }
  expect(vertAt, verts.offset + verts.length, 'end of the detail vertices');
  expect(triAt, tris.offset + tris.length, 'end of the detail triangles');

  let minY = Number.POSITIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  for (let p = 0; p < records.count; p++) {
    const at = sections[L.SECTION_POLYGONS].offset + p * L.POLY_STRIDE;
    const d = recordAt(u32(at + L.P_DETAIL), index, L.DETAIL_STRIDE, `polygon ${p} detail`);
    let bottom = low[d];
    let top = high[d];
    for (let c = records.first[p]; c < records.first[p + 1]; c++) {
      bottom = Math.min(bottom, records.y[c]);
      top = Math.max(top, records.y[c]);
    }
    expect(view.getFloat32(at + L.P_YMIN, true), bottom, `polygon ${p} lowest height`);
    expect(view.getFloat32(at + L.P_YMAX, true), top, `polygon ${p} highest height`);
    minY = Math.min(minY, bottom);
    maxY = Math.max(maxY, top);
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
  for (let i = 0; i < bins.start.length; i++)
    expect(u32(starts.offset + 4 * i), bins.start[i], `grid cell ${i} begins`);
  for (let i = 0; i < entries; i++) expect(u32(lists.offset + 4 * i), bins.list[i], `grid entry ${i}`);
  expect(u32(L.H_MAX_LIST), bins.longest, 'longest grid list');
}
