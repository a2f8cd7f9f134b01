// The trailing point: what a move costs when clients round their positions. Imported by rules/.
//
// A slow walker's rounded positions climb a staircase that is up to 1.42 times as long as the walk. So short legs are not
// charged themselves. A point trails behind the claims as if on a string of length r = 1.5 quanta: a claim nearer to it
// than r costs nothing, one farther off drags it along until r away, and what it was dragged is the cost (the play operator
// of hysteresis, in the plane). A leg longer than 2 r is no matter of rounding: it is charged in full.
//
// Honest walkers. Let p be where the walker truly is, c its claims with |c - p| <= e (e = half the diagonal of a cell of
// rounding), a the trailing point, r > e. While it is dragged |c - a| >= r, so from a the directions to c and to p differ
// by at most asin(e / r), and every metre of dragging brings a nearer to p by at least k = sqrt(1 - (e / r)^2) metres; a
// metre walked takes p at most one metre away. Hence over any time: dragged <= (walked + 2 e) / k. With r = 1.5 quanta
// 1 / k = 1.134, within the speed tolerance; straight walks in every direction come to at most 1.026 (measured).
//
// Cheats. Every claim lies within r of the trailing point, and each metre of that point is paid for. So from any claim to
// any later one, however many lie between: distance <= paid + 2 r. What goes unpaid is to and fro in one place: at most
// 2 r at each turning back, by claims whose legs are shorter than 2 r. The first r after the server placed an entity is
// paid as well: the reach of the string grows from 0.
import { Q_COST, Q_DISTANCE, Q_FROM_X, Q_FROM_Y, Q_FROM_Z, Q_STRAIGHT, Q_X, Q_Y, Q_Z } from './hand.ts';
import { FLAGS, TRAIL_REACH, TRAIL_X, TRAIL_Y, TRAIL_Z, WALKING } from './ledger.ts';
import type { Scene } from './scene.ts';
import { beginWay, noteMove } from './slice.ts';

/** The entity has been put somewhere: the trail begins there. */
export function beginTrail(f: Float64Array, o: number, x: number, y: number, z: number): void {
  f[o + TRAIL_X] = x;
  f[o + TRAIL_Y] = y;
  f[o + TRAIL_Z] = z;
  f[o + TRAIL_REACH] = 0;
  beginWay(f, o, x, z);
}

/** What the claim at hand costs, metres, to q[Q_COST]; never more than its leg. q holds where it is from and to. */
export function weighTrail(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  const straight = q[Q_STRAIGHT];
  const dy = scene.surface ? q[Q_Y] - q[Q_FROM_Y] : 0;
  const leg = dy === 0 ? straight : Math.sqrt(straight * straight + dy * dy);
  // a path's metres are charged as they pass: the trail begins where the path has come to
  if (leg > 2 * scene.string || (f[o + FLAGS] & WALKING) !== 0) {
    q[Q_COST] = leg;
    return;
  }
  distanceToTrail(scene, f, o);
  const beyond = q[Q_DISTANCE] - f[o + TRAIL_REACH];
  q[Q_COST] = Math.max(beyond, 0);
}

/** The claim at hand is committed: drags the trailing point along, and notes the move as evidence. Before the entity's position changes. */
export function pullTrail(scene: Scene, f: Float64Array, o: number): void {
  const { q, string } = scene;
  if ((f[o + FLAGS] & WALKING) !== 0) beginTrail(f, o, q[Q_FROM_X], q[Q_FROM_Y], q[Q_FROM_Z]);
  noteMove(scene, f, o);
  const straight = q[Q_STRAIGHT];
  const dy = scene.surface ? q[Q_Y] - q[Q_FROM_Y] : 0;
  const leg = dy === 0 ? straight : Math.sqrt(straight * straight + dy * dy);
  if (leg > 2 * string) {
    const back = string / leg;
    f[o + TRAIL_X] = q[Q_X] - back * (q[Q_X] - q[Q_FROM_X]);
    f[o + TRAIL_Z] = q[Q_Z] - back * (q[Q_Z] - q[Q_FROM_Z]);
    f[o + TRAIL_REACH] = string;
    if (scene.surface) f[o + TRAIL_Y] = q[Q_Y] - back * dy;
    return;
  }
  distanceToTrail(scene, f, o);
  const distance = q[Q_DISTANCE];
  if (distance > string) {
    const share = (distance - string) / distance;
    f[o + TRAIL_X] += share * (q[Q_X] - f[o + TRAIL_X]);
    f[o + TRAIL_Z] += share * (q[Q_Z] - f[o + TRAIL_Z]);
    f[o + TRAIL_REACH] = string;
    if (scene.surface) f[o + TRAIL_Y] += share * (q[Q_Y] - f[o + TRAIL_Y]);
  } else if (distance > f[o + TRAIL_REACH]) f[o + TRAIL_REACH] = distance;
}

/** From the trailing point to the claimed position, metres, to q[Q_DISTANCE]. */
function distanceToTrail(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  const dx = q[Q_X] - f[o + TRAIL_X];
  const dy = scene.surface ? q[Q_Y] - f[o + TRAIL_Y] : 0;
  const dz = q[Q_Z] - f[o + TRAIL_Z];
  q[Q_DISTANCE] = Math.sqrt(dx * dx + dy * dy + dz * dz);
}
