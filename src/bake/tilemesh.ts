// The ground of one tile -> a Detour tile: regions, contours, polygons, heights. Imported by bake/index.ts.
// Source of the steps: RecastDemo's sample builds. Everything taken from recast-navigation's heap is given back.
import {
  allocContourSet,
  allocPolyMesh,
  allocPolyMeshDetail,
  buildContours,
  buildDistanceField,
  buildLayerRegions,
  buildPolyMesh,
  buildPolyMeshDetail,
  buildRegions,
  buildRegionsMonotone,
  createNavMeshData,
  freeContourSet,
  freePolyMesh,
  freePolyMeshDetail,
  NavMeshCreateParams,
  Recast,
  type RecastBuildContext,
  type RecastCompactHeightfield,
} from 'recast-navigation';
import { PLAIN_GROUND } from './level.ts';
import { type BakeSettings, voxels } from './settings.ts';
import { tooMuch } from './trouble.ts';

/** Where a tile is; a map of one tile has none. */
export interface TilePlace {
  readonly x: number;
  readonly y: number;
}

/** The bytes of the tile (a Detour tile, 32-bit), or null when nothing in it is walkable. */
export function tileOf(
  context: RecastBuildContext,
  ground: RecastCompactHeightfield,
  settings: BakeSettings,
  border: number,
  place: TilePlace | null,
  flags: Uint16Array,
): Uint8Array | null {
  const where = place === null ? 'the level' : `tile ${place.x}, ${place.y}`;
  // as Recast's own settings hold them: 32-bit numbers
  const [cs, ch] = [Math.fround(settings.cellSize), Math.fround(settings.cellHeight)];
  const contours = allocContourSet();
  const mesh = allocPolyMesh();
  const detail = allocPolyMeshDetail();
  try {
    if (!regions(context, ground, settings, border)) throw tooMuch('regions', where);
    const maxEdge = settings.maxEdge === 0 ? 0 : Math.max(1, Math.round(settings.maxEdge / cs));
    const kind = Recast.RC_CONTOUR_TESS_WALL_EDGES;
    if (!buildContours(context, ground, settings.edgeError, maxEdge, contours, kind)) {
      throw tooMuch('outlines', where);
    }
    if (!buildPolyMesh(context, contours, settings.polyVertices, mesh)) throw tooMuch('polygons', where);
    if (mesh.npolys() === 0) return null;
    const distance = settings.detailDistance < 0.9 ? 0 : settings.detailDistance * cs;
    if (!buildPolyMeshDetail(context, mesh, ground, distance, settings.detailError * ch, detail)) {
      throw tooMuch('heights', where);
    }
    for (let i = 0; i < mesh.npolys(); i++) {
      const area = mesh.areas(i);
      mesh.setFlags(i, flags[area]);
      if (area === PLAIN_GROUND) mesh.setAreas(i, 0);
    }
    const params = new NavMeshCreateParams();
    params.setPolyMeshCreateParams(mesh);
    params.setPolyMeshDetailCreateParams(detail);
    const { height, climb, radius } = voxels(settings);
    params.setWalkableHeight(height * ch);
    params.setWalkableRadius(radius * cs);
    params.setWalkableClimb(climb * ch);
    params.setCellSize(cs);
    params.setCellHeight(ch);
    params.setBuildBvTree(true);
    params.setTileX(place?.x ?? 0);
    params.setTileY(place?.y ?? 0);
    const created = createNavMeshData(params);
    if (!created.success) throw tooMuch('polygons', where);
    const bytes = created.navMeshData.toTypedArray().slice();
    created.navMeshData.destroy();
    return bytes;
  } finally {
    freeContourSet(contours);
    freePolyMesh(mesh);
    freePolyMeshDetail(detail);
  }
}

function regions(
  context: RecastBuildContext,
  ground: RecastCompactHeightfield,
  { partition, minRegion, mergeRegion }: BakeSettings,
  border: number,
): boolean {
  const least = Math.round(minRegion * minRegion);
  const merged = Math.round(mergeRegion * mergeRegion);
  if (partition === 'monotone') return buildRegionsMonotone(context, ground, border, least, merged);
  if (partition === 'layers') return buildLayerRegions(context, ground, border, least);
  return buildDistanceField(context, ground) && buildRegions(context, ground, border, least, merged);
}
