// MoveGuard: what the server knows and what clients claim go in, verdicts come out. Wires the kernel (one `reach` per
// move) and the rules (functions over the ledger). Imported by log/, cli/ and the public front.
import { NavguardError } from './errors.ts';
import type { Engine, Kernel } from './kernel/index.ts';
// (not by the front: threads of a pool need no twin)
import { kernelHash } from './kernel/wasm.ts';

import type { Fact, MapChange, MapSource } from './log/events.ts';
import { MOVE_LOG_VERSION } from './log/events.ts';
import { Reason, type ReasonCode } from './reasons.ts';
import { KnownMap, type MapNews } from './record/knownmap.ts';
import { ledgerLayout } from './record/layout.ts';
import { type LogFailures, type LogOptions, VerdictLog } from './record/logger.ts';
import { type Ground, groundOf, readMoved, writeMoved } from './record/moved.ts';
import { Recorder, type RecordOptions, recordOptions } from './record/recorder.ts';
import { Recording } from './record/recording.ts';
import { stateFault } from './record/state.ts';
import { shiftTimes } from './record/times.ts';
import { reject } from './rules/answer.ts';
import {
  carrierFor,
  type Placed,
  placeCarrier,
  removeCarrier,
  type ToldCarrier,
  toldCarrier,
} from './rules/carriage.ts';
import { board, detach, dropRiders, follow, release, settleOn } from './rules/carried.ts';
import type { Carrier } from './rules/carriers.ts';
import type { ChangeFact, LivingMap } from './rules/changes.ts';
import { type BeginClaim, type ClaimOptions, moveFault, ReadBegin, ReadInput, ReadOptions } from './rules/claim.ts';
import { Claims } from './rules/claims.ts';
import { addPause, addPush, setLimit, setRtt } from './rules/credit.ts';
import { crossAll, type Displaced } from './rules/crossing.ts';
import { cutWalks } from './rules/cutwalk.ts';
import { type Evidence, evidenceAt } from './rules/evidence.ts';
import { acknowledge, enterAt, launch, leaveAt, setState, teleportTo } from './rules/facts.ts';
import { footprintOf } from './rules/footprint.ts';
import { stateReason } from './rules/gate.ts';
import { addGrant } from './rules/grants.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_NOW, Q_SEQ, Q_T, Q_X, Q_Y, Q_Z } from './rules/hand.ts';
import { judgeAboard } from './rules/judgeaboard.ts';
import { judgeBegin } from './rules/judgebegin.ts';
import { judgeInput } from './rules/judgeinput.ts';
import { judgeMove } from './rules/judgemove.ts';
import { ATTACHED, CORNER, FLAGS, PATH_CORNERS, PATH_RATE, PATH_T, STRIDE, WALKING, X, Y, Z } from './rules/ledger.ts';
import {
  Both,
  inputClaim,
  type Observer,
  type PlainClaim,
  type PlainOptions,
  plainBegin,
  plainDirection,
  plainOptions,
} from './rules/observer.ts';
import { onPath, putAt } from './rules/places.ts';
import { type Rules, resolveRules } from './rules/rules.ts';
import { Scene } from './rules/scene.ts';
import { isSequence, takeSequence } from './rules/sequence.ts';
import { judgeOne, startClaim } from './rules/singly.ts';
import { STRATEGY_WORDS, type Strategy, strategyBits } from './rules/strategy.ts';
import { scoreAt } from './rules/suspicion.ts';
import { judgeBatch } from './rules/wave.ts';
import type { ObstacleShape, Vec3, Verdict } from './types.ts';
import { VERSION } from './version.ts';

export type { LogFailures, Logger, LogOptions, LogRecord } from './record/logger.ts';
export type { RecordOptions } from './record/recorder.ts';
export type { Recording } from './record/recording.ts';
export type { BeginClaim, ClaimOptions } from './rules/claim.ts';
export type { Claims } from './rules/claims.ts';
export type { Displaced } from './rules/crossing.ts';
export type { Evidence, LayerName } from './rules/evidence.ts';
export type { Rules } from './rules/rules.ts';
export type { Strategy } from './rules/strategy.ts';

/** What a guard needs of a map: the kernel that holds it (NavMap and GridMap have it). */
export interface GuardedMap {
  readonly kernel: Kernel;
  /** A format that begins with "grid " means: y is ignored, and cells are no measure of precision. */
  readonly info?: { readonly format: string; readonly hash?: string };
  createKernel?(engine: Engine): Kernel;
  /** What of the map changes, and how; without it nothing does. */
  readonly living?: LivingMap;
  area?(area: number, change: AreaChange): void;
  link?(link: string | number, open: LinkChange): void;
  block?(obstacle: string | number, shape: ObstacleShape): void;
  unblock?(obstacle: string | number): boolean;
}

/** What an area becomes; what is not named stays. `speed`: ground of it is walked at so many times full speed, over 0 to 1. */
export interface AreaChange {
  open?: boolean;
  speed?: number;
}
/** Both ways, no way, or one way only. */
export type LinkChange = boolean | 'forward' | 'backward';
/** Claims of one batch at most. */
const MAX_CLAIMS = 1 << 20;

export interface GuardOptions {
  /** Engine of the guard's own kernel; without it the map's kernel is used. */
  engine?: Engine;
  /**
   * The clock: milliseconds that never run backwards (default performance.now). A value smaller than an earlier one
   * counts as equal to it. It is asked once in each call, so a replay gives the time of the event at hand here.
   */
  now?: () => number;
  /** Keeps the last events of each entity for appeals: see `record`. */
  record?: RecordOptions;
  /** One structured record per verdict, to a logger such as pino. */
  log?: LogOptions;
  /** The name of this battle, room or shard in log records. */
  battle?: string | number;
}

/**
 * Judges moves on one map. Times are milliseconds of the server's clock, positions metres with y up, speeds m/s. One
 * guard serves any number of entities. A call from within a call (from the clock, or from a getter of what a claim says)
 * throws `BAD_ARGUMENT` and changes nothing.
 */
export class MoveGuard {
  /** The whole rule set in force. */
  readonly rules: Rules;
  #scene: Scene;
  #now: () => number;
  readonly #options = new ReadOptions();
  readonly #begin = new ReadBegin();
  readonly #input = new ReadInput();
  /** Code of the caller's runs inside a call: the clock, or the getters of a claim. */
  #foreign = false;
  /** Who is told of everything, or null: see rules/observer.ts. */
  #watch: Observer | null = null;
  readonly #recorder: Recorder | null;
  readonly #log: VerdictLog | null;
  #map: MapSource | undefined;
  #guarded: GuardedMap;
  /** A change through this guard is under way. */
  #changing = false;
  /** What the observers know of the map. */
  #known: KnownMap;
  readonly #engine: Engine | undefined;
  /** What an entity's state is worth something on: see export. */
  #ground: Ground;
  readonly #carrierKernels = new WeakMap<GuardedMap, Kernel>();
  #mapVersion: string | undefined;
  #progress: string | undefined;

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
    this.#engine = options.engine;
    this.#guarded = map;
    this.#known = new KnownMap(map.living);
    this.#scene = this.#sceneOn(map);
    const record = options.record === undefined ? null : recordOptions(options.record);
    const hash = map.info?.hash;
    this.#ground = groundOf(hash, this.rules);
    this.#map = sourceOf(record?.map, hash);
    this.#recorder = record === null ? null : new Recorder(this.#scene, record.events);
    this.#log = options.log === undefined ? null : new VerdictLog(this.#scene, options.log, options.battle, hash);
    this.#watch = this.#recorder ?? this.#log;
    if (this.#recorder !== null && this.#log !== null) this.#watch = new Both(this.#recorder, this.#log);
  }

  /** What judging on a map needs; with the engine that the guard was made with. */
  #sceneOn(map: GuardedMap, before?: Scene): Scene {
    const engine = this.#engine;
    const kernel = engine === undefined || map.createKernel === undefined ? map.kernel : map.createKernel(engine);
    return new Scene(kernel, this.rules, map.info?.format.startsWith('grid ') === true, map.living, before);
  }

  // ---- facts: what the server knows. Wrong values throw BAD_ARGUMENT; an unknown entity is answered with false. -----

  /**
   * An entity is now in the game, at `pos`, with a speed limit. One that was here within the last 60 s keeps its score
   * and gets no fresh credit. Clicks of an entity with `strategies` are refused when they name another. `player` is who
   * plays it, for log records.
   */
  enter(
    id: string,
    entry: { pos: Vec3; speed: number; kind?: string; strategies?: readonly Strategy[]; player?: string },
  ): void {
    if (typeof id !== 'string' || id === '') throw argument('enter', 'id', 'a string that is not empty', id);
    const [x, y, z] = vec('enter', 'pos', entry?.pos);
    const speed = atLeastZero('enter', 'speed', entry.speed);
    const { strategies, kind, player } = entry;
    const bits = strategies === undefined ? 0 : Array.isArray(strategies) ? strategyBits(strategies) : NaN;
    if (bits !== bits) {
      throw argument('enter', 'strategies', `a list of ${STRATEGY_WORDS.join(', ')}`, strategies);
    }
    if (player !== undefined && typeof player !== 'string') throw argument('enter', 'player', 'a string', player);
    const t = this.#clock();
    const before = this.#scene.ledger.offsetOf(id);
    if (before >= 0) release(this.#scene, this.#scene.ledger.f, before);
    enterAt(this.#scene, id, t, x, y, z, speed, bits);
    if (this.#watch !== null) {
      const fact: Fact = { t, op: 'enter', id, pos: [x, y, z], speed };
      if (typeof kind === 'string') fact.kind = kind;
      if (strategies !== undefined) fact.strategies = [...strategies];
      if (player !== undefined) fact.player = player;
      this.#tell(id, fact);
    }
  }

  /** The entity is gone. Its ledger is kept for 60 s, so leaving and coming back buys nothing. */
  leave(id: string): boolean {
    const t = this.#clock();
    const o = this.#scene.ledger.offsetOf(id);
    if (o < 0) return false;
    this.#stayBehind(id, o, t);
    leaveAt(this.#scene, id, o, t);
    // its numbers are still there
    if (this.#watch !== null) this.#told(this.#watch, o, { t, op: 'leave', id });
    return true;
  }

  /** The speed limit from now on. Higher counts at once; lower when the claims in flight have arrived. */
  setSpeed(id: string, speed: number): boolean {
    atLeastZero('setSpeed', 'speed', speed);
    const { ledger, terms } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return false;
    const { f } = ledger;
    setLimit(f, o, t, speed, terms);
    // the server's own walk obeys at once
    if ((f[o + FLAGS] & WALKING) !== 0) f[o + PATH_RATE] = Math.min(f[o + PATH_RATE], speed * terms.perMs);
    if (this.#watch !== null) this.#tell(id, { t, op: 'speed', id, speed });
    return true;
  }

  /** A skill window: `speed` extra m/s for `ms` milliseconds. */
  boost(id: string, speed: number, ms: number): boolean {
    atLeastZero('boost', 'speed', speed);
    atLeastZero('boost', 'ms', ms);
    const { ledger, terms } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return false;
    addPush(ledger.f, o, t, speed, 0, ms, terms);
    if (this.#watch !== null) this.#tell(id, { t, op: 'boost', id, speed, ms });
    return true;
  }

  /** A knock-back: a velocity that loses `decay` m/s each second. */
  impulse(id: string, velocity: Vec3, decay: number): boolean {
    const [vx, vy, vz] = vec('impulse', 'velocity', velocity);
    const plan = Math.sqrt(vx * vx + vz * vz);
    if (!(Number.isFinite(decay) && decay > 0)) throw argument('impulse', 'decay', 'a number above 0', decay);
    const ms = (1000 * plan) / decay;
    if (!(ms < Infinity)) throw argument('impulse', 'velocity', 'a knock-back that ends', velocity);
    const { ledger, terms } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return false;
    addPush(ledger.f, o, t, plan, decay, ms, terms);
    launch(ledger.f, o, t, vy);
    if (this.#watch !== null) this.#tell(id, { t, op: 'impulse', id, velocity: [vx, vy, vz], decay });
    return true;
  }

  /**
   * The client may appear at `to` once: within `radius` m of it (default 1), during the next `ttl` ms (default 5000). At
   * most four grants at a time; a fifth replaces the oldest.
   */
  grant(id: string, to: Vec3, options: { grant?: string | number; radius?: number; ttl?: number } = {}): boolean {
    const [x, y, z] = vec('grant', 'to', to);
    const radius = atLeastZero('grant', 'radius', options.radius ?? 1);
    const ttl = atLeastZero('grant', 'ttl', options.ttl ?? 5000);
    const grant = options.grant ?? 0;
    if (typeof grant !== 'string' && !Number.isSafeInteger(grant)) {
      throw argument('grant', 'grant', 'a string or a whole number', grant);
    }
    const { ledger } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return false;
    addGrant(ledger.f, o, t, x, y, z, radius, ttl);
    if (this.#watch !== null) this.#tell(id, { t, op: 'grant', id, grant: grant || 0, to: [x, y, z], radius, ttl });
    return true;
  }

  /** The server has moved the entity to `to`. Claims from before are stale until it shows up there. */
  teleport(id: string, to: Vec3): boolean {
    const [x, y, z] = vec('teleport', 'to', to);
    const t = this.#clock();
    const o = this.#scene.ledger.offsetOf(id);
    if (o < 0) return false;
    this.#getOff(o, t);
    teleportTo(this.#scene, this.#scene.ledger.f, o, t, x, y, z);
    if (this.#watch !== null) this.#tell(id, { t, op: 'teleport', id, to: [x, y, z] });
    return true;
  }

  /** The round-trip time as the server measured it, ms. Only what rttCreditMaxMs allows is ever used. */
  rtt(id: string, ms: number): boolean {
    atLeastZero('rtt', 'ms', ms);
    const { ledger, terms } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return false;
    setRtt(ledger.f, o, t, Math.min(ms, this.rules.rttCreditMaxMs), terms);
    if (this.#watch !== null) this.#tell(id, { t, op: 'rtt', id, ms });
    return true;
  }

  /**
   * The client confirms a correction by its number; 0 confirms a teleport. Confirm every correction, in order behind the claims
   * sent before it: until then nothing that a client sends which confirms moves it away, and the confirmation may put the
   * entity back to the place of that correction.
   */
  ack(id: string, correction: number): boolean {
    if (!(Number.isInteger(correction) && correction >= 0)) {
      throw argument('ack', 'correction', 'a whole number of at least 0', correction);
    }
    const t = this.#clock();
    const o = this.#scene.ledger.offsetOf(id);
    if (o < 0) return false;
    acknowledge(this.#scene, this.#scene.ledger.f, o, t, correction);
    if (this.#watch !== null) this.#tell(id, { t, op: 'ack', id, correction });
    return true;
  }

  /** What the entity is now: alive, rooted, flying. What is not named stays as it is. */
  state(id: string, state: { alive?: boolean; rooted?: boolean; flying?: boolean }): boolean {
    for (const name of ['alive', 'rooted', 'flying'] as const) {
      const value = state?.[name];
      if (value !== undefined && typeof value !== 'boolean') throw argument('state', name, 'true or false', value);
    }
    const t = this.#clock();
    const o = this.#scene.ledger.offsetOf(id);
    if (o < 0) return false;
    const { alive, rooted, flying } = state;
    const { f } = this.#scene.ledger;
    this.#carried(o, t);
    setState(this.#scene, f, o, t, alive, rooted, flying);
    if ((f[o + FLAGS] & ATTACHED) !== 0) settleOn(this.#scene, f, o, t);
    // what named nothing changed nothing
    if (this.#watch !== null && !(alive === undefined && rooted === undefined && flying === undefined)) {
      this.#tell(id, { t, op: 'state', id, alive, rooted, flying });
    }
    return true;
  }

  // ---- carriers: lifts, ships, platforms, vehicles -------------------------------------------------------------------

  /**
   * A carrier is there now, or gone (null): then who stood on it stays where it was, on nothing, until it is on the mesh
   * again. Tell it as often as it moves. `map`: its own small navmesh in its coordinates, for moves on it. Told more than
   * 10 m away and faster than 60 m/s, it has jumped there: who stands on it jumps along, nobody gets on or off in between.
   * `goneAt` is what recordings know of one that went earlier.
   */
  carrier(id: string | number, placed: (Placed & { map?: GuardedMap }) | null, goneAt?: number): boolean {
    if (!isLabel(id)) throw argument('carrier', 'id', 'a string that is not empty, or a whole number', id);
    const scene = this.#scene;
    if (placed === null) {
      const t = this.#clock();
      const riders = [...(scene.carriers.get(id)?.riders ?? [])].map((slot) => slot * STRIDE);
      const was = removeCarrier(scene, t, id);
      // a recording says when
      if (goneAt !== undefined) scene.carriers.remove(id, goneAt);
      if (!was) return false;
      if (this.#watch !== null) {
        for (const o of riders) this.#told(this.#watch, o, { t, op: 'detach', id: scene.ledger.idOf(o) });
        this.#told(this.#watch, -1, { t, op: 'carrier', carrier: id, pos: null });
      }
      return true;
    }
    const [x, y, z] = vec('carrier', 'pos', placed?.pos);
    const { yaw, size, past, map, rider } = placed;
    if (yaw !== undefined && !Number.isFinite(yaw)) throw argument('carrier', 'yaw', 'a finite number', yaw);
    if (size !== undefined && footprintOf(size) === null) {
      throw argument('carrier', 'size', 'a radius, [x, z], [x, y, z], or bounds of six numbers', size);
    }
    const t = this.#clock();
    const kernel = map === undefined ? undefined : this.#carrierKernel(map);
    if (!placeCarrier(scene, t, id, placed, kernel)) {
      throw argument('carrier', 'past', 'what a recording holds', past);
    }
    if (this.#watch !== null) {
      this.#told(this.#watch, -1, {
        ...{ t, op: 'carrier', carrier: id, pos: [x, y, z] },
        ...(yaw === undefined ? {} : { yaw }),
        ...(size === undefined ? {} : { size: typeof size === 'number' ? size : [...size] }),
        ...(past === undefined ? {} : { past: [...past] }),
        ...(rider === undefined ? {} : { rider }),
      } as Fact);
    }
    return true;
  }

  /**
   * An entity stands on a carrier, or on another entity (a driver, a mount) that is no carrier by that name, at `offset` in its
   * coordinates (an entity's are the world's about its position). From now on it is there wherever the carrier goes, and
   * what it claims is judged on the carrier. Throws `BAD_ARGUMENT` when there is no such carrier, or that one stands on it.
   */
  attach(id: string, carrier: string | number, offset: Vec3): boolean {
    if (!isLabel(carrier))
      throw argument('attach', 'carrier', 'a string that is not empty, or a whole number', carrier);
    const [x, y, z] = vec('attach', 'offset', offset);
    const scene = this.#scene;
    const t = this.#clock();
    const o = scene.ledger.offsetOf(id);
    if (o < 0) return false;
    const found = carrierFor(scene, id, carrier);
    if (found === null) throw argument('attach', 'carrier', 'a carrier or an entity that is here', carrier);
    if (found === 'circle') throw argument('attach', 'carrier', 'none that stands on this entity', carrier);
    this.#carried(o, t);
    board(scene, scene.ledger.f, o, t, found, x, y, z, false);
    if (this.#watch !== null) {
      this.#told(this.#watch, o, { t, op: 'carrier', ...toldCarrier(scene, found, id) });
      this.#told(this.#watch, o, { t, op: 'attach', id, carrier, offset: [x, y, z] });
    }
    return true;
  }

  /** An entity stands on no carrier any more: it is where it was on it, and what is under it counts from now on. */
  detach(id: string): boolean {
    const t = this.#clock();
    const o = this.#scene.ledger.offsetOf(id);
    if (o < 0) return false;
    this.#carried(o, t);
    detach(this.#scene, this.#scene.ledger.f, o, t);
    if (this.#watch !== null) this.#tell(id, { t, op: 'detach', id });
    return true;
  }

  /** Before an event of an entity on a carrier: it is where that is now. What an entity that carries did is told. */
  #carried(o: number, t: number): void {
    const scene = this.#scene;
    const { f } = scene.ledger;
    if (o < 0 || (f[o + FLAGS] & ATTACHED) === 0) return;
    follow(scene, f, o, t, true);
    const under = scene.carriers.under(o);
    if (this.#watch === null || under === undefined || under.entity === null) return;
    const { carrier, pos, rider } = toldCarrier(scene, under, scene.ledger.idOf(o));
    this.#told(this.#watch, o, { t, op: 'carrier', carrier, pos, rider });
  }

  /** The server moves an entity off its carrier. */
  #getOff(o: number, t: number): void {
    this.#carried(o, t);
    const { f } = this.#scene.ledger;
    if ((f[o + FLAGS] & ATTACHED) !== 0) release(this.#scene, f, o);
  }

  /** An entity goes: off its carrier, and who stands on it stays where it was. */
  #stayBehind(id: string, o: number, t: number): void {
    const scene = this.#scene;
    const { f } = scene.ledger;
    this.#carried(o, t);
    detach(scene, f, o, t);
    const riders = scene.carriers.ridersOf(id);
    for (const rider of riders) this.#carried(rider, t);
    dropRiders(scene, f, riders, t);
    if (this.#watch === null) return;
    for (const rider of riders) this.#told(this.#watch, rider, { t, op: 'detach', id: scene.ledger.idOf(rider) });
  }

  /** The kernel for a carrier's own map; the same map has one. */
  #carrierKernel(map: GuardedMap): Kernel {
    let kernel = this.#carrierKernels.get(map);
    if (kernel === undefined) {
      const engine = this.#engine;
      kernel = engine === undefined || map.createKernel === undefined ? map.kernel : map.createKernel(engine);
      this.#carrierKernels.set(map, kernel);
    }
    return kernel;
  }

  /** The server itself stood still for `ms` milliseconds until now: what piled up may arrive at once. */
  pause(ms: number): void {
    atLeastZero('pause', 'ms', ms);
    const t = this.#clock();
    addPause(this.#scene.terms, t, ms, this.rules.burstMs + this.rules.rttCreditMaxMs);
    if (this.#watch !== null) this.#told(this.#watch, -1, { t, op: 'pause', ms });
  }

  /**
   * Doors, and ground that slows down: closes or opens the ground of an area (0..63), or sets how fast it is walked. What
   * closed within an entity's round trip + doorGraceMs is open for its claims; who stands in it may leave to either side. All
   * guards of the map see the change, each at its next call. Throws `BAD_ARGUMENT`, also when this map does not change.
   */
  area(area: number, change: AreaChange): void {
    this.#change('area', (map) => map.area?.(area, change), { op: 'area', area, ...change });
  }

  /** Opens or shuts an off-mesh link, by its name or number. Who is on its way over it goes on. Else as `area`. */
  link(link: string | number, open: LinkChange): void {
    this.#change('link', (map) => map.link?.(link, open), { op: 'link', link, open });
  }

  /** Puts an obstacle into the map, or to another place: nobody walks through it. Who stands in it may leave. Else as `area`. */
  block(obstacle: string | number, shape: ObstacleShape): void {
    this.#change('block', (map) => map.block?.(obstacle, shape), { op: 'block', obstacle, ...shape } as MapNews);
  }

  /** Takes an obstacle away; false when there is none of that name. */
  unblock(obstacle: string | number): boolean {
    return this.#change('unblock', (map) => map.unblock?.(obstacle), { op: 'unblock', obstacle }) === true;
  }

  /** Changes the map, notes the time, and tells. */
  #change<Result>(method: ChangeOp, change: (map: GuardedMap) => Result, fact: MapNews): Result {
    const t = this.#clock();
    const map = this.#guarded;
    if (map.living === undefined || map[method] === undefined) {
      throw argument(method, 'map', 'one that can change, as NavMap is', 'one that cannot');
    }
    this.#changing = true;
    let result: Result;
    try {
      result = change(map);
      this.#look();
    } finally {
      this.#changing = false;
    }
    if (this.#watch !== null) {
      this.#known.news(map.living.facts());
      this.#told(this.#watch, -1, { t, ...fact });
    }
    return result;
  }

  /** The map that claims are judged on has changed, or may have. */
  #look(): void {
    const scene = this.#scene;
    const { changes } = scene;
    const seen = changes.revision;
    scene.look();
    if (changes.fresh.length > 0) cutWalks(scene, scene.q[Q_NOW]);
    if (this.#watch === null || changes.revision === seen || this.#changing) return;
    // through another guard, or the map itself: what it has become is told as if it had been said here
    for (const fact of this.#known.news(changes.living.facts())) {
      this.#told(this.#watch, -1, { t: scene.q[Q_NOW], ...fact } as Fact);
    }
  }

  /** A replay begins on the map as it was. */
  #become(facts: readonly MapChange[]): void {
    const map = this.#guarded;
    if (map.living === undefined) throw argument('restore', 'map', 'a map that can change', 'one that cannot');
    this.#changing = true;
    try {
      const is = new Set(map.living.facts().map((fact) => JSON.stringify(fact)));
      for (const { t: _, since: _since, was: _was, ...fact } of facts) {
        if (is.has(JSON.stringify(fact))) continue;
        const { op, ...said } = fact;
        if ('area' in said) {
          const { area, ...change } = said;
          map.area?.(area, change);
        } else if ('link' in said) map.link?.(said.link, said.open);
        else {
          const { obstacle, ...shape } = said;
          map.block?.(obstacle, shape);
        }
      }
      this.#scene.look();
      this.#scene.changes.backdate(facts as readonly ChangeFact[]);
    } finally {
      this.#changing = false;
      this.#known.news(map.living.facts());
    }
  }

  /** The map version that claims are compared with when they carry one. */
  version(mapVersion: string): void {
    if (typeof mapVersion !== 'string') throw argument('version', 'mapVersion', 'a string', mapVersion);
    this.#refuseNested();
    this.#mapVersion = mapVersion;
    if (this.#watch !== null) this.#told(this.#watch, -1, { t: this.#scene.q[Q_NOW], op: 'version', mapVersion });
  }

  /**
   * Judges on another map from now on: another version of the level, or the same one with other doors open. All that is known
   * of the entities goes on: credit, scores, numbers, grants, corrections. Each is where it was, on the floor of that height.
   * Who stood there and no longer can is put to the nearest place that can be walked on (within 64 m) and is in the answer: tell
   * its client with that correction, as after a verdict; what it sends until it has heard is ignored and no violation. Walks
   * of clicks go on, by another way where they must, and end where they are when there is none. The map's own changes (doors,
   * obstacles) are those of the new map. What `record` keeps begins anew: ask before. `mapVersion`: as by `version`; claims of
   * clients on the old version are then refused by that name. `file`: the map's name in recordings, else only its hash.
   */
  swap(map: GuardedMap, options: { mapVersion?: string; file?: string } = {}): Displaced[] {
    const { mapVersion, file } = options;
    for (const [name, value] of [
      ['mapVersion', mapVersion],
      ['file', file],
    ] as const) {
      if (value !== undefined && typeof value !== 'string') throw argument('swap', name, 'a string', value);
    }
    if (typeof map !== 'object' || map === null || map.kernel === undefined) {
      throw argument('swap', 'map', 'a NavMap or GridMap', map);
    }
    const t = this.#clock();
    const old = this.#scene;
    const scene = this.#sceneOn(map, old);
    scene.q[Q_NOW] = t;
    scene.terms.pauseMs = old.terms.pauseMs;
    scene.terms.pauseUntil = old.terms.pauseUntil;
    const displaced = crossAll(old, scene, t);
    const hash = map.info?.hash;
    this.#scene = scene;
    this.#guarded = map;
    this.#known = new KnownMap(map.living);
    this.#ground = groundOf(hash, this.rules);
    this.#map = sourceOf(file, hash);
    this.#recorder?.goOn(scene, t);
    this.#log?.goOn(scene, hash);
    if (mapVersion !== undefined) this.version(mapVersion);
    return displaced;
  }

  /** The level's progress that claims are compared with when they carry one. */
  progress(progress: string | number): void {
    if (typeof progress !== 'string' && !Number.isFinite(progress)) {
      throw argument('progress', 'progress', 'a string or a finite number', progress);
    }
    this.#refuseNested();
    this.#progress = String(progress);
    if (this.#watch !== null) {
      this.#told(this.#watch, -1, { t: this.#scene.q[Q_NOW], op: 'progress', progress: this.#progress });
    }
  }

  // ---- evidence: what operators ask for ------------------------------------------------------------------------------

  /**
   * The last events of an entity (or of all) as a move log that gives the same verdicts when it is run: for an appeal, ask
   * before it is gone. Empty when the entity never was here. Needs the option `record`; throws `BAD_ARGUMENT` without.
   */
  record(id?: string, comment?: string): Recording {
    this.#refuseNested();
    if (this.#recorder === null) throw argument('record', 'the option record', 'it to be given to the guard', 'none');
    const events = this.#recorder.events(id, ledgerLayout()).map(({ event }) => event);
    const header = { map: this.#map, rules: { ...this.rules }, kernel: kernelHash(), navguard: VERSION };
    return new Recording(
      { movelog: MOVE_LOG_VERSION, ...header, ...(comment === undefined ? {} : { comment }) },
      events,
    );
  }

  /** Bytes that `record` holds for all entities now, 0 without it. */
  get recordBytes(): number {
    return this.#recorder === null ? 0 : this.#recorder.bytes;
  }

  /** How often the logger threw, and what it threw first. Verdicts do not suffer from it. */
  get logFailures(): LogFailures {
    return this.#log === null ? { count: 0, first: undefined } : this.#log.failures;
  }

  /**
   * Puts an entity into the very state that a recording kept of it: how replays begin. Throws `BAD_ARGUMENT` for a state of
   * another layout: that of another version.
   */
  restore(id: string, kept: Omit<Extract<Fact, { op: 'restore' }>, 't' | 'op' | 'id'>): void {
    const { state, path, pause, mapVersion, progress, carried, map } = kept;
    const { ledger, terms } = this.#scene;
    if (state !== undefined && (kept.layout !== ledgerLayout() || state.length !== STRIDE)) {
      throw argument('restore', 'layout', `${ledgerLayout()} of navguard ${VERSION}`, kept.layout);
    }
    const fault = state === undefined ? null : stateFault(this.#scene.kernel, state, path);
    if (fault !== null) throw argument('restore', 'state', ...fault);
    const t = this.#clock();
    if (map !== undefined) this.#become(map);
    if (pause !== undefined) [terms.pauseMs, terms.pauseUntil] = pause;
    if (mapVersion !== undefined) this.#mapVersion = mapVersion;
    if (progress !== undefined) this.#progress = progress;
    let o = -1;
    if (state !== undefined) {
      o = this.#put(id, state);
      if (carried !== undefined) this.#putOn(id, o, t, carried as ToldCarrier);
      const corners = state[PATH_CORNERS];
      if ((state[FLAGS] & WALKING) !== 0) ledger.pathOf(o, corners).set(path as number[]);
    }
    if (this.#watch !== null) this.#told(this.#watch, o, { t, op: 'restore', id, ...kept });
  }

  // ---- to another machine ------------------------------------------------------------------------------------------------

  /**
   * All that is remembered of an entity, present or gone for less than 60 s, as at most about 300 KB (2 KB for one that is
   * not on a click-to-move walk); null when unknown. It stays here too: let it `leave`. Not in it: what `record` keeps, the
   * server's own pauses, map version and progress.
   */
  export(id: string): Uint8Array | null {
    const { ledger } = this.#scene;
    const now = this.#clock();
    const o = ledger.offsetOfKept(id);
    if (o < 0) return null;
    this.#standAt(o, now);
    const state = ledger.f.slice(o, o + STRIDE);
    const carrier = this.#scene.carriers.under(o)?.label ?? null;
    const player = this.#log?.playerOf(o) ?? null;
    return writeMoved(this.#ground, { id, player, now, state, path: this.#pathAt(o), carrier });
  }

  /**
   * An entity comes from another guard with the same map, rules and navguard, and goes on as it did there: this clock's now
   * stands for the export's, `transitMs` (default 0) after it. Replaces the ledger that is kept of one that left. Returns
   * its id. Throws `BAD_ARGUMENT`, and changes nothing, for bytes that are damaged or from elsewhere, and when it is present.
   * One that stood on a carrier stands on the one of that name here, at the same offset; where there is none, where it was in
   * the world. Use an export once: whether one is old cannot be told, and an old one gives back the credit that was spent since.
   */
  import(data: Uint8Array, options: { transitMs?: number } = {}): string {
    const transitMs = atLeastZero('import', 'transitMs', options.transitMs ?? 0);
    const { kernel, ledger } = this.#scene;
    const { id, player, now, state, path, carrier } = readMoved(data, this.#ground, kernel);
    if (ledger.offsetOf(id) >= 0) throw argument('import', 'id', 'an entity that is not present', id);
    const t = this.#clock();
    shiftTimes(state, t - transitMs - now);
    ledger.sweep(t);
    const o = this.#put(id, state);
    const told = this.#land(id, o, t, carrier);
    if (path !== null) ledger.pathOf(o, state[PATH_CORNERS]).set(path);
    if (this.#watch !== null) {
      const walk = path === null ? {} : { path: Array.from(path) };
      const now = Array.from(ledger.f.subarray(o, o + STRIDE));
      this.#told(this.#watch, o, { t, op: 'restore', id, layout: ledgerLayout(), state: now, ...walk, ...told });
    }
    this.#log?.nameAt(o, player);
    return id;
  }

  /**
   * @internal All that is remembered of an entity now (also of one that left within the last 60 s), as `restore` takes it
   * and as a `restore` fact of a move log holds it: how a log goes on in a new file. Null when nothing is remembered.
   */
  kept(id: string): Omit<Extract<Fact, { op: 'restore' }>, 't' | 'op' | 'id'> | null {
    const { ledger, terms, q } = this.#scene;
    const o = ledger.offsetOfKept(id);
    if (o < 0) return null;
    const { f } = ledger;
    this.#standAt(o, q[Q_NOW]);
    const path = this.#pathAt(o);
    const under = this.#scene.carriers.under(o);
    return {
      layout: ledgerLayout(),
      state: Array.from(f.subarray(o, o + STRIDE)),
      ...(under === undefined ? {} : { carried: toldCarrier(this.#scene, under, id) }),
      ...(path === null ? {} : { path: Array.from(path) }),
      ...(terms.pauseUntil >= q[Q_NOW] ? { pause: [terms.pauseMs, terms.pauseUntil] as [number, number] } : {}),
      ...(this.#mapVersion === undefined ? {} : { mapVersion: this.#mapVersion }),
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      ...mapOf(this.#scene.changes.facts()),
    };
  }

  // ---- questions -----------------------------------------------------------------------------------------------------

  /** Where the entity stands now, or will stand at `t` if it walks on as it does; null when unknown. */
  positionAt(id: string, t?: number): [number, number, number] | null {
    const { ledger, q } = this.#scene;
    const now = this.#clock();
    const o = ledger.offsetOf(id);
    if (o < 0) return null;
    const { f } = ledger;
    this.#standAt(o, now);
    if ((f[o + FLAGS] & WALKING) === 0) return [f[o + X], f[o + Y], f[o + Z]];
    onPath(this.#scene, f, o, Math.max(t !== undefined && Number.isFinite(t) ? t : now, f[o + PATH_T]));
    return [q[Q_FROM_X], q[Q_FLOOR] + this.rules.yOffset, q[Q_FROM_Z]];
  }

  /** Suspicion now; null when unknown. */
  score(id: string): number | null {
    const { ledger } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    return o < 0 ? null : scoreAt(ledger.f, o, t, this.rules.scoreHalfLifeMs);
  }

  /** What is held against the entity now: score by layer, average speed, jumps, clock drift; null when unknown. */
  evidence(id: string): Evidence | null {
    const { ledger } = this.#scene;
    const t = this.#clock();
    const o = ledger.offsetOf(id);
    return o < 0 ? null : evidenceAt(ledger.f, o, t, this.rules);
  }

  /** An entity on a carrier is looked at: where is it? */
  #standAt(o: number, t: number): void {
    const { f } = this.#scene.ledger;
    if ((f[o + FLAGS] & ATTACHED) !== 0) follow(this.#scene, f, o, t, false);
  }

  /** An entity's numbers come from elsewhere: on no carrier of this guard yet. */
  #put(id: string, state: ArrayLike<number>): number {
    const o = this.#scene.ledger.put(id, state);
    this.#scene.carriers.drop(o);
    return o;
  }

  /** A restored entity stands on the carrier that it stood on. */
  #putOn(id: string, o: number, t: number, carried: ToldCarrier): void {
    const scene = this.#scene;
    const { f } = scene.ledger;
    if ((f[o + FLAGS] & ATTACHED) === 0) return;
    let found: Carrier | 'circle' | null = null;
    if (carried.rider !== undefined) {
      placeCarrier(scene, t, carried.carrier, { ...carried, rider: id });
      found = carrierFor(scene, id, carried.carrier);
    } else if (placeCarrier(scene, t, carried.carrier, carried)) found = scene.carriers.get(carried.carrier) ?? null;
    if (found === null || found === 'circle' || !found.recall(carried.past)) {
      throw argument('restore', 'carried', 'what kept gave', carried.past);
    }
    scene.carriers.board(o, found);
  }

  /** An imported entity stands on the carrier of that name, or where it was in the world. What a log says of it. */
  #land(id: string, o: number, t: number, label: string | number | null): { carried?: ToldCarrier } {
    const scene = this.#scene;
    const { f } = scene.ledger;
    if ((f[o + FLAGS] & ATTACHED) === 0) return {};
    const found = label === null ? null : carrierFor(scene, id, label);
    if (found !== null && found !== 'circle') {
      scene.carriers.board(o, found);
      follow(scene, f, o, t, true);
      return { carried: toldCarrier(scene, found, id) };
    }
    release(scene, f, o);
    putAt(scene, f, o, t, f[o + X], f[o + Y], f[o + Z]);
    return {};
  }

  /** A copy of the corners that an entity walks along, null when it is on no walk. */
  #pathAt(o: number): Float64Array | null {
    const { ledger } = this.#scene;
    const { f } = ledger;
    if ((f[o + FLAGS] & WALKING) === 0) return null;
    const corners = f[o + PATH_CORNERS];
    return ledger.pathOf(o, corners).slice(0, CORNER * corners);
  }

  /** @internal Ledger, clock and terms, for the threads of a pool. */
  get scene(): Scene {
    return this.#scene;
  }

  /** @internal A copy of all that is remembered of an entity (see rules/ledger.ts), for tests; null when unknown. */
  stateOf(id: string): Float64Array | null {
    const { ledger } = this.#scene;
    const o = ledger.offsetOfKept(id);
    if (o < 0) return null;
    this.#standAt(o, this.#scene.q[Q_NOW]);
    return ledger.f.slice(o, o + STRIDE);
  }

  // ---- claims: what clients say. Whatever it is, the answer is a verdict. It is reused: valid until the next call. ------

  /** "I am at x, y, z now." */
  move(id: string, seq: number, x: number, y: number, z: number, options?: ClaimOptions): Verdict {
    if (this.#watch !== null) return this.#watchedMove(this.#watch, id, seq, x, y, z, options);
    const scene = this.#scene;
    const { q } = scene;
    q[Q_T] = this.#clock();
    const o = scene.ledger.offsetOf(id);
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
      return reject(scene, o, Reason.Malformed, moveFault(id, seq, x, y, z));
    }
    if (options !== undefined) {
      const fault = this.#readOptions(options);
      if (fault !== '') return reject(scene, o, Reason.Malformed, fault);
    }
    if (o < 0) return reject(scene, o, Reason.UnknownEntity, '');
    const { f } = scene.ledger;
    q[Q_SEQ] = seq;
    if (!takeSequence(f, o, q, this.rules.maxSeqGap)) return reject(scene, o, Reason.Replay, '');
    if (options !== undefined) {
      const mismatch = this.#mismatch();
      if (mismatch !== Reason.Accept) return reject(scene, o, mismatch, '');
    }
    // -0 becomes 0
    q[Q_X] = x + 0;
    q[Q_Y] = y + 0;
    q[Q_Z] = z + 0;
    const named = options === undefined ? undefined : this.#options.carrier;
    if (named !== undefined) return judgeAboard(scene, f, o, named, this.#options.offset);
    return judgeMove(scene, f, o);
  }

  /**
   * "I walk from here to there, at this speed, for so long (ms)." Accepted, the server walks the entity along its own
   * path in its own time: see positionAt.
   */
  begin(id: string, claim: BeginClaim): Verdict {
    if (this.#watch !== null) return this.#watchedBegin(this.#watch, id, claim);
    const scene = this.#scene;
    scene.q[Q_T] = this.#clock();
    const o = scene.ledger.offsetOf(id);
    if (typeof id !== 'string') return reject(scene, o, Reason.Malformed, 'id: expected a string');
    const fault = this.#readBegin(claim);
    // the payload or its target is missing: what counts before it is asked first
    const missing = fault !== '' && this.#begin.reason !== Reason.Malformed;
    if (fault !== '' && !missing) return reject(scene, o, Reason.Malformed, fault);
    const optionFault = this.#readOptions(typeof claim === 'object' ? claim : undefined);
    if (optionFault !== '') return reject(scene, o, Reason.Malformed, optionFault);
    if (o < 0) return reject(scene, o, Reason.UnknownEntity, '');
    const { f } = scene.ledger;
    if (missing) {
      const before = this.#mismatch();
      const state = before !== Reason.Accept ? before : stateReason(f[o + FLAGS]);
      if (state !== Reason.Accept) return reject(scene, o, state, '');
      return reject(scene, o, this.#begin.reason, fault);
    }
    scene.q[Q_SEQ] = this.#begin.seq;
    if (!takeSequence(f, o, scene.q, this.rules.maxSeqGap)) return reject(scene, o, Reason.Replay, '');
    const mismatch = this.#mismatch();
    if (mismatch !== Reason.Accept) return reject(scene, o, mismatch, '');
    if ((f[o + FLAGS] & ATTACHED) !== 0) return reject(scene, o, Reason.MoveStrategy, ON_CARRIER);
    return judgeBegin(scene, f, o, this.#begin);
  }

  /**
   * "I held my stick this way, `dir` [x, z], for `ms` milliseconds": the server walks the entity along the mesh and its
   * walls, and the verdict's `pos` is where it came to. A `dir` longer than 1 counts as 1, a shorter one is slower, 0, 0
   * stands. The speed and the time are the server's: an input is paid for like a move, at most 1,000 ms at once, and what
   * its credit does not allow is not walked; then `used`, the metres asked for, exceed `allowed`.
   */
  input(
    id: string,
    seq: number,
    dir: ArrayLike<number>,
    ms: number,
    options?: Pick<ClaimOptions, 'mapVersion' | 'progress'>,
  ): Verdict {
    if (this.#watch !== null) return this.#watchedInput(this.#watch, id, seq, dir, ms, options);
    const scene = this.#scene;
    scene.q[Q_T] = this.#clock();
    const o = scene.ledger.offsetOf(id);
    if (typeof id !== 'string') return reject(scene, o, Reason.Malformed, 'id: expected a string');
    let fault = this.#readInput(seq, dir, ms);
    if (fault === '' && options !== undefined) fault = this.#readOptions(options);
    if (fault !== '') return reject(scene, o, Reason.Malformed, fault);
    if (o < 0) return reject(scene, o, Reason.UnknownEntity, '');
    const { f } = scene.ledger;
    scene.q[Q_SEQ] = seq;
    if (!takeSequence(f, o, scene.q, this.rules.maxSeqGap)) return reject(scene, o, Reason.Replay, '');
    if (options !== undefined) {
      const mismatch = this.#mismatch();
      if (mismatch !== Reason.Accept) return reject(scene, o, mismatch, '');
    }
    if ((f[o + FLAGS] & ATTACHED) !== 0) return reject(scene, o, Reason.MoveStrategy, ON_CARRIER);
    return judgeInput(scene, f, o, this.#input);
  }

  /** The number that stands for a present entity in batches, until it leaves; -1 when unknown. */
  slot(id: string): number {
    return this.#scene.ledger.slotOf(id);
  }

  /** Room for up to `capacity` claims for `checkBatch`; make it once. Throws `BAD_ARGUMENT`. */
  claims(capacity: number): Claims {
    if (!(Number.isInteger(capacity) && capacity >= 1 && capacity <= MAX_CLAIMS)) {
      throw argument('claims', 'capacity', `a whole number of 1..${MAX_CLAIMS}`, capacity);
    }
    return new Claims(capacity);
  }

  /**
   * Judges the first `n` claims in their order: the same verdicts, and the same state after them, as one `move` after the
   * other with a clock that reads `claims.t`. Nothing is allocated. Throws `BAD_ARGUMENT` for an `n` out of range.
   */
  checkBatch(claims: Claims, n: number): void {
    this.#refuseNested();
    if (!(Number.isInteger(n) && n >= 0 && n <= claims.capacity)) {
      throw argument('checkBatch', 'n', `a whole number of 0..${claims.capacity}`, n);
    }
    this.#lookInBatch(claims, n);
    if (this.#watch !== null) this.#watchedBatch(this.#watch, claims, n);
    else judgeBatch(this.#scene, claims, n);
  }

  /** A batch has the clock of its claims; a change of the map is seen with its first. */
  #lookInBatch(claims: Claims, n: number): void {
    const { changes } = this.#scene;
    if (n === 0 || changes.living.revision === changes.calm) return;
    const { q } = this.#scene;
    const [t] = claims.t;
    if (t > q[Q_NOW] && t < Infinity) q[Q_NOW] = t;
    this.#look();
  }

  /** With an observer, one claim after the other: the same verdicts and states. */
  #watchedBatch(watch: Observer, claims: Claims, n: number): void {
    const scene = this.#scene;
    const { seq, pos } = claims;
    for (let i = 0; i < n; i++) {
      const o = startClaim(scene, claims, i);
      this.#carried(o, scene.q[Q_NOW]);
      watch.before(o);
      judgeOne(scene, claims, i, o);
      this.#toldMove(watch, o, undefined, seq[i], pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]);
    }
  }

  /** Judges a claim as if there were no observer, at the time that the clock stands at. */
  #unwatched(watch: Observer, o: number, judge: () => Verdict): void {
    this.#carried(o, this.#scene.q[Q_NOW]);
    watch.before(o);
    const now = this.#now;
    this.#watch = null;
    this.#now = standing;
    try {
      judge();
    } finally {
      this.#watch = watch;
      this.#now = now;
    }
  }

  /** A move with an observer: judged as if there were none, then told. */
  #watchedMove(watch: Observer, id: string, seq: number, x: number, y: number, z: number, said: unknown): Verdict {
    this.#clock();
    const options = said === undefined ? undefined : this.#plain(plainOptions, said);
    const o = this.#scene.ledger.offsetOf(id);
    this.#unwatched(watch, o, () => this.move(id, seq, x, y, z, options));
    this.#toldMove(watch, o, id, seq, x, y, z, options);
    return this.#scene.verdict;
  }

  #watchedBegin(watch: Observer, id: string, said: unknown): Verdict {
    const t = this.#clock();
    const claim = this.#plain(plainBegin, said);
    const o = this.#scene.ledger.offsetOf(id);
    this.#unwatched(watch, o, () => this.begin(id, claim as unknown as BeginClaim));
    return this.#toldClaim(watch, o, t, 'begin', id, claim);
  }

  #watchedInput(watch: Observer, id: string, seq: number, dir: unknown, ms: number, said: unknown): Verdict {
    const t = this.#clock();
    const options = said === undefined ? undefined : this.#plain(plainOptions, said);
    const direction = this.#plain(plainDirection, dir);
    const o = this.#scene.ledger.offsetOf(id);
    this.#unwatched(watch, o, () => this.input(id, seq, direction as number[], ms, options));
    return this.#toldClaim(watch, o, t, 'input', id, inputClaim(seq, direction, ms, options));
  }

  #toldClaim(watch: Observer, o: number, t: number, op: 'begin' | 'input', id: unknown, claim: PlainClaim): Verdict {
    this.#foreign = true;
    try {
      watch.claim(o, t, op, id, claim, this.#scene.verdict);
    } finally {
      this.#foreign = false;
    }
    return this.#scene.verdict;
  }

  #plain<Plain>(read: (value: unknown) => Plain, value: unknown): Plain {
    this.#foreign = true;
    try {
      return read(value);
    } finally {
      this.#foreign = false;
    }
  }

  #toldMove(
    watch: Observer,
    o: number,
    id: unknown,
    seq: unknown,
    x: unknown,
    y: unknown,
    z: unknown,
    options?: PlainOptions,
  ): void {
    const { q, verdict } = this.#scene;
    this.#foreign = true;
    try {
      watch.move(o, q[Q_NOW], id, seq, x, y, z, options, verdict);
    } finally {
      this.#foreign = false;
    }
  }

  #tell(id: string, fact: Fact): void {
    if (this.#watch !== null) this.#told(this.#watch, this.#scene.ledger.offsetOf(id), fact);
  }

  #told(watch: Observer, o: number, fact: Fact): void {
    this.#foreign = true;
    try {
      watch.fact(o, fact);
    } finally {
      this.#foreign = false;
    }
  }

  /** MapVersionMismatch, ProgressMismatch or Accept for the options that were just read. */
  #mismatch(): ReasonCode {
    const { mapVersion, progress } = this.#options;
    if (mapVersion !== undefined && this.#mapVersion !== undefined && String(mapVersion) !== this.#mapVersion) {
      return Reason.MapVersionMismatch;
    }
    if (progress !== undefined && this.#progress !== undefined && String(progress) !== this.#progress) {
      return Reason.ProgressMismatch;
    }
    return Reason.Accept;
  }

  /** A clock that steps back stands still; so does one that is not a number. */
  #clock(): number {
    this.#refuseNested();
    const { q } = this.#scene;
    this.#foreign = true;
    try {
      const now = this.#now();
      if (now > q[Q_NOW] && now < Infinity) q[Q_NOW] = now;
    } finally {
      this.#foreign = false;
    }
    const { changes } = this.#scene;
    if (changes.living.revision !== changes.calm) this.#look();
    return q[Q_NOW];
  }

  #readOptions(options: unknown): string {
    this.#foreign = true;
    try {
      return this.#options.read(options);
    } finally {
      this.#foreign = false;
    }
  }

  #readBegin(claim: unknown): string {
    this.#foreign = true;
    try {
      return this.#begin.read(claim, this.rules.maxStop);
    } finally {
      this.#foreign = false;
    }
  }

  #readInput(seq: unknown, dir: unknown, ms: unknown): string {
    this.#foreign = true;
    try {
      return this.#input.read(seq, dir, ms);
    } finally {
      this.#foreign = false;
    }
  }

  #refuseNested(): void {
    if (this.#foreign) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        'a call to the guard from within a call (from its clock, or from a getter of a claim): expected one at a time',
      );
    }
  }
}

/** How a recording's header names the map. */
function sourceOf(file: string | undefined, hash: string | undefined): MapSource | undefined {
  if (file !== undefined) return { file, hash };
  return hash === undefined ? undefined : { hash };
}

function mapOf(map: MapChange[]): { map?: MapChange[] } {
  return map.length === 0 ? {} : { map };
}

type ChangeOp = 'area' | 'link' | 'block' | 'unblock';
/** Clicks and inputs are about the map's own mesh. */
const ON_CARRIER = 'on a carrier: only moves are judged there; detach it first';

function isLabel(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

/** A clock that has been asked in this call already: no time passes by it. */
function standing(): number {
  return Number.NaN;
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
