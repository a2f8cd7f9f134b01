// Border edges that meet exactly although the export has no link between them. Imported by conform.ts. Detour compares the
// f32 positions of two tiles' borders: beyond some 65 km they differ by more than its tolerance and links are lost, and a
// full link table loses them anywhere. On the lattice the edges meet exactly, so nothing needs to be guessed.

import type { Pieces } from './edges.ts';
import { type Matches, sweepLines } from './meet.ts';
import { type NavMesh, PORTAL } from './navmesh.ts';
import { isChordStep } from './step.ts';

/**
 * Adds the pairs of border edges of different tiles that overlap exactly, without a step, to the matches. Visits at most
 * 64 pairs per edge: towers of floors have some, stacked edges of a hostile mesh end there.
 */
export function recoverBorders(mesh: NavMesh, pieces: Pieces, matches: Matches): void {
  const edges = pieces.x.length;
  const borders: number[] = [];
  const isBorder = new Uint8Array(edges);
  for (let e = 0; e < edges; e++) {
    if (pieces.corner[e] < 0 || mesh.neighbours[pieces.corner[e]] !== PORTAL) continue;
    borders.push(e);
    isBorder[e] = 1;
  }
  const seen = new Set<number>();
  for (let i = 0; i < matches.a.length; i++) {
    if (isBorder[matches.a[i]] === 1 && isBorder[matches.b[i]] === 1) seen.add(matches.a[i] * edges + matches.b[i]);
  }
  let left = 64 * edges + 4096;
  sweepLines(pieces, borders, (e, f) => {
    const a = Math.min(e, f);
    const b = Math.max(e, f);
    const apart = mesh.polyTile[pieces.source[pieces.piece[a]]] !== mesh.polyTile[pieces.source[pieces.piece[b]]];
    if (apart && !seen.has(a * edges + b) && !isChordStep(pieces, mesh.agent.climb, a, b)) {
      matches.a.push(a);
      matches.b.push(b);
    }
    return left-- > 0;
  });
}
