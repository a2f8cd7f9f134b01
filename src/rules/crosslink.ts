// Onto a link and along it: a claim off the mesh, or in the air, that lies on the way between a link's ends. Imported by
// rules/; judgelink.ts goes on from here.
//
// Nothing is bought but the link: to be on it the entity must have walked to an end that is open (asked of the mesh), and
// it leaves it at an end, from where the mesh is asked again. In between its metres are those along the link (climb.ts),
// never less than the straight line. A one-way link is only gone forwards, but for what a body's position varies by.
import { S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import type { Verdict } from '../types.ts';
import { AIR_SLACK } from './air.ts';
import { accept } from './answer.ts';
import { leastWay, overLink, shareNow, takeOff } from './climb.ts';
import { obey } from './corrections.ts';
import { chargeAt } from './credit.ts';
import {
  Q_BUDGET,
  Q_CHARGED,
  Q_COST,
  Q_CREDIT,
  Q_FLOOR,
  Q_NODES,
  Q_POLYGON,
  Q_RATE,
  Q_START_X,
  Q_START_Z,
  Q_STRAIGHT,
  Q_T,
  Q_TOLERANCE,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import {
  ANCHOR_X,
  ANCHOR_Z,
  FLAGS,
  FLOOR,
  HANG,
  LINK,
  LINK_SHARE,
  LINK_T,
  OFF,
  ON_LINK,
  OPEN,
  OVER_GAP,
  POLYGON,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { beside } from './links.ts';
import { endWalk, touchGround } from './places.ts';
import { ROUNDING } from './plain.ts';
import { ask } from './probe.ts';
import type { Scene } from './scene.ts';
import { spendNodes } from './search.ts';
import { pullTrail } from './trail.ts';
import { payClear, payWalk, slackAt } from './wayround.ts';

/** What is known of a walk that goes over a link: there may be a shorter one. */
const UPPER = 2;
/** Links by one place that are asked of the mesh at most. */
const MOST_TRIED = 4;

/** How far above a link a body may be on its way over it, metres: it jumps. */
export function riseOf(scene: Scene): number {
  return scene.rules.jumpHeight + AIR_SLACK;
}

/** Whether the claim at hand lies on the way over the link of an end; `beside` says where. */
export function isOnLink(scene: Scene, end: number): boolean {
  const { q, links } = scene;
  return links.holds(end, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], scene.below, riseOf(scene));
}

/**
 * Accepts the claim at hand as a step onto a link and along it; null when it is none, and then nothing has changed but the
 * kernel's output and what was searched.
 */
export function enterLink(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, links, kernel, rules } = scene;
  if (links.count === 0 || scene.flat || (f[o + FLAGS] & ON_LINK) !== 0) return null;
  const last = links.last(q[Q_X]);
  let tried = 0;
  for (let k = links.first(q[Q_X]); k < last && tried < MOST_TRIED; k++) {
    for (let side = 0; side < 2; side++) {
      const end = 2 * links.linkAt(k) + side;
      if (!links.isOpen(end) || !isOnLink(scene, end)) continue;
      const { along, share } = beside;
      tried++;
      const slack = 2 * links.width(end);
      const v = 1000 * q[Q_RATE];
      const v0 = takeOff(scene, f, o);
      let way = overLink(scene, end, share, v, v0);
      // what it jumped up beside a ladder is gone already, and so is what it walked along it before the edge
      if (links.isCostly(end)) way -= Math.min(way, overLink(scene, end, shareNow(scene, end), v, v0));
      ask(
        kernel,
        q[Q_START_X],
        q[Q_FLOOR] + scene.middle,
        q[Q_START_Z],
        links.x(end),
        links.y(end) + scene.middle,
        links.z(end),
        scene.below,
        scene.above,
        q[Q_TOLERANCE],
        q[Q_BUDGET] + slack,
        q[Q_NODES],
      );
      const status = kernel.reach(q[Q_POLYGON], links.polygon(end)) >>> 0;
      const out = kernel.output;
      spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
      if (status !== S_CLEAR && status !== S_WALK) continue;
      const walk = status === S_WALK ? leastWay(scene, f, o, q[Q_POLYGON], links.polygon(end), true) : out[1];
      const length = walk + way;
      const forgiven = forgivenOn(scene, end, walk + along);
      if (!fits(scene, f, o, length, forgiven)) continue;
      f[o + HANG] = 0;
      return stepOnLink(scene, f, o, end, share, length, forgiven);
    }
  }
  return null;
}

/**
 * How much longer a way by a link's ends may look than the one gone, metres; `plan` is its plan length. Of the height of a
 * ladder, and of what a slow portal takes, nothing is forgiven: every step on it would be.
 */
export function forgivenOn(scene: Scene, end: number, plan: number): number {
  const { links } = scene;
  const most = 2 * (scene.grain + links.width(end));
  return links.isCostly(end) ? Math.min(most, plan) : most;
}

/**
 * Whether a way of `length` metres over a link can have been gone: but for what is forgiven it is no longer than the
 * straight line, which the credit pays, or there was time for it.
 */
export function fits(scene: Scene, f: Float64Array, o: number, length: number, forgiven: number): boolean {
  const { q, rules } = scene;
  if (isStraight(scene, length, forgiven)) return true;
  const ms = f[o + OPEN] + slackAt(f, o, q[Q_T], rules.wayRoundSlackMs);
  return length - forgiven <= Math.min(ms * q[Q_RATE], q[Q_CREDIT]) + ROUNDING;
}

function isStraight(scene: Scene, length: number, forgiven: number): boolean {
  return length <= scene.q[Q_STRAIGHT] + forgiven + ROUNDING;
}

/** The entity is on the link that it entered at `end`, this share of the way along. */
export function stepOnLink(
  scene: Scene,
  f: Float64Array,
  o: number,
  end: number,
  share: number,
  length: number,
  forgiven: number,
): Verdict {
  const { q, links } = scene;
  const charged = payWay(scene, f, o, length, forgiven);
  f[o + FLAGS] = (f[o + FLAGS] & ~OVER_GAP) | ON_LINK;
  f[o + LINK] = end;
  f[o + LINK_SHARE] = share;
  f[o + LINK_T] = q[Q_T];
  f[o + POLYGON] = links.polygon(end);
  f[o + FLOOR] = links.y(end);
  f[o + OFF] = 0;
  f[o + ANCHOR_X] = links.x(end);
  f[o + ANCHOR_Z] = links.z(end);
  touchGround(f, o, q[Q_T], scene.level(q[Q_Y]));
  return accept(scene, f, o, q[Q_STRAIGHT], length, UPPER, charged, q[Q_CREDIT]);
}

/** Charges a way over a link and takes over the claimed position. Returns the metres. */
export function payWay(scene: Scene, f: Float64Array, o: number, length: number, forgiven: number): number {
  const { q, rules } = scene;
  const straight = isStraight(scene, length, forgiven);
  q[Q_CHARGED] = Math.min(Math.max(q[Q_COST], length - forgiven), q[Q_CREDIT]);
  const charged = q[Q_CHARGED];
  chargeAt(f, o, q, scene.terms);
  pullTrail(scene, f, o);
  if ((f[o + FLAGS] & WALKING) !== 0) endWalk(f, o);
  if (straight) payClear(f, o, charged, q[Q_RATE]);
  else payWalk(f, o, q, rules.wayRoundSlackMs);
  obey(f, o, q[Q_T], rules.scoreHalfLifeMs);
  f[o + X] = q[Q_X];
  f[o + Y] = q[Q_Y];
  f[o + Z] = q[Q_Z];
  return charged;
}
