// Triangles to a navmesh by recast-navigation's generators, and the navmesh to MSET bytes. Imported by build/.
// Everything taken from recast-navigation's heap is given back, tile by tile.
import {
  Detour,
  exportNavMesh,
  freeCompactHeightfield,
  freeContourSet,
  freeHeightfield,
  freePolyMesh,
  freePolyMeshDetail,
  init,
  NavMesh,
  NavMeshParams,
  type OffMeshConnectionParams,
  RecastChunkyTriMesh,
  statusFailed,
  TrianglesArray,
  type UnsignedCharArray,
  VerticesArray,
} from 'recast-navigation';
import {
  buildTiledNavMeshRcConfig,
  generateSoloNavMeshData,
  generateTileNavMeshData,
  getBoundingBox,
  soloNavMeshGeneratorConfigDefaults,
  tiledNavMeshGeneratorConfigDefaults,
} from 'recast-navigation/generators';
import { NavguardError } from '../errors.ts';
import { type Intermediates, markedTile, type TileSizes } from './areas.ts';
import type { TriangleSoup } from './solids.ts';
import type { AgentSpec, AreaSpec, LinkSpec } from './spec.ts';

/** What the generators need besides geometry. Metres, degrees; tile in cells (0 = one tile). */
export interface GenerateConfig {
  readonly cell: number;
  readonly cellHeight: number;
  readonly agent: AgentSpec;
  readonly tile: number;
  readonly links: readonly LinkSpec[];
  readonly areas: readonly AreaSpec[];
}

/** Whole voxels; a hair of slack so that 0.3 / 0.1 is three and not two. */
export function voxels(config: GenerateConfig): { height: number; climb: number; radius: number } {
  return {
    height: Math.max(3, Math.ceil(config.agent.height / config.cellHeight - 1e-6)),
    climb: Math.floor(config.agent.climb / config.cellHeight + 1e-6),
    radius: Math.ceil(config.agent.radius / config.cell - 1e-6),
  };
}

/** MSET bytes (32-bit) of the navmesh of a triangle soup; throws BAD_ARGUMENT when nothing is walkable. */
export async function generate(soup: TriangleSoup, config: GenerateConfig): Promise<Uint8Array> {
  await init();
  const { height, climb, radius } = voxels(config);
  const recast = {
    cs: config.cell,
    ch: config.cellHeight,
    walkableSlopeAngle: config.agent.slope,
    walkableHeight: height,
    walkableClimb: climb,
    walkableRadius: radius,
    // Long walls are cut every 12 m, as RecastDemo does.
    maxEdgeLen: Math.max(1, Math.round(12 / config.cell)),
  };
  const links = config.links.map(toOffMesh);
  const navMesh = config.tile === 0 ? solo(soup, recast, links, config) : tiled(soup, recast, links, config);
  try {
    return exportNavMesh(navMesh);
  } finally {
    navMesh.destroy();
  }
}

type RecastOptions = Pick<
  typeof soloNavMeshGeneratorConfigDefaults,
  'cs' | 'ch' | 'walkableSlopeAngle' | 'walkableHeight' | 'walkableClimb' | 'walkableRadius' | 'maxEdgeLen'
>;

function solo(
  soup: TriangleSoup,
  recast: RecastOptions,
  links: OffMeshConnectionParams[],
  config: GenerateConfig,
): NavMesh {
  const options = { ...soloNavMeshGeneratorConfigDefaults, ...recast, offMeshConnections: links };
  const result = generateSoloNavMeshData(soup.positions, soup.indices, options, true);
  let data: UnsignedCharArray | undefined = result.success ? result.navMeshData : undefined;
  if (data !== undefined && config.areas.length > 0) {
    data.destroy();
    data = markedTile(result.intermediates, { ...options, borderSize: 0 }, config.areas, links, null);
  }
  release(result.intermediates);
  const navMesh = new NavMesh();
  if (data === undefined || !navMesh.initSolo(data)) {
    data?.destroy();
    navMesh.destroy();
    throw nothingWalkable(soup, result.success ? undefined : result.error);
  }
  return navMesh;
}

function tiled(
  soup: TriangleSoup,
  recast: RecastOptions,
  links: OffMeshConnectionParams[],
  config: GenerateConfig,
): NavMesh {
  const options = { ...tiledNavMeshGeneratorConfigDefaults, ...recast, tileSize: config.tile };
  const { bbMin, bbMax } = getBoundingBox(soup.positions, soup.indices);
  const layout = buildTiledNavMeshRcConfig({ recastConfig: options, navMeshBounds: [bbMin, bbMax] });
  const navMesh = new NavMesh();
  const vertices = new VerticesArray();
  const triangles = new TrianglesArray();
  try {
    const side = config.tile * config.cell;
    const params = NavMeshParams.create({
      orig: layout.orig,
      tileWidth: side,
      tileHeight: side,
      maxTiles: layout.maxTiles,
      maxPolys: layout.maxPolysPerTile,
    });
    vertices.copy(soup.positions);
    triangles.copy(soup.indices);
    const chunks = new RecastChunkyTriMesh();
    if (
      !navMesh.initTiled(params) ||
      !chunks.init(vertices, triangles, soup.indices.length / 3, options.chunkyTriMeshTrisPerChunk)
    ) {
      throw new NavguardError('BAD_ARGUMENT', 'recast-navigation refused the size of the tiled map.', { ...layout });
    }
    const sizes: TileSizes = { ...options, borderSize: layout.config.borderSize };
    let tiles = 0;
    for (let y = 0; y < layout.tileHeight; y++) {
      for (let x = 0; x < layout.tileWidth; x++) {
        const tile = {
          x,
          y,
          bmin: [bbMin[0] + x * layout.tcs, bbMin[1], bbMin[2] + y * layout.tcs] as [number, number, number],
          bmax: [bbMin[0] + (x + 1) * layout.tcs, bbMax[1], bbMin[2] + (y + 1) * layout.tcs] as [
            number,
            number,
            number,
          ],
        };
        const result = generateTileNavMeshData(
          vertices,
          triangles,
          layout.config,
          chunks,
          tile,
          { offMeshConnections: links, buildBvTree: true },
          true,
        );
        let data = result.success ? result.data : undefined;
        if (data !== undefined && config.areas.length > 0) {
          data.destroy();
          data = markedTile(result.intermediates, sizes, config.areas, links, tile);
        }
        release(result.intermediates);
        if (data === undefined) continue;
        const added = navMesh.addTile(data, Detour.DT_TILE_FREE_DATA, 0);
        if (statusFailed(added.status)) {
          data.destroy();
          throw new NavguardError('BAD_ARGUMENT', `recast-navigation refused tile ${x}, ${y}: status ${added.status}.`);
        }
        tiles++;
      }
    }
    if (tiles === 0) throw nothingWalkable(soup, undefined);
    return navMesh;
  } catch (error) {
    navMesh.destroy();
    throw error;
  } finally {
    vertices.destroy();
    triangles.destroy();
  }
}

/** The generators keep their intermediates for us (areas need them): here they go. */
function release(parts: Intermediates): void {
  if (parts.heightfield) freeHeightfield(parts.heightfield);
  if (parts.compactHeightfield) freeCompactHeightfield(parts.compactHeightfield);
  if (parts.contourSet) freeContourSet(parts.contourSet);
  if (parts.polyMesh) freePolyMesh(parts.polyMesh);
  if (parts.polyMeshDetail) freePolyMeshDetail(parts.polyMeshDetail);
}

function toOffMesh(link: LinkSpec, index: number): OffMeshConnectionParams {
  return {
    startPosition: { x: link.from[0], y: link.from[1], z: link.from[2] },
    endPosition: { x: link.to[0], y: link.to[1], z: link.to[2] },
    radius: link.radius,
    bidirectional: link.bidirectional,
    userId: index + 1,
  };
}

function nothingWalkable(soup: TriangleSoup, reason: string | undefined): NavguardError {
  const { positions: p, indices } = soup;
  let up = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t] * 3, indices[t + 1] * 3, indices[t + 2] * 3];
    const ny = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
    if (ny > 0) up++;
  }
  return new NavguardError(
    'BAD_ARGUMENT',
    `Inline map: nothing is walkable: ${up} of ${indices.length / 3} triangles face up (counter-clockwise seen from above), expected ground with room for the agent${reason === undefined ? '' : ` (recast-navigation: ${reason})`}.`,
    { up, triangles: indices.length / 3 },
  );
}
