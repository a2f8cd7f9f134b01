// One structured record per verdict, to a logger of the caller's: who claimed what, where it stands, and which rule decided.
// An observer; made by guard.ts.
import { FLOOR_ONLY, H_TABLE, MAP_BASE, NONE, P_AREA, POLY_STRIDE } from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Fact } from '../log/events.ts';
import type { Bound, ReasonName, VerdictWord } from '../reasons.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_NOW, Q_POLYGON } from '../rules/hand.ts';
import { ALIVE, FLAGS, FLYING, POLYGON, ROOTED, STRIDE, WALKING } from '../rules/ledger.ts';
import { isUnreadable, type Observer, type PlainClaim, type PlainOptions } from '../rules/observer.ts';
import { here } from '../rules/places.ts';
import type { Rules } from '../rules/rules.ts';
import type { Scene } from '../rules/scene.ts';
import type { ReusedVerdict } from '../rules/verdict.ts';
import type { Verdict } from '../types.ts';

/** What is needed of a logger: pino, winston and console have it. */
export interface Logger {
  info(record: LogRecord, message: string): void;
  warn(record: LogRecord, message: string): void;
}

/** How a guard logs. */
export interface LogOptions {
  /** Refused and undecided claims go to `warn`, accepted ones to `info`. What it throws is swallowed: see `logFailures`. */
  readonly logger: Logger;
  /** Accepted claims too (default false). */
  readonly accepted?: boolean;
}

/** What a logger threw so far. */
export interface LogFailures {
  readonly count: number;
  readonly first: unknown;
}

type Numbers = readonly [number, number, number];

/** A verdict with all that led to it. Metres, m/s, milliseconds; what a claim does not say is null. */
export interface LogRecord {
  readonly battle: string | number | null;
  readonly player: string | null;
  readonly entity: unknown;
  readonly op: 'move' | 'begin' | 'input';
  readonly seq: unknown;
  readonly t: number;
  readonly strategy: unknown;
  /** As the server knows it; null for an unknown entity. */
  readonly state: { readonly alive: boolean; readonly rooted: boolean; readonly flying: boolean } | null;
  /** The level's progress, and what the claim says of it. */
  readonly progress: { readonly server: string | null; readonly claim: unknown };
  readonly mapVersion: { readonly server: string | null; readonly claim: unknown };
  /** Where the claim says it starts; of a move, where the entity stood. */
  readonly src: unknown;
  /** Where the claim says it goes, or is; of an input, its direction. */
  readonly target: unknown;
  readonly speed: unknown;
  readonly duration: unknown;
  readonly stop: unknown;
  /** Authoritative position after the event. */
  readonly pos: Numbers | null;
  /** Area of the ground there, and its bit in a mask of areas; null off the mesh. */
  readonly area: number | null;
  readonly areaMask: number | null;
  readonly verdict: VerdictWord;
  readonly reason: ReasonName;
  readonly detail: string;
  readonly used: number | null;
  readonly allowed: number | null;
  readonly straight: number | null;
  readonly length: number | null;
  readonly bound: Bound | null;
  readonly score: number;
  readonly action: Verdict['action'];
  readonly correction: number;
  /** sha-256 of the map, hex. */
  readonly map: string | null;
  /** The rules that decided, with their values; empty where no rule has a say. */
  readonly rules: Partial<Rules>;
}

/** Which rules stand behind a reason. */
const DECIDING: Partial<Record<ReasonName, readonly (keyof Rules)[]>> = {
  SpeedLimit: ['speedTolerance', 'burstMs', 'rttCreditMaxMs', 'dropGraceMs', 'positionQuantum', 'speedMetric'],
  Wall: ['wall', 'wayRoundSlackMs', 'rttCreditMaxMs', 'edgeTolerance', 'speedTolerance'],
  Replay: ['maxSeqGap'],
  Teleport: ['teleportDistance', 'speedTolerance', 'burstMs'],
  TargetNotOnNavMesh: ['edgeTolerance', 'below', 'above', 'yOffset', 'falls', 'jumpGap'],
  PathPartial: ['edgeTolerance', 'below', 'above'],
  DurationMismatch: ['durationSlackMs', 'durationTolerance', 'refuseSlow', 'maxStop'],
  Airborne: ['jumpHeight', 'gravity', 'fallSpeedMax', 'falls'],
  Stale: ['ackRadius', 'pendingMs', 'rttCreditMaxMs'],
  LiveStatus: ['rttCreditMaxMs'],
  ActionStatus: ['rttCreditMaxMs'],
  Undecided: ['searchNodesPerSecond', 'nodeCap'],
};

export class VerdictLog implements Observer {
  #scene: Scene;
  readonly #logger: Logger;
  readonly #accepted: boolean;
  readonly #battle: string | number | null;
  #map: string | null;
  /** By place in the ledger. */
  readonly #ids: string[] = [];
  readonly #players: (string | null)[] = [];
  readonly #rules = new Map<ReasonName, Partial<Rules>>();
  #mapVersion: string | null = null;
  #progress: string | null = null;
  #failed = 0;
  #firstFailure: unknown;
  /** Where the entity stood before the claim at hand. */
  readonly #from = new Float64Array(3);
  #known = false;

  constructor(scene: Scene, options: unknown, battle: unknown, map: string | undefined) {
    const { logger, accepted } = checked(options);
    if (battle !== undefined && typeof battle !== 'string' && !Number.isFinite(battle)) {
      throw wrong('battle', 'a string or a number', battle);
    }
    this.#scene = scene;
    this.#logger = logger;
    this.#accepted = accepted === true;
    this.#battle = (battle as string | number | undefined) ?? null;
    this.#map = map ?? null;
  }

  /** The guard has another map. */
  goOn(scene: Scene, map: string | undefined): void {
    this.#scene = scene;
    this.#map = map ?? null;
  }

  get failures(): LogFailures {
    return { count: this.#failed, first: this.#firstFailure };
  }

  fact(o: number, fact: Fact): void {
    if (fact.op === 'version') this.#mapVersion = fact.mapVersion;
    else if (fact.op === 'progress') this.#progress = String(fact.progress);
    else if (fact.op === 'enter' && o >= 0) this.#enter(o, fact.id, fact.player ?? null);
    else if (fact.op === 'restore') {
      this.#mapVersion = fact.mapVersion ?? this.#mapVersion;
      this.#progress = fact.progress ?? this.#progress;
      if (o >= 0) this.#enter(o, fact.id, null);
    }
  }

  #enter(o: number, id: string, player: string | null): void {
    this.#ids[o / STRIDE] = id;
    this.#players[o / STRIDE] = player;
  }

  /** Who plays the entity at a place of the ledger. */
  playerOf(o: number): string | null {
    return this.#players[o / STRIDE] ?? null;
  }

  /** ...told of one that came from another guard. */
  nameAt(o: number, player: string | null): void {
    this.#players[o / STRIDE] = player;
  }

  before(o: number): void {
    this.#known = o >= 0;
    if (o < 0) return;
    const { q, ledger, rules } = this.#scene;
    here(this.#scene, ledger.f, o, q[Q_NOW]);
    this.#from[0] = q[Q_FROM_X];
    this.#from[1] = q[Q_FLOOR] + rules.yOffset;
    this.#from[2] = q[Q_FROM_Z];
  }

  move(
    o: number,
    t: number,
    id: unknown,
    seq: unknown,
    x: unknown,
    y: unknown,
    z: unknown,
    options: PlainOptions | undefined,
    verdict: ReusedVerdict,
  ): void {
    if (verdict.verdictCode === 0 && !this.#accepted) return;
    const fields = isUnreadable(options) ? {} : (options ?? {});
    this.#write(o, t, 'move', id, { seq, to: [x, y, z], ...(fields as PlainClaim) }, verdict);
  }

  claim(
    o: number,
    t: number,
    op: 'begin' | 'input',
    id: unknown,
    claim: PlainClaim | null,
    verdict: ReusedVerdict,
  ): void {
    if (verdict.verdictCode === 0 && !this.#accepted) return;
    const readable = typeof claim === 'object' && claim !== null && !isUnreadable(claim);
    this.#write(o, t, op, id, readable ? claim : {}, verdict);
  }

  #write(o: number, t: number, op: LogRecord['op'], id: unknown, claim: PlainClaim, verdict: ReusedVerdict): void {
    const { accepted, pos } = verdict;
    const area = o < 0 ? null : this.#areaOf(o);
    const flags = o < 0 ? 0 : this.#scene.ledger.f[o + FLAGS];
    const reason = verdict.reason;
    const record: LogRecord = {
      battle: this.#battle,
      player: o < 0 ? null : (this.#players[o / STRIDE] ?? null),
      entity: id === undefined && o >= 0 ? this.#ids[o / STRIDE] : (id ?? null),
      op,
      seq: claim.seq ?? null,
      t,
      strategy: claim.strategy ?? null,
      state:
        o < 0 ? null : { alive: (flags & ALIVE) !== 0, rooted: (flags & ROOTED) !== 0, flying: (flags & FLYING) !== 0 },
      progress: { server: this.#progress, claim: claim.progress ?? null },
      mapVersion: { server: this.#mapVersion, claim: claim.mapVersion ?? null },
      src: claim.from ?? (this.#known ? [this.#from[0], this.#from[1], this.#from[2]] : null),
      target: claim.to ?? claim.dir ?? null,
      speed: claim.speed ?? null,
      duration: claim.duration ?? claim.ms ?? null,
      stop: claim.stop ?? null,
      pos: pos === null ? null : [pos[0], pos[1], pos[2]],
      area,
      areaMask: area === null ? null : 2 ** area,
      verdict: verdict.verdict,
      reason,
      detail: verdict.detail,
      used: verdict.used,
      allowed: verdict.allowed,
      straight: verdict.straight,
      length: verdict.length,
      bound: verdict.bound,
      score: verdict.score,
      action: verdict.action,
      correction: verdict.correction,
      map: this.#map,
      rules: this.#rulesOf(reason),
    };
    const message = `${op} ${record.verdict}: ${reason}`;
    try {
      if (accepted && verdict.verdictCode === 0) this.#logger.info(record, message);
      else this.#logger.warn(record, message);
    } catch (error) {
      if (this.#failed === 0) this.#firstFailure = error;
      this.#failed++;
    }
  }

  /** The area of the polygon that the entity stands on. */
  #areaOf(o: number): number | null {
    const { kernel, ledger, q } = this.#scene;
    const walking = (ledger.f[o + FLAGS] & WALKING) !== 0;
    const polygon = walking ? q[Q_POLYGON] : ledger.f[o + POLYGON];
    if (polygon === NONE) return null;
    const polygons = kernel.u32(MAP_BASE + H_TABLE, 1)[0];
    const id = polygon >= FLOOR_ONLY ? polygon - FLOOR_ONLY : polygon;
    return kernel.u8(MAP_BASE + polygons + id * POLY_STRIDE + P_AREA, 1)[0];
  }

  #rulesOf(reason: ReasonName): Partial<Rules> {
    let rules = this.#rules.get(reason);
    if (rules === undefined) {
      const names = DECIDING[reason] ?? [];
      rules = Object.freeze(Object.fromEntries(names.map((name) => [name, this.#scene.rules[name]])));
      this.#rules.set(reason, rules);
    }
    return rules;
  }
}

function checked(options: unknown): LogOptions {
  if (typeof options !== 'object' || options === null) throw wrong('log', 'an object such as { logger }', options);
  const { logger, accepted } = options as LogOptions;
  if (typeof logger?.info !== 'function' || typeof logger.warn !== 'function') {
    throw wrong('log.logger', 'an object with the methods info and warn', logger);
  }
  if (accepted !== undefined && typeof accepted !== 'boolean') throw wrong('log.accepted', 'true or false', accepted);
  return options as LogOptions;
}

function wrong(name: string, expected: string, got: unknown): NavguardError {
  const shown = typeof got === 'string' ? JSON.stringify(got) : typeof got === 'object' ? 'an object' : String(got);
  return new NavguardError('BAD_ARGUMENT', `${name}: expected ${expected}, got ${shown}`, { got, expected });
}
