// MoveGuard: what the server knows and what clients claim go in, verdicts come out. Wires the kernel (one `reach` per
// move) and the rules (pure functions over the ledger). Imported by log/, cli/ and the public front.
import { NONE, S_CLEAR, S_FROM_OFF, S_OUT_OF_RANGE, S_TO_OFF, S_UNDECIDED, S_WALK } from '../assembly/layout.ts';
import { NavguardError } from './errors.ts';
import type { Engine, Kernel } from './kernel/index.ts';
import { REASON_NAMES, Reason, type ReasonCode, VerdictKind } from './reasons.ts';
import { AIR_SLACK, GROUND_BAND, highest, lowest } from './rules/air.ts';
import { judgeBlocked } from './rules/blocked.ts';
import { type BeginClaim, type ClaimOptions, moveFault, ReadBegin, ReadOptions } from './rules/claim.ts';
import { endPending, isPending, notePending, sendCorrection } from './rules/corrections.ts';
import {
  addPause,
  addPush,
  charge,
  creditAt,
  pathEndTime,
  rateAt,
  setLimit,
  setRtt,
  settle,
  type Terms,
  windowMs,
} from './rules/credit.ts';
import { type Extent, extentOf } from './rules/extent.ts';
import * as L from './rules/ledger.ts';
import { Ledger } from './rules/ledger.ts';
import { ask, corners, DEEP, locate, NOWHERE, standing } from './rules/probe.ts';
import { edgeToleranceOn, type Rules, resolveRules } from './rules/rules.ts';
import { isNewer, isSequence } from './rules/sequence.ts';
import {
  actionOf,
  addEvidence,
  EVIDENCE_FLAT,
  EVIDENCE_STATE,
  excess,
  LAYER_SPEED,
  LAYER_STATE,
  LAYER_WALL,
  layerOf,
  scoreAt,
} from './rules/suspicion.ts';
import { layPath, pathPoint, startWalk } from './rules/timeline.ts';
import { ReusedVerdict, V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './rules/verdict.ts';
import { noteJudged, openAt, payClear, payWalk, slackAt } from './rules/wayround.ts';
import type { Vec3, Verdict } from './types.ts';

/** What a guard needs of a map: the kernel that holds it (NavMap and GridMap have it). */
export interface GuardedMap {
  readonly kernel: Kernel;
  /** A format that begins with "grid " means: y is ignored, and cells are no measure of precision. */
  readonly info?: { readonly format: string };
  createKernel?(engine: Engine): Kernel;
}

export interface GuardOptions {
  /** Engine of the guard's own kernel; without it the map's kernel is used. */
  engine?: Engine;
  /**
   * The clock: milliseconds that never run backwards (default performance.now). A value smaller than an earlier one
   * counts as equal to it. Replays give the log's time here.
   */
  now?: () => number;
}

/** Metres: what two sums of the same steps may differ by in f64. */
const ROUNDING = 1e-9;
/** A new entity has this much of its speed as credit, ms. */
const ENTER_MS = 250;
/** A dead or rooted entity that moves less than this does not move, metres. */
const ZERO_LENGTH = 0.05;
/** Nobody is this far above or below every floor, metres. */
const SKY = 1000;
/** On the mesh's grid a point moves by up to a millimetre; an entity off the mesh must not be refused for that, metres. */
const GRID_ERROR = 0.002;
/** A knock-back's upward speed counts until ground is touched this long after it, ms. */
const LAUNCH_MS = 1000;
/** Below this a path corner and a claimed point are one, metres. */
const SAME_POINT = 0.01;
/** Client time before the claimed start of a click-to-move, ms; plus latency. */
const FROM_MS = 250;

/** Judges moves on one map. Not re-entrant; one guard serves any number of entities. */
export class MoveGuard {
  /** The whole rule set in force. */
  readonly rules: Rules;
  readonly #kernel: Kernel;
  readonly #extent: Extent;
  /** On a grid there is one floor and y says nothing. */
  readonly #flat: boolean;
  readonly #edge: number;
  readonly #ground: number;
  readonly #launchSpeed: number;
  readonly #terms: Terms;
  readonly #now: () => number;
  readonly #ledger = new Ledger();
  readonly #verdict = new ReusedVerdict();
  readonly #options = new ReadOptions();
  readonly #begin = new ReadBegin();
  /** Scratch: where the entity stands on its path (x, floor y, z). */
  readonly #p = new Float64Array(3);
  readonly #shadow: ReadonlySet<string>;
  #lastMs = 0;
  #mapVersion: string | undefined;
  #progress: string | number | undefined;

  /** Throws `BAD_RULE` for an unknown rule or a value out of range, `BAD_ARGUMENT` for a wrong option. */
  constructor(
    map: GuardedMap,
    rules: Partial<Rules> | Readonly<Record<string, unknown>> = {},
    options: GuardOptions = {},
  ) {
    this.rules = resolveRules(rules);
    if (options.now !== undefined && typeof options.now !== 'function') {
      throw new NavguardError('BAD_ARGUMENT', `now: expected a function, got ${typeof options.now}`);
    }
    this.#now = options.now ?? (() => performance.now());
    this.#kernel =
      options.engine === undefined || map.createKernel === undefined ? map.kernel : map.createKernel(options.engine);
    this.#extent = extentOf(this.#kernel);
    this.#flat = map.info?.format.startsWith('grid ') === true;
    this.#edge = edgeToleranceOn(this.rules, this.#flat ? 0 : this.#extent.cellSize);
    // steps up to the climb stand above the mesh's ramp over them
    this.#ground = Math.max(GROUND_BAND, this.#extent.agentClimb + this.#extent.cellHeight);
    this.#launchSpeed = Math.sqrt(2 * this.rules.gravity * this.rules.jumpHeight);
    this.#shadow = new Set(this.rules.shadow);
    this.#terms = {
      perMs: this.rules.speedTolerance / 1000,
      burstMs: this.rules.burstMs,
      dropGraceMs: this.rules.dropGraceMs,
      pauseMs: 0,
      pauseUntil: -Infinity,
    };
  }

  // ---- facts: what the server knows. Wrong values throw BAD_ARGUMENT; an unknown entity is answered with false. -----

  /**
   * An entity is now in the game, at `pos` (metres), with a speed limit (m/s). An entity that was here within the last
   * 60 s keeps its score and gets no fresh credit.
   */
  enter(id: string, entry: { pos: Vec3; speed: number; kind?: string }): void {
    if (typeof id !== 'string' || id === '') throw argument('enter', 'id', 'a string that is not empty', id);
    const [x, y, z] = vec('enter', 'pos', entry?.pos);
    const speed = atLeastZero('enter', 'speed', entry.speed);
    const t = this.#clock();
    const ledger = this.#ledger;
    ledger.sweep(t);
    let credit = Math.max(speed * this.#terms.perMs * ENTER_MS, 0.1);
    let o = ledger.offsetOfKept(id);
    if (o >= 0) {
      const f = ledger.f;
      this.#leaveState(f, o, t);
      credit = Math.min(credit, f[o + L.CREDIT]);
      const slack = slackAt(f, o, t, this.rules.wayRoundSlackMs);
      const kept = f.slice(o, o + L.STRIDE);
      f.fill(0, o, o + L.STRIDE);
      for (const field of KEPT) f[o + field] = kept[field];
      for (let k = 0; k < L.LAYERS; k++) f[o + L.SCORES + k] = kept[L.SCORES + k];
      f[o + L.SLACK] = slack;
    } else {
      o = ledger.add(id);
      ledger.f[o + L.SLACK] = this.rules.wayRoundSlackMs;
      ledger.f[o + L.GRACE] = 1;
      ledger.f[o + L.GRACE_T] = t;
      ledger.f[o + L.SCORE_T] = t;
      ledger.f[o + L.NODES] = this.rules.searchNodesPerSecond;
      ledger.f[o + L.NODES_T] = t;
    }
    const f = ledger.f;
    f[o + L.FLAGS] = L.ALIVE;
    f[o + L.CREDIT] = credit;
    f[o + L.CREDIT_T] = t;
    f[o + L.LIMIT] = speed;
    f[o + L.ANNOUNCED] = speed;
    f[o + L.JUDGED_T] = t;
    f[o + L.SLACK_T] = t;
    f[o + L.BONUS_UNTIL] = -Infinity;
    f[o + L.STALE_UNTIL] = -Infinity;
    f[o + L.ALIVE_T] = -Infinity;
    f[o + L.ROOTED_T] = -Infinity;
    this.#putAt(f, o, t, x, y, z);
  }

  /** The entity is gone. Its ledger is kept for 60 s, so leaving and coming back buys nothing. */
  leave(id: string): boolean {
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    this.#leaveState(this.#ledger.f, o, t);
    this.#ledger.leave(id, o, t);
    this.#ledger.sweep(t);
    return true;
  }

  /** The speed limit from now on, m/s. Higher counts at once; lower after the claims in flight. */
  setSpeed(id: string, speed: number): boolean {
    atLeastZero('setSpeed', 'speed', speed);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    setLimit(f, o, t, speed, this.#terms);
    // the server's own walk obeys at once
    if ((f[o + L.FLAGS] & L.WALKING) !== 0)
      f[o + L.PATH_RATE] = Math.min(f[o + L.PATH_RATE], speed * this.#terms.perMs);
    return true;
  }

  /** A skill window: `speed` extra m/s for `ms` milliseconds. */
  boost(id: string, speed: number, ms: number): boolean {
    atLeastZero('boost', 'speed', speed);
    atLeastZero('boost', 'ms', ms);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    addPush(this.#ledger.f, o, t, speed, 0, ms, this.#terms);
    return true;
  }

  /** A knock-back: velocity in m/s, losing `decay` m/s each second. */
  impulse(id: string, velocity: Vec3, decay: number): boolean {
    const [vx, vy, vz] = vec('impulse', 'velocity', velocity);
    if (!(Number.isFinite(decay) && decay > 0)) throw argument('impulse', 'decay', 'a number above 0', decay);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    const plan = Math.sqrt(vx * vx + vz * vz);
    addPush(f, o, t, plan, decay, (1000 * plan) / decay, this.#terms);
    if (vy > 0) {
      f[o + L.LAUNCH] = Math.max(vy, f[o + L.LAUNCH]);
      f[o + L.LAUNCH_T] = t;
    }
    return true;
  }

  /**
   * The client may appear once at `to` (metres): within `radius` m (default 1), during the next `ttl` ms (default 5000).
   * At most four at a time; a fifth replaces the oldest.
   */
  grant(id: string, to: Vec3, options: { grant?: string | number; radius?: number; ttl?: number } = {}): boolean {
    const [x, y, z] = vec('grant', 'to', to);
    const radius = atLeastZero('grant', 'radius', options.radius ?? 1);
    const ttl = atLeastZero('grant', 'ttl', options.ttl ?? 5000);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    this.#dropGrants(f, o, t);
    if (f[o + L.GRANT_COUNT] === L.GRANT_MAX) removeGrant(f, o, 0);
    const g = o + L.GRANT + f[o + L.GRANT_COUNT] * L.GRANT_STRIDE;
    f[g] = x;
    f[g + 1] = y;
    f[g + 2] = z;
    f[g + 3] = radius;
    f[g + 4] = t + ttl;
    f[o + L.GRANT_COUNT] += 1;
    return true;
  }

  /** The server has moved the entity to `to` (metres). Claims from before are stale until it shows up there. */
  teleport(id: string, to: Vec3): boolean {
    const [x, y, z] = vec('teleport', 'to', to);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    this.#stopWalk(f, o, t);
    for (let k = 0; k < 3; k++) f[o + L.TELE_FROM + k] = f[o + L.X + k];
    f[o + L.TELE_TO] = x;
    f[o + L.TELE_TO + 1] = y;
    f[o + L.TELE_TO + 2] = z;
    f[o + L.STALE_UNTIL] = t + f[o + L.RTT] + this.rules.pendingMs;
    f[o + L.FLAGS] = f[o + L.FLAGS] | L.STALE;
    f[o + L.GRANT_COUNT] = 0;
    f.fill(0, o + L.GRANT, o + L.GRANT + L.GRANT_MAX * L.GRANT_STRIDE);
    endPending(f, o, t, this.rules.scoreHalfLifeMs);
    // the client's time at the new place begins now
    f[o + L.JUDGED_T] = t;
    f[o + L.OPEN] = 0;
    this.#putAt(f, o, t, x, y, z);
    return true;
  }

  /** The round-trip time as the server measured it, ms. Only what rttCreditMaxMs allows is ever used. */
  rtt(id: string, ms: number): boolean {
    atLeastZero('rtt', 'ms', ms);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    setRtt(this.#ledger.f, o, t, Math.min(ms, this.rules.rttCreditMaxMs), this.#terms);
    return true;
  }

  /** The client confirms correction n. Any other number ends the wait after a teleport. */
  ack(id: string, correction: number): boolean {
    atLeastZero('ack', 'correction', correction);
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    if (correction === f[o + L.CORRECTION]) endPending(f, o, t, this.rules.scoreHalfLifeMs);
    if (correction === 0 || correction > f[o + L.CORRECTION]) f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.STALE;
    return true;
  }

  /** What the entity is now: alive, rooted, flying. */
  state(id: string, state: { alive?: boolean; rooted?: boolean; flying?: boolean }): boolean {
    for (const name of ['alive', 'rooted', 'flying'] as const) {
      const value = state?.[name];
      if (value !== undefined && typeof value !== 'boolean') throw argument('state', name, 'true or false', value);
    }
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return false;
    const f = this.#ledger.f;
    const was = f[o + L.FLAGS];
    let flags = was;
    if (state.alive !== undefined) flags = state.alive ? flags | L.ALIVE : flags & ~L.ALIVE;
    if (state.rooted !== undefined) flags = state.rooted ? flags | L.ROOTED : flags & ~L.ROOTED;
    if (state.flying !== undefined) flags = state.flying ? flags | L.FLYING : flags & ~L.FLYING;
    if (((flags ^ was) & L.ALIVE) !== 0) f[o + L.ALIVE_T] = t;
    if (((flags ^ was) & L.ROOTED) !== 0) f[o + L.ROOTED_T] = t;
    // who may not act does not walk on; who stops flying falls from where it is
    if (((flags & L.ALIVE) === 0 || (flags & L.ROOTED) !== 0) && (was & L.WALKING) !== 0) this.#stopWalk(f, o, t);
    f[o + L.FLAGS] = (flags & ~L.WALKING) | (f[o + L.FLAGS] & L.WALKING);
    if (((flags ^ was) & L.FLYING) !== 0) this.#putAt(f, o, t, f[o + L.X], f[o + L.Y], f[o + L.Z]);
    return true;
  }

  /** The server itself stood still for `ms` milliseconds until now: what piled up may arrive at once. */
  pause(ms: number): void {
    atLeastZero('pause', 'ms', ms);
    const hold = this.rules.burstMs + this.rules.rttCreditMaxMs;
    addPause(this.#terms, this.#clock(), ms, hold);
  }

  /** The map version that claims are compared with when they carry one. */
  version(mapVersion: string): void {
    if (typeof mapVersion !== 'string') throw argument('version', 'mapVersion', 'a string', mapVersion);
    this.#mapVersion = mapVersion;
  }

  /** The level's progress that claims are compared with when they carry one. */
  progress(progress: string | number): void {
    if (typeof progress !== 'string' && !Number.isFinite(progress)) {
      throw argument('progress', 'progress', 'a string or a finite number', progress);
    }
    this.#progress = progress;
  }

  // ---- questions -----------------------------------------------------------------------------------------------------

  /** Where the entity stands now (or stood or will stand at `t` along its path), metres; null when unknown. */
  positionAt(id: string, t?: number): [number, number, number] | null {
    const now = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (o < 0) return null;
    const f = this.#ledger.f;
    if ((f[o + L.FLAGS] & L.WALKING) === 0) return [f[o + L.X], f[o + L.Y], f[o + L.Z]];
    const at = t === undefined || !Number.isFinite(t) ? now : Math.max(t, f[o + L.PATH_T]);
    this.#onPath(f, o, at);
    return [this.#p[0], this.#p[1] + this.rules.yOffset, this.#p[2]];
  }

  /** Suspicion now; null when unknown. */
  score(id: string): number | null {
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    return o < 0 ? null : scoreAt(this.#ledger.f, o, t, this.rules.scoreHalfLifeMs);
  }

  /** @internal The entity's whole state, for tests: a copy of its numbers; null when unknown. */
  stateOf(id: string): Float64Array | null {
    const o = this.#ledger.offsetOfKept(id);
    return o < 0 ? null : this.#ledger.f.slice(o, o + L.STRIDE);
  }

  // ---- claims ----------------------------------------------------------------------------------------------------------

  /**
   * "I am at x, y, z (metres) now." The verdict is reused: valid until the guard's next call. Never throws on what a
   * client sent.
   */
  move(id: string, seq: number, x: number, y: number, z: number, options?: ClaimOptions): Verdict {
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    if (
      typeof x !== 'number' ||
      typeof y !== 'number' ||
      typeof z !== 'number' ||
      x - x !== 0 ||
      y - y !== 0 ||
      z - z !== 0 ||
      !isSequence(seq) ||
      typeof id !== 'string'
    ) {
      return this.#reject(o, t, Reason.Malformed, moveFault(id, seq, x, y, z));
    }
    const carries = options !== undefined;
    if (carries) {
      const fault = this.#options.read(options);
      if (fault !== '') return this.#reject(o, t, Reason.Malformed, fault);
    }
    if (o < 0) return this.#reject(o, t, Reason.UnknownEntity, '');
    const f = this.#ledger.f;
    if (!this.#takeSequence(f, o, t, seq)) return this.#reject(o, t, Reason.Replay, '');
    if (carries) {
      const mismatch = this.#mismatch();
      if (mismatch !== Reason.Accept) return this.#reject(o, t, mismatch, '');
    }
    // -0 becomes 0
    return this.#judge(f, o, t, x + 0, y + 0, z + 0);
  }

  /** Uses up a sequence number and notes the time; false for an old number, which uses up nothing. */
  #takeSequence(f: Float64Array, o: number, t: number, seq: number): boolean {
    const flags = f[o + L.FLAGS];
    if ((flags & L.SEEN) === 0) f[o + L.FLAGS] = flags | L.SEEN;
    else if (!isNewer(seq, f[o + L.SEQ], t - f[o + L.JUDGED_T], this.rules.maxSeqGap)) return false;
    f[o + L.SEQ] = seq + 0;
    noteJudged(f, o, t);
    return true;
  }

  /** MapVersionMismatch, ProgressMismatch or Accept for the options that were just read. */
  #mismatch(): ReasonCode {
    const { mapVersion, progress } = this.#options;
    if (mapVersion !== undefined && this.#mapVersion !== undefined && String(mapVersion) !== this.#mapVersion) {
      return Reason.MapVersionMismatch;
    }
    if (progress !== undefined && this.#progress !== undefined && String(progress) !== String(this.#progress)) {
      return Reason.ProgressMismatch;
    }
    return Reason.Accept;
  }

  /** Checks 4 to 12 for a well-formed move whose number was used up. */
  #judge(f: Float64Array, o: number, t: number, claimedX: number, y: number, claimedZ: number): Verdict {
    const rules = this.rules;
    const terms = this.#terms;
    const extent = this.#extent;
    let x = claimedX;
    let z = claimedZ;
    let fx = f[o + L.X];
    let fy = f[o + L.Y];
    let fz = f[o + L.Z];
    let floor = f[o + L.FLOOR];
    let polygon = f[o + L.POLYGON];
    const flags = f[o + L.FLAGS];
    if ((flags & L.WALKING) !== 0) {
      this.#onPath(f, o, t);
      fx = this.#p[0];
      floor = this.#p[1];
      fz = this.#p[2];
      fy = floor + rules.yOffset;
      polygon = NONE;
      // while it walks, the server knows where the client's time went
      const unseen = Math.max(0, t - pathEndTime(f, o)) + FROM_MS + f[o + L.RTT];
      if (f[o + L.OPEN] > unseen) f[o + L.OPEN] = unseen;
    }
    if ((flags & (L.ALIVE | L.ROOTED | L.STALE)) !== L.ALIVE) {
      // check 4 and 6: dead, rooted, or not yet arrived after a teleport
      const held = this.#held(f, o, t, flags, fx, fz, x, y, z);
      if (held !== null) return held;
      if ((flags & L.ALIVE) === 0 || (flags & L.ROOTED) !== 0) {
        x = fx;
        z = fz;
      }
    }

    const dx = x - fx;
    const dz = z - fz;
    const dy = this.#flat ? 0 : y - fy;
    const straight = Math.sqrt(dx * dx + dz * dz);
    const yy = this.#level(y);
    const off = f[o + L.OFF];
    const tolerance = off > this.#edge ? off + GRID_ERROR : this.#edge;

    // 7: outside the map, in constant time
    const margin = tolerance + rules.jumpGap;
    if (
      x < extent.minX - margin ||
      x > extent.maxX + margin ||
      z < extent.minZ - margin ||
      z > extent.maxZ + margin ||
      yy < extent.minY - SKY ||
      yy > extent.maxY + SKY
    ) {
      return this.#refuse(f, o, t, Reason.OutOfMap, x, y, z, straight, straight, creditAt(f, o, t, terms));
    }

    // 8: the straight line alone does not fit into the credit
    const cost = rules.speedMetric === 'plan' ? straight : Math.sqrt(straight * straight + dy * dy);
    const credit = creditAt(f, o, t, terms);
    if (cost > credit + ROUNDING) {
      const distance = Math.sqrt(straight * straight + dy * dy);
      const reason = distance > rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
      return this.#refuse(f, o, t, reason, x, y, z, straight, cost, credit);
    }
    if ((flags & L.FLYING) !== 0) return this.#acceptFlying(f, o, t, x, y, z, straight, cost, credit);

    // 9 and 10: one question to the kernel
    const rate = rateAt(f, o, t, terms);
    const forgiven = 2 * this.#edge;
    const open = f[o + L.OPEN];
    const slack = slackAt(f, o, t, rules.wayRoundSlackMs);
    const byTime = (open + slack) * rate;
    const budget = rules.wall === 'sight' ? 0 : Math.min(byTime, credit) + forgiven;
    const nodes = this.#nodesAt(f, o, t);
    const kernel = this.#kernel;
    const input = kernel.input;
    input[0] = fx;
    // the start's floor in the middle of the height band: no other storey can be mistaken for it
    input[1] = floor + (rules.above - rules.below) / 2;
    input[2] = fz;
    input[3] = x;
    input[4] = yy;
    input[5] = z;
    input[6] = rules.below;
    input[7] = rules.above;
    input[8] = tolerance;
    input[9] = budget;
    input[10] = nodes < rules.nodeCap ? Math.floor(nodes) : rules.nodeCap;
    const status = kernel.reach(polygon, polygon) >>> 0;
    const out = kernel.output;
    if (out[13] > 0) this.#spendNodes(f, o, t, nodes, out[13]);

    let length = straight;
    let bound = 0;
    let charged = cost;
    let kind: 0 | 4 = VerdictKind.accept;
    if (status !== S_CLEAR) {
      if (status !== S_WALK && status !== S_UNDECIDED) {
        return this.#refuseBlocked(f, o, t, status, x, y, z, fx, floor, fz, straight, credit, budget, tolerance);
      }
      length = out[1];
      bound = out[2];
      const decided = judgeBlocked(status, length, budget);
      if (decided === Reason.Wall) {
        return this.#refuseBlocked(f, o, t, status, x, y, z, fx, floor, fz, straight, credit, budget, tolerance);
      }
      if (decided === Reason.Undecided) {
        kind = VerdictKind.undecided;
        // who has just been refused may not spend the search allowance to get through unsearched
        if (nodes < rules.nodeCap && (flags & L.PENDING) !== 0) {
          return this.#refuse(f, o, t, Reason.Undecided, x, y, z, straight, NaN, NaN);
        }
      }
      if (decided === Reason.Accept && length - forgiven > charged) charged = length - forgiven;
    }
    const targetFloor = out[5];
    const targetOff = out[7];
    const targetPolygon = out[3];

    // 11: hovering
    const height = yy - targetFloor;
    const onGround = height <= this.#ground || (targetOff > 0 && height <= this.#edge);
    if (!onGround) {
      const refused = this.#airborne(f, o, t, x, y, z, straight);
      if (refused !== null) return refused;
    }

    // 12: accepted; nothing of the entity has changed until here
    if (f[o + L.LOWER_COUNT] === 0 && (flags & L.WALKING) === 0 && t > f[o + L.BONUS_UNTIL]) {
      const left = credit - charged;
      f[o + L.CREDIT] = Math.max(left, 0);
      f[o + L.CREDIT_T] = t;
      f[o + L.BONUS] = 0;
    } else {
      settle(f, o, t, terms);
      charge(f, o, charged);
      if ((flags & L.WALKING) !== 0) endWalk(f, o);
    }
    if (status === S_WALK) payWalk(f, o, t, charged, rate, rules.wayRoundSlackMs);
    else payClear(f, o, charged, rate);
    f[o + L.X] = x;
    f[o + L.Y] = y;
    f[o + L.Z] = z;
    f[o + L.FLOOR] = targetFloor;
    f[o + L.POLYGON] = targetPolygon;
    // never farther off than before, except within the edge tolerance
    f[o + L.OFF] = targetOff > this.#edge && targetOff > off ? off : targetOff;
    if (onGround) this.#touchGround(f, o, t, yy);
    if ((f[o + L.FLAGS] & L.PENDING) !== 0) endPending(f, o, t, rules.scoreHalfLifeMs);
    if (kind === VerdictKind.undecided && nodes < rules.nodeCap) {
      // an honest player does not exhaust the search allowance
      addEvidence(f, o, t, LAYER_WALL, EVIDENCE_STATE, rules.scoreHalfLifeMs);
    }
    const v = this.#verdict;
    v.verdictCode = kind;
    v.reasonCode = kind === VerdictKind.accept ? Reason.Accept : Reason.Undecided;
    v.detail = '';
    v.correction = 0;
    v.boundCode = kind === VerdictKind.accept ? bound : -1;
    const n = v.n;
    n[V_STRAIGHT] = straight;
    n[V_LENGTH] = kind === VerdictKind.accept ? length : NaN;
    n[V_USED] = charged;
    n[V_ALLOWED] = credit;
    n[V_X] = x;
    n[V_Y] = y;
    n[V_Z] = z;
    this.#writeScore(f, o, t);
    return v;
  }

  // ---- click-to-move -------------------------------------------------------------------------------------------------

  /**
   * "I walk from here to there, at this speed (m/s), for so long (ms)." Accepted, the server walks the entity along its
   * own path in its own time: see positionAt. The verdict is reused. Never throws on what a client sent.
   */
  begin(id: string, claim: BeginClaim): Verdict {
    const t = this.#clock();
    const o = this.#ledger.offsetOf(id);
    const read = this.#begin;
    if (typeof id !== 'string') return this.#reject(o, t, Reason.Malformed, 'id: expected a string');
    let fault = read.read(claim, this.rules.maxStop);
    if (fault !== '') return this.#reject(o, t, read.reason, fault);
    fault = this.#options.read(claim);
    if (fault !== '') return this.#reject(o, t, Reason.Malformed, fault);
    if (o < 0) return this.#reject(o, t, Reason.UnknownEntity, '');
    const f = this.#ledger.f;
    if (!this.#takeSequence(f, o, t, read.seq)) return this.#reject(o, t, Reason.Replay, '');
    const mismatch = this.#mismatch();
    if (mismatch !== Reason.Accept) return this.#reject(o, t, mismatch, '');
    return this.#judgeBegin(f, o, t);
  }

  #judgeBegin(f: Float64Array, o: number, t: number): Verdict {
    const { rules } = this;
    const read = this.#begin;
    const { from, to } = read;
    const flags = f[o + L.FLAGS];
    this.#here(f, o, t);
    const px = this.#p[0];
    const floor = this.#p[1];
    const pz = this.#p[2];
    const polygon = (flags & L.WALKING) !== 0 ? NONE : f[o + L.POLYGON];
    if ((flags & (L.ALIVE | L.ROOTED | L.STALE)) !== L.ALIVE) {
      if ((flags & L.ALIVE) === 0 || (flags & L.ROOTED) !== 0) {
        const reason = (flags & L.ALIVE) === 0 ? Reason.LiveStatus : Reason.ActionStatus;
        if (this.#inFlight(f, o, t, flags))
          return this.#write(f, o, t, VerdictKind.ignore, reason, NaN, NaN, NaN, NaN, -1);
        return this.#refuseBegin(f, o, t, reason, NaN, NaN, NaN, NaN, -1);
      }
      const stale = this.#stale(f, o, t, px, pz, from[0], from[1], from[2]);
      if (stale !== null) return stale;
    }
    const straight = plan(px, pz, to[0], to[2]);
    const edge = f[o + L.OFF] > this.#edge ? f[o + L.OFF] + GRID_ERROR : this.#edge;
    const middle = floor + (rules.above - rules.below) / 2;

    // where the client says it stands must be near to where the server knows it to be
    const rate = rateAt(f, o, t, this.#terms);
    const fromTolerance = Math.max(0.1, rate * (f[o + L.RTT] + FROM_MS));
    const fromStraight = plan(px, pz, from[0], from[2]);
    if (fromStraight > fromTolerance) {
      return this.#refuseBegin(f, o, t, Reason.SpeedLimit, straight, NaN, fromStraight, fromTolerance, -1);
    }
    const kernel = this.#kernel;
    const out = kernel.output;
    const nodes = this.#nodesAt(f, o, t);
    const nodeCap = nodes < rules.nodeCap ? Math.floor(nodes) : rules.nodeCap;
    if (fromStraight > SAME_POINT) {
      const fromY = this.#level(from[1]);
      const budget = fromTolerance + 2 * this.#edge;
      ask(
        kernel,
        px,
        middle,
        pz,
        from[0],
        fromY,
        from[2],
        rules.below,
        rules.above,
        edge + this.#edge,
        budget,
        nodeCap,
      );
      const status = kernel.reach(polygon, polygon) >>> 0;
      if (out[13] > 0) this.#spendNodes(f, o, t, this.#nodesAt(f, o, t), out[13]);
      if (status !== S_CLEAR && status !== S_WALK && status !== S_UNDECIDED) {
        return this.#refuseBegin(f, o, t, Reason.Wall, straight, NaN, Math.max(fromStraight, out[1]), budget, -1);
      }
    }

    const toY = this.#level(to[1]);
    const target = locate(kernel, to[0], toY, to[2], rules.below, rules.above, this.#edge);
    if (target === NONE) return this.#refuseBegin(f, o, t, Reason.TargetNotOnNavMesh, straight, NaN, NaN, NaN, -1);

    // the client's own way, from where it says it stands
    let shortest = 0;
    let undecided = false;
    const apart = fromStraight > SAME_POINT;
    if (apart) {
      ask(
        kernel,
        from[0],
        this.#level(from[1]),
        from[2],
        to[0],
        toY,
        to[2],
        rules.below,
        rules.above,
        edge + this.#edge,
        Infinity,
        nodeCap,
      );
      const status = kernel.corridor(NONE) >>> 0;
      this.#spendNodes(f, o, t, this.#nodesAt(f, o, t), out[2]);
      if (status === S_WALK) shortest = out[0];
      else if (status === S_UNDECIDED) undecided = true;
      else return this.#refuseBegin(f, o, t, Reason.PathPartial, straight, NaN, NaN, NaN, -1);
    }
    // the server's way, from where it knows the entity to be: last, because its corners are read below
    ask(kernel, px, middle, pz, to[0], toY, to[2], rules.below, rules.above, edge, Infinity, nodeCap);
    const status = kernel.corridor(polygon) >>> 0;
    this.#spendNodes(f, o, t, this.#nodesAt(f, o, t), out[2]);
    const length = out[0];
    const count = out[1];
    if (status === S_UNDECIDED) undecided = true;
    else if (status !== S_WALK) return this.#refuseBegin(f, o, t, Reason.PathPartial, straight, NaN, NaN, NaN, -1);
    else if (!apart) shortest = length;

    if (read.speed > rate * 1000 + ROUNDING) {
      return this.#refuseBegin(f, o, t, Reason.SpeedLimit, straight, length, read.speed, rate * 1000, 2);
    }
    if (!undecided) {
      const walk = Math.max(0, shortest - read.stop);
      const claimed = (read.speed * (read.durationMs + rules.durationSlackMs)) / 1000;
      if (walk > claimed + ROUNDING) {
        return this.#refuseBegin(f, o, t, Reason.DurationMismatch, straight, shortest, walk, claimed, 2);
      }
      const slowest = (walk / read.speed) * 1000 * (1 + rules.durationTolerance) + rules.durationSlackMs;
      if (rules.refuseSlow && read.speed > 0 && read.durationMs > slowest) {
        const took = (read.speed * read.durationMs) / 1000;
        const may = (read.speed * slowest) / 1000;
        return this.#refuseBegin(f, o, t, Reason.DurationMismatch, straight, shortest, took, may, 2);
      }
    }

    // accepted: the old walk ends here, the new one begins here
    if ((flags & L.WALKING) !== 0) this.#stopWalk(f, o, t);
    else settle(f, o, t, this.#terms);
    if (!undecided) {
      const path = this.#ledger.pathOf(o, count);
      const whole = layPath(path, corners(kernel, count), count);
      const walk = Math.min(read.speed / 1000, f[o + L.ANNOUNCED] * this.#terms.perMs);
      startWalk(f, o, t, count, walk, Math.max(0, whole - read.stop));
      f[o + L.FLAGS] = f[o + L.FLAGS] | L.WALKING;
    }
    endPending(f, o, t, rules.scoreHalfLifeMs);
    const kind = undecided ? VerdictKind.undecided : VerdictKind.accept;
    const reason = undecided ? Reason.Undecided : Reason.Accept;
    const used = undecided ? NaN : Math.max(0, shortest - read.stop);
    const allowed = undecided ? NaN : (read.speed * (read.durationMs + rules.durationSlackMs)) / 1000;
    return this.#write(f, o, t, kind, reason, straight, undecided ? NaN : length, used, allowed, undecided ? -1 : 2);
  }

  /** A refused begin changes nothing: no pending state; the correction carries where the entity is. */
  #refuseBegin(
    f: Float64Array,
    o: number,
    t: number,
    reason: ReasonCode,
    straight: number,
    length: number,
    used: number,
    allowed: number,
    bound: number,
  ): Verdict {
    const state = reason === Reason.LiveStatus || reason === Reason.ActionStatus;
    const evidence = state ? EVIDENCE_STATE : used === used ? excess(used, allowed) : EVIDENCE_FLAT;
    addEvidence(f, o, t, layerOf(reason), evidence, this.rules.scoreHalfLifeMs);
    f[o + L.CORRECTION] += 1;
    this.#write(f, o, t, VerdictKind.correct, reason, straight, length, used, allowed, bound);
    this.#verdict.correction = f[o + L.CORRECTION];
    return this.#verdict;
  }

  // ---- refusals and the rare ways of a move ------------------------------------------------------------------------------

  /** Whether a claim of a dead or rooted entity may have been made before the client knew. */
  #inFlight(f: Float64Array, o: number, t: number, flags: number): boolean {
    const changed = (flags & L.ALIVE) === 0 ? f[o + L.ALIVE_T] : f[o + L.ROOTED_T];
    return t - changed <= f[o + L.RTT] + this.rules.dropGraceMs;
  }

  /** Checks 4 and 6 for an entity that is dead, rooted or stale: a verdict, or null to judge on. */
  #held(
    f: Float64Array,
    o: number,
    t: number,
    flags: number,
    fx: number,
    fz: number,
    x: number,
    y: number,
    z: number,
  ): Verdict | null {
    const dead = (flags & L.ALIVE) === 0;
    const straight = plan(fx, fz, x, z);
    if ((dead || (flags & L.ROOTED) !== 0) && straight > ZERO_LENGTH) {
      const reason = dead ? Reason.LiveStatus : Reason.ActionStatus;
      if (this.#inFlight(f, o, t, flags)) {
        return this.#write(f, o, t, VerdictKind.ignore, reason, straight, NaN, NaN, NaN, -1);
      }
      if (!dead) return this.#refuse(f, o, t, reason, x, y, z, straight, NaN, NaN);
      addEvidence(f, o, t, LAYER_STATE, EVIDENCE_STATE, this.rules.scoreHalfLifeMs);
      return this.#reject(o, t, reason, '');
    }
    return (flags & L.STALE) === 0 ? null : this.#stale(f, o, t, fx, fz, x, y, z);
  }

  /** Check 6 after a teleport A to B: claims that are not at B, or nearer to A, are from before. */
  #stale(
    f: Float64Array,
    o: number,
    t: number,
    fx: number,
    fz: number,
    x: number,
    y: number,
    z: number,
  ): Verdict | null {
    const toNew = distance3(f, o + L.TELE_TO, x, y, z);
    const arrived = toNew <= this.rules.ackRadius && toNew <= distance3(f, o + L.TELE_FROM, x, y, z);
    if (arrived || t > f[o + L.STALE_UNTIL]) {
      f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.STALE;
      return null;
    }
    const straight = plan(fx, fz, x, z);
    if (f[o + L.GRANT_COUNT] > 0) {
      const granted = this.#redeem(f, o, t, x, y, z, straight);
      if (granted !== null) return granted;
    }
    return this.#write(f, o, t, VerdictKind.ignore, Reason.Stale, straight, NaN, NaN, NaN, -1);
  }

  /** A flying entity is bound to the map and its speed, not to floors and walls. */
  #acceptFlying(
    f: Float64Array,
    o: number,
    t: number,
    x: number,
    y: number,
    z: number,
    straight: number,
    cost: number,
    credit: number,
  ): Verdict {
    const rate = rateAt(f, o, t, this.#terms);
    settle(f, o, t, this.#terms);
    charge(f, o, cost);
    endWalk(f, o);
    payClear(f, o, cost, rate);
    this.#putAt(f, o, t, x, y, z);
    endPending(f, o, t, this.rules.scoreHalfLifeMs);
    return this.#write(f, o, t, VerdictKind.accept, Reason.Accept, straight, straight, cost, credit, 0);
  }

  /** The straight way is blocked and no walk fits, or an end is off the mesh: which reason, and with what numbers. */
  #refuseBlocked(
    f: Float64Array,
    o: number,
    t: number,
    status: number,
    x: number,
    y: number,
    z: number,
    fx: number,
    floor: number,
    fz: number,
    straight: number,
    credit: number,
    budget: number,
    tolerance: number,
  ): Verdict {
    const { rules } = this;
    const kernel = this.#kernel;
    const out = kernel.output;
    const yy = this.#level(y);
    if (status === S_OUT_OF_RANGE) return this.#refuse(f, o, t, Reason.OutOfMap, x, y, z, straight, straight, credit);
    if (status === S_FROM_OFF) return this.#fromNowhere(f, o, t, x, y, z, straight, credit);
    if (status === S_TO_OFF) {
      // over a floor but too high for its band: in the air
      if (locate(kernel, x, yy, z, rules.below, DEEP, tolerance) !== NONE) {
        return this.#refuse(f, o, t, Reason.Airborne, x, y, z, straight, yy - out[1], rules.above);
      }
      // pressed into a wall, if the nearest mesh was within reach
      const near = Math.min(NOWHERE, straight + tolerance + 1);
      if (locate(kernel, x, yy, z, rules.below, rules.above, near) !== NONE) {
        const beside = out[3];
        ask(
          kernel,
          fx,
          floor + (rules.above - rules.below) / 2,
          fz,
          out[0],
          out[1],
          out[2],
          rules.below,
          rules.above,
          tolerance,
          budget,
          rules.nodeCap,
        );
        const walk = kernel.reach(f[o + L.POLYGON], NONE) >>> 0;
        if (out[13] > 0) this.#spendNodes(f, o, t, this.#nodesAt(f, o, t), out[13]);
        const reason = walk === S_CLEAR || walk === S_WALK ? Reason.Wall : Reason.TargetNotOnNavMesh;
        return this.#refuse(f, o, t, reason, x, y, z, straight, beside, tolerance);
      }
      return this.#refuse(f, o, t, Reason.TargetNotOnNavMesh, x, y, z, straight, NaN, NaN);
    }
    if (rules.wall === 'sight') return this.#refuse(f, o, t, Reason.Wall, x, y, z, straight, NaN, NaN);
    const reason = judgeBlocked(status, out[1], budget);
    let length = out[1];
    let bound = out[2];
    if (reason === Reason.Wall && bound !== 2) {
      // Within the budget there is none: how long is the way round? For the report and the score only, so it lives on
      // what judging is sure not to need.
      const nodes = this.#nodesAt(f, o, t);
      const spare = Math.min(rules.nodeCap, Math.floor(nodes - rules.searchNodesPerSecond / 2));
      const middle = floor + (rules.above - rules.below) / 2;
      length = NaN;
      bound = -1;
      if (spare > 0) {
        ask(kernel, fx, middle, fz, x, yy, z, rules.below, rules.above, tolerance, Infinity, spare);
        const walk = kernel.corridor(f[o + L.POLYGON]) >>> 0;
        if (out[2] > 0) this.#spendNodes(f, o, t, nodes, out[2]);
        if (walk === S_WALK) {
          length = out[0];
          bound = 2;
        }
      }
    }
    if (reason === Reason.PathPartial) return this.#refuse(f, o, t, reason, x, y, z, straight, NaN, NaN);
    this.#refuse(f, o, t, reason, x, y, z, straight, length, budget);
    if (this.#verdict.accepted) return this.#verdict;
    this.#verdict.n[V_LENGTH] = length;
    this.#verdict.boundCode = bound;
    return this.#verdict;
  }

  /**
   * The server put the entity where no mesh is near (or a flight ended there). Coming onto the mesh is free of walls;
   * else it may come nearer or sink, never go farther off.
   */
  #fromNowhere(
    f: Float64Array,
    o: number,
    t: number,
    x: number,
    y: number,
    z: number,
    straight: number,
    credit: number,
  ): Verdict {
    const { rules } = this;
    const yy = this.#level(y);
    const polygon = standing(this.#kernel, x, yy, z, rules.below, rules.above);
    const off = polygon === NONE ? NOWHERE : this.#kernel.output[3];
    if (off > f[o + L.OFF] + GRID_ERROR && off > this.#edge) {
      return this.#refuse(f, o, t, Reason.TargetNotOnNavMesh, x, y, z, straight, off, f[o + L.OFF]);
    }
    const refused = this.#airborne(f, o, t, x, y, z, straight);
    if (refused !== null) return refused;
    const rate = rateAt(f, o, t, this.#terms);
    settle(f, o, t, this.#terms);
    charge(f, o, straight);
    payClear(f, o, straight, rate);
    const groundY = f[o + L.GROUND_Y];
    const groundT = f[o + L.GROUND_T];
    this.#putAt(f, o, t, x, y, z);
    if (yy - f[o + L.FLOOR] > this.#ground) {
      f[o + L.GROUND_Y] = groundY;
      f[o + L.GROUND_T] = groundT;
    }
    endPending(f, o, t, rules.scoreHalfLifeMs);
    return this.#write(f, o, t, VerdictKind.accept, Reason.Accept, straight, NaN, straight, credit, -1);
  }

  /** Check 11: refused when no flight since the last ground contact explains the height; null when one does. */
  #airborne(f: Float64Array, o: number, t: number, x: number, y: number, z: number, straight: number): Verdict | null {
    const { rules } = this;
    const since = t - f[o + L.GROUND_T];
    const jitter = windowMs(f, o, t, this.#terms);
    const v0 = this.#launchSpeed + f[o + L.LAUNCH];
    const h = this.#level(y) - f[o + L.GROUND_Y];
    const up = highest(since, jitter, v0, rules.gravity, rules.fallSpeedMax);
    if (h <= up && h >= lowest(since, jitter, rules.gravity, rules.fallSpeedMax)) return null;
    // as metres: how far above (below) the last ground, of how far is possible
    const used = h > up ? Math.max(h, 0) + AIR_SLACK : -h;
    const allowed = h > up ? Math.max(up, 0) + AIR_SLACK : -lowest(since, jitter, rules.gravity, rules.fallSpeedMax);
    return this.#refuse(f, o, t, Reason.Airborne, x, y, z, straight, used, allowed);
  }

  /**
   * Refuses a move, unless a grant covers it or the rule is only a shadow. `used` of `allowed` metres is the measure (NaN =
   * none). The state stays as it is but for the score and the pending correction.
   */
  #refuse(
    f: Float64Array,
    o: number,
    t: number,
    reason: ReasonCode,
    x: number,
    y: number,
    z: number,
    straight: number,
    used: number,
    allowed: number,
  ): Verdict {
    const { rules } = this;
    if (f[o + L.GRANT_COUNT] > 0 && reason !== Reason.ActionStatus) {
      const granted = this.#redeem(f, o, t, x, y, z, straight);
      if (granted !== null) return granted;
    }
    const layer = layerOf(reason);
    let evidence = EVIDENCE_FLAT;
    if (reason === Reason.ActionStatus) evidence = EVIDENCE_STATE;
    else if (layer === LAYER_SPEED || reason === Reason.Teleport) {
      // against what the uncapped silence would have allowed: a long stall is no crime
      const possible = openAt(f, o, t) * rateAt(f, o, t, this.#terms);
      evidence = excess(used, Math.max(allowed, possible));
    } else if (used === used) evidence = excess(used, allowed);
    // a straight line's length is a lower bound of every walk
    const bound = reason === Reason.SpeedLimit || reason === Reason.Teleport ? 1 : -1;
    const length = bound === 1 ? straight : NaN;
    if (this.#shadow.size > 0 && this.#shadow.has(REASON_NAMES[reason])) {
      addEvidence(f, o, t, layer, evidence, rules.scoreHalfLifeMs);
      settle(f, o, t, this.#terms);
      charge(f, o, straight);
      endWalk(f, o);
      payClear(f, o, straight, rateAt(f, o, t, this.#terms));
      this.#putAt(f, o, t, x, y, z);
      return this.#write(f, o, t, VerdictKind.accept, reason, straight, length, used, allowed, bound);
    }
    const wait = f[o + L.RTT] + rules.pendingMs;
    if (isPending(f, o, t, wait)) {
      notePending(f, o, layer, evidence);
      return this.#write(f, o, t, VerdictKind.ignore, reason, straight, length, used, allowed, bound);
    }
    const number = sendCorrection(f, o, t, layer, evidence, rules.scoreHalfLifeMs);
    this.#write(f, o, t, VerdictKind.correct, reason, straight, length, used, allowed, bound);
    this.#verdict.correction = number;
    return this.#verdict;
  }

  /** Check 5: a grant whose place the claim is at; spends it and accepts, else null. */
  #redeem(f: Float64Array, o: number, t: number, x: number, y: number, z: number, straight: number): Verdict | null {
    const { rules } = this;
    const kernel = this.#kernel;
    const out = kernel.output;
    for (let k = 0; k < f[o + L.GRANT_COUNT]; k++) {
      const g = o + L.GRANT + k * L.GRANT_STRIDE;
      const radius = f[g + 3];
      // an expired grant is passed over, not removed: a refusal changes nothing
      if (t > f[g + 4] || !(plan(f[g], f[g + 2], x, z) <= radius)) continue;
      const yy = this.#level(y);
      const budget = radius * 1.5;
      ask(
        kernel,
        f[g],
        this.#level(f[g + 1]),
        f[g + 2],
        x,
        yy,
        z,
        rules.below,
        rules.above,
        this.#edge,
        budget,
        rules.nodeCap,
      );
      const status = kernel.reach(NONE, NONE) >>> 0;
      if (!((status === S_CLEAR || status === S_WALK) && out[1] <= budget)) continue;
      removeGrant(f, o, k);
      this.#stopWalk(f, o, t);
      f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.STALE;
      f[o + L.OPEN] = 0;
      this.#putAt(f, o, t, x, y, z);
      endPending(f, o, t, rules.scoreHalfLifeMs);
      return this.#write(f, o, t, VerdictKind.accept, Reason.Accept, straight, NaN, NaN, NaN, -1);
    }
    return null;
  }

  #dropGrants(f: Float64Array, o: number, t: number): void {
    for (let k = f[o + L.GRANT_COUNT] - 1; k >= 0; k--) {
      if (t > f[o + L.GRANT + k * L.GRANT_STRIDE + 4]) removeGrant(f, o, k);
    }
  }

  /** The height of the feet for a claimed y, metres. */
  #level(y: number): number {
    return this.#flat ? 0 : y - this.rules.yOffset;
  }

  // ---- places ------------------------------------------------------------------------------------------------------------

  /** Puts an entity at a point and finds what is under it. */
  #putAt(f: Float64Array, o: number, t: number, x: number, y: number, z: number): void {
    const { rules } = this;
    const yy = this.#level(y);
    const polygon = standing(this.#kernel, x, yy, z, rules.below, rules.above);
    const out = this.#kernel.output;
    f[o + L.X] = x + 0;
    f[o + L.Y] = y + 0;
    f[o + L.Z] = z + 0;
    f[o + L.POLYGON] = polygon;
    f[o + L.FLOOR] = polygon === NONE ? yy : out[1];
    f[o + L.OFF] = polygon === NONE ? NOWHERE : out[3];
    this.#touchGround(f, o, t, yy);
  }

  #touchGround(f: Float64Array, o: number, t: number, yy: number): void {
    f[o + L.GROUND_Y] = yy;
    f[o + L.GROUND_T] = t;
    if (t - f[o + L.LAUNCH_T] > LAUNCH_MS) f[o + L.LAUNCH] = 0;
  }

  /** Where the entity stands at t, to #p: x, floor y, z. */
  #here(f: Float64Array, o: number, t: number): void {
    if ((f[o + L.FLAGS] & L.WALKING) !== 0) {
      this.#onPath(f, o, t);
      return;
    }
    this.#p[0] = f[o + L.X];
    this.#p[1] = f[o + L.FLOOR];
    this.#p[2] = f[o + L.Z];
  }

  /** The point of the path at t, to #p; y is the floor's: between corners the ground may bulge. */
  #onPath(f: Float64Array, o: number, t: number): void {
    const path = this.#ledger.paths[o / L.STRIDE];
    if (path === undefined) return;
    const p = this.#p;
    const leg = pathPoint(f, o, path, t, p) * L.CORNER;
    const { rules } = this;
    const kernel = this.#kernel;
    ask(
      kernel,
      path[leg],
      path[leg + 1] + (rules.above - rules.below) / 2,
      path[leg + 2],
      p[0],
      p[1],
      p[2],
      DEEP,
      DEEP,
      GRID_ERROR,
      0,
      0,
    );
    const input = kernel.input;
    // the leg is walkable: the ray along it ends at the point, on the floor that the walk is on
    input[6] = rules.below;
    input[7] = rules.above;
    kernel.ray(NONE);
    if (kernel.output[5] !== NONE && kernel.output[0] >= 1) p[1] = kernel.output[2];
  }

  /** Ends a walk where it is; its metres are charged. */
  #stopWalk(f: Float64Array, o: number, t: number): void {
    settle(f, o, t, this.#terms);
    if ((f[o + L.FLAGS] & L.WALKING) === 0) return;
    this.#onPath(f, o, t);
    const [x, floor, z] = this.#p;
    endWalk(f, o);
    f[o + L.X] = x;
    f[o + L.Y] = floor + this.rules.yOffset;
    f[o + L.Z] = z;
    f[o + L.FLOOR] = floor;
    f[o + L.POLYGON] = NONE;
    f[o + L.OFF] = 0;
    this.#touchGround(f, o, t, floor);
  }

  /** Settles everything that goes on by itself. */
  #leaveState(f: Float64Array, o: number, t: number): void {
    this.#stopWalk(f, o, t);
    endPending(f, o, t, this.rules.scoreHalfLifeMs);
  }

  // ---- search allowance ----------------------------------------------------------------------------------------------

  #nodesAt(f: Float64Array, o: number, t: number): number {
    const perSecond = this.rules.searchNodesPerSecond;
    const nodes = f[o + L.NODES] + (perSecond * (t - f[o + L.NODES_T])) / 1000;
    return Math.min(nodes, perSecond);
  }

  /** Searches are the server's work, whatever the verdict: the one meter that a refused claim runs up. */
  #spendNodes(f: Float64Array, o: number, t: number, nodes: number, used: number): void {
    f[o + L.NODES] = Math.max(0, nodes - used);
    f[o + L.NODES_T] = t;
  }

  // ---- time and verdicts -------------------------------------------------------------------------------------------------

  #clock(): number {
    const now = this.#now();
    // a clock that steps back stands still; one that is not a number does too
    if (now > this.#lastMs && now < Infinity) this.#lastMs = now;
    return this.#lastMs;
  }

  #reject(o: number, t: number, reason: ReasonCode, detail: string): Verdict {
    const v = this.#verdict;
    if (o < 0) {
      v.verdictCode = VerdictKind.reject;
      v.reasonCode = reason;
      v.correction = 0;
      v.boundCode = -1;
      v.actionCode = 0;
      v.n.fill(NaN);
      v.n[V_SCORE] = 0;
    } else this.#write(this.#ledger.f, o, t, VerdictKind.reject, reason, NaN, NaN, NaN, NaN, -1);
    v.detail = detail;
    return v;
  }

  #write(
    f: Float64Array,
    o: number,
    t: number,
    kind: 0 | 1 | 2 | 3 | 4,
    reason: ReasonCode,
    straight: number,
    length: number,
    used: number,
    allowed: number,
    bound: number,
  ): Verdict {
    const v = this.#verdict;
    v.verdictCode = kind;
    v.reasonCode = reason;
    v.detail = '';
    v.correction = 0;
    v.boundCode = bound;
    const n = v.n;
    n[V_STRAIGHT] = straight;
    n[V_LENGTH] = length;
    n[V_USED] = used;
    n[V_ALLOWED] = allowed;
    if ((f[o + L.FLAGS] & L.WALKING) !== 0) {
      this.#onPath(f, o, t);
      n[V_X] = this.#p[0];
      n[V_Y] = this.#p[1] + this.rules.yOffset;
      n[V_Z] = this.#p[2];
    } else {
      n[V_X] = f[o + L.X];
      n[V_Y] = f[o + L.Y];
      n[V_Z] = f[o + L.Z];
    }
    this.#writeScore(f, o, t);
    return v;
  }

  #writeScore(f: Float64Array, o: number, t: number): void {
    const { rules } = this;
    const score = scoreAt(f, o, t, rules.scoreHalfLifeMs);
    this.#verdict.n[V_SCORE] = score;
    this.#verdict.actionCode = actionOf(score, rules.watchAt, rules.restrictAt, rules.kickAt);
  }
}

/** What an entity that comes back keeps, besides its scores and what it had not spent. */
const KEPT = [L.RTT, L.GRACE, L.GRACE_T, L.SCORE_T, L.CORRECTION, L.NODES, L.NODES_T] as const;

function endWalk(f: Float64Array, o: number): void {
  f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.WALKING;
  f[o + L.PATH_T] = 0;
  f[o + L.PATH_DONE] = 0;
  f[o + L.PATH_RATE] = 0;
  f[o + L.PATH_END] = 0;
  f[o + L.PATH_CORNERS] = 0;
}

function removeGrant(f: Float64Array, o: number, k: number): void {
  const g = o + L.GRANT;
  const end = g + f[o + L.GRANT_COUNT] * L.GRANT_STRIDE;
  f.copyWithin(g + k * L.GRANT_STRIDE, g + (k + 1) * L.GRANT_STRIDE, end);
  f.fill(0, end - L.GRANT_STRIDE, end);
  f[o + L.GRANT_COUNT] -= 1;
}

function plan(ax: number, az: number, bx: number, bz: number): number {
  const dx = bx - ax;
  const dz = bz - az;
  return Math.sqrt(dx * dx + dz * dz);
}

function distance3(f: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = f[at] - x;
  const dy = f[at + 1] - y;
  const dz = f[at + 2] - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

function argument(method: string, name: string, expected: string, got: unknown): NavguardError {
  const shown = typeof got === 'string' ? JSON.stringify(got) : String(got);
  return new NavguardError('BAD_ARGUMENT', `${method}: ${name}: expected ${expected}, got ${shown}`, { got, expected });
}

function atLeastZero(method: string, name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value;
  throw argument(method, name, 'a finite number of at least 0', value);
}

function vec(method: string, name: string, value: unknown): readonly [number, number, number] {
  if (Array.isArray(value) && value.length === 3 && value.every((n) => Number.isFinite(n))) {
    return value as unknown as readonly [number, number, number];
  }
  throw argument(method, name, '[x, y, z] with three finite numbers', value);
}
