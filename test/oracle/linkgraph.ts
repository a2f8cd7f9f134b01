// The exact shortest walk over floors that only off-mesh links join, by brute force: the visibility graphs of the floors
// with an edge for each direction of a link. Shares no code with the search.
import { type FanGraph, seesNode } from './fangraph.ts';
import { type Point, sees } from './sight.ts';

/** A point of one floor. */
export interface Spot {
  readonly floor: number;
  readonly at: Point;
}

export interface GraphLink {
  readonly from: Spot;
  readonly to: Spot;
  readonly both: boolean;
}

export interface LinkGraph {
  readonly floors: readonly FanGraph[];
  readonly links: readonly GraphLink[];
  /** Places: the corners of all floors, then from and to of each link. */
  readonly places: readonly Spot[];
  /** Plan length of each edge, Infinity = none. */
  readonly length: readonly Float64Array[];
}

export const gap = (a: Point, b: Point): number => Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2);

/** Plan lengths from a point to all places that it sees on its floor. */
function seen(floors: readonly FanGraph[], ends: readonly Spot[], from: Spot): number[] {
  const corners = floors.flatMap((graph, floor) =>
    graph.nodes.map((n) => (floor === from.floor && seesNode(graph, from.at, n) ? gap(from.at, n.at) : Infinity)),
  );
  const { scene } = floors[from.floor]!;
  const others = ends.map((end) =>
    end.floor === from.floor && sees(scene, from.at, end.at) ? gap(from.at, end.at) : Infinity,
  );
  return [...corners, ...others];
}

export function linkGraph(floors: readonly FanGraph[], links: readonly GraphLink[]): LinkGraph {
  const corners = floors.flatMap((graph, floor) => graph.nodes.map(({ at }): Spot => ({ floor, at })));
  const ends = links.flatMap((link) => [link.from, link.to]);
  const places = [...corners, ...ends];
  const length = places.map(() => new Float64Array(places.length).fill(Infinity));
  let base = 0;
  for (const graph of floors) {
    graph.nodes.forEach((_, i) => {
      graph.nodes.forEach((_, k) => {
        length[base + i]![base + k] = graph.length[i]![k]!;
      });
    });
    base += graph.nodes.length;
  }
  ends.forEach((end, k) => {
    seen(floors, ends, end).forEach((l, i) => {
      length[base + k]![i] = l;
      length[i]![base + k] = l;
    });
  });
  const cheaper = (a: number, b: number, l: number): void => {
    length[a]![b] = Math.min(length[a]![b]!, l);
  };
  links.forEach(({ from, to, both }, i) => {
    const [a, b] = [base + 2 * i, base + 2 * i + 1];
    cheaper(a, b, gap(from.at, to.at));
    if (both) cheaper(b, a, gap(from.at, to.at));
  });
  return { floors, links, places, length };
}

/** Plan length of the shortest walk from s to e; Infinity = none. */
export function shortestWithLinks(graph: LinkGraph, s: Spot, e: Spot): number {
  const { floors, links, length } = graph;
  if (s.floor === e.floor && sees(floors[s.floor]!.scene, s.at, e.at)) return gap(s.at, e.at);
  const ends = links.flatMap((link) => [link.from, link.to]);
  const best = seen(floors, ends, s);
  const tail = seen(floors, ends, e);
  const done = best.map(() => false);
  let answer = Infinity;
  for (;;) {
    let at = -1;
    for (let i = 0; i < best.length; i++) if (!done[i] && (at < 0 || best[i]! < best[at]!)) at = i;
    if (at < 0 || !(best[at]! < answer)) return answer;
    done[at] = true;
    answer = Math.min(answer, best[at]! + tail[at]!);
    for (let i = 0; i < best.length; i++) best[i] = Math.min(best[i]!, best[at]! + length[at]![i]!);
  }
}
