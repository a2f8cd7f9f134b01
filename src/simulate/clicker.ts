// An honest click-to-move player: it says where it goes and how long that takes, by its own pathfinder (Detour's corners)
// or by the server's timeline, and clicks again on the way. Imported by cast.ts.
import type { Actor, ActorFact, Answer, Point, Stage, Terrain, Wire } from './actor.ts';
import type { ClientModel } from './models.ts';
import type { Random } from './random.ts';

/** Farther clicks are rare: what a screen shows, metres. */
const SCREEN = 25;
/** Metres in plan. */
const STEP = 0.4;

export class Clicker implements Actor {
  readonly id: string;
  readonly kind = 'honest';
  readonly model: string;
  readonly listens = 'all';
  wakeAt: number;
  cheatingSince = Number.POSITIVE_INFINITY;
  readonly #stage: Stage;
  readonly #client: ClientModel;
  readonly #random: Random;
  readonly #speed: number;
  readonly #inverse: number;
  #entered = false;
  /** The walk it is on: corners, the plan length up to each, when it began, how far it goes. */
  #corners: Point[];
  #upTo: number[] = [0];
  #began = 0;
  #until = 0;
  #seq = 0;
  #clickAt = Number.POSITIVE_INFINITY;
  #sayAt = Number.POSITIVE_INFINITY;
  /** Between two positions on the way, ms. */
  readonly #sayEvery: number;
  /** Where it asked to go, by number, when it follows the server's timeline: each answer starts its own walk. */
  readonly #asked = new Map<unknown, Point>();

  constructor(stage: Stage, client: ClientModel, id: string, random: Random, startMs: number) {
    this.id = id;
    this.model = client.name;
    this.#stage = stage;
    this.#client = client;
    this.#random = random;
    this.wakeAt = startMs;
    const hz = client.clicks === 'positions' ? random.between(client.hz[0], client.hz[1]) : 0;
    this.#sayEvery = hz > 0 ? 1000 / hz : Number.POSITIVE_INFINITY;
    this.#speed = Math.round(random.between(client.speed[0], client.speed[1]) * 10) / 10;
    this.#inverse = Math.round(1 / client.quanta[random.below(client.quanta.length)]);
    const { xyz } = stage.tracks[random.below(stage.tracks.length)];
    const i = 3 * random.below(xyz.length / 3);
    this.#corners = [{ x: xyz[i], y: xyz[i + 1], z: xyz[i + 2] }];
  }

  wake(t: number, wire: Wire): void {
    if (!this.#entered) {
      this.#entered = true;
      const { x, y, z } = this.#corners[0];
      wire.server({ op: 'enter', pos: [x, y, z], speed: this.#speed });
      wire.serverAt(t + wire.rttMs, { op: 'rtt', ms: Math.round(wire.rttMs) });
      this.wakeAt = Number.POSITIVE_INFINITY;
      return;
    }
    if (t >= this.#clickAt) {
      this.#click(t, wire);
      this.#clickAt = t + this.#pause();
      this.#sayAt = t + this.#sayEvery;
    } else {
      this.#say(t, wire);
      this.#sayAt += this.#sayEvery;
    }
    this.wakeAt = Math.min(this.#clickAt, this.#sayAt);
  }

  /** Where it is on its way. */
  #say(t: number, wire: Wire): void {
    const { x, y, z } = this.#here(t);
    const k = this.#inverse;
    wire.move(this.#seq++, Math.round(x * k) / k, Math.round(y * k) / k, Math.round(z * k) / k);
  }

  hear(t: number, answer: Answer, wire: Wire): void {
    if (answer.verdict === 'correct' && answer.pos !== null) {
      // back to where the server says, and the walk is over
      const [x, y, z] = answer.pos;
      this.#stand({ x, y, z });
      wire.ack(answer.correction);
      return;
    }
    const to = this.#asked.get(answer.seq);
    if (to !== undefined && answer.op === 'begin' && answer.pos !== null) {
      // from where the server had it half a round trip ago, on the way that the server sent along
      this.#asked.delete(answer.seq);
      const [x, y, z] = answer.pos;
      const path = this.#stage.terrain.path({ x, y, z }, to);
      if (path !== null) this.#walk(path, t, Number.POSITIVE_INFINITY);
    }
  }

  told(t: number, fact: ActorFact): void {
    if (fact.op !== 'enter') return;
    this.#clickAt = t + this.#pause();
    this.wakeAt = this.#clickAt;
  }

  /** Between two clicks: often in a hurry, sometimes after arriving. */
  #pause(): number {
    const random = this.#random;
    return random.chance(0.6) ? random.between(80, 900) : random.between(900, 8000);
  }

  #click(t: number, wire: Wire): void {
    const { terrain } = this.#stage;
    const random = this.#random;
    const from = this.#here(t);
    for (let tries = 0; tries < 12; tries++) {
      const to = terrain.randomPoint(random);
      if (Math.hypot(to.x - from.x, to.z - from.z) > SCREEN && tries < 11) continue;
      const path = terrain.path(from, to);
      if (path === null) continue;
      const length = lengths(path).at(-1) as number;
      const stop = random.chance(0.2) ? random.between(0.5, 3) : 0;
      const goes = Math.max(0, length - stop);
      const k = this.#inverse;
      const round = (n: number): number => Math.round(n * k) / k;
      const seq = this.#seq++;
      wire.send({
        op: 'begin',
        seq,
        from: [round(from.x), round(from.y), round(from.z)],
        to: [round(to.x), round(to.y), round(to.z)],
        speed: this.#speed,
        duration: Math.round((1000 * goes) / this.#speed),
        stop: Math.round(stop * 100) / 100,
      });
      if (this.#client.clicks === 'timeline') this.#asked.set(seq, to);
      else this.#walk(path, t, goes);
      return;
    }
  }

  #walk(path: readonly Point[], t: number, goes: number): void {
    this.#corners = drape(this.#stage.terrain, path);
    this.#upTo = lengths(this.#corners);
    this.#began = t;
    this.#until = Math.min(goes, this.#upTo[this.#upTo.length - 1]);
  }

  #stand(at: Point): void {
    this.#corners = [at];
    this.#upTo = [0];
    this.#until = 0;
    this.#asked.clear();
  }

  #here(t: number): Point {
    const gone = Math.min(this.#until, (this.#speed * (t - this.#began)) / 1000);
    const upTo = this.#upTo;
    let i = 1;
    while (i < upTo.length && upTo[i] < gone) i++;
    if (i >= upTo.length) return this.#corners[this.#corners.length - 1];
    const leg = upTo[i] - upTo[i - 1];
    const share = leg > 0 ? (gone - upTo[i - 1]) / leg : 0;
    const [a, b] = [this.#corners[i - 1], this.#corners[i]];
    return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, z: a.z + (b.z - a.z) * share };
  }
}

/** The way with its feet on the ground: a point every STEP, each near the height of the one before. */
function drape(terrain: Terrain, path: readonly Point[]): Point[] {
  const draped = [path[0]];
  let y = path[0].y;
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1], path[i]];
    const steps = Math.ceil(Math.hypot(b.x - a.x, b.z - a.z) / STEP);
    for (let k = 1; k < steps; k++) {
      const p = { x: a.x + ((b.x - a.x) * k) / steps, y, z: a.z + ((b.z - a.z) * k) / steps };
      y = terrain.floorAt(p);
      draped.push({ x: p.x, y, z: p.z });
    }
    y = b.y;
    draped.push(b);
  }
  return draped;
}

/** The plan length up to each corner, metres. */
function lengths(path: readonly Point[]): number[] {
  const upTo = [0];
  for (let i = 1; i < path.length; i++) {
    upTo.push(upTo[i - 1] + Math.hypot(path[i].x - path[i - 1].x, path[i].z - path[i - 1].z));
  }
  return upTo;
}
