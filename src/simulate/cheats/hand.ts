// The hand of a cheating client: where it is, what it has heard, and the few things it can do, told in the time of the
// *server's* clock. Imported by simulate/cheats/.
//
// A script is a generator. It yields the arrival time of what it does next and is resumed when that must be sent, half a
// round trip before; what it has heard by then was judged at least a whole round trip before the arrival.
import type { ActorFact, Answer, Point, Stage, Terrain, Wire } from '../actor.ts';
import type { Random } from '../random.ts';

/** Yields arrival times, ms, never falling. */
export type Script = Generator<number, void, undefined>;

/** The client's habits. */
export interface Habits {
  /** The speed limit that the server gives it, m/s. */
  readonly speed: number;
  /** Claims a second. */
  readonly hz: number;
  /** Positions are rounded to this, metres. */
  readonly quantum: number;
  readonly rttMs: number;
  /** Goes back to where corrections put it; else it claims on from where it thinks it is. */
  readonly obeys: boolean;
}

/** What a claim may say beside a position. */
export interface MoveWords {
  /** Accepting it is what the cheat is after. */
  foul?: boolean;
  /** Another number than the next one. */
  seq?: unknown;
  skill?: unknown;
}

export class Hand {
  readonly stage: Stage;
  readonly terrain: Terrain;
  readonly random: Random;
  readonly habits: Habits;
  /** Arrival time of what is done now, ms. */
  t: number;
  /** Where the client has itself. */
  at: Point;
  seq: number;
  /** When the first claim of the cheat arrives, ms. */
  cheatingFrom = Infinity;
  /** The last refusal that `obey` has not looked at yet. */
  refusal: Answer | null = null;
  /** Refusals heard so far. */
  refusals = 0;
  /** Claims whose acceptance is a win. */
  readonly fouls = new WeakSet<object>();
  wire: Wire | undefined;
  #way: readonly Point[] = [];
  #next = 0;

  constructor(stage: Stage, random: Random, habits: Habits, at: Point, t: number) {
    this.stage = stage;
    this.terrain = stage.terrain;
    this.random = random;
    this.habits = habits;
    this.at = at;
    this.t = t;
    this.seq = random.below(1000);
  }

  /** The arrival time `ms` after the last; yield it. */
  after(ms: number): number {
    this.t += ms;
    return this.t;
  }

  /** Time between two claims, ms. */
  get beat(): number {
    return 1000 / this.habits.hz;
  }

  /** From here on nothing is honest. */
  begin(): void {
    this.t += 1;
    this.cheatingFrom = this.t;
  }

  // ---- what it sends -------------------------------------------------------------------------------------------------

  /** "I am at p", arriving at `t`; the client is there then. */
  move(p: Point, words: MoveWords = {}): void {
    this.at = p;
    this.claimAt(p, words);
  }

  /** The same without going there. */
  claimAt(p: Point, { foul = false, seq, ...rest }: MoveWords = {}): void {
    const { quantum } = this.habits;
    const pos = [round(p.x, quantum), round(p.y, quantum), round(p.z, quantum)];
    this.send({ op: 'move', seq: seq === undefined ? this.seq++ : seq, pos, ...rest }, foul);
  }

  /** Any claim. */
  send(claim: Parameters<Wire['send']>[0], foul = false): void {
    if (foul) this.fouls.add(claim);
    this.#wire().sendAt(this.t, claim);
  }

  /** "I walk to p." */
  click(to: Point, words: { from?: Point; speed?: number; duration: number; stop?: number; foul?: boolean }): void {
    const { from = this.at, speed = this.habits.speed, duration, stop, foul = false } = words;
    const claim = { op: 'begin' as const, seq: this.seq++, from: vec(from), to: vec(to), speed, duration };
    this.send(stop === undefined ? claim : { ...claim, stop }, foul);
  }

  /** What the server does for it, when the next claim arrives. */
  server(fact: ActorFact): void {
    this.#wire().serverAt(this.t, fact);
  }

  /** Where the server has it now: what a correction, or the game's own messages, would say. */
  authority(): readonly [number, number, number] | null {
    return this.#wire().authority();
  }

  #wire(): Wire {
    if (this.wire === undefined) throw new Error('a script acts when it is resumed, not before');
    return this.wire;
  }

  // ---- what it hears -------------------------------------------------------------------------------------------------

  hear(answer: Answer): void {
    if (answer.verdict === 'accept' || answer.verdict === 'undecided') return;
    this.refusals++;
    this.refusal = answer;
  }

  /** Goes back to where the last refusal puts it; whether there was one. */
  obey(): boolean {
    const { refusal } = this;
    this.refusal = null;
    if (refusal === null || refusal.verdict === 'ignore' || refusal.pos === null) return false;
    const [x, y, z] = refusal.pos;
    this.at = { x, y, z };
    this.forgetWay();
    return true;
  }

  // ---- how it walks --------------------------------------------------------------------------------------------------

  /** A place that can be walked to, some way off; the farther of a few for who cheats; itself when none is found. */
  somewhere(): Point {
    let best = this.at;
    let farthest = 3;
    for (let tries = 0, found = 0; tries < 30 && found < (this.cheatingFrom < Infinity ? 4 : 1); tries++) {
      const to = this.terrain.randomPoint(this.random);
      const walk = this.terrain.walk(this.at, to);
      if (!(walk > 3 && walk < Infinity)) continue;
      found++;
      if (walk > farthest) {
        best = to;
        farthest = walk;
      }
    }
    return best;
  }

  /** It is somewhere else now: the way from before leads nowhere. */
  forgetWay(): void {
    this.#way = [];
    this.#next = 0;
  }

  /** The next point `metres` along a way through the level; a new way when the old one ends. */
  along(metres: number): Point {
    let left = metres;
    for (let ways = 0; ways < 8 && left > 0; ways++) {
      if (this.#next >= this.#way.length && !this.#plan(this.somewhere())) break;
      left = this.#advance(left);
    }
    return this.at;
  }

  /** Goes along the way that it is on; what is left of the metres at its end. */
  #advance(metres: number): number {
    let left = metres;
    while (left > 0 && this.#next < this.#way.length) {
      const corner = this.#way[this.#next];
      const leg = distance(this.at, corner);
      if (leg > left) {
        this.at = this.#onFloor(mix(this.at, corner, left / leg));
        return 0;
      }
      this.at = this.#onFloor(corner);
      left -= leg;
      this.#next++;
    }
    return left;
  }

  /** Takes the way to a place; false when there is none. */
  #plan(to: Point): boolean {
    const way = this.terrain.path(this.at, to);
    if (way === null || way.length < 2) return false;
    this.#way = way;
    this.#next = 1;
    return true;
  }

  /** The point on the floor: the one nearest to the height it was at, or to that of the way's corners. */
  #onFloor(p: Point): Point {
    for (let k = 0; k <= 2; k++) {
      for (const y of [this.at.y + 0.4 * k, this.at.y - 0.4 * k, p.y + 0.4 * k, p.y - 0.4 * k]) {
        const floor = this.terrain.onGround({ x: p.x, y, z: p.z });
        if (floor !== null) return { x: p.x, y: floor.y, z: p.z };
      }
    }
    return p;
  }

  /** Walks for `ms` at `factor` times the speed limit. */
  *walk(ms: number, factor: number | ((passedMs: number) => number) = 1, beat = this.beat): Script {
    const end = this.t + ms;
    const start = this.t;
    while (this.t + beat <= end) {
      yield this.after(beat);
      if (this.habits.obeys || this.cheatingFrom === Infinity) this.obey();
      const f = typeof factor === 'number' ? factor : factor(this.t - start);
      const step = (f * this.habits.speed * beat) / 1000;
      this.move(f > 1 ? this.#stride(step) : this.along(step));
    }
  }

  /** Along its way until it is so many metres from where it was, as the crow flies: who hurries does not lose at bends. */
  #stride(metres: number): Point {
    const from = this.at;
    let left = metres;
    for (let k = 0; k < 8 && left > 0.001; k++) left = metres - distance(from, this.along(left));
    return this.at;
  }

  /** Walks honestly to a place and stands there. */
  *goTo(to: Point): Script {
    if (!this.#plan(to)) return;
    const step = (this.habits.speed * this.beat) / 1000;
    while (this.#next < this.#way.length) {
      yield this.after(this.beat);
      this.#advance(step);
      this.move(this.#next < this.#way.length ? this.at : to);
    }
    this.forgetWay();
  }

  /** Runs to and fro on a straight line; turns on a claim, so that no metre of a claim is lost in a turn. */
  *shuttle(a: Point, b: Point, ms: number, factor: number): Script {
    const end = this.t + ms;
    const length = distance(a, b);
    const step = Math.min(length, (factor * this.habits.speed * this.beat) / 1000);
    let gone = 0;
    let way = 1;
    while (this.t + this.beat <= end) {
      yield this.after(this.beat);
      if (gone + way * step > length || gone + way * step < 0) way = -way;
      gone += way * step;
      this.move(this.#onFloor(mix(a, b, gone / length)));
    }
  }

  /** Stands still, sending. */
  *stand(ms: number): Script {
    const end = this.t + ms;
    while (this.t + this.beat <= end) {
      yield this.after(this.beat);
      this.move(this.at);
    }
  }
}

/** Metres to whole quanta; the second rounding only drops the digits that a product of fractions leaves. */
function round(value: number, quantum: number): number {
  return Math.round(Math.round(value / quantum) * quantum * 1e6) / 1e6;
}

/** Plan metres. */
export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.z - b.z);
}

/** The point at `share` of the way from a to b. */
export function mix(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, z: a.z + (b.z - a.z) * share };
}

export function vec(p: Point): [number, number, number] {
  return [p.x, p.y, p.z];
}
