// Recorded honest play: many entities walk paths over a level's ground at full speed and report at 20 Hz, interleaved as a
// server receives them. Imported by the guard cases, the allocation child and the audit bench.
import type { Tuple } from './ground.ts';
import type { Level } from './level.ts';
import { groundPoints, UnsuitedMap } from './queries.ts';
import { random, shuffle } from './random.ts';

/** Moves in order of arrival. */
export interface Recording {
  readonly n: number;
  readonly entities: readonly { readonly id: string; readonly start: Tuple }[];
  readonly entity: Uint32Array;
  readonly seq: Uint32Array;
  /** Arrival at the server, ms. */
  readonly time: Float64Array;
  /** Flat x, y, z, metres, to the centimetre as on a wire. */
  readonly pos: Float64Array;
}

/** m/s, and ms between two reports. */
export const SPEED = 6;
export const TICK_MS = 50;
/** Reports arrive up to this much after their tick; 15 % speed tolerance leaves 7.5 ms at 20 Hz. */
const JITTER_MS = 2;
/** The hand-written guard knows no credit: a step must fit into the shortest time between two reports. */
const WALK_MS = TICK_MS - JITTER_MS;

/** n moves of `count` walkers; n must be a multiple of `count`. */
export function record(on: Level, n: number, count: number, seed: number): Recording {
  const next = random(seed);
  const point = groundPoints(on, next);
  const walkers = Array.from({ length: count }, (_, i) => new Walker(on, point, `e${i}`));
  const starts = walkers.map((w) => w.pos);
  const recording = {
    n,
    entities: walkers.map((w, i) => ({ id: w.id, start: starts[i] })),
    entity: new Uint32Array(n),
    seq: new Uint32Array(n),
    time: new Float64Array(n),
    pos: new Float64Array(3 * n),
  };
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = 0, tick = 1; i < n; tick++) {
    shuffle(order, next);
    // Arrival times of one tick, in order.
    const late = Float64Array.from({ length: count }, () => next() * JITTER_MS).sort();
    for (let k = 0; k < count; k++, i++) {
      const walker = walkers[order[k]];
      walker.step((SPEED * WALK_MS) / 1000);
      recording.entity[i] = order[k];
      recording.seq[i] = tick;
      recording.time[i] = tick * TICK_MS + late[k];
      recording.pos.set(walker.pos, 3 * i);
    }
  }
  return recording;
}

/**
 * A recording without an end: forwards, then backwards, then forwards again. An honest walk read backwards is an honest
 * walk, so nobody ever jumps.
 */
export class Endless {
  readonly #moves: Recording;
  readonly #span: number;

  constructor(moves: Recording) {
    this.#moves = moves;
    this.#span = moves.time[moves.n - 1] + TICK_MS - JITTER_MS;
  }

  /** Which move of the recording comes as the i-th. */
  at(i: number): number {
    const { n } = this.#moves;
    return Math.floor(i / n) % 2 === 0 ? i % n : n - 1 - (i % n);
  }

  /** When the i-th move arrives, ms. */
  time(i: number): number {
    const lap = Math.floor(i / this.#moves.n);
    const time = this.#moves.time[this.at(i)];
    return lap * this.#span + (lap % 2 === 0 ? time : this.#span - time);
  }
}

/** Walks from one random target to the next along a path's corners. */
class Walker {
  readonly id: string;
  pos: Tuple;
  readonly #on: Level;
  readonly #point: () => Tuple;
  #corners: Tuple[] = [];

  constructor(on: Level, point: () => Tuple, id: string) {
    this.#on = on;
    this.#point = point;
    this.id = id;
    // A start from which a walk exists: not on a roof that nothing joins.
    this.pos = point();
    for (let tries = 0; !this.#aim(8); tries++) {
      if (tries === 200) throw new UnsuitedMap(`${on.name}: expected walks from one place to another, found none`);
      this.pos = point();
    }
    this.pos = this.pos.map(toCentimetres) as Tuple;
  }

  /** Advances `metres` in plan. */
  step(metres: number): void {
    let [x, y, z] = this.pos;
    let left = metres;
    while (left > 0) {
      if (this.#corners.length === 0 && !this.#aim(64)) break;
      const [cx, cy, cz] = this.#corners[0];
      const [dx, dz] = [cx - x, cz - z];
      const distance = Math.sqrt(dx * dx + dz * dz);
      if (distance <= left) {
        this.#corners.shift();
        [x, y, z] = [cx, cy, cz];
        left -= distance;
      } else {
        const part = left / distance;
        [x, y, z] = [x + part * dx, y + part * (cy - y), z + part * dz];
        left = 0;
      }
    }
    this.pos = [x, this.#on.ground.floorNear(x, y, z), z].map(toCentimetres) as Tuple;
  }

  /** A new path to a random point that can be reached; false when none of `tries` can. */
  #aim(tries: number): boolean {
    for (let i = 0; i < tries; i++) {
      const corners = this.#on.ground.path(this.pos, this.#point());
      if (corners === null) continue;
      this.#corners = corners.slice(1);
      return true;
    }
    return false;
  }
}

function toCentimetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}
