// What a way over a link costs: the metres that a walk at the entity's speed is long that takes as long. Imported by rules/.
//
// Links that go up or down by more than out (ladders, drops) take the time of their height. Up a body climbs along the
// link at its speed, or jumps where that is quicker; down it climbs or falls, whichever is quicker:
//
//   metres = max(plan length, v T),  T up u = u <= u* ? (v0 - sqrt(v0^2 - 2 g u)) / g : (v0 - v) / g + k (u - u*) / v
//                                    T down u = min(u / v, time to fall u)
//
// u* = (v0^2 - v^2) / 2 g is where a jump becomes slower than climbing, k the link's length per metre of height (1 when a
// jump reaches its top: then it need not be climbed). At a speed above the take-off speed u* is 0: a ladder of plan length 0
// and 6 m height costs 6 m. No body on the link is quicker: a lower bound. All other links cost their plan length. A portal may
// say more: so many times that, or seconds that it takes (L_COST), never less.
//
// A search of the mesh knows links by their plan length only. `leastWay` says how much longer a walk within a budget is at
// least when the ladders and slow portals in reach cost what they cost: with all of them shut there may be another walk, otherwise it goes
// over one of them, and is as long as the straight lines to and from the cheapest. Lower bounds again.
import { S_CLEAR, S_UNDECIDED, S_WALK } from '../../assembly/layout.ts';
import { AIR_SLACK, fallMs } from './air.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Y, Q_FROM_Z, Q_RATE, Q_T } from './hand.ts';
import { CORNER, LAUNCH } from './ledger.ts';
import { beside } from './links.ts';
import { planDistance, type Scene } from './scene.ts';
import { spendNodes } from './search.ts';

/** What is known of a walk that was cut short: there may be a shorter one. */
const UPPER = 2;
/** Numbers of the kernel's answer to `reach`. */
const ANSWER = 17;

/**
 * Metres from a link's end to this share (0..1) of its way, for a body that moves at v and takes off at v0, m/s.
 */
export function overLink(scene: Scene, end: number, share: number, v: number, v0: number): number {
  return scene.links.priced(end, share, bareLink(scene, end, share, v, v0), v);
}

/** ...of a link that says nothing itself of what a crossing takes. */
function bareLink(scene: Scene, end: number, share: number, v: number, v0: number): number {
  const { links, rules } = scene;
  const plan = share * links.length(end);
  if (!links.isSteep(end)) return plan;
  const rise = links.y(end ^ 1) - links.y(end);
  const { gravity } = rules;
  const u = share * Math.abs(rise);
  if (rise < 0) return Math.max(plan, Math.min(u, (v * fallMs(u, gravity, rules.fallSpeedMax)) / 1000));
  const quicker = Math.max(0, v0 * v0 - v * v) / (2 * gravity);
  if (u <= quicker) return Math.max(plan, (v * (v0 - Math.sqrt(Math.max(0, v0 * v0 - 2 * gravity * u)))) / gravity);
  const jumped = (v * Math.max(0, v0 - v)) / gravity;
  const whole = links.length(end);
  const slope = isLadder(scene, end, v0) ? Math.sqrt(whole * whole + rise * rise) / rise : 1;
  return Math.max(plan, jumped + slope * (u - quicker));
}

/** Whether a link goes up by more than a jump does: it has to be climbed. */
function isLadder(scene: Scene, end: number, v0: number): boolean {
  const { links, rules } = scene;
  return links.y(end ^ 1) - links.y(end) > (v0 * v0) / (2 * rules.gravity) + AIR_SLACK;
}

/**
 * Metres from a link's end to the other as the server walks them: on a ladder it does not jump up, and what leads up
 * again it does not fall down.
 */
export function wholeLink(scene: Scene, end: number, v: number, v0: number): number {
  const { links } = scene;
  const climbs = isLadder(scene, end, v0) || (isLadder(scene, end ^ 1, v0) && links.isOpen(end ^ 1));
  if (!climbs || !links.isSteep(end)) return overLink(scene, end, 1, v, v0);
  const rise = links.y(end ^ 1) - links.y(end);
  const plan = links.length(end);
  return links.priced(end, 1, Math.sqrt(plan * plan + rise * rise), v);
}

/** Metres along a link between two shares of its way as seen from an end, whichever way. */
export function alongLink(scene: Scene, end: number, from: number, to: number, v: number, v0: number): number {
  if (to >= from) return overLink(scene, end, to, v, v0) - overLink(scene, end, from, v, v0);
  return overLink(scene, end ^ 1, 1 - to, v, v0) - overLink(scene, end ^ 1, 1 - from, v, v0);
}

/** The entity's take-off speed, m/s. */
export function takeOff(scene: Scene, f: Float64Array, o: number): number {
  return scene.jumpSpeed + f[o + LAUNCH];
}

/**
 * How far along a link of an end the entity is already, seen from there (0..1): 0 unless it is on the link's way and stands
 * or jumps on the floor of that end.
 */
export function shareNow(scene: Scene, end: number): number {
  const { q, links, rules } = scene;
  if (!(Math.abs(links.y(end) - q[Q_FLOOR]) <= scene.ground)) return 0;
  const rise = rules.jumpHeight + AIR_SLACK;
  const on = links.holds(end, q[Q_FROM_X], scene.level(q[Q_FROM_Y]), q[Q_FROM_Z], scene.below, rise);
  return on ? beside.share : 0;
}

/**
 * After a `reach` that found a walk, while its question and answer stand in the kernel (`from` and `to` were its hints):
 * metres that every walk between its two points takes at least at q[Q_RATE]. The answer stands there again afterwards; what
 * was searched is spent. `inAir`: the entity may be on its way up a ladder already (q[Q_FROM_Y] says how high it is).
 */
export function leastWay(scene: Scene, f: Float64Array, o: number, from: number, to: number, inAir: boolean): number {
  const { q, links, kernel, rules } = scene;
  const { input, output: out } = kernel;
  const walk = out[1];
  if (links.costly === 0 || out[2] === UPPER) return walk;
  const limit = input[9];
  const tx = out[4];
  const tz = out[6];
  const sx = out[9];
  const sz = out[11];
  const v = 1000 * q[Q_RATE];
  const v0 = takeOff(scene, f, o);
  links.forgetShut();
  let best = Infinity;
  const last = links.last(sx + limit);
  for (let k = links.first(sx - limit); k < last; k++) {
    const link = links.linkAt(k);
    if (!links.isCostly(2 * link)) continue;
    for (let end = 2 * link; end <= 2 * link + 1; end++) {
      if (!links.isOpen(end)) continue;
      const before = planDistance(sx, sz, links.x(end), links.z(end));
      const after = planDistance(links.x(end ^ 1), links.z(end ^ 1), tx, tz);
      if (before + links.length(end) + after > limit) continue;
      links.noteShut(link);
      const done = inAir ? overLink(scene, end, shareNow(scene, end), v, v0) : 0;
      best = Math.min(best, before + overLink(scene, end, 1, v, v0) - done + after);
    }
  }
  if (best === Infinity || best <= walk) return walk;
  answer.set(out.subarray(0, ANSWER));
  links.shut();
  const other = kernel.reach(from, to) >>> 0;
  links.reopen();
  const round = other === S_CLEAR || other === S_WALK ? out[1] : Infinity;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  out.set(answer);
  return other === S_UNDECIDED ? walk : Math.max(walk, Math.min(round, best));
}

const answer = new Float64Array(ANSWER);

/**
 * By how much the legs of corners (x, y, z each) that lead over links are longer than in the plan, metres, at v m/s. With a
 * path (CORNER numbers a corner, its plan distances laid) these become part of it.
 */
export function climbOf(
  scene: Scene,
  corners: Float64Array,
  count: number,
  v: number,
  v0: number,
  path: Float64Array | null,
): number {
  const { links } = scene;
  let more = 0;
  if (links.costly === 0) return more;
  for (let i = 1; i < count; i++) {
    const a = 3 * (i - 1);
    const b = 3 * i;
    const end = links.endOfLeg(corners[a], corners[a + 2], corners[b], corners[b + 2]);
    if (end >= 0 && links.isCostly(end)) more += wholeLink(scene, end, v, v0) - links.length(end);
    if (path !== null) path[i * CORNER + 3] += more;
  }
  return more;
}

/**
 * The question of a `shortest` that found `walk` metres still stands in the kernel's input: metres that every such walk takes
 * at least at v m/s. The kernel's output is another one afterwards; what was searched is spent.
 */
export function leastClick(
  scene: Scene,
  f: Float64Array,
  o: number,
  polygon: number,
  walk: number,
  v: number,
  v0: number,
): number {
  const { q, links, kernel, rules } = scene;
  const { input, output: out } = kernel;
  links.forgetShut();
  let best = Infinity;
  for (let link = 0; link < links.count; link++) {
    if (!links.isCostly(2 * link)) continue;
    for (let end = 2 * link; end <= 2 * link + 1; end++) {
      if (!links.isOpen(end)) continue;
      links.noteShut(link);
      const before = planDistance(input[0], input[2], links.x(end), links.z(end));
      const after = planDistance(links.x(end ^ 1), links.z(end ^ 1), input[3], input[5]);
      const whole = overLink(scene, end, 1, v, v0);
      best = Math.min(best, Math.max(before + whole + after - 2 * input[8], walk + whole - links.length(end)));
    }
  }
  if (best <= walk) return walk;
  links.shut();
  const other = kernel.shortest(polygon) >>> 0;
  links.reopen();
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[2]);
  // cut short it is a lower bound, and without a walk there is none
  const round = other === S_WALK || other === S_UNDECIDED ? out[0] : Infinity;
  return Math.max(walk, Math.min(round, best));
}
