// Where entities stand: putting them somewhere, walking them along their path, ending a walk. Imported by rules/ and
// guard.ts.
import { FLOOR_ONLY, NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import { airDebtAt, hoverAt, lackedAt } from './air.ts';
import { settle } from './credit.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_POLYGON, Q_T, Q_TOLERANCE, Q_X, Q_Y, Q_Z } from './hand.ts';
import {
  AIR_DEBT,
  AIR_RATE,
  AIR_T,
  AIRBORNE,
  ANCHOR_X,
  ANCHOR_Z,
  CORNER,
  FLAGS,
  FLOOR,
  GROUND_T,
  GROUND_Y,
  HANG,
  HOVER,
  LACKED,
  LAUNCH,
  LAUNCH_T,
  LINK,
  LINK_SHARE,
  LINK_T,
  OFF,
  ON_LINK,
  OVER_GAP,
  OVER_LEDGE,
  PATH_CORNERS,
  PATH_DONE,
  PATH_END,
  PATH_RATE,
  PATH_T,
  PLACED_OFF,
  POLYGON,
  STRIDE,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { beside } from './links.ts';
import { ask, locate, NOWHERE, standing } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { pathPoint } from './timeline.ts';
import { beginTrail } from './trail.ts';

/** A knock-back's upward speed counts until ground is touched this long after it, ms. */
const LAUNCH_MS = 1000;
/** On the mesh's grid a point moves by up to a millimetre, metres. */
export const GRID_ERROR = 0.002;
/** Nodes of a search for the way along one leg: it is straight but for the mesh's grid. */
const LEG_NODES = 256;
/** Corners of paths lie on their floor, but for rounding and what two polygons differ by at their common edge, metres. */
export const CORNER_ERROR = 0.3;

/** Puts an entity at a point (metres, y as clients measure it) and finds what is under it. */
export function placeAt(scene: Scene, f: Float64Array, o: number, x: number, y: number, z: number): void {
  const { kernel } = scene;
  const level = scene.level(y);
  const polygon = standing(kernel, x, level, z, scene.below, scene.above);
  const out = kernel.output;
  const on = polygon !== NONE;
  // -0 becomes 0
  f[o + X] = x + 0;
  f[o + Y] = y + 0;
  f[o + Z] = z + 0;
  f[o + POLYGON] = polygon;
  f[o + FLOOR] = on ? out[1] : level;
  f[o + OFF] = on ? out[3] : NOWHERE;
  f[o + ANCHOR_X] = on ? out[0] : f[o + X];
  f[o + ANCHOR_Z] = on ? out[2] : f[o + Z];
  f[o + FLAGS] = f[o + FLAGS] & ~(OVER_LEDGE | ON_LINK | OVER_GAP);
}

/** Puts an entity at a point as if on the ground there: its fall, if it is one, begins now. */
export function putAt(scene: Scene, f: Float64Array, o: number, t: number, x: number, y: number, z: number): void {
  placeAt(scene, f, o, x, y, z);
  f[o + FLAGS] = f[o + OFF] > scene.grain ? f[o + FLAGS] | PLACED_OFF : f[o + FLAGS] & ~PLACED_OFF;
  beginTrail(f, o, f[o + X], f[o + Y], f[o + Z]);
  touchGround(f, o, t, scene.level(y));
}

/** Puts an entity at the claimed position as if on the ground there. */
export function putAtClaim(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  putAt(scene, f, o, q[Q_T], q[Q_X], q[Q_Y], q[Q_Z]);
}

/**
 * How far outside the mesh a claim may lie, metres, to q[Q_TOLERANCE]: the edge tolerance, which bodies pressed against
 * walls need. Whom the server put off the mesh did not walk there: until it is back on it, the mesh's own error is all. In
 * either case it may stay as far off as it is.
 */
export function weighTolerance(scene: Scene, f: Float64Array, o: number): void {
  const off = f[o + OFF];
  const tolerance = (f[o + FLAGS] & PLACED_OFF) !== 0 ? scene.grain : scene.edge;
  // (over a gap it is off by more than anyone may be, but belongs to the gap's edge)
  scene.q[Q_TOLERANCE] = off > tolerance && (f[o + FLAGS] & OVER_GAP) === 0 ? off + GRID_ERROR : tolerance;
}

/** Notes how far outside the mesh an accepted claim is: never farther than before, except within the tolerance. */
export function noteOff(scene: Scene, f: Float64Array, o: number, off: number): void {
  const placed = (f[o + FLAGS] & PLACED_OFF) !== 0;
  if ((f[o + FLAGS] & OVER_GAP) !== 0) f[o + FLAGS] = f[o + FLAGS] & ~OVER_GAP;
  const tolerance = placed ? scene.grain : scene.edge;
  f[o + OFF] = off > tolerance && off > f[o + OFF] ? f[o + OFF] : off;
  if (placed && off === 0) f[o + FLAGS] = f[o + FLAGS] & ~PLACED_OFF;
}

/** The last ground contact: height of the feet and time. A flight ends here. */
export function touchGround(f: Float64Array, o: number, t: number, level: number): void {
  f[o + HOVER] = hoverAt(f[o + HOVER], f[o + AIR_RATE], t - f[o + AIR_T]);
  f[o + LACKED] = lackedAt(f[o + LACKED], t - f[o + AIR_T]);
  f[o + AIR_DEBT] = airDebtAt(f[o + AIR_DEBT], f[o + AIR_RATE], t - f[o + AIR_T]);
  f[o + AIR_RATE] = 0;
  f[o + AIR_T] = t;
  f[o + FLAGS] = f[o + FLAGS] & ~(AIRBORNE | OVER_LEDGE);
  f[o + GROUND_Y] = level;
  f[o + GROUND_T] = t;
  if (t - f[o + LAUNCH_T] > LAUNCH_MS) f[o + LAUNCH] = 0;
}

/** Where the entity stands at t, to q: x, floor y, z. */
export function here(scene: Scene, f: Float64Array, o: number, t: number): void {
  if ((f[o + FLAGS] & WALKING) !== 0) {
    onPath(scene, f, o, t);
    return;
  }
  const { q } = scene;
  q[Q_FROM_X] = f[o + X];
  q[Q_FLOOR] = f[o + FLOOR];
  q[Q_FROM_Z] = f[o + Z];
}

const point = new Float64Array(3);

/** The link end that the leg of the last `onPath` leads away from, -1 = the leg is on the mesh. */
export const leg = { link: -1 };

/** The point of the path at t, to q. Its y is the floor's, for the ground may bulge between corners. */
export function onPath(scene: Scene, f: Float64Array, o: number, t: number): void {
  leg.link = -1;
  const path = scene.ledger.paths[o / STRIDE];
  if (path === undefined || findOnPath(scene, f, o, t, path, scene.changes.closed === 0)) return;
  // it may have come through what closed behind it; where it may not go any more the walk ends: cutwalk.ts
  scene.changes.asIfOpen(scene.kernel, () => findOnPath(scene, f, o, t, path, true));
}

/** The same; `surely`: also where the leg's ray does not lead to the point. False when it does not. */
function findOnPath(scene: Scene, f: Float64Array, o: number, t: number, path: Float64Array, surely: boolean): boolean {
  const { kernel, q } = scene;
  const at = pathPoint(f, o, path, t, point);
  const corner = at * CORNER;
  const { links } = scene;
  if (links.count > 0 && at + 1 < f[o + PATH_CORNERS]) {
    const next = corner + CORNER;
    leg.link = links.endOfLeg(path[corner], path[corner + 2], path[next], path[next + 2]);
    if (leg.link >= 0) {
      q[Q_FROM_X] = point[0];
      q[Q_FLOOR] = point[1];
      q[Q_FROM_Z] = point[2];
      q[Q_POLYGON] = links.polygon(leg.link);
      return true;
    }
  }
  // a leg is walkable: the ray along it ends at the point, on the floor that the walk is on; at a corner it is the leg
  // that led there, for other polygons may touch the corner
  const arrived = at > 0 && point[0] === path[corner] && point[2] === path[corner + 2];
  const a = arrived && !isLink(scene, path, corner - CORNER) ? corner - CORNER : corner;
  let start = locate(kernel, path[a], path[a + 1], path[a + 2], CORNER_ERROR, CORNER_ERROR, GRID_ERROR);
  if (a === 0 && start >= FLOOR_ONLY && f[o + POLYGON] < NONE) start = f[o + POLYGON];
  const floor = path[a + 1] + scene.middle;
  ask(kernel, path[a], floor, path[a + 2], point[0], point[1], point[2], scene.below, scene.above, GRID_ERROR, 0, 0);
  kernel.ray(start);
  const out = kernel.output;
  q[Q_FROM_X] = point[0];
  q[Q_FROM_Z] = point[2];
  if (out[5] !== NONE && out[0] >= 1) {
    q[Q_FLOOR] = out[2];
    q[Q_POLYGON] = out[5];
    return true;
  }
  if (!surely) return false;
  // The leg grazes a corner of a wall, and on the mesh's grid the ray stops at it: the walk goes round it by less than the
  // grid. (Between two corners the height is no straight line: on a ramp that is the middle of the air.)
  const polygon = out[5];
  const walk = planDistance(path[a], path[a + 2], point[0], point[2]) + 2 * scene.grain;
  const { below, above } = scene;
  ask(kernel, path[a], floor, path[a + 2], point[0], point[1], point[2], below, above, GRID_ERROR, walk, LEG_NODES);
  const status = kernel.reach(start, NONE) >>> 0;
  const found = status === S_CLEAR || status === S_WALK;
  q[Q_FLOOR] = found ? out[5] : point[1];
  q[Q_POLYGON] = found ? out[3] : polygon;
  return true;
}

/** Whether the leg of a path from the corner at `a` on is a link. */
function isLink(scene: Scene, path: Float64Array, a: number): boolean {
  const b = a + CORNER;
  return scene.links.count > 0 && scene.links.endOfLeg(path[a], path[a + 2], path[b], path[b + 2]) >= 0;
}

/** Ends a walk where it is at t; its metres are charged. Without a walk it only settles. */
export function stopWalk(scene: Scene, f: Float64Array, o: number, t: number): void {
  settle(f, o, t, scene.terms);
  if ((f[o + FLAGS] & WALKING) === 0) return;
  onPath(scene, f, o, t);
  const { q } = scene;
  endWalk(f, o);
  f[o + X] = q[Q_FROM_X];
  f[o + Y] = q[Q_FLOOR] + scene.rules.yOffset;
  f[o + Z] = q[Q_FROM_Z];
  f[o + FLOOR] = q[Q_FLOOR];
  f[o + POLYGON] = q[Q_POLYGON];
  f[o + OFF] = 0;
  f[o + ANCHOR_X] = f[o + X];
  f[o + ANCHOR_Z] = f[o + Z];
  beginTrail(f, o, f[o + X], f[o + Y], f[o + Z]);
  touchGround(f, o, t, q[Q_FLOOR]);
  if (leg.link >= 0) stayOnLink(scene, f, o, t, leg.link);
}

/** The entity, where it is, is on its way over the link that it entered at an end. */
function stayOnLink(scene: Scene, f: Float64Array, o: number, t: number, end: number): void {
  const { links } = scene;
  links.measure(end, f[o + X], f[o + FLOOR], f[o + Z]);
  f[o + FLAGS] = f[o + FLAGS] | ON_LINK;
  f[o + LINK] = end;
  f[o + LINK_SHARE] = beside.share;
  f[o + LINK_T] = t;
  f[o + HANG] = 0;
  f[o + FLOOR] = links.y(end);
  f[o + ANCHOR_X] = links.x(end);
  f[o + ANCHOR_Z] = links.z(end);
}

/** Forgets the path. */
export function endWalk(f: Float64Array, o: number): void {
  f[o + FLAGS] = f[o + FLAGS] & ~(WALKING | OVER_LEDGE | ON_LINK);
  f[o + PATH_T] = 0;
  f[o + PATH_DONE] = 0;
  f[o + PATH_RATE] = 0;
  f[o + PATH_END] = 0;
  f[o + PATH_CORNERS] = 0;
}
