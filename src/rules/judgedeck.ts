// Moves of who stands on a carrier, in the carrier's coordinates: its own motion is neither speed nor cost, however fast it
// is. On it a claim is bound by credit and by its size, or by its own navmesh. Imported by judgemove.ts.
//
// Heights. Without a navmesh of the carrier nobody knows its stairs and decks: within its height a body may be up to a jump
// above the ground that it had (GROUND_Y), and what that ground rises by is paid like metres of the plan. So whoever climbs
// does it at the speed limit, and hovering is bounded by the carrier's own height.
import { NONE, S_CLEAR, S_FROM_OFF, S_OUT_OF_RANGE, S_TO_OFF, S_UNDECIDED, S_WALK } from '../../assembly/layout.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { AIR_SLACK } from './air.ts';
import { accept, answer, ignore } from './answer.ts';
import { judgeBlocked } from './blocked.ts';
import { follow } from './carried.ts';
import type { Carrier } from './carriers.ts';
import { obey } from './corrections.ts';
import { chargeAt } from './credit.ts';
import { outside } from './footprint.ts';
import { isInFlight, stateReason, ZERO_LENGTH } from './gate.ts';
import {
  Q_CHARGED,
  Q_COST,
  Q_CREDIT,
  Q_FROM_X,
  Q_FROM_Y,
  Q_FROM_Z,
  Q_RATE,
  Q_STRAIGHT,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import { FLAGS, FLYING, GROUND_T, GROUND_Y, LAUNCH, OFFSET_X, OFFSET_Y, OFFSET_Z, OPEN } from './ledger.ts';
import { GRID_ERROR, touchGround } from './places.ts';
import { ROUNDING } from './plain.ts';
import { ask, locate } from './probe.ts';
import { refuse } from './refuse.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';
import { addEvidence, EVIDENCE_STATE, HELD_MOST, LAYER_STATE } from './suspicion.ts';
import { pullTrail, weighTrail } from './trail.ts';
import { payClear, payWalk, slackAt } from './wayround.ts';

const LOWER = 1;
const EXACT = 0;

/** How far above or below its height a place is, metres; 0 within a step and a jump of it. */
function overOrUnder(scene: Scene, carrier: Carrier, y: number): number {
  if (scene.flat) return 0;
  const level = scene.level(y);
  const { minY, maxY } = carrier.footprint;
  return Math.max(minY - scene.below - level, 0, level - maxY - scene.above);
}

/**
 * Whether a place is on the carrier: within its size, but for the edge tolerance. Whom the server put outside may stay as far
 * outside as it is (`from`), never go farther.
 */
export function isOnDeck(scene: Scene, carrier: Carrier, from: Float64Array, to: Float64Array): boolean {
  const { footprint } = carrier;
  const most = Math.max(scene.edge, outside(footprint, from[0], from[2]) + GRID_ERROR);
  if (outside(footprint, to[0], to[2]) > most) return false;
  return overOrUnder(scene, carrier, to[1]) <= overOrUnder(scene, carrier, from[1]);
}

/** Where an entity stands on its carrier. */
export function offsetAt(f: Float64Array, o: number, to: Float64Array): void {
  to[0] = f[o + OFFSET_X];
  to[1] = f[o + OFFSET_Y];
  to[2] = f[o + OFFSET_Z];
}

const from = new Float64Array(3);

/**
 * Judges the claim at hand as a move on the carrier to the place `to` on it. In q: the claim, credit and rate; of the ledger:
 * x, y, z where it stands now.
 */
export function judgeDeck(scene: Scene, f: Float64Array, o: number, carrier: Carrier, to: Float64Array): Verdict {
  const { q, rules } = scene;
  const t = q[Q_T];
  const flags = f[o + FLAGS];
  const credit = q[Q_CREDIT];
  offsetAt(f, o, from);
  const straight = planDistance(from[0], from[2], to[0], to[2]);
  q[Q_STRAIGHT] = straight;
  const held = stateReason(flags);
  if (held !== Reason.Accept) {
    if (straight > ZERO_LENGTH) {
      if (isInFlight(scene, f, o, held)) return ignore(scene, f, o, held, straight);
      if (held === Reason.ActionStatus) return refuse(scene, f, o, held, NaN, NaN);
      addEvidence(f, o, t, LAYER_STATE, EVIDENCE_STATE, rules.scoreHalfLifeMs, HELD_MOST);
      return answer(scene, f, o, VerdictKind.reject, held, straight, NaN, -1, NaN, NaN);
    }
    to[0] = from[0];
    to[2] = from[2];
  }
  if (!isOnDeck(scene, carrier, from, to)) {
    const out = Math.max(outside(carrier.footprint, to[0], to[2]), overOrUnder(scene, carrier, to[1]));
    return refuse(scene, f, o, Reason.TargetNotOnNavMesh, out, scene.edge);
  }

  // what it costs, in the carrier's coordinates: the trailing point is there too
  const world = [q[Q_X], q[Q_Y], q[Q_Z]] as const;
  toDeck(scene, to);
  weighTrail(scene, f, o);
  q[Q_X] = world[0];
  q[Q_Y] = world[1];
  q[Q_Z] = world[2];
  const level = scene.level(to[1]);
  const ground = groundFor(scene, f, o, level, carrier);
  const cost = Math.max(q[Q_COST], ground - f[o + GROUND_Y]);
  if (cost > credit + ROUNDING) {
    const reason = straight > rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
    return refuse(scene, f, o, reason, cost, credit, straight, LOWER);
  }

  let charged = cost;
  let length = straight;
  let bound = EXACT;
  let status = S_CLEAR;
  if (carrier.kernel !== null && (flags & FLYING) === 0) {
    status = walkOn(scene, f, o, carrier, to);
    const out = carrier.kernel.output;
    if (status === S_WALK) {
      length = out[1];
      bound = out[2];
      charged = Math.max(cost, length - 2 * scene.grain);
    } else if (status !== S_CLEAR && status !== S_UNDECIDED) {
      const reason = judgeBlocked(status);
      const wall = reason === Reason.Wall;
      return refuse(scene, f, o, reason, wall ? out[1] : NaN, wall ? budgetOf(scene, f, o) : NaN);
    }
  }

  q[Q_CHARGED] = charged;
  toDeck(scene, to);
  chargeAt(f, o, q, scene.terms);
  pullTrail(scene, f, o);
  if (status === S_WALK) payWalk(f, o, q, rules.wayRoundSlackMs);
  else payClear(f, o, charged, q[Q_RATE]);
  f[o + OFFSET_X] = to[0] + 0;
  f[o + OFFSET_Y] = to[1] + 0;
  f[o + OFFSET_Z] = to[2] + 0;
  if (f[o + LAUNCH] > 0 && level <= ground) touchGround(f, o, t, level);
  f[o + GROUND_Y] = ground;
  f[o + GROUND_T] = t;
  follow(scene, f, o, t, false);
  obey(f, o, t, rules.scoreHalfLifeMs);
  if (status !== S_UNDECIDED) return accept(scene, f, o, straight, length, bound, charged, credit);
  return answer(scene, f, o, VerdictKind.undecided, Reason.Undecided, straight, NaN, -1, charged, credit);
}

/** Where the claim is from and to, as places on the carrier. */
function toDeck(scene: Scene, to: Float64Array): void {
  const { q } = scene;
  q[Q_FROM_X] = from[0];
  q[Q_FROM_Y] = from[1];
  q[Q_FROM_Z] = from[2];
  q[Q_X] = to[0];
  q[Q_Y] = to[1];
  q[Q_Z] = to[2];
}

/** The ground that a body at a height on the carrier may have come from, by the least climb, metres. */
function groundFor(scene: Scene, f: Float64Array, o: number, level: number, carrier: Carrier): number {
  const { rules } = scene;
  // a navmesh says where its floors are
  if (scene.flat || carrier.kernel !== null || (f[o + FLAGS] & FLYING) !== 0) return f[o + GROUND_Y];
  if (level < f[o + GROUND_Y]) return level;
  const launch = (f[o + LAUNCH] * f[o + LAUNCH]) / (2 * rules.gravity);
  return Math.max(f[o + GROUND_Y], level - rules.jumpHeight - AIR_SLACK - launch);
}

/** Way-round budget, metres. */
function budgetOf(scene: Scene, f: Float64Array, o: number): number {
  const { q, rules } = scene;
  if (rules.wall === 'sight') return 0;
  const ms = f[o + OPEN] + slackAt(f, o, q[Q_T], rules.wayRoundSlackMs);
  return Math.min(ms * q[Q_RATE], q[Q_CREDIT]) + 2 * scene.grain;
}

/** Asks the carrier's own navmesh; a status of `reach`. */
function walkOn(scene: Scene, f: Float64Array, o: number, carrier: Carrier, to: Float64Array): number {
  const { q, rules, below, above, edge } = scene;
  const kernel = carrier.kernel as NonNullable<Carrier['kernel']>;
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  const [ay, y] = [scene.level(from[1]), scene.level(to[1])];
  ask(kernel, from[0], ay, from[2], to[0], y, to[2], below, above, edge, budgetOf(scene, f, o), cap);
  const status = kernel.reach(NONE, NONE) >>> 0;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, kernel.output[13]);
  if (status !== S_FROM_OFF) return status === S_OUT_OF_RANGE ? S_TO_OFF : status;
  // the server put it off the deck's mesh: back onto it is free, else it stays
  if (planDistance(from[0], from[2], to[0], to[2]) <= GRID_ERROR) return S_CLEAR;
  return locate(kernel, to[0], y, to[2], below, above, edge) === NONE ? S_TO_OFF : S_CLEAR;
}
