// Conforming mesh -> packed map: one ArrayBuffer, exactly the bytes that assembly/layout.ts describes. Imported by map.ts
// and tools. Position-independent: every offset counts from the pack's first byte.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import { walledVertices } from '../mesh/assemble.ts';
import { type Bins, buildBins } from '../mesh/bins.ts';
import type { ConformingMesh } from '../mesh/conforming.ts';
import { type NavMesh, polygonCount } from '../mesh/navmesh.ts';
import { planGrid } from '../mesh/snap.ts';
import { detailMeshes, type Heights, writeDetails } from './details.ts';
import { hashPack } from './hash.ts';
import { align8, MOST_PACK_BYTES } from './limits.ts';
import { linkNotes, writeLinks } from './links.ts';
import type { PackNotes } from './view.ts';

/** Packs a mesh and its conforming form. Throws `BAD_FILE` when the result would not fit. */
export function pack(mesh: NavMesh, conforming: ConformingMesh): ArrayBuffer {
  const polygons = conforming.source.length;
  const grid = planGrid(mesh);
  const bins = buildBins(conforming, locateCell(conforming.unit), Math.max(1, grid.cellUnits >>> 1));
  const details = detailMeshes(mesh, conforming, grid);
  const info = new TextEncoder().encode(JSON.stringify(notesOf(mesh, conforming)));

  const lengths = [
    polygons * L.POLY_STRIDE,
    details.count * L.DETAIL_STRIDE,
    details.verts.length * 4,
    details.tris.length,
    bins.start.length * 4,
    bins.list.length * 4,
    conforming.links.length * L.LINK_STRIDE,
    info.length,
  ];
  const offsets: number[] = [];
  let bytes: number = L.H_END;
  for (const length of lengths) {
    offsets.push(bytes);
    bytes = align8(bytes + length);
  }
  if (bytes > MOST_PACK_BYTES) {
    throw new NavguardError('BAD_FILE', `packed map: expected at most ${MOST_PACK_BYTES} bytes, got ${bytes}`, {
      bytes,
    });
  }
  const buffer = new ArrayBuffer(bytes);
  const view = new DataView(buffer);
  for (let s = 0; s < L.SECTIONS; s++) {
    view.setUint32(L.H_TABLE + 8 * s, offsets[s], true);
    view.setUint32(L.H_TABLE + 8 * s + 4, lengths[s], true);
  }
  const [polysAt, detailsAt, vertsAt, trisAt, startAt, listAt, linksAt, infoAt] = offsets;

  const heights = writeDetails(view, details, detailsAt, vertsAt, trisAt);
  const rise = writePolygons(view, mesh, conforming, details.entryOf, heights, polysAt, detailsAt);
  for (let i = 0; i < bins.start.length; i++) view.setUint32(startAt + 4 * i, bins.start[i], true);
  for (let i = 0; i < bins.list.length; i++) view.setUint32(listAt + 4 * i, bins.list[i], true);
  writeLinks(view, mesh, conforming, grid, polysAt, linksAt);
  new Uint8Array(buffer).set(info, infoAt);
  writeHeader(view, mesh, conforming, bins, details.count, rise);
  new Uint8Array(buffer).set(hashPack(buffer), L.H_HASH);
  return buffer;
}

/** The locate grid starts with cells of about a metre. */
export function locateCell(unit: number): number {
  return 2 ** Math.max(1, Math.round(Math.log2(1 / unit)));
}

// ---- polygons ---------------------------------------------------------------------------------------------------------

/** Returns the lowest and highest height of all. */
function writePolygons(
  view: DataView,
  mesh: NavMesh,
  conforming: ConformingMesh,
  entryOf: Int32Array,
  heights: Heights,
  polysAt: number,
  detailsAt: number,
): [number, number] {
  const polygons = conforming.source.length;
  const walled = walledVertices(conforming);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let p = 0; p < polygons; p++) {
    const source = conforming.source[p];
    const entry = entryOf[source];
    const at = polysAt + p * L.POLY_STRIDE;
    const from = conforming.first[p];
    const count = conforming.first[p + 1] - from;
    let low = heights.low[entry];
    let high = heights.high[entry];
    for (let i = 0; i < L.MAX_CORNERS; i++) {
      // Lanes past the count repeat corner 0 and lead nowhere.
      const c = i < count ? from + i : from;
      const across = i < count ? conforming.neighbour[c] : -1;
      view.setFloat32(at + L.P_X + 4 * i, conforming.x[c], true);
      view.setFloat32(at + L.P_Z + 4 * i, conforming.z[c], true);
      view.setFloat32(at + L.P_Y + 4 * i, conforming.y[c], true);
      view.setUint32(at + L.P_NEI + 4 * i, across < 0 ? 0 : polysAt + across * L.POLY_STRIDE, true);
      view.setUint32(at + L.P_VID + 4 * i, conforming.vertex[c], true);
      // A height interpolated on an edge may round past the ends.
      low = Math.min(low, conforming.y[c]);
      high = Math.max(high, conforming.y[c]);
    }
    view.setUint8(at + L.P_COUNT, count);
    view.setUint8(at + L.P_AREA, mesh.areas[source]);
    view.setUint16(at + L.P_FLAGS, mesh.flags[source], true);
    view.setUint32(at + L.P_COMPONENT, conforming.component[p], true);
    view.setUint32(at + L.P_DETAIL, detailsAt + entry * L.DETAIL_STRIDE, true);
    view.setUint32(at + L.P_ID, p, true);
    lowest = Math.min(lowest, low);
    highest = Math.max(highest, high);
    view.setFloat32(at + L.P_YMIN, low, true);
    view.setFloat32(at + L.P_YMAX, high, true);
    view.setUint32(at + L.P_SOURCE, source, true);
    let corners = 0;
    for (let i = 0; i < count; i++) if (walled[conforming.vertex[from + i]] === 1) corners |= 1 << i;
    view.setUint32(at + L.P_CORNERS, corners, true);
  }
  return [lowest, highest];
}

// ---- header and info ----------------------------------------------------------------------------------------------------

function writeHeader(
  view: DataView,
  mesh: NavMesh,
  conforming: ConformingMesh,
  bins: Bins,
  details: number,
  [lowest, highest]: readonly [number, number],
): void {
  view.setUint32(L.H_MAGIC, L.PACK_MAGIC, true);
  view.setUint32(L.H_VERSION, L.PACK_VERSION, true);
  view.setUint32(L.H_BYTES, view.byteLength, true);
  view.setUint32(L.H_SECTIONS, L.SECTIONS, true);
  view.setUint32(L.H_POLYGONS, conforming.source.length, true);
  view.setUint32(L.H_VERTICES, conforming.vertexCount, true);
  view.setUint32(L.H_COMPONENTS, conforming.componentCount, true);
  view.setUint32(L.H_LINKS, conforming.links.length, true);
  view.setUint32(L.H_DETAILS, details, true);
  view.setUint32(L.H_GRID_W, bins.grid.width, true);
  view.setUint32(L.H_GRID_H, bins.grid.height, true);
  view.setUint32(L.H_MAX_LIST, bins.longest, true);
  const range = (list: Int32Array): [number, number] =>
    list.reduce(([low, high], v): [number, number] => [Math.min(low, v), Math.max(high, v)], [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as [number, number]);
  const [minX, maxX] = range(conforming.x);
  const [minZ, maxZ] = range(conforming.z);
  const f64: [number, number][] = [
    [L.H_ORIGIN_X, conforming.origin.x],
    [L.H_ORIGIN_Z, conforming.origin.z],
    [L.H_UNIT, conforming.unit],
    [L.H_INV_UNIT, 1 / conforming.unit],
    [L.H_GRID_X, bins.grid.x],
    [L.H_GRID_Z, bins.grid.z],
    [L.H_GRID_CELL, bins.grid.cell],
    [L.H_GRID_INV, 1 / bins.grid.cell],
    [L.H_MIN_X, minX],
    [L.H_MIN_Z, minZ],
    [L.H_MAX_X, maxX],
    [L.H_MAX_Z, maxZ],
    [L.H_MIN_Y, lowest],
    [L.H_MAX_Y, highest],
    [L.H_CELL_SIZE, mesh.lattice.cell],
    [L.H_CELL_HEIGHT, 0],
    [L.H_AGENT_HEIGHT, mesh.agent.height],
    [L.H_AGENT_RADIUS, mesh.agent.radius],
    [L.H_AGENT_CLIMB, mesh.agent.climb],
  ];
  for (const [at, value] of f64) view.setFloat64(at, value, true);
}

function notesOf(mesh: NavMesh, conforming: ConformingMesh): PackNotes {
  return {
    format: mesh.format,
    tiles: mesh.tiles.length,
    sourcePolygons: polygonCount(mesh),
    findings: [...conforming.findings],
    ...linkNotes(mesh, conforming),
  };
}
