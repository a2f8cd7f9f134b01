// The structural check of a tile's header: counts, agent, bounds and place in the grid. Whether the counts add up to the
// declared size is asked in check.ts, the only importer.
import { badFile } from './bad.ts';
import type { SetParams, TileHeader } from './mset.ts';

/** Tile cells between the origin and any tile: beyond it Detour's cast of a cell number to an integer saturates. */
export const MAX_TILE_CELL = 2 ** 24;
/** Tile cells that the bounds of one tile may span. */
export const MAX_TILE_SPAN = 64;

/** Checks the header at byte `at` of tile `t`. Throws `BAD_FILE`. */
export function checkHeader(h: TileHeader, at: number, t: number, params: SetParams, polyBits: number): void {
  const counts: [string, number, number, number][] = [
    ['polygon count', h.polyCount, 24, 2 ** polyBits],
    ['vertex count', h.vertCount, 28, 65_535],
    ['detail mesh count', h.detailMeshCount, 36, 2 ** 31],
    ['detail vertex count', h.detailVertCount, 40, 2 ** 31],
    ['detail triangle count', h.detailTriCount, 44, 2 ** 31],
    ['BV node count', h.bvNodeCount, 48, 2 ** 31],
    ['off-mesh connection count', h.offMeshConCount, 52, h.polyCount],
  ];
  for (const [what, value, offset, most] of counts) {
    if (value < 0 || value > most) throw badFile({ tile: t, offset: at + offset }, what, value, `0..${most}`);
  }
  if (h.maxLinkCount < 1) {
    // The importer writes to link maxLinkCount - 1: with none it would write into the polygons.
    throw badFile({ tile: t, offset: at + 32 }, 'link count', h.maxLinkCount, 'at least 1');
  }
  const ground = h.polyCount - h.offMeshConCount;
  if (h.offMeshBase !== ground) {
    throw badFile({ tile: t, offset: at + 56 }, 'first off-mesh polygon', h.offMeshBase, ground);
  }
  if (h.detailMeshCount !== ground) {
    throw badFile(
      { tile: t, offset: at + 36 },
      'detail mesh count',
      h.detailMeshCount,
      `${ground}, one a ground polygon`,
    );
  }
  const floats: [string, number, number][] = [
    ['agent height', h.walkableHeight, 60],
    ['agent radius', h.walkableRadius, 64],
    ['agent climb', h.walkableClimb, 68],
    ['BV quantisation factor', h.bvQuantFactor, 96],
  ];
  for (const [what, value, offset] of floats) {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw badFile({ tile: t, offset: at + offset }, what, value, 'a finite number, not negative');
    }
  }
  checkBounds(h, at, t, params);
  const widest = Math.max(h.bmax[0] - h.bmin[0], h.bmax[1] - h.bmin[1], h.bmax[2] - h.bmin[2]);
  if (h.bvNodeCount > 0 && widest * h.bvQuantFactor > MAX_TILE_CELL) {
    throw badFile(
      { tile: t, offset: at + 96 },
      'BV quantisation factor',
      h.bvQuantFactor,
      `at most ${MAX_TILE_CELL / widest} for a tile of ${widest} m`,
    );
  }
}

function checkBounds(h: TileHeader, at: number, t: number, params: SetParams): void {
  for (let axis = 0; axis < 3; axis++) {
    const low = h.bmin[axis];
    const high = h.bmax[axis];
    const name = 'xyz'[axis];
    if (!Number.isFinite(low))
      throw badFile({ tile: t, offset: at + 72 + 4 * axis }, `lower ${name} bound`, low, 'a finite number');
    if (!(high >= low && high < Number.POSITIVE_INFINITY)) {
      throw badFile({ tile: t, offset: at + 84 + 4 * axis }, `upper ${name} bound`, high, `a finite number >= ${low}`);
    }
    if (axis === 1) continue;
    const cell = axis === 0 ? params.tileWidth : params.tileHeight;
    const origin = params.orig[axis];
    if ((high - low) / cell > MAX_TILE_SPAN) {
      throw badFile(
        { tile: t, offset: at + 84 + 4 * axis },
        `extent along ${name}`,
        `${high - low} m`,
        `at most ${MAX_TILE_SPAN} tile cells of ${cell} m`,
      );
    }
    if (Math.max(Math.abs(low - origin), Math.abs(high - origin)) / cell > MAX_TILE_CELL) {
      throw badFile(
        { tile: t, offset: at + 72 + 4 * axis },
        `distance of the bounds from the origin along ${name}`,
        `${Math.abs(low - origin)} m`,
        `at most ${MAX_TILE_CELL} tile cells of ${cell} m`,
      );
    }
  }
  const grid: [string, number, number][] = [
    ['tile x', h.x, 8],
    ['tile y', h.y, 12],
  ];
  for (const [what, value, offset] of grid) {
    if (Math.abs(value) > MAX_TILE_CELL) {
      throw badFile({ tile: t, offset: at + offset }, what, value, `-${MAX_TILE_CELL}..${MAX_TILE_CELL}`);
    }
  }
  if (h.layer < 0) throw badFile({ tile: t, offset: at + 16 }, 'layer', h.layer, 'at least 0');
}
