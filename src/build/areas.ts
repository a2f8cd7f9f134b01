// Area boxes. The generators have no step for them: their own voxels are marked, and the steps after that are run again.
// Imported by build/generate.ts.
import {
  allocContourSet,
  allocPolyMesh,
  allocPolyMeshDetail,
  RecastBuildContext as BuildContext,
  buildContours,
  buildDistanceField,
  buildPolyMesh,
  buildPolyMeshDetail,
  buildRegions,
  createNavMeshData,
  freeContourSet,
  freePolyMesh,
  freePolyMeshDetail,
  markBoxArea,
  NavMeshCreateParams,
  type OffMeshConnectionParams,
  Recast,
  type RecastBuildContext,
  type RecastCompactHeightfield,
  type RecastContourSet,
  type RecastHeightfield,
  type RecastPolyMesh,
  type RecastPolyMeshDetail,
  type UnsignedCharArray,
} from 'recast-navigation';
import { NavguardError } from '../errors.ts';
import type { AreaSpec } from './spec.ts';

/** What the generators leave when asked to keep their work. */
export interface Intermediates {
  buildContext?: RecastBuildContext | undefined;
  heightfield?: RecastHeightfield | undefined;
  compactHeightfield?: RecastCompactHeightfield | undefined;
  contourSet?: RecastContourSet | undefined;
  polyMesh?: RecastPolyMesh | undefined;
  polyMeshDetail?: RecastPolyMeshDetail | undefined;
}

/** The generators' settings, as users write them (before squaring and scaling). */
export interface TileSizes {
  readonly cs: number;
  readonly ch: number;
  readonly walkableHeight: number;
  readonly walkableClimb: number;
  readonly walkableRadius: number;
  readonly borderSize: number;
  readonly maxEdgeLen: number;
  readonly maxSimplificationError: number;
  readonly minRegionArea: number;
  readonly mergeRegionArea: number;
  readonly maxVertsPerPoly: number;
  readonly detailSampleDist: number;
  readonly detailSampleMaxError: number;
}

/** Tile data again, with the ground inside each area box marked. Source of the steps: RecastDemo's sample builds. */
export function markedTile(
  parts: Intermediates,
  sizes: TileSizes,
  areas: readonly AreaSpec[],
  links: OffMeshConnectionParams[],
  tile: { x: number; y: number } | null,
): UnsignedCharArray | undefined {
  const field = parts.compactHeightfield;
  if (field === undefined) return undefined;
  const context = new BuildContext();
  const contours = allocContourSet();
  const mesh = allocPolyMesh();
  const detail = allocPolyMeshDetail();
  try {
    for (const { area, box } of areas) {
      markBoxArea(context, [box[0], box[1], box[2]], [box[3], box[4], box[5]], area, field);
    }
    const { minRegionArea: min, mergeRegionArea: merge, detailSampleDist: dist } = sizes;
    const done =
      buildDistanceField(context, field) &&
      buildRegions(context, field, sizes.borderSize, min * min, merge * merge) &&
      buildContours(
        context,
        field,
        sizes.maxSimplificationError,
        sizes.maxEdgeLen,
        contours,
        Recast.RC_CONTOUR_TESS_WALL_EDGES,
      ) &&
      buildPolyMesh(context, contours, sizes.maxVertsPerPoly, mesh) &&
      buildPolyMeshDetail(
        context,
        mesh,
        field,
        dist < 0.9 ? 0 : sizes.cs * dist,
        sizes.ch * sizes.detailSampleMaxError,
        detail,
      );
    if (!done) throw new NavguardError('BAD_ARGUMENT', 'Inline map: recast-navigation failed after marking areas.');
    for (let i = 0; i < mesh.npolys(); i++) {
      if (mesh.areas(i) === Recast.RC_WALKABLE_AREA) mesh.setAreas(i, 0);
      mesh.setFlags(i, 1);
    }
    const params = new NavMeshCreateParams();
    params.setPolyMeshCreateParams(mesh);
    params.setPolyMeshDetailCreateParams(detail);
    params.setWalkableHeight(sizes.walkableHeight * sizes.ch);
    params.setWalkableRadius(sizes.walkableRadius * sizes.cs);
    params.setWalkableClimb(sizes.walkableClimb * sizes.ch);
    params.setCellSize(sizes.cs);
    params.setCellHeight(sizes.ch);
    params.setBuildBvTree(true);
    params.setOffMeshConnections(links);
    if (tile !== null) {
      params.setTileX(tile.x);
      params.setTileY(tile.y);
    }
    const created = createNavMeshData(params);
    return created.success ? created.navMeshData : undefined;
  } finally {
    freeContourSet(contours);
    freePolyMesh(mesh);
    freePolyMeshDetail(detail);
  }
}
