// The exact shortest walk on one floor, by brute force: a visibility graph whose nodes are (corner point, fan), so that
// turning in a pinch is possible within one fan and never from one to the other. Shares no code with the search.
import {
  type Point,
  ringHolds,
  type SightScene,
  sees,
  smallTurn,
  startsIn,
  type Triangle,
  type Turn,
} from './sight.ts';

export interface FanNode {
  readonly at: Point;
  /** Triangles of this fan around the point. */
  readonly fan: readonly Triangle[];
}

export interface FanGraph {
  readonly scene: SightScene;
  readonly turn: Turn;
  readonly nodes: readonly FanNode[];
  /** Plan length of each edge, Infinity = none. */
  readonly length: readonly (readonly number[])[];
}

const gap = (a: Point, b: Point): number => Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2);

function sides(t: Triangle): [number, number, number, number][] {
  return [
    [t[0], t[1], t[2], t[3]],
    [t[2], t[3], t[4], t[5]],
    [t[4], t[5], t[0], t[1]],
  ];
}

/** Triangles around a corner point, grouped by sides that end in it. */
function fansAt(scene: SightScene, p: Point): Triangle[][] {
  const around = scene.triangles.filter((t) => [0, 2, 4].some((k) => t[k] === p[0] && t[k + 1] === p[1]));
  const groups: Triangle[][] = [];
  const joined = (a: Triangle, b: Triangle): boolean =>
    sides(a).some(([ax, az, bx, bz]) =>
      sides(b).some(
        ([cx, cz, dx, dz]) =>
          ax === dx &&
          az === dz &&
          bx === cx &&
          bz === cz &&
          ((ax === p[0] && az === p[1]) || (bx === p[0] && bz === p[1])),
      ),
    );
  for (const t of around) {
    const near = groups.filter((g) => g.some((o) => joined(o, t)));
    const rest = groups.filter((g) => !near.includes(g));
    groups.length = 0;
    groups.push(...rest, [...near.flat(), t]);
  }
  return groups;
}

/** Whether points just beside `p` towards `q` lie in one of these triangles, all of which have p as a corner. */
function leaves(fan: readonly Triangle[], p: Point, q: Point, turn: Turn): boolean {
  return fan.some((t) => {
    const k = [0, 2, 4].find((i) => t[i] === p[0] && t[i + 1] === p[1])!;
    const next = [t[(k + 2) % 6], t[(k + 3) % 6]];
    const before = [t[(k + 4) % 6], t[(k + 5) % 6]];
    return (
      turn(p[0], p[1], next[0]!, next[1]!, q[0], q[1]) >= 0 && turn(before[0]!, before[1]!, p[0], p[1], q[0], q[1]) >= 0
    );
  });
}

/** `turn` decides: smallTurn below 2^20, an exact one beyond. */
export function fanGraph(scene: SightScene, points: readonly Point[], turn: Turn = smallTurn): FanGraph {
  const nodes = points.flatMap((at) => fansAt(scene, at).map((fan) => ({ at, fan })));
  const length = nodes.map((a) =>
    nodes.map((b) =>
      a.at !== b.at &&
      leaves(a.fan, a.at, b.at, turn) &&
      leaves(b.fan, b.at, a.at, turn) &&
      sees(scene, a.at, b.at, turn)
        ? gap(a.at, b.at)
        : Infinity,
    ),
  );
  return { scene, turn, nodes, length };
}

/** Whether an integer point sees a corner's fan; a corner point may leave by any of its fans. */
export function seesNode({ scene, turn }: FanGraph, p: Point, n: FanNode): boolean {
  if (n.at[0] === p[0] && n.at[1] === p[1]) return true;
  return leaves(n.fan, n.at, p, turn) && sees(scene, p, n.at, turn);
}

/**
 * Plan length of the shortest walk between two integer points of the closed walkable set; Infinity = none. Of a start that
 * several fans share, `ring` (which holds it) says in which of them it begins.
 */
export function shortestByGraph(graph: FanGraph, s: Point, e: Point, ring?: readonly number[]): number {
  const { scene, turn, nodes, length } = graph;
  const begins = (to: Point) => ring === undefined || startsIn(scene, ring, s, to, turn);
  const same = (n: FanNode) => n.at[0] === s[0] && n.at[1] === s[1];
  const inRing = (n: FanNode) =>
    n.fan.some((t) =>
      ringHolds(
        ring!.map((v) => 3 * v),
        [t[0] + t[2] + t[4], t[1] + t[3] + t[5]],
        turn,
      ),
    );
  const leads = (n: FanNode) => seesNode(graph, s, n) && (ring !== undefined && same(n) ? inRing(n) : begins(n.at));
  if (sees(scene, s, e, turn) && begins(e)) return gap(s, e);
  const best = nodes.map((n) => (leads(n) ? gap(s, n.at) : Infinity));
  const tail = nodes.map((n) => (seesNode(graph, e, n) ? gap(n.at, e) : Infinity));
  const done = nodes.map(() => false);
  let answer = Infinity;
  for (;;) {
    let at = -1;
    for (let i = 0; i < nodes.length; i++) if (!done[i] && (at < 0 || best[i]! < best[at]!)) at = i;
    if (at < 0 || !(best[at]! < answer)) return answer;
    done[at] = true;
    answer = Math.min(answer, best[at]! + tail[at]!);
    for (let i = 0; i < nodes.length; i++) {
      const through = best[at]! + length[at]![i]!;
      if (through < best[i]!) best[i] = through;
    }
  }
}
