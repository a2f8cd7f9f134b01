// Moves of an entity that is on its way over a link: along it, off it at an end, or refused. Imported by judgemove.ts.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { accept } from './answer.ts';
import { fits, isOnLink, payWay, stepOnLink } from './crosslink.ts';
import { Q_BUDGET, Q_CREDIT, Q_FROM_X, Q_FROM_Y, Q_FROM_Z, Q_NODES, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { judgeAir } from './judgeair.ts';
import { ANCHOR_X, ANCHOR_Z, FLAGS, FLOOR, LINK_SHARE, OFF, ON_LINK, POLYGON } from './ledger.ts';
import { beside } from './links.ts';
import { touchGround } from './places.ts';
import { ask } from './probe.ts';
import { refuse } from './refuse.ts';
import type { Scene } from './scene.ts';
import { spendNodes } from './search.ts';

const UPPER = 2;

/**
 * Judges the claim at hand of an entity on the link that it entered at `end` and has gone along by `farthest` (0..1). A link
 * that is closed meanwhile may be left at both ends: nobody is trapped on it.
 */
export function judgeOnLink(scene: Scene, f: Float64Array, o: number, end: number, farthest: number): Verdict {
  const { q, links } = scene;
  const length = links.length(end);
  links.measure(end, q[Q_FROM_X], scene.level(q[Q_FROM_Y]), q[Q_FROM_Z]);
  const { share } = beside;
  const here = share * length;
  const width = links.width(end);
  // what goes back on a one-way link is a body's width at most, from the farthest it came to
  const whole = Math.max(length, Math.abs(links.y(end ^ 1) - links.y(end)));
  const farthestYet = Math.max(farthest, share);
  const least = links.isOpen(end ^ 1) || !links.isOpen(end) || whole <= width ? 0 : farthestYet - width / whole;
  const back = least <= 0;

  // on the ground beyond an end; along the link; in the air beyond an end
  const landed =
    leave(scene, f, o, end ^ 1, length - here, false) ?? (back ? leave(scene, f, o, end, here, false) : null);
  if (landed !== null) return landed;
  if (isOnLink(scene, end) && beside.share >= least) {
    const way = Math.abs(beside.along - here);
    const { share: now } = beside;
    if (fits(scene, way, 2 * width)) {
      stepOnLink(scene, f, o, end, now, way, 2 * width);
      f[o + LINK_SHARE] = Math.max(now, farthestYet);
      return scene.verdict;
    }
  }
  const away = leave(scene, f, o, end ^ 1, length - here, true) ?? (back ? leave(scene, f, o, end, here, true) : null);
  return away ?? refuse(scene, f, o, Reason.Wall, NaN, NaN);
}

/** The claim is on the mesh, a walk from an end that is `rest` metres away: the entity has left the link there. */
function leave(scene: Scene, f: Float64Array, o: number, end: number, rest: number, inAir: boolean): Verdict | null {
  const { q, links, kernel, rules } = scene;
  const slack = 2 * links.width(end);
  const level = scene.level(q[Q_Y]);
  ask(
    kernel,
    links.x(end),
    links.y(end) + scene.middle,
    links.z(end),
    q[Q_X],
    level,
    q[Q_Z],
    scene.below,
    scene.above,
    scene.edge,
    q[Q_BUDGET] + slack,
    q[Q_NODES],
  );
  const status = kernel.reach(links.polygon(end), NONE) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  if (status !== S_CLEAR && status !== S_WALK) return null;
  const length = out[1] + rest;
  const floor = out[5];
  const onGround = level - floor <= scene.ground;
  if (onGround === inAir || !fits(scene, length, slack)) return null;
  const [polygon, anchorX, anchorZ, off] = [out[3], out[4], out[6], out[7]];
  if (!onGround) {
    const refused = judgeAir(scene, f, o, floor);
    if (refused !== null) return refused;
  }
  const charged = payWay(scene, f, o, length, slack);
  f[o + FLAGS] = f[o + FLAGS] & ~ON_LINK;
  f[o + FLOOR] = floor;
  f[o + POLYGON] = polygon;
  f[o + OFF] = off;
  if (off > 0) {
    f[o + ANCHOR_X] = anchorX;
    f[o + ANCHOR_Z] = anchorZ;
  }
  if (onGround) touchGround(f, o, q[Q_T], level);
  return accept(scene, f, o, q[Q_STRAIGHT], length, UPPER, charged, q[Q_CREDIT]);
}
