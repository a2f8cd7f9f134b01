// The shortest walk over all simple sequences of polygons, best sequences first: adjacency carries it, so floors may lie
// over each other. Every sequence is measured by the portals' dynamic programme of sleeve.ts; nothing is shared with the
// search (no cones, no roots, no turns).
import { type Point, type Portal, type Surface, sleeveLength } from './sleeve.ts';

interface Sequence {
  readonly polygons: readonly number[];
  readonly portals: readonly Portal[];
  /** No walk over this sequence and on is shorter. */
  readonly least: number;
  readonly done: boolean;
}

/**
 * Length of the shortest walk, Infinity when there is none, undefined after `most` sequences. A sequence that has not
 * arrived is measured as if all behind its last portal were open ground: that is a lower bound of all its continuations
 * where the target lies beyond that portal; where it does not, the bound of the shorter sequence stands.
 */
export function shortestBySequences(
  surface: Surface,
  starts: readonly number[],
  goals: readonly number[],
  s: Point,
  e: Point,
  most = 20_000,
): number | undefined {
  let open: Sequence[] = starts.map((p) => ({ polygons: [p], portals: [], least: 0, done: false }));
  for (let made = 0; open.length > 0; ) {
    const best = open.reduce((a, b) => (b.least < a.least ? b : a));
    if (best.done) return best.least;
    open = open.filter((o) => o !== best);
    const at = best.polygons.at(-1)!;
    if (goals.includes(at)) open.push({ ...best, least: sleeveLength(s, e, best.portals), done: true });
    const ring = surface.rings[at]!;
    surface.across[at]!.forEach((q, i) => {
      if (q < 0 || best.polygons.includes(q)) return;
      const k = (2 * i + 2) % ring.length;
      const right: Point = [ring[2 * i]!, ring[2 * i + 1]!];
      const left: Point = [ring[k]!, ring[k + 1]!];
      const portals: Portal[] = [...best.portals, [left, right]];
      // The polygon lies left of its edge right -> left, what comes next lies right of it.
      const side = (left[0] - right[0]) * (e[1] - right[1]) - (left[1] - right[1]) * (e[0] - right[0]);
      const least = side <= 0 ? Math.max(best.least, sleeveLength(s, e, portals)) : best.least;
      open.push({ polygons: [...best.polygons, q], portals, least, done: false });
    });
    if (++made > most) return undefined;
  }
  return Infinity;
}
