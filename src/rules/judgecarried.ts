// Claims of who stands on a carrier and names none: on the deck still, or off it. Imported by judgemove.ts.
import { NONE } from '../../assembly/layout.ts';
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { accept, ignore } from './answer.ts';
import { follow } from './carried.ts';
import type { Carrier } from './carriers.ts';
import { isUnheard, notePending, unseenAt } from './corrections.ts';
import { weigh } from './credit.ts';
import { stateReason } from './gate.ts';
import { leaps, redeem } from './grants.ts';
import { Q_CREDIT, Q_FLOOR, Q_FROM_X, Q_FROM_Y, Q_FROM_Z, Q_RATE, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { isOnDeck, judgeDeck, offsetAt } from './judgedeck.ts';
import { BY_WORD, FLAGS, FLOOR, GRANT, GRANT_COUNT, GRANT_STRIDE, GRANTED, PENDING, RTT, X, Y, Z } from './ledger.ts';
import { locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { noteLag, seekOnDeck, seekWalking, seenFrom, spot } from './seen.ts';
import { judgeStepOff } from './stepoff.ts';
import { excess, LAYER_SPEED } from './suspicion.ts';

const offset = new Float64Array(3);
const target = new Float64Array(3);

/**
 * What comes before geometry, for a claim at hand of who stands on a carrier, or says so: where it stands, credit and rate to
 * q; a verdict when it is settled by a grant or as one from before a correction.
 */
export function beginCarried(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules } = scene;
  q[Q_FROM_X] = f[o + X];
  q[Q_FROM_Y] = f[o + Y];
  q[Q_FROM_Z] = f[o + Z];
  q[Q_FLOOR] = f[o + FLOOR];
  q[Q_STRAIGHT] = planDistance(f[o + X], f[o + Z], q[Q_X], q[Q_Z]);
  weigh(f, o, q, scene.terms);
  if ((f[o + FLAGS] & GRANTED) !== 0 && leaps(f, o, q)) {
    const granted = redeem(scene, f, o);
    if (granted !== null) return granted;
  }
  if ((f[o + FLAGS] & PENDING) !== 0 && isUnheard(f, o, q[Q_T], f[o + RTT] + rules.pendingMs)) {
    const allowed = Math.max(q[Q_CREDIT], unseenAt(f, o, q[Q_T]) * q[Q_RATE]);
    notePending(f, o, LAYER_SPEED, excess(q[Q_STRAIGHT], allowed));
    return ignore(scene, f, o, Reason.Stale, q[Q_STRAIGHT]);
  }
  return null;
}

/** Judges the claim at hand; `judge` is what judges moves on the map. */
export function judgeCarried(
  scene: Scene,
  f: Float64Array,
  o: number,
  judge: (scene: Scene, f: Float64Array, o: number) => Verdict,
): Verdict {
  const { q, kernel } = scene;
  const carrier = scene.carriers.under(o) as Carrier;
  follow(scene, f, o, q[Q_T], true);
  const settled = beginCarried(scene, f, o);
  if (settled !== null) return settled;
  offsetAt(f, o, offset);
  const since = seenFrom(scene, f, o);
  seekWalking(scene, f, o, carrier, offset);
  const { below, above, edge } = scene;
  const level = scene.level(q[Q_Y]);
  const onMap = locate(kernel, q[Q_X], level, q[Q_Z], below, above, edge) !== NONE;
  // where the map does not hold it, it is on the deck if it is at any pose
  const on = isOnDeck(scene, carrier, offset, spot) || (!onMap && seekOnDeck(scene, f, o, carrier, offset, isOnDeck));
  // a client that names carriers and names none says that it is off: where the map holds it, that is so
  const off = onMap && (f[o + FLAGS] & BY_WORD) !== 0;
  // who may not move does not get off either: judgeDeck says so
  if ((on && !off) || stateReason(f[o + FLAGS]) !== Reason.Accept) {
    target.set(spot);
    const verdict = judgeDeck(scene, f, o, carrier, target);
    if (verdict.accepted) noteLag(f, o, q[Q_T]);
    return verdict;
  }
  if (isAhead(scene, f, carrier)) {
    return accept(scene, f, o, q[Q_STRAIGHT], NaN, -1, 0, q[Q_CREDIT]);
  }
  return judgeStepOff(scene, f, o, carrier, offset, since, judge);
}

/**
 * Whether the claim at hand is where the entity that carries may appear by a grant: its client has gone there already, and
 * this one stays with it until the server hears of it.
 */
function isAhead(scene: Scene, f: Float64Array, carrier: Carrier): boolean {
  if (carrier.entity === null) return false;
  const { q, ledger } = scene;
  const d = ledger.offsetOf(carrier.entity);
  if (d < 0) return false;
  for (let k = 0; k < f[d + GRANT_COUNT]; k++) {
    const g = d + GRANT + k * GRANT_STRIDE;
    if (q[Q_T] > f[g + 4]) continue;
    const room = f[g + 3] + carrier.footprint.maxX;
    if (planDistance(f[g] + offset[0], f[g + 2] + offset[2], q[Q_X], q[Q_Z]) <= room) return true;
  }
  return false;
}
