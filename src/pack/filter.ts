// A packed map without the polygons that a filter leaves out: what does not pass is not there, and the rest is packed as if
// it had never been. Imported by map.ts. Near-linear in the pack's bytes; queries on the result cost what they always cost.
//
// Invariant: the result passes the same check as any foreign pack. Rings, heights, planes and export numbers are kept byte
// for byte; neighbours, vertex ids, wall corners, components, link chains, bounds and the locate grid are made again,
// because all of them depend on what is next to what. A filter that passes everything gives the same bytes.
import * as L from '../../assembly/layout.ts';
import { fanIds, numbered, walledVertices } from '../mesh/assemble.ts';
import { type Bins, buildBins } from '../mesh/bins.ts';
import { filterTest, type MapFilter } from '../mesh/filter.ts';
import { Findings } from '../mesh/findings.ts';
import { UnionFind } from '../mesh/unionfind.ts';
import { hashPack } from './hash.ts';
import { type Kept, keptDetails, keptLinks, keptPolygons } from './kept.ts';
import { align8 } from './limits.ts';
import { type ChainLink, linkChains, stateOf } from './links.ts';
import { locateCell } from './pack.ts';
import { type PackNotes, readNotes } from './view.ts';

/**
 * Packs the part of a checked pack that passes. Links with an end on a polygon that does not pass, or whose own flags and
 * area do not pass, keep their number and are closed. Throws `BAD_ARGUMENT` for a wrong filter or when nothing passes.
 */
export function filterPack(buffer: ArrayBuffer, filter: MapFilter): ArrayBuffer {
  const passes = filterTest(filter);
  const from = new DataView(buffer);
  const kept = keptPolygons(from, passes);
  const details = keptDetails(from, kept);
  const { vertex, count: vertexCount } = fanIds(kept);
  const unit = from.getFloat64(L.H_UNIT, true);
  const cellUnits = Math.round(from.getFloat64(L.H_CELL_SIZE, true) / unit);
  const bins = buildBins(kept, locateCell(unit), Math.max(1, cellUnits >>> 1));
  const links = keptLinks(from, kept, passes);
  const chains = linkChains(kept.old.length, links);
  const lost = lostLinks(from, links);
  const info = new TextEncoder().encode(JSON.stringify(notesOf(buffer, from, kept, lost)));

  const section = (s: number) => from.getUint32(L.H_TABLE + 8 * s, true);
  const lengths = [
    kept.old.length * L.POLY_STRIDE,
    details.old.length * L.DETAIL_STRIDE,
    details.verts * L.DETAIL_VERT_STRIDE,
    details.tris * L.DETAIL_TRI_STRIDE,
    bins.start.length * 4,
    bins.list.length * 4,
    links.length * L.LINK_STRIDE,
    info.length,
  ];
  const offsets: number[] = [];
  let bytes: number = L.H_END;
  for (const length of lengths) {
    offsets.push(bytes);
    bytes = align8(bytes + length);
  }
  const result = new ArrayBuffer(bytes);
  const view = new DataView(result);
  const to = new Uint8Array(result);
  const copy = (at: number, source: number, length: number) => to.set(new Uint8Array(buffer, source, length), at);
  // The header's numbers of the lattice and the agent stay; the others are written below.
  copy(0, 0, L.H_END);
  for (let s = 0; s < L.SECTIONS; s++) {
    view.setUint32(L.H_TABLE + 8 * s, offsets[s], true);
    view.setUint32(L.H_TABLE + 8 * s + 4, lengths[s], true);
  }
  const [polysAt, detailsAt, vertsAt, trisAt, startAt, listAt, linksAt, infoAt] = offsets;

  const record = (p: number) => (p < 0 ? 0 : polysAt + p * L.POLY_STRIDE);
  const { component, count: components } = componentsOf(kept, links);
  const walled = walledVertices({ ...kept, vertex, vertexCount });
  kept.old.forEach((old, p) => {
    const at = record(p);
    copy(at, section(L.SECTION_POLYGONS) + old * L.POLY_STRIDE, L.POLY_STRIDE);
    const a = kept.first[p];
    const n = kept.first[p + 1] - a;
    let corners = 0;
    for (let i = 0; i < L.MAX_CORNERS; i++) {
      const c = i < n ? a + i : a;
      view.setUint32(at + L.P_NEI + 4 * i, i < n ? record(kept.neighbour[c]) : 0, true);
      view.setUint32(at + L.P_VID + 4 * i, vertex[c], true);
      if (i < n && walled[vertex[c]] === 1) corners |= 1 << i;
    }
    view.setUint32(at + L.P_COMPONENT, component[p], true);
    const entry =
      details.now[(view.getUint32(at + L.P_DETAIL, true) - section(L.SECTION_DETAIL_INDEX)) / L.DETAIL_STRIDE];
    view.setUint32(at + L.P_DETAIL, detailsAt + entry * L.DETAIL_STRIDE, true);
    view.setUint32(at + L.P_ID, p, true);
    view.setUint32(at + L.P_CORNERS, corners + (chains.head.get(p) ?? 0) * 2 ** L.CORNER_BITS, true);
  });

  let vertAt = vertsAt;
  let triAt = trisAt;
  details.old.forEach((old, d) => {
    const at = detailsAt + d * L.DETAIL_STRIDE;
    copy(at, section(L.SECTION_DETAIL_INDEX) + old * L.DETAIL_STRIDE, L.DETAIL_STRIDE);
    const verts = view.getUint32(at + L.D_VERT_COUNT, true) * L.DETAIL_VERT_STRIDE;
    const tris = view.getUint32(at + L.D_TRI_COUNT, true) * L.DETAIL_TRI_STRIDE;
    copy(vertAt, view.getUint32(at + L.D_VERTS, true), verts);
    copy(triAt, view.getUint32(at + L.D_TRIS, true), tris);
    view.setUint32(at + L.D_VERTS, vertAt, true);
    view.setUint32(at + L.D_TRIS, triAt, true);
    vertAt += verts;
    triAt += tris;
  });

  bins.start.forEach((v, i) => {
    view.setUint32(startAt + 4 * i, v, true);
  });
  bins.list.forEach((v, i) => {
    view.setUint32(listAt + 4 * i, v, true);
  });
  links.forEach((link, i) => {
    const at = linksAt + i * L.LINK_STRIDE;
    copy(at, section(L.SECTION_LINKS) + i * L.LINK_STRIDE, L.LINK_STRIDE);
    view.setUint32(at + L.L_POLY_A, record(link.a), true);
    view.setUint32(at + L.L_POLY_B, record(link.b), true);
    view.setUint32(at + L.L_NEXT_A, chains.next[2 * i], true);
    view.setUint32(at + L.L_NEXT_B, chains.next[2 * i + 1], true);
    view.setUint32(at + L.L_STATE, view.getUint32(at + L.L_STATE, true) & stateOf(link), true);
  });
  to.set(info, infoAt);
  writeHeader(view, polysAt, kept, bins, vertexCount, components, details.old.length);
  to.set(hashPack(result), L.H_HASH);
  return result;
}

/** Links that led somewhere before and do no more. */
function lostLinks(view: DataView, links: readonly ChainLink[]): number {
  const linksAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_LINKS, true);
  const before = (i: number) =>
    view.getUint32(linksAt + i * L.LINK_STRIDE + L.L_POLY_A, true) !== 0 &&
    view.getUint32(linksAt + i * L.LINK_STRIDE + L.L_POLY_B, true) !== 0;
  return links.filter((link, i) => before(i) && (link.a < 0 || link.b < 0)).length;
}

function componentsOf(kept: Kept, links: readonly ChainLink[]): { component: Uint32Array; count: number } {
  const sets = new UnionFind(kept.old.length);
  for (let c = 0; c < kept.neighbour.length; c++) {
    if (kept.neighbour[c] >= 0) sets.union(kept.polygonOf[c], kept.neighbour[c]);
  }
  for (const { a, b } of links) if (a >= 0 && b >= 0) sets.union(a, b);
  const { vertex: component, count } = numbered(sets, kept.old.length);
  return { component, count };
}

function notesOf(buffer: ArrayBuffer, view: DataView, kept: Kept, lostLinks: number): PackNotes {
  const notes = readNotes(buffer);
  const polysAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_POLYGONS, true);
  const findings = new Findings();
  // A map that was filtered before: one finding for both.
  const others = notes.findings.filter(({ kind, count, polygons }) => {
    if (kind !== 'filtered-polygon' && kind !== 'filtered-link') return true;
    findings.add(kind, -1, count);
    for (const p of polygons) findings.add(kind, p, 0);
    return false;
  });
  for (let p = 0; p < kept.now.length; p++) {
    if (kept.now[p] >= 0) continue;
    findings.add('filtered-polygon', view.getUint32(polysAt + p * L.POLY_STRIDE + L.P_SOURCE, true));
  }
  if (lostLinks > 0) findings.add('filtered-link', -1, lostLinks);
  return { ...notes, findings: [...others, ...findings.list()] };
}

/** The numbers that depend on what is left. */
function writeHeader(
  view: DataView,
  polysAt: number,
  kept: Kept,
  bins: Bins,
  vertexCount: number,
  components: number,
  details: number,
): void {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity, Infinity, -Infinity];
  for (let c = 0; c < kept.x.length; c++) {
    bounds[0] = Math.min(bounds[0], kept.x[c]);
    bounds[1] = Math.min(bounds[1], kept.z[c]);
    bounds[2] = Math.max(bounds[2], kept.x[c]);
    bounds[3] = Math.max(bounds[3], kept.z[c]);
  }
  for (let p = 0; p < kept.old.length; p++) {
    const at = polysAt + p * L.POLY_STRIDE;
    bounds[4] = Math.min(bounds[4], view.getFloat32(at + L.P_YMIN, true));
    bounds[5] = Math.max(bounds[5], view.getFloat32(at + L.P_YMAX, true));
  }
  const u32: [number, number][] = [
    [L.H_BYTES, view.byteLength],
    [L.H_POLYGONS, kept.old.length],
    [L.H_VERTICES, vertexCount],
    [L.H_COMPONENTS, components],
    [L.H_DETAILS, details],
    [L.H_GRID_W, bins.grid.width],
    [L.H_GRID_H, bins.grid.height],
    [L.H_MAX_LIST, bins.longest],
  ];
  for (const [at, value] of u32) view.setUint32(at, value, true);
  const f64: [number, number][] = [
    [L.H_GRID_X, bins.grid.x],
    [L.H_GRID_Z, bins.grid.z],
    [L.H_GRID_CELL, bins.grid.cell],
    [L.H_GRID_INV, 1 / bins.grid.cell],
    [L.H_MIN_X, bounds[0]],
    [L.H_MIN_Z, bounds[1]],
    [L.H_MAX_X, bounds[2]],
    [L.H_MAX_Z, bounds[3]],
    [L.H_MIN_Y, bounds[4]],
    [L.H_MAX_Y, bounds[5]],
  ];
  for (const [at, value] of f64) view.setFloat64(at, value, true);
}
