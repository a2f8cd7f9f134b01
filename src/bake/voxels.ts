// Triangles -> voxels -> the ground of one tile, by Recast's own steps. Imported by bake/index.ts.
// Source of the steps: RecastDemo's sample builds. Everything taken from recast-navigation's heap is given back.
import {
  allocCompactHeightfield,
  allocHeightfield,
  buildCompactHeightfield,
  createHeightfield,
  erodeWalkableArea,
  type FloatArray,
  filterLedgeSpans,
  filterLowHangingWalkableObstacles,
  filterWalkableLowHeightSpans,
  freeCompactHeightfield,
  freeHeightfield,
  markWalkableTriangles,
  type RecastBuildContext,
  type RecastCompactHeightfield,
  rasterizeTriangles,
  TriangleAreasArray,
  TrianglesArray,
} from 'recast-navigation';
import { FORBIDDEN, type Level, PLAIN_GROUND } from './level.ts';
import { type BakeSettings, voxels } from './settings.ts';
import { tooMuch } from './trouble.ts';

/** The part of a level that is voxelised at once: cells, and bounds in metres with the border in them. */
export interface Patch {
  readonly width: number;
  readonly height: number;
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/**
 * The walkable ground of a patch, eroded by the walker's radius. The caller frees it.
 * @param list the triangles that reach into the patch
 */
export function groundOf(
  context: RecastBuildContext,
  level: Level,
  vertices: FloatArray,
  list: Uint32Array,
  patch: Patch,
  settings: BakeSettings,
): RecastCompactHeightfield {
  const { height, climb, radius } = voxels(settings);
  const field = allocHeightfield();
  const ground = allocCompactHeightfield();
  const triangles = new TrianglesArray();
  const areas = new TriangleAreasArray();
  let done = false;
  try {
    const { cellSize: cs, cellHeight: ch } = settings;
    if (!createHeightfield(context, field, patch.width, patch.height, [...patch.min], [...patch.max], cs, ch)) {
      throw tooMuch('voxels');
    }
    const count = list.length;
    const corners = new Int32Array(3 * count);
    list.forEach((t, i) => {
      for (let c = 0; c < 3; c++) corners[3 * i + c] = level.triangles[3 * t + c];
    });
    triangles.copy(corners);
    areas.resize(count);
    const marks = areas.getHeapView();
    marks.fill(0);
    const vertexCount = level.positions.length / 3;
    markWalkableTriangles(context, settings.agentSlope, vertices, vertexCount, triangles, count, areas);
    const marked = areas.getHeapView();
    for (let i = 0; i < count; i++) if (marked[i] === PLAIN_GROUND) marked[i] = level.areas[list[i]];
    if (!rasterizeTriangles(context, vertices, vertexCount, triangles, areas, count, field, climb)) {
      throw tooMuch('voxels');
    }
    filterLowHangingWalkableObstacles(context, climb, field);
    filterLedgeSpans(context, height, climb, field);
    filterWalkableLowHeightSpans(context, height, field);
    if (
      !buildCompactHeightfield(context, height, climb, field, ground) ||
      !erodeWalkableArea(context, radius, ground)
    ) {
      throw tooMuch('voxels');
    }
    // after the erosion: a walker comes up to the edge of a pool, not to a radius from it
    if (list.some((t) => level.areas[t] === FORBIDDEN)) forbid(ground);
    done = true;
    return ground;
  } finally {
    freeHeightfield(field);
    triangles.destroy();
    areas.destroy();
    if (!done) freeCompactHeightfield(ground);
  }
}

function forbid(ground: RecastCompactHeightfield): void {
  const count = ground.spanCount();
  for (let i = 0; i < count; i++) if (ground.areas(i) === FORBIDDEN) ground.raw.set_areas(i, 0);
}
