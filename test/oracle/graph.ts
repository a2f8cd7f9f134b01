// The shortest walk on one floor by a visibility graph: all corner points and both ends, joined when they see each other,
// then Dijkstra. Turning in a pinch is allowed here, so this is a lower bound of every walk (and exact without pinches).
import { type Point, type SightScene, sees } from './sight.ts';

/** Which corner points see each other: made once per map. */
export function visibility(scene: SightScene, points: readonly Point[]): boolean[][] {
  return points.map((a, i) => points.map((b, k) => i !== k && sees(scene, a, b)));
}

/** Plan length from s to e in integers, Infinity when there is none. */
export function graphLength(
  scene: SightScene,
  points: readonly Point[],
  seen: readonly (readonly boolean[])[],
  s: Point,
  e: Point,
): number {
  if (sees(scene, s, e)) return Math.hypot(e[0] - s[0], e[1] - s[1]);
  const gap = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const best = points.map((p) => (sees(scene, s, p) ? gap(s, p) : Infinity));
  const tail = points.map((p) => (sees(scene, p, e) ? gap(p, e) : Infinity));
  const done = points.map(() => false);
  let answer = Infinity;
  for (;;) {
    let at = -1;
    for (let i = 0; i < points.length; i++) if (!done[i] && (at < 0 || best[i]! < best[at]!)) at = i;
    if (at < 0 || best[at]! >= answer) return answer;
    done[at] = true;
    answer = Math.min(answer, best[at]! + tail[at]!);
    for (let i = 0; i < points.length; i++) {
      if (seen[at]![i]) best[i] = Math.min(best[i]!, best[at]! + gap(points[at]!, points[i]!));
    }
  }
}
