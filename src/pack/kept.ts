// What of a packed map passes a filter, read into flat arrays under new numbers. Imported by filter.ts only. The pack has
// passed its check.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { ChainLink } from './links.ts';

/** Corners of the kept polygons, new numbers throughout. */
export interface Kept {
  /** Old number of each new polygon. */
  readonly old: Uint32Array;
  /** New number of each old polygon, -1 = left out. */
  readonly now: Int32Array;
  readonly first: Uint32Array;
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly y: Float32Array;
  readonly neighbour: Int32Array;
  /** Corner at which the same edge starts on the other side, -1 = wall. */
  readonly twin: Int32Array;
  readonly polygonOf: Uint32Array;
  readonly source: Uint32Array;
}

/** Reads the polygons that pass; an edge to one that does not is a wall. */
export function keptPolygons(view: DataView, passes: (flags: number, area: number) => boolean): Kept {
  const polysAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_POLYGONS, true);
  const count = view.getUint32(L.H_POLYGONS, true);
  const now = new Int32Array(count).fill(-1);
  const first = [0];
  const old: number[] = [];
  let flagged = 0;
  for (let p = 0; p < count; p++) {
    const at = polysAt + p * L.POLY_STRIDE;
    const flags = view.getUint16(at + L.P_FLAGS, true);
    flagged |= flags;
    if (!passes(flags, view.getUint8(at + L.P_AREA))) continue;
    now[p] = old.length;
    old.push(p);
    first.push(first[first.length - 1] + view.getUint8(at + L.P_COUNT));
  }
  if (old.length === 0) {
    const why = flagged === 0 ? ' (all flags of this map are 0: filter by area, or set flags when exporting)' : '';
    throw new NavguardError(
      'BAD_ARGUMENT',
      `filter: expected at least one polygon to pass, got none of ${count}${why}`,
      {
        polygons: count,
      },
    );
  }
  const corners = first[first.length - 1];
  const kept: Kept = {
    old: Uint32Array.from(old),
    now,
    first: Uint32Array.from(first),
    x: new Int32Array(corners),
    z: new Int32Array(corners),
    y: new Float32Array(corners),
    neighbour: new Int32Array(corners),
    twin: new Int32Array(corners).fill(-1),
    polygonOf: new Uint32Array(corners),
    source: new Uint32Array(old.length),
  };
  old.forEach((o, p) => {
    const at = polysAt + o * L.POLY_STRIDE;
    kept.source[p] = view.getUint32(at + L.P_SOURCE, true);
    for (let c = first[p]; c < first[p + 1]; c++) {
      const i = 4 * (c - first[p]);
      const across = view.getUint32(at + L.P_NEI + i, true);
      kept.x[c] = view.getFloat32(at + L.P_X + i, true);
      kept.z[c] = view.getFloat32(at + L.P_Z + i, true);
      kept.y[c] = view.getFloat32(at + L.P_Y + i, true);
      kept.neighbour[c] = across === 0 ? -1 : now[(across - polysAt) / L.POLY_STRIDE];
      kept.polygonOf[c] = p;
    }
  });
  for (let c = 0; c < corners; c++) kept.twin[c] = twinOf(kept, c);
  return kept;
}

/** The neighbour's edge that runs back along edge c: at most one, as rings are convex. */
function twinOf({ first, x, z, neighbour, polygonOf }: Kept, c: number): number {
  const q = neighbour[c];
  if (q < 0) return -1;
  const p = polygonOf[c];
  const d = c + 1 === first[p + 1] ? first[p] : c + 1;
  for (let e = first[q]; e < first[q + 1]; e++) {
    const f = e + 1 === first[q + 1] ? first[q] : e + 1;
    if (neighbour[e] === p && x[e] === x[d] && z[e] === z[d] && x[f] === x[c] && z[f] === z[c]) return e;
  }
  return -1;
}

/** Detail meshes that a kept polygon uses, in their old order. */
export function keptDetails(
  view: DataView,
  kept: Kept,
): { now: Int32Array; old: number[]; verts: number; tris: number } {
  const polysAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_POLYGONS, true);
  const indexAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_DETAIL_INDEX, true);
  const now = new Int32Array(view.getUint32(L.H_DETAILS, true)).fill(-1);
  for (const p of kept.old) {
    now[(view.getUint32(polysAt + p * L.POLY_STRIDE + L.P_DETAIL, true) - indexAt) / L.DETAIL_STRIDE] = 0;
  }
  const old: number[] = [];
  let verts = 0;
  let tris = 0;
  for (let d = 0; d < now.length; d++) {
    if (now[d] < 0) continue;
    now[d] = old.length;
    old.push(d);
    verts += view.getUint32(indexAt + d * L.DETAIL_STRIDE + L.D_VERT_COUNT, true);
    tris += view.getUint32(indexAt + d * L.DETAIL_STRIDE + L.D_TRI_COUNT, true);
  }
  return { now, old, verts, tris };
}

/** Every link by its place; an end that is gone is -1, and so are both ends of a link that does not pass itself. */
export function keptLinks(view: DataView, kept: Kept, passes: (flags: number, area: number) => boolean): ChainLink[] {
  const polysAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_POLYGONS, true);
  const linksAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_LINKS, true);
  const links: ChainLink[] = [];
  for (let i = 0; i < view.getUint32(L.H_LINKS, true); i++) {
    const at = linksAt + i * L.LINK_STRIDE;
    const flags = view.getUint32(at + L.L_FLAGS, true);
    const open = passes(flags >>> L.LINK_FLAGS_SHIFT, view.getUint32(at + L.L_AREA, true));
    const end = (field: number): number => {
      const offset = view.getUint32(at + field, true);
      return offset === 0 || !open ? -1 : kept.now[(offset - polysAt) / L.POLY_STRIDE];
    };
    links.push({ a: end(L.L_POLY_A), b: end(L.L_POLY_B), both: (flags & 1) === 1 });
  }
  return links;
}
