// A writer of navcat's NavMesh as JSON: one tile for each storey-and-half of the polygons, what the reader does not look at
// left as navcat has it.
import { indexed, type PolyGround } from './polyground.ts';

export interface NavcatStyle {
  readonly tiles?: number;
  readonly cellSize?: number;
  readonly flags?: number;
  readonly connections?: readonly {
    start: readonly number[];
    end: readonly number[];
    radius: number;
    direction: 0 | 1;
  }[];
}

export function writeNavcat(ground: PolyGround, style: NavcatStyle = {}): Uint8Array {
  const { tiles: parts = 2, cellSize = 0.125, flags = 1 } = style;
  const tiles: Record<string, object> = {};
  for (let t = 0; t < parts; t++) {
    const mine = ground.rings.map((_, p) => p).filter((p) => p % parts === t);
    const part = { ...ground, rings: mine.map((p) => ground.rings[p]), areas: mine.map((p) => ground.areas[p]) };
    const { vertices, rings } = indexed(part);
    tiles[t] = {
      id: t,
      sequence: 0,
      tileX: t,
      tileY: 0,
      tileLayer: 0,
      bounds: [-100, -100, -100, 100, 100, 100],
      vertices: vertices.flat(),
      detailMeshes: [],
      detailVertices: [],
      detailTriangles: [],
      polys: rings.map((ring, i) => ({ vertices: ring, neis: ring.map(() => 0), flags, area: part.areas[i] })),
      polyNodes: rings.map((_, i) => i),
      bvTree: { nodes: [{ bounds: [0, 0, 0, 1, 1, 1], i: 0 }], quantFactor: 1 / cellSize },
      cellSize,
      cellHeight: 0.2,
      walkableHeight: 1.8,
      walkableRadius: 0.4,
      walkableClimb: 0.3,
    };
  }
  const offMeshConnections = Object.fromEntries(
    (style.connections ?? []).map((c, id) => [id, { id, sequence: 0, ...c, flags: 1, area: 5 }]),
  );
  const pool = { nextIndex: 0, free: [], counter: 0 };
  return new TextEncoder().encode(
    JSON.stringify({
      origin: [0, 0, 0],
      tileWidth: 50,
      tileHeight: 50,
      links: [],
      nodes: [],
      tiles,
      tilePositionToTileId: {},
      tileColumnToTileIds: {},
      offMeshConnections,
      offMeshConnectionAttachments: {},
      offMeshConnectionSequenceCounter: 0,
      nodeIndexPool: pool,
    }),
  );
}
