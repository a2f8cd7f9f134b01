// One number for each place: vertices that are copies of each other, or nearer than the weld, become one. Imported by
// soup.ts only. A hash of cells; a cell holds few kept vertices, since two that are kept lie farther apart than the weld.
import { Chains, hash3 } from './chains.ts';

export interface Welded {
  /** The kept vertex of each vertex; kept ones are numbered in the file's order. */
  readonly vertexOf: Uint32Array;
  /** x, y, z of the kept ones. */
  readonly positions: Float32Array;
  /** Vertices that were moved (exact copies are not). */
  readonly moved: number;
}

/** Joins each vertex to the nearest kept one within `weld` metres (0: exact copies only), else keeps it. */
export function weldVertices(positions: Float32Array, weld: number): Welded {
  const count = positions.length / 3;
  const vertexOf = new Uint32Array(count);
  const kept = new Float32Array(positions.length);
  const chains = new Chains(count);
  let keptCount = 0;
  let moved = 0;
  // Four welds wide: most vertices lie so far inside that no other cell need be asked.
  const size = 4 * weld;
  const cell = (v: number) => (weld > 0 ? Math.floor(v / size) : v);
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v];
    const y = positions[3 * v + 1];
    const z = positions[3 * v + 2];
    let best = -1;
    let bestSquare = weld * weld;
    const [lastX, lastY, lastZ] = [cell(x + weld), cell(y + weld), cell(z + weld)];
    for (let i = cell(x - weld); i <= lastX; i++) {
      for (let j = cell(y - weld); j <= lastY; j++) {
        for (let k = cell(z - weld); k <= lastZ; k++) {
          let at = chains.first(hash3(i, j, k));
          for (; at >= 0; at = chains.after(at)) {
            const square = (kept[3 * at] - x) ** 2 + (kept[3 * at + 1] - y) ** 2 + (kept[3 * at + 2] - z) ** 2;
            // The older one wins a tie: numbering does not depend on the chains.
            if (square < bestSquare || (square === bestSquare && (best < 0 || at < best))) {
              best = at;
              bestSquare = square;
            }
          }
        }
      }
    }
    if (best < 0) {
      best = keptCount++;
      kept[3 * best] = x;
      kept[3 * best + 1] = y;
      kept[3 * best + 2] = z;
      chains.add(best, hash3(cell(x), cell(y), cell(z)));
    } else if (bestSquare > 0) moved++;
    vertexOf[v] = best;
  }
  return { vertexOf, positions: kept.slice(0, 3 * keptCount), moved };
}
