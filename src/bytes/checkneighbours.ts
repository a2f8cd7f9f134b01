// The structural check of what lies across the edges of a tile's polygons. Corners and vertices have been checked before.
// Imported by checktile.ts only.
import { badFile } from './bad.ts';
import { type MsetTile, NEI_BORDER, POLY_BYTES, POLY_NEIS, POLY_VERT_COUNT, POLY_VERTS, VERTEX_BYTES } from './mset.ts';
import type { ByteReader } from './reader.ts';

/** Metres: how far apart Detour lets two borders be that it links. */
const BORDER_METRES = 0.01;
/** Relative spacing of 32-bit floats, with room for the rounding of two. */
const F32_ULP = 2 ** -22;

/**
 * An inner neighbour must share the whole edge, the other way round, and lead back; a border edge must run along the
 * border. Detour follows links without asking, and its ray walk never ends where they lead to polygons that do not touch.
 */
export function checkNeighbours(r: ByteReader, tile: MsetTile, t: number): void {
  const polys = tile.at + tile.sections.polys;
  for (let p = 0; p < tile.header.offMeshBase; p++) {
    const poly = polys + p * POLY_BYTES;
    const count = r.u8(poly + POLY_VERT_COUNT);
    for (let c = 0; c < count; c++) {
      const offset = poly + POLY_NEIS + 2 * c;
      const nei = r.u16(offset);
      if (nei === 0) continue;
      const from = vertexAt(r, tile, poly, c);
      const to = vertexAt(r, tile, poly, c + 1 === count ? 0 : c + 1);
      if (nei & NEI_BORDER) {
        const axis = nei & 2 ? 'z' : 'x';
        const a = r.f32(from + (axis === 'z' ? 8 : 0));
        const b = r.f32(to + (axis === 'z' ? 8 : 0));
        if (Math.abs(a - b) > BORDER_METRES + Math.abs(a) * F32_ULP) {
          const place = { tile: t, polygon: p, offset };
          throw badFile(place, `edge ${c}, a border of side ${nei & 7}`, `${axis} ${a} to ${b}`, `the same ${axis}`);
        }
      } else if (!leadsBack(r, tile, polys + (nei - 1) * POLY_BYTES, p, from, to)) {
        throw badFile(
          { tile: t, polygon: p, offset },
          `neighbour of edge ${c}`,
          `${nei - 1}, which does not lead back over this edge`,
          'a neighbour that shares the edge',
        );
      }
    }
  }
}

/** Byte offset of the vertex at a corner. */
function vertexAt(r: ByteReader, tile: MsetTile, poly: number, corner: number): number {
  return tile.at + tile.sections.verts + r.u16(poly + POLY_VERTS + 2 * corner) * VERTEX_BYTES;
}

/** Whether an edge of the polygon at `poly` runs from `to` to `from` and leads to polygon p. */
function leadsBack(r: ByteReader, tile: MsetTile, poly: number, p: number, from: number, to: number): boolean {
  const count = r.u8(poly + POLY_VERT_COUNT);
  for (let c = 0; c < count; c++) {
    if (r.u16(poly + POLY_NEIS + 2 * c) !== p + 1) continue;
    const start = vertexAt(r, tile, poly, c);
    const end = vertexAt(r, tile, poly, c + 1 === count ? 0 : c + 1);
    if (samePlace(r, start, to) && samePlace(r, end, from)) return true;
  }
  return false;
}

/** The same vertex, or an unwelded copy at the same plan position. */
function samePlace(r: ByteReader, a: number, b: number): boolean {
  return a === b || (r.f32(a) === r.f32(b) && r.f32(a + 8) === r.f32(b + 8));
}
