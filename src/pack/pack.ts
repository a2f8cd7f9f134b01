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

  const heights = writeDetails(buffer, details, detailsAt, vertsAt, trisAt);
  const rise = writePolygons(buffer, mesh, conforming, details.entryOf, heights, polysAt, detailsAt);
  new Uint32Array(buffer, startAt, bins.start.length).set(bins.start);
  new Uint32Array(buffer, listAt, bins.list.length).set(bins.list);
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

/**
 * Returns the lowest and highest height of all. Written in words of 4 bytes: records are aligned, and every machine that runs
 * this is little-endian.
 */
function writePolygons(
  buffer: ArrayBuffer,
  mesh: NavMesh,
  conforming: ConformingMesh,
  entryOf: Int32Array,
  heights: Heights,
  polysAt: number,
  detailsAt: number,
): [number, number] {
  const f = new Float32Array(buffer);
  const u = new Uint32Array(buffer);
  const { first, x, y, z, vertex, neighbour, component, source } = conforming;
  const walled = walledVertices(conforming);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let p = 0, at = polysAt >>> 2; p < source.length; p++, at += L.POLY_STRIDE >>> 2) {
    const entry = entryOf[source[p]];
    const from = first[p];
    const count = first[p + 1] - from;
    let low = heights.low[entry];
    let high = heights.high[entry];
    let corners = 0;
    for (let i = 0; i < count; i++) {
      const c = from + i;
      const height = y[c];
      const across = neighbour[c];
      f[at + (L.P_X >>> 2) + i] = x[c];
      f[at + (L.P_Z >>> 2) + i] = z[c];
      f[at + (L.P_Y >>> 2) + i] = height;
      if (across >= 0) u[at + (L.P_NEI >>> 2) + i] = polysAt + across * L.POLY_STRIDE;
      u[at + (L.P_VID >>> 2) + i] = vertex[c];
      // A height interpolated on an edge may round past the ends.
      low = Math.min(low, height);
      high = Math.max(high, height);
      corners |= walled[vertex[c]] << i;
    }
    for (let i = count; i < L.MAX_CORNERS; i++) {
      // Lanes past the count repeat corner 0 and lead nowhere.
      f[at + (L.P_X >>> 2) + i] = x[from];
      f[at + (L.P_Z >>> 2) + i] = z[from];
      f[at + (L.P_Y >>> 2) + i] = y[from];
      u[at + (L.P_VID >>> 2) + i] = vertex[from];
    }
    // P_COUNT, P_AREA and P_FLAGS share a word.
    u[at + (L.P_COUNT >>> 2)] = count | (mesh.areas[source[p]] << 8) | (mesh.flags[source[p]] << 16);
    u[at + (L.P_COMPONENT >>> 2)] = component[p];
    u[at + (L.P_DETAIL >>> 2)] = detailsAt + entry * L.DETAIL_STRIDE;
    u[at + (L.P_ID >>> 2)] = p;
    lowest = Math.min(lowest, low);
    highest = Math.max(highest, high);
    f[at + (L.P_YMIN >>> 2)] = low;
    f[at + (L.P_YMAX >>> 2)] = high;
    u[at + (L.P_SOURCE >>> 2)] = source[p];
    u[at + (L.P_CORNERS >>> 2)] = corners;
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
  const range = (list: Int32Array): [number, number] => {
    let low = list[0];
    let high = list[0];
    for (let c = 1; c < list.length; c++) {
      if (list[c] < low) low = list[c];
      if (list[c] > high) high = list[c];
    }
    return [low, high];
  };
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
