// Clients that walk, for the tests of evidence: honest ones with all that clocks, lines and rounding do, and fast ones
// that differ in one number only. Positions are where the walker truly is at the client's time, in its own clock.
import type { GridMap } from '../../src/gridmap.ts';
import { type Evidence, MoveGuard } from '../../src/guard.ts';
import { random } from './rounding.ts';
import { field } from './world.ts';

export const SPEED = 6;
/** Metres. */
const SIDE = 300;
export const OPEN: GridMap = field(SIDE, SIDE);

/** A walk in the client's time, ms: x, z. Times do not run backwards. */
export type Walk = (t: number) => readonly [number, number];

/** How a walker spends its time. */
export interface Habits {
  /** Metres of one straight leg, at least and at most. */
  readonly leg: readonly [number, number];
  /** After a leg it stands with this chance, for up to so many ms. */
  readonly pause: number;
  readonly pauseMs: number;
  /** Turns by up to this much at the end of a leg, radians; Math.PI = anywhere. */
  readonly turn: number;
  /** Walks arcs of this radius instead of straight legs, metres; 0 = straight. */
  readonly arc: number;
}

/** Legs at the given speed (m/s, may change with the client's time). */
export function walk(rand: () => number, habits: Habits, speed: (t: number) => number = () => SPEED): Walk {
  let at: [number, number] = [SIDE / 2, SIDE / 2];
  let now = 0;
  let heading = rand() * 2 * Math.PI;
  let left = 0;
  let still = 0;
  let bend = 0;
  const inside = (v: number): boolean => v > 5 && v < SIDE - 5;
  return (t) => {
    // steps of a few ms: a walk is what it is whenever it is looked at
    while (now < t) {
      const ms = Math.min(4, t - now);
      now += ms;
      if (still > 0) {
        still -= ms;
        continue;
      }
      const metres = (speed(now) * ms) / 1000;
      if (left <= 0) {
        left = habits.leg[0] + rand() * (habits.leg[1] - habits.leg[0]);
        heading += (rand() * 2 - 1) * habits.turn;
        bend = habits.arc > 0 ? (rand() < 0.5 ? -1 : 1) / habits.arc : 0;
        if (rand() < habits.pause) still = rand() * habits.pauseMs;
      }
      left -= metres;
      heading += bend * metres;
      const x = at[0] + metres * Math.cos(heading);
      const z = at[1] + metres * Math.sin(heading);
      if (inside(x) && inside(z)) at = [x, z];
      else {
        heading = Math.atan2(SIDE / 2 - at[1], SIDE / 2 - at[0]) + (rand() - 0.5);
        left = 40;
      }
    }
    return at;
  };
}

/** To and fro on a straight line of this length, metres. */
export function toAndFro(length: number, heading: number): Walk {
  return (t) => {
    const s = ((SPEED * t) / 1000) % (2 * length);
    const u = s < length ? s : 2 * length - s;
    return [SIDE / 2 + u * Math.cos(heading), SIDE / 2 + u * Math.sin(heading)];
  };
}

/** A client's clock and its line. */
export interface Line {
  readonly hz: number;
  /** The client's clock runs at this rate; 1.04 = 4 % fast. A speed hack is nothing else. */
  readonly clock: number;
  readonly rtt: number;
  /** Packets are late by up to this, ms. */
  readonly jitter: number;
  /** Share of packets that are lost for good. */
  readonly loss: number;
  /** The line stands still so often, and for up to so long. */
  readonly stallsPerMinute: number;
  readonly stallMs: number;
  /** Positions are rounded to this, metres; 0 = not at all. */
  readonly quantum: number;
  readonly down: boolean;
  /** The server knows the round trip. */
  readonly told: boolean;
}

export const PLAIN_LINE: Line = {
  hz: 20,
  clock: 1,
  rtt: 0,
  jitter: 0,
  loss: 0,
  stallsPerMinute: 0,
  stallMs: 0,
  quantum: 0.05,
  down: false,
  told: true,
};

export interface Outcome {
  /** ms until the action was `watch` or more; Infinity = never. */
  readonly watchedAt: number;
  readonly worst: number;
  readonly refused: number;
  readonly evidence: Evidence;
}

/** What the server does to the entity meanwhile; called for every claim. */
export type Events = (guard: MoveGuard, t: number) => void;

export interface Play {
  readonly map?: GridMap;
  readonly walk: Walk;
  readonly line: Line;
  readonly seconds: number;
  readonly events?: Events;
  readonly rules?: Record<string, unknown>;
  /** Stop as soon as it is watched. */
  readonly stopAtWatch?: boolean;
}

/** Plays one client against a guard. Times are the server's. */
export function play(seed: number, { map = OPEN, walk, line, seconds, events, rules, stopAtWatch }: Play): Outcome {
  const rand = random(seed);
  let now = 0;
  const guard = new MoveGuard(map, rules ?? {}, { now: () => now });
  const round = (v: number): number => {
    if (line.quantum === 0) return v;
    const n = line.down ? Math.floor(v / line.quantum) : Math.round(v / line.quantum);
    return Math.round(n * line.quantum * 1e6) / 1e6;
  };
  const [x0, z0] = walk(0);
  guard.enter('p', { pos: [round(x0), 0, round(z0)], speed: SPEED });
  if (line.told) guard.rtt('p', line.rtt);
  let seq = 0;
  let last = 0;
  let stallUntil = 0;
  let worst = 0;
  let watchedAt = Infinity;
  let refused = 0;
  // the client's frames in server time: equal steps of its own clock
  const step = 1000 / line.hz / line.clock;
  for (let sent = step; sent < seconds * 1000; sent += step) {
    const [x, z] = walk(sent * line.clock);
    if (sent > stallUntil && rand() < (line.stallsPerMinute * step) / 60_000) stallUntil = sent + rand() * line.stallMs;
    seq++;
    if (rand() < line.loss) continue;
    last = Math.max(last, Math.max(sent, stallUntil) + line.rtt / 2 + rand() * line.jitter);
    now = last;
    events?.(guard, now);
    const v = guard.move('p', seq, round(x), 0, round(z));
    if (!v.accepted) refused++;
    worst = Math.max(worst, v.score);
    if (v.action !== 'none' && watchedAt === Infinity) {
      watchedAt = now;
      if (stopAtWatch === true) break;
    }
  }
  return { watchedAt, worst, refused, evidence: guard.evidence('p') as Evidence };
}
