// Convex pieces of a mesh as one flat list of edges: what cutting, meeting and joining work on. A leaf of mesh/.
// Made by pieces.ts.

/** Edges of all pieces; those of piece k are first[k] .. first[k + 1] - 1 in ring order. */
export interface Pieces {
  readonly first: Uint32Array;
  /** Export polygon of each piece. */
  readonly source: Uint32Array;
  /** Start of each edge, units and metres. */
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly y: Float64Array;
  /** Corner of the export at which the edge starts (or ends, where the polygon was reversed); -1 = a cut. */
  readonly corner: Int32Array;
  readonly piece: Uint32Array;
}

/** The edge after e in its piece. */
export function nextEdge(pieces: Pieces, e: number): number {
  const k = pieces.piece[e];
  return e + 1 === pieces.first[k + 1] ? pieces.first[k] : e + 1;
}
