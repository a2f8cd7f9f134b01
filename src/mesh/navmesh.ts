// The immutable value that every reader produces: what an export says, before anything is snapped, welded or joined.
// Imported by bytes/, mesh/, pack/. No logic but equality.
import type { Finding } from './conforming.ts';

/** One tile of the export; a solo mesh has one. */
export interface NavTile {
  readonly x: number;
  readonly y: number;
  readonly layer: number;
  /** First polygon of this tile in the flat arrays. */
  readonly polyBase: number;
  /** Ground polygons (off-mesh connection polygons are not counted and not kept as polygons). */
  readonly polyCount: number;
  /** minX, minY, minZ, maxX, maxY, maxZ in metres. */
  readonly bounds: readonly [number, number, number, number, number, number];
}

/** An off-mesh connection as exported, or a portal of a side file. Positions in metres. */
export interface NavLink {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly radius: number;
  readonly bidirectional: boolean;
  readonly area: number;
  readonly flags: number;
  readonly userId: number;
  /** Tile that exports it, -1 = none. */
  readonly tile: number;
  /** What facts call it. */
  readonly name?: string;
  /** Metres across the way, at both ends; without it (or 0) it leads from point to point. */
  readonly width?: number;
  /** A crossing takes the plan length so many times, at least 1. */
  readonly cost?: number;
  /** What a crossing takes instead, seconds. */
  readonly seconds?: number;
  /** Whether it is open at the start; not said: unless it leads across tiles that are not neighbours. */
  readonly open?: boolean;
  readonly agentType?: string;
  readonly autoUpdate?: boolean;
}

/** Edge neighbour codes in `NavMesh.neighbours`: a polygon number, or one of these. */
export const WALL = -1;
/** The edge lies on a tile border; `NavMesh.portals` says which polygons it may lead to. */
export const PORTAL = -2;

/**
 * Polygons wind as the export winds them (conforming reverses them where needed). `corner` arrays are indexed by
 * `first[p] .. first[p + 1] - 1`; edge c of a polygon runs from corner c to the next corner of the same polygon.
 */
export interface NavMesh {
  /** For people: "MSET, 32-bit", "grid 12 x 8". */
  readonly format: string;
  readonly tiles: readonly NavTile[];
  /** Lattice of the plan coordinates: origin (metres) and cell (metres; 0 = no lattice). */
  readonly lattice: { readonly x: number; readonly z: number; readonly cell: number };
  readonly agent: { readonly height: number; readonly radius: number; readonly climb: number };
  /** x, y, z in metres, f32 as exported (each tile keeps its own copies). */
  readonly vertices: Float32Array;
  /** polygonCount + 1 entries. */
  readonly first: Uint32Array;
  /** Vertex number of each corner. */
  readonly corners: Uint32Array;
  /** Per corner: what lies across the edge that starts here: polygon number, WALL or PORTAL. */
  readonly neighbours: Int32Array;
  /** For PORTAL edges: corner number of the edge, polygon number it links to; sorted; two entries per link. */
  readonly portals: Uint32Array;
  readonly areas: Uint8Array;
  readonly flags: Uint16Array;
  /** Tile number of each polygon. */
  readonly polyTile: Uint32Array;
  /** Detail meshes: per polygon, first extra vertex (polygonCount + 1 entries) into `detailVertices`. */
  readonly detailFirstVertex: Uint32Array;
  /** x, y, z in metres. */
  readonly detailVertices: Float32Array;
  /** Per polygon, first triangle (polygonCount + 1 entries); no triangles = a fan over the corners. */
  readonly detailFirstTriangle: Uint32Array;
  /** Three per triangle: below the corner count, a corner of the polygon; else corner count + k = its extra vertex k. */
  readonly detailTriangles: Uint8Array;
  readonly links: readonly NavLink[];
  /** What reading dropped, welded or assumed; conform's findings follow these. */
  readonly findings?: readonly Finding[];
}

/** The number of ground polygons. */
export function polygonCount(mesh: NavMesh): number {
  return mesh.first.length - 1;
}
