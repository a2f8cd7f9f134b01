// What replay needs of a guard and of a map, and how each fact of the log is told to them. Only replay.ts imports this
// (and those who write a guard of their own).
import type { Strategy } from '../rules/strategy.ts';
import type { ObstacleShape, Vec3, Verdict } from '../types.ts';
import type { Fact, FactOp, Label } from './events.ts';

/** What a claim may carry besides its position: passed on as the client sent it. */
export interface MoveExtras {
  mapVersion?: unknown;
  carrier?: unknown;
  offset?: unknown;
  skill?: unknown;
  progress?: unknown;
}

/** What replay needs of a guard. Methods that a version does not have yet are missing: such a line stops the run. */
export interface ReplayGuard {
  enter(
    id: string,
    entry: { pos: Vec3; speed: number; kind?: string; strategies?: readonly Strategy[]; player?: string },
  ): unknown;
  leave(id: string): unknown;
  setSpeed(id: string, speed: number): unknown;
  rtt(id: string, ms: number): unknown;
  move(id: string, seq: number, x: number, y: number, z: number, extras?: MoveExtras): Verdict;
  begin?(id: string, claim: BeginFields): Verdict;
  input?(
    id: string,
    seq: number,
    dir: readonly number[],
    ms: number,
    extras?: { mapVersion?: unknown; progress?: unknown },
  ): Verdict;
  grant?(id: string, to: Vec3, options: { grant: Label; radius?: number; ttl?: number }): unknown;
  teleport?(id: string, to: Vec3): unknown;
  impulse?(id: string, velocity: Vec3, decay: number): unknown;
  boost?(id: string, speed: number, ms: number): unknown;
  pause?(ms: number): unknown;
  state?(id: string, flags: { alive?: boolean; rooted?: boolean; flying?: boolean }): unknown;
  carrier?(
    carrier: Label,
    placed: { pos: Vec3; yaw?: number; size?: number | number[]; past?: number[]; rider?: string } | null,
    goneAt?: number,
  ): unknown;
  attach?(id: string, carrier: Label, offset: Vec3): unknown;
  detach?(id: string): unknown;
  version?(mapVersion: string): unknown;
  progress?(progress: Label): unknown;
  ack?(id: string, correction: number): unknown;
  block?(obstacle: Label, shape: ObstacleShape): unknown;
  unblock?(obstacle: Label): unknown;
  area?(area: number, change: { open?: boolean; speed?: number }): unknown;
  link?(link: Label, open: boolean | 'forward' | 'backward'): unknown;
  restore?(id: string, kept: Omit<Extract<Fact, { op: 'restore' }>, 't' | 'op' | 'id'>): unknown;
}

/** What replay needs of a map whose doors and floors change, for a guard that does not take such facts itself. */
export interface ReplayMap {
  block?(obstacle: Label, shape: ObstacleShape): unknown;
  unblock?(obstacle: Label): unknown;
  area?(area: number, change: { open?: boolean; speed?: number }): unknown;
  link?(link: Label, open: boolean | 'forward' | 'backward'): unknown;
}

/** A click-to-move claim as the guard gets it. Whatever the client sent: the guard judges it. */
export interface BeginFields {
  seq: number;
  from: Vec3;
  to: Vec3;
  speed: number;
  duration: number;
  stop?: number;
  strategy?: unknown;
  kind?: unknown;
  facing?: unknown;
  chaseDuration?: unknown;
  flags?: unknown;
  timestamp?: unknown;
  progress?: unknown;
  mapVersion?: unknown;
}

/** Facts that a version may lack the method for. */
const GUARD_METHODS = {
  grant: 'grant',
  teleport: 'teleport',
  impulse: 'impulse',
  boost: 'boost',
  pause: 'pause',
  state: 'state',
  carrier: 'carrier',
  attach: 'attach',
  detach: 'detach',
  version: 'version',
  progress: 'progress',
  ack: 'ack',
  restore: 'restore',
} as const satisfies Partial<Record<FactOp, keyof ReplayGuard>>;
/** Told to the guard, so that it knows the time; to the map when the guard has no such method. */
const MAP_METHODS = {
  block: 'block',
  unblock: 'unblock',
  area: 'area',
  link: 'link',
} as const satisfies Partial<Record<FactOp, keyof ReplayMap>>;

function supports(guard: ReplayGuard, map: ReplayMap, op: FactOp): boolean {
  if (Object.hasOwn(GUARD_METHODS, op)) {
    return typeof guard[GUARD_METHODS[op as keyof typeof GUARD_METHODS]] === 'function';
  }
  if (Object.hasOwn(MAP_METHODS, op))
    return typeof changing(guard, map, op as keyof typeof MAP_METHODS)[op as 'area'] === 'function';
  return true;
}

function changing(guard: ReplayGuard, map: ReplayMap, op: keyof typeof MAP_METHODS): ReplayMap {
  return typeof guard[op] === 'function' ? guard : map;
}

/** Tells a fact. False when this guard or map has no such method; whatever they throw comes through. */
export function tellFact(guard: ReplayGuard, map: ReplayMap, fact: Fact): boolean {
  if (!supports(guard, map, fact.op)) return false;
  switch (fact.op) {
    case 'enter':
      guard.enter(
        fact.id,
        defined({
          pos: fact.pos,
          speed: fact.speed,
          kind: fact.kind,
          strategies: fact.strategies,
          player: fact.player,
        }),
      );
      break;
    case 'leave':
      guard.leave(fact.id);
      break;
    case 'speed':
      guard.setSpeed(fact.id, fact.speed);
      break;
    case 'rtt':
      guard.rtt(fact.id, fact.ms);
      break;
    case 'grant':
      guard.grant?.(fact.id, fact.to, defined({ grant: fact.grant, radius: fact.radius, ttl: fact.ttl }));
      break;
    case 'teleport':
      guard.teleport?.(fact.id, fact.to);
      break;
    case 'impulse':
      guard.impulse?.(fact.id, fact.velocity, fact.decay);
      break;
    case 'boost':
      guard.boost?.(fact.id, fact.speed, fact.ms);
      break;
    case 'pause':
      guard.pause?.(fact.ms);
      break;
    case 'state':
      guard.state?.(fact.id, defined({ alive: fact.alive, rooted: fact.rooted, flying: fact.flying }));
      break;
    case 'carrier':
      if (fact.pos === null) guard.carrier?.(fact.carrier, null, fact.past?.[0]);
      else {
        const { pos, yaw, size, past, rider } = fact;
        guard.carrier?.(fact.carrier, defined({ pos, yaw, size, past, rider }));
      }
      break;
    case 'attach':
      guard.attach?.(fact.id, fact.carrier, fact.offset);
      break;
    case 'detach':
      guard.detach?.(fact.id);
      break;
    case 'block':
      changing(guard, map, 'block').block?.(
        fact.obstacle,
        defined({ box: fact.box, cylinder: fact.cylinder, grow: fact.grow }),
      );
      break;
    case 'unblock':
      changing(guard, map, 'unblock').unblock?.(fact.obstacle);
      break;
    case 'area':
      changing(guard, map, 'area').area?.(fact.area, defined({ open: fact.open, speed: fact.speed }));
      break;
    case 'link':
      changing(guard, map, 'link').link?.(fact.link, fact.open);
      break;
    case 'progress':
      guard.progress?.(fact.progress);
      break;
    case 'version':
      guard.version?.(fact.mapVersion);
      break;
    case 'ack':
      guard.ack?.(fact.id, fact.correction);
      break;
    case 'restore': {
      const { t: _, op: __, id, ...kept } = fact;
      guard.restore?.(id, kept);
      break;
    }
  }
  return true;
}

/** Fields that are undefined are left out. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined fields. */
export function defined<T extends object>(fields: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) result[name] = value;
  return result as Defined<T>;
}
