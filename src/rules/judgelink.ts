// Moves of an entity that is on its way over a link: along it, off it at an end, or refused. Imported by judgemove.ts.
//
// Over a gap nobody hangs for ever. On a link that is not steep and is longer than two bodies, time that the metres gone do
// not explain adds up (HANG): metres towards the far end count where it has not been yet, those back always. Once it is
// more than a jump and a window last, claims that bring it nowhere are refused as Airborne. Going on or back never is, for
// nobody is trapped: swaying to and fro is evidence. On a ladder a body may stay.
//
// A slow climber's rounded positions stand still for some claims and then go a whole quantum up. So on a ladder the time that
// a claim leaves over is kept for the next ones, as much as two quanta take (HANG again): it is taken out of OPEN.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { accept } from './answer.ts';
import { alongLink, leastWay, takeOff } from './climb.ts';
import { windowMs } from './credit.ts';
import { fits, forgivenOn, isOnLink, payWay, stepOnLink } from './crosslink.ts';
import {
  Q_BUDGET,
  Q_CREDIT,
  Q_FROM_X,
  Q_FROM_Y,
  Q_FROM_Z,
  Q_NODES,
  Q_RATE,
  Q_STRAIGHT,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import { judgeAir } from './judgeair.ts';
import { ANCHOR_X, ANCHOR_Z, FLAGS, FLOOR, HANG, LINK_SHARE, LINK_T, OFF, ON_LINK, OPEN, POLYGON } from './ledger.ts';
import { beside } from './links.ts';
import { touchGround } from './places.ts';
import { ask } from './probe.ts';
import { refuse } from './refuse.ts';
import type { Scene } from './scene.ts';
import { spendNodes } from './search.ts';
import { addEvidence, LAYER_AIR } from './suspicion.ts';

const UPPER = 2;
/** Links up to this many agent radii long may be stood on: doorways, and what two bodies reach over. */
const BODIES = 4;
/** Swaying over a gap for so long counts 1, ms; and what a single claim adds at most. */
const SWAYING_MS = 10_000;
const SWAYING_MOST = 0.25;

/**
 * Judges the claim at hand of an entity on the link that it entered at `end` and has gone along by `farthest` (0..1). A link
 * that is closed meanwhile may be left at both ends: nobody is trapped on it. On a portal that is several links side by side
 * it goes on along the nearest one: what it goes aside is in the straight way.
 */
export function judgeOnLink(scene: Scene, f: Float64Array, o: number, entered: number, farthest: number): Verdict {
  const { q, links, rules } = scene;
  const end = links.nearestStrip(entered, q[Q_X], q[Q_Z]);
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
  const landed = leave(scene, f, o, end ^ 1, 1 - share, false) ?? (back ? leave(scene, f, o, end, share, false) : null);
  if (landed !== null) return landed;
  if (isOnLink(scene, end) && beside.share >= least) {
    const { share: now } = beside;
    const plan = Math.abs(beside.along - here);
    const way = alongLink(scene, end, share, now, 1000 * q[Q_RATE], takeOff(scene, f, o));
    const forgiven = links.isPriced(end) ? 0 : forgivenOn(scene, end, plan);
    const open = f[o + OPEN];
    const steep = links.isSteep(end);
    const kept = steep && (f[o + FLAGS] & ON_LINK) !== 0 ? Math.min(f[o + HANG], roundingMs(scene)) : 0;
    f[o + OPEN] = open + kept;
    if (fits(scene, f, o, way, forgiven)) {
      const gone = now > share ? Math.max(0, now - farthestYet) * length : plan;
      const hang = hangAt(scene, f, o, end, gone);
      const most = hangMost(scene, f, o);
      if (hang > most) {
        if (plan <= rules.positionQuantum) return refuse(scene, f, o, Reason.Airborne, hang, most);
        const evidence = Math.min((hang - most) / SWAYING_MS, SWAYING_MOST);
        addEvidence(f, o, q[Q_T], LAYER_AIR, evidence, rules.scoreHalfLifeMs);
      }
      stepOnLink(scene, f, o, end, now, way, forgiven);
      f[o + LINK_SHARE] = Math.max(now, farthestYet);
      f[o + HANG] = steep ? Math.min(f[o + OPEN], roundingMs(scene)) : Math.min(hang, most);
      if (steep) f[o + OPEN] -= f[o + HANG];
      return scene.verdict;
    }
    f[o + OPEN] = open;
  }
  const away = leave(scene, f, o, end ^ 1, 1 - share, true) ?? (back ? leave(scene, f, o, end, share, true) : null);
  return away ?? refuse(scene, f, o, Reason.Wall, NaN, NaN);
}

/** What the rounding of positions hides, as time: two quanta at the entity's speed, ms. */
function roundingMs(scene: Scene): number {
  const { q, rules } = scene;
  return q[Q_RATE] > 0 ? (2 * rules.positionQuantum) / q[Q_RATE] : 0;
}

/** Time on the link that `gone` metres at q[Q_T] do not explain, ms; 0 where a body may stay. */
function hangAt(scene: Scene, f: Float64Array, o: number, end: number, gone: number): number {
  const { q, links, extent } = scene;
  if ((f[o + FLAGS] & ON_LINK) === 0 || links.isSteep(end)) return 0;
  if (links.length(end) <= Math.max(BODIES * extent.agentRadius, 2 * links.width(end))) return 0;
  const whole = links.length(end);
  const explained = q[Q_RATE] > 0 ? links.priced(end, gone / whole, gone, 1000 * q[Q_RATE]) / q[Q_RATE] : 0;
  return Math.max(0, f[o + HANG] + q[Q_T] - f[o + LINK_T] - explained);
}

/** The most of it: a jump and a window, with the tolerance of speeds, ms. */
function hangMost(scene: Scene, f: Float64Array, o: number): number {
  const { rules, terms, q } = scene;
  const jumpMs = (2000 * takeOff(scene, f, o)) / rules.gravity;
  return jumpMs * rules.speedTolerance + windowMs(f, o, q[Q_T], terms);
}

/** The claim is on the mesh, a walk from an end that is this share of the link away: the entity has left it there. */
function leave(scene: Scene, f: Float64Array, o: number, end: number, share: number, inAir: boolean): Verdict | null {
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
  const v = 1000 * q[Q_RATE];
  const walk = status === S_WALK ? leastWay(scene, f, o, links.polygon(end), NONE, true) : out[1];
  // (seen from the end, so that a fall begins at the top)
  const length = walk + alongLink(scene, end ^ 1, 1 - share, 1, v, takeOff(scene, f, o));
  const forgiven = forgivenOn(scene, end, walk + share * links.length(end));
  const floor = out[5];
  const onGround = level - floor <= scene.ground;
  if (onGround === inAir || !fits(scene, f, o, length, forgiven)) return null;
  const [polygon, anchorX, anchorZ, off] = [out[3], out[4], out[6], out[7]];
  if (!onGround) {
    const refused = judgeAir(scene, f, o, floor);
    if (refused !== null) return refused;
  }
  const charged = payWay(scene, f, o, length, forgiven);
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
