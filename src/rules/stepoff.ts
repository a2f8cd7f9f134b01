// Off a carrier onto the map, by a claim that is not on it. Imported by judgecarried.ts.
//
// The entity goes to the deck's edge, from there to the nearest mesh within a step (`gapOf`), and on as any move: the claim is
// judged as one from there. Nobody knows what walls stand between a carrier and the mesh beside it; so what a carrier buys is
// one such step, where the server has put the carrier.
import { NONE } from '../../assembly/layout.ts';
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { accept } from './answer.ts';
import { release } from './carried.ts';
import type { Carrier } from './carriers.ts';
import { obey } from './corrections.ts';
import { charge, settle } from './credit.ts';
import { extentOf } from './extent.ts';
import { insideShare } from './footprint.ts';
import { Q_CREDIT, Q_RATE, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { judgeAir } from './judgeair.ts';
import {
  ATTACHED,
  BY_WORD,
  CORRECTION,
  FLAGS,
  FLYING,
  GROUND_T,
  GROUND_Y,
  LAYERS,
  NODES,
  NODES_T,
  PEND_FIRST,
  PEND_GROSS,
  PEND_LAYER,
  PEND_OPEN,
  PEND_T,
  PENDING,
  POLYGON,
  SCORE_SUM,
  SCORE_T,
  SCORES,
  STRIDE,
  X,
  Y,
  Z,
} from './ledger.ts';
import { placeAt, putAt, touchGround } from './places.ts';
import { ROUNDING } from './plain.ts';
import { toWorld } from './pose.ts';
import { locate, NOWHERE, standing } from './probe.ts';
import { refuse } from './refuse.ts';
import { planDistance, type Scene } from './scene.ts';
import { seek, seenPose, spot } from './seen.ts';
import { beginTrail } from './trail.ts';
import { V_X, V_Y, V_Z } from './verdict.ts';
import { payClear } from './wayround.ts';

/** The least gap between a deck and the mesh that a step crosses, metres. */
const LEAST_GAP = 0.5;
const LOWER = 1;

/** What of an entity a refusal changes: see refuse.ts. */
const REFUSED: ReadonlySet<number> = new Set([
  ...[SCORE_SUM, SCORE_T, CORRECTION, PEND_T, PEND_FIRST, PEND_GROSS, PEND_LAYER, PEND_OPEN, NODES, NODES_T],
  ...Array.from({ length: LAYERS }, (_, k) => SCORES + k),
]);

/** From a deck to the mesh beside it, metres: a body's radius of mesh is missing at either edge, and a cell by its lattice. */
export function gapOf(scene: Scene, carrier: Carrier): number {
  const { agentRadius, cellSize } = scene.extent;
  const own = carrier.kernel === null ? 0 : extentOf(carrier.kernel).agentRadius;
  return Math.max(LEAST_GAP, scene.edge, 2 * agentRadius + 2 * cellSize) + scene.rules.jumpGap + own;
}

/** The mesh point nearest to a place at a deck's edge, within a step and a jump; its polygon or NONE, OUT as `locate` says. */
export function meshBeside(scene: Scene, x: number, level: number, z: number, gap: number): number {
  const { kernel, below, above } = scene;
  const polygon = locate(kernel, x, level, z, below, above, gap);
  return polygon !== NONE ? polygon : locate(kernel, x, level, z, above, above, gap);
}

const edge = new Float64Array(3);
const saved = new Float64Array(STRIDE);

/** Judges the claim at hand as a step off the carrier, from the place `a` on it; `since`: poses from then on count. */
export function judgeStepOff(
  scene: Scene,
  f: Float64Array,
  o: number,
  carrier: Carrier,
  a: Float64Array,
  since: number,
  judge: (scene: Scene, f: Float64Array, o: number) => Verdict,
): Verdict {
  const { q, rules, kernel } = scene;
  const t = q[Q_T];
  const credit = q[Q_CREDIT];
  // who stood on it before it jumped did not get off where it was then
  seek(scene, carrier, Math.max(since, carrier.since), a);
  const straight = planDistance(a[0], a[2], spot[0], spot[2]);
  q[Q_STRAIGHT] = straight;
  if (straight > credit + ROUNDING) {
    const reason = straight > rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
    return refuse(scene, f, o, reason, straight, credit, straight, LOWER);
  }
  const share = insideShare(carrier.footprint, a[0], a[2], spot[0], spot[2]);
  edge[0] = a[0] + share * (spot[0] - a[0]);
  edge[1] = a[1];
  edge[2] = a[2] + share * (spot[2] - a[2]);
  toWorld(seenPose, edge, edge);
  const [x, y, z] = edge;
  const [px, py, pz] = [q[Q_X], q[Q_Y], q[Q_Z]];
  const flying = (f[o + FLAGS] & FLYING) !== 0;
  const level = scene.level(y);
  const gap = gapOf(scene, carrier);
  const beside = flying ? NONE : meshBeside(scene, x, level, z, gap);
  const [mx, my, mz] = [kernel.output[0], kernel.output[1], kernel.output[2]];
  const floor = beside === NONE ? level : my;
  const falls = !flying && isFall(scene, x, z, floor, gap);
  const below = kernel.output[1];
  if (!flying && !falls && beside === NONE) return refuse(scene, f, o, Reason.TargetNotOnNavMesh, NaN, NaN);

  save(f, o);
  const ground = seenPose[1] + f[o + GROUND_Y];
  const groundT = f[o + GROUND_T];
  settle(f, o, t, scene.terms);
  const cost = falls ? straight : share * straight;
  charge(f, o, cost);
  payClear(f, o, cost, q[Q_RATE]);
  f[o + FLAGS] = f[o + FLAGS] & ~(ATTACHED | BY_WORD);
  let verdict: Verdict;
  if (falls) {
    placeAt(scene, f, o, px, py, pz);
    beginTrail(f, o, px, py, pz);
    f[o + GROUND_Y] = ground;
    f[o + GROUND_T] = groundT;
    verdict = judgeAir(scene, f, o, below) ?? landed(scene, f, o, straight, below);
  } else {
    if (flying) putAt(scene, f, o, t, x, y, z);
    else putAt(scene, f, o, t, mx, my + rules.yOffset, mz);
    verdict = judge(scene, f, o);
  }
  if (verdict.accepted) release(scene, f, o);
  else restore(scene, f, o);
  return verdict;
}

/** Whether the claim at hand is beside the deck's edge and over a floor deeper than what is there to step on. */
function isFall(scene: Scene, x: number, z: number, floor: number, gap: number): boolean {
  const { q, kernel, below, above } = scene;
  if (scene.flat || planDistance(x, z, q[Q_X], q[Q_Z]) > gap) return false;
  const polygon = standing(kernel, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], below, above);
  return polygon !== NONE && kernel.output[3] <= Math.min(gap, NOWHERE) && kernel.output[1] < floor - scene.step;
}

/** The claim at hand is accepted as the beginning, or the end, of a fall. */
function landed(scene: Scene, f: Float64Array, o: number, straight: number, floor: number): Verdict {
  const { q } = scene;
  const level = scene.level(q[Q_Y]);
  if (level - floor <= scene.ground) touchGround(f, o, q[Q_T], level);
  obey(f, o, q[Q_T], scene.rules.scoreHalfLifeMs);
  return accept(scene, f, o, straight, NaN, -1, straight, q[Q_CREDIT]);
}

function save(f: Float64Array, o: number): void {
  for (let k = 0; k < STRIDE; k++) saved[k] = f[o + k];
}

/** It is on its carrier as before, but for what a refusal changes. */
function restore(scene: Scene, f: Float64Array, o: number): void {
  const pending = f[o + FLAGS] & PENDING;
  for (let k = 0; k < STRIDE; k++) if (!REFUSED.has(k)) f[o + k] = saved[k];
  f[o + FLAGS] = (saved[FLAGS] & ~PENDING) | pending;
  f[o + POLYGON] = NONE;
  const { n } = scene.verdict;
  n[V_X] = f[o + X];
  n[V_Y] = f[o + Y];
  n[V_Z] = f[o + Z];
}
