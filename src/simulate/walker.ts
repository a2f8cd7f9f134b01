// An honest player: replays a recorded walk as its client model has it, hears the server, and obeys. Imported by cast.ts.
import type { Actor, ActorFact, Answer, Stage, Track, Wire } from './actor.ts';
import { Feet } from './feet.ts';
import type { ClientModel, Happening } from './models.ts';
import type { Random } from './random.ts';

/** Claims that a client remembers, to find where a correction puts it back to. */
const MEMORY = 256;
/** Ms between two measurements of the round trip by the server. */
const PING_MS = 5000;
/** Ms between two happenings, about. */
const HAPPEN_MS = 6000;
/** A step of what changes within a sample (jumps, pushes), ms. */
const FRAME_MS = 1000 / 60;

export class Walker implements Actor {
  readonly id: string;
  readonly kind = 'honest';
  readonly model: string;
  readonly listens = 'refusals';
  wakeAt: number;
  cheatingSince = Number.POSITIVE_INFINITY;
  readonly #stage: Stage;
  readonly #client: ClientModel;
  readonly #random: Random;
  #track: Track;
  /** Where on the track, in samples, and which way. */
  #s: number;
  #dir = 1;
  /** Samples of the track a ms at the player's own speed. */
  #pace: number;
  readonly #speed: number;
  readonly #intervalMs: number;
  readonly #inverse: number;
  readonly #skew: number;
  readonly #feet: Feet | null;
  /** True time up to which the walk is played. */
  #at: number;
  #due = Number.POSITIVE_INFINITY;
  #sampleAt = Number.POSITIVE_INFINITY;
  #happenAt = Number.POSITIVE_INFINITY;
  #pingAt: number;
  #freezeAt: number;
  #idleAt: number;
  #idleUntil = Number.NEGATIVE_INFINITY;
  #silent = false;
  #stopped = false;
  #inGame = false;
  #enterAt: number;
  #factor = 1;
  #boost = 0;
  #boostUntil = Number.NEGATIVE_INFINITY;
  #push = 0;
  #pushDecay = 0;
  #seq: number;
  /** What the server has in mind: where grants and teleports lead, in the order they were made. */
  readonly #leads: { track: Track; s: number }[] = [];
  #undo: ActorFact[] = [];
  #undoAt = Number.POSITIVE_INFINITY;
  #grants = 0;
  readonly #sentX = new Float64Array(MEMORY);
  readonly #sentZ = new Float64Array(MEMORY);
  readonly #sentS = new Float64Array(MEMORY);
  readonly #sentTrack: Track[] = new Array(MEMORY);
  #sent = 0;
  readonly #p = new Float64Array(3);

  constructor(stage: Stage, client: ClientModel, id: string, random: Random, startMs: number) {
    this.id = id;
    this.model = client.name;
    this.#stage = stage;
    this.#client = client;
    this.#random = random;
    this.wakeAt = startMs;
    this.#enterAt = startMs;
    this.#at = startMs;
    this.#pingAt = startMs + PING_MS;
    this.#track = this.#anyTrack();
    const { scalable, speed, hz } = this.#track;
    this.#speed = scalable ? Math.round(random.between(client.speed[0], client.speed[1]) * 10) / 10 : speed;
    this.#pace = (hz * (this.#speed / speed)) / 1000;
    this.#s = this.#anyPlace(this.#track);
    if (this.#track.reversible && random.chance(0.5)) this.#dir = -1;
    this.#skew = 1 + random.between(client.skew[0], client.skew[1]);
    this.#intervalMs = 1000 / random.between(client.hz[0], client.hz[1]) / this.#skew;
    this.#inverse = Math.round(1 / client.quanta[random.below(client.quanta.length)]);
    this.#feet = client.jump[1] > 0 || client.happenings.includes('launch') ? new Feet(client, random) : null;
    // sequence numbers start anywhere, some of them near to where they wrap
    this.#seq = random.chance(0.2) ? 2 ** 32 - 1 - random.below(500) : random.below(2 ** 31);
    this.#freezeAt = this.#next(startMs, client.freezesPerMinute);
    this.#idleAt = client.idleMs > 0 ? this.#next(startMs, 4) : Number.POSITIVE_INFINITY;
  }

  wake(t: number, wire: Wire): void {
    if (t >= this.#enterAt) this.#enter(t, wire);
    if (t >= this.#undoAt) this.#takeBack(wire);
    if (t >= this.#pingAt) {
      this.#ping(wire);
      this.#pingAt = t + PING_MS;
    }
    if (t >= this.#happenAt) this.#happen(t, wire);
    if (t >= this.#sampleAt) this.#sample(t, wire);
    this.#plan();
  }

  hear(t: number, answer: Answer, wire: Wire): void {
    if (answer.verdict !== 'correct' || answer.pos === null) return;
    this.#play(t);
    const [x, y, z] = answer.pos;
    if (!this.#backTo(x, y, z)) this.#lost(wire);
    wire.ack(answer.correction);
    this.#plan();
  }

  told(t: number, fact: ActorFact, pos: readonly [number, number, number] | null, wire: Wire): void {
    switch (fact.op) {
      case 'enter':
        this.#inGame = true;
        this.#at = t;
        this.#pingAt = t + PING_MS;
        this.#due = t + this.#random.next() * this.#intervalMs;
        this.#sampleAt = this.#due;
        if (this.#client.happenings.length > 0) this.#happenAt = t + this.#random.between(0.3, 1.5) * HAPPEN_MS;
        break;
      case 'leave':
        this.#inGame = false;
        this.#sampleAt = Number.POSITIVE_INFINITY;
        break;
      case 'speed':
        this.#play(t);
        this.#factor = fact.speed / this.#speed;
        break;
      case 'boost':
        this.#play(t);
        this.#boost = fact.speed / this.#speed;
        this.#boostUntil = t + fact.ms;
        break;
      case 'impulse':
        this.#play(t);
        this.#shove(fact);
        break;
      case 'grant':
      case 'teleport': {
        this.#play(t);
        const lead = this.#leads.shift();
        if (lead === undefined) throw new Error(`${this.id}: nowhere to go`);
        this.#track = lead.track;
        this.#s = lead.s;
        this.#push = 0;
        this.#feet?.land();
        // the server has it at the very place, whatever of its claims it gets
        if (fact.op === 'teleport') this.#remember(fact.to[0], fact.to[2]);
        // a client shows at once that it has arrived
        if (this.#inGame && !this.#stopped) this.#send(wire);
        break;
      }
      case 'state': {
        this.#play(t);
        const held = fact.alive === false || fact.rooted === true;
        if (held && pos !== null) this.#backTo(pos[0], pos[1], pos[2]);
        this.#stopped = held;
        this.#silent = fact.alive === false;
        break;
      }
      default:
        break;
    }
    this.#plan();
  }

  #plan(): void {
    const pingAt = this.#inGame ? this.#pingAt : Number.POSITIVE_INFINITY;
    this.wakeAt = Math.min(this.#sampleAt, this.#happenAt, this.#undoAt, this.#enterAt, pingAt);
  }

  #next(t: number, perMinute: number): number {
    return perMinute > 0 ? t + (-Math.log(1 - this.#random.next()) * 60_000) / perMinute : Number.POSITIVE_INFINITY;
  }

  #anyTrack(): Track {
    const { tracks } = this.#stage;
    return tracks[this.#random.below(tracks.length)];
  }

  #anyPlace(track: Track): number {
    const samples = track.xyz.length / 3;
    // a track that cannot be turned round is played from its beginning
    return track.reversible ? this.#random.next() * (samples - 1) : 0;
  }

  // ---- the client -------------------------------------------------------------------------------------------------

  #sample(t: number, wire: Wire): void {
    const { frameMs, freezeMs, freezesPerMinute, idleMs } = this.#client;
    this.#play(t);
    if (!this.#silent) this.#send(wire);
    this.#due += this.#intervalMs;
    this.#sampleAt = Math.max(this.#due, t) + this.#random.next() * frameMs;
    if (t >= this.#freezeAt) {
      this.#sampleAt += this.#random.between(0.1, 1) * freezeMs;
      this.#due = this.#sampleAt;
      this.#freezeAt = this.#next(this.#sampleAt, freezesPerMinute);
    }
    if (t >= this.#idleAt && !this.#stopped) {
      this.#idleUntil = t + this.#random.between(0.05, 1) * idleMs;
      this.#idleAt = this.#next(this.#idleUntil, 4);
      // silence while it stands: half of the clients send only what changes
      if (this.#random.chance(0.5)) {
        this.#sampleAt = this.#idleUntil + this.#random.next() * this.#intervalMs;
        this.#due = this.#sampleAt;
      }
    }
  }

  #send(wire: Wire): void {
    const p = this.#p;
    place(this.#track, this.#s, p);
    const y = (this.#feet === null ? p[1] : this.#feet.height(p[1])) + this.#client.yOffset;
    const k = this.#inverse;
    const x = Math.round(p[0] * k) / k;
    const z = Math.round(p[2] * k) / k;
    this.#remember(x, z);
    wire.move(this.#seq, x, Math.round(y * k) / k, z);
    this.#seq = (this.#seq + 1) % 2 ** 32;
  }

  /** That it has been at a place which the server may put it back to. */
  #remember(x: number, z: number): void {
    const i = this.#sent++ % MEMORY;
    this.#sentX[i] = x;
    this.#sentZ[i] = z;
    this.#sentS[i] = this.#s;
    this.#sentTrack[i] = this.#track;
  }

  /** Plays the walk up to t. */
  #play(t: number): void {
    if (this.#feet === null && this.#push === 0 && this.#at >= this.#boostUntil) {
      this.#advance(t - this.#at, this.#at);
      this.#at = t;
      return;
    }
    while (this.#at < t) {
      let dt = Math.min(FRAME_MS, t - this.#at);
      if (this.#at < this.#boostUntil) dt = Math.min(dt, this.#boostUntil - this.#at);
      this.#advance(dt, this.#at);
      this.#at = t - this.#at - dt <= 1e-6 ? t : this.#at + dt;
      if (this.#push !== 0) {
        const less = (this.#pushDecay * dt) / 1000;
        this.#push = Math.abs(this.#push) <= less ? 0 : this.#push - Math.sign(this.#push) * less;
      }
      if (this.#feet !== null) {
        place(this.#track, this.#s, this.#p);
        this.#feet.step(dt * this.#skew, this.#p[1], this.#stopped || this.#at < this.#idleUntil);
      }
    }
  }

  #advance(ms: number, from: number): void {
    let dt = ms;
    if (from < this.#idleUntil) dt = Math.max(0, from + ms - this.#idleUntil);
    const boost = from < this.#boostUntil ? this.#boost : 0;
    const own = this.#stopped ? 0 : this.#dir * (this.#factor + boost) * dt * this.#skew;
    // a push obeys the server's numbers, not the client's clock
    const pushed = (this.#push / this.#speed) * ms;
    this.#s += this.#pace * (own + pushed);
    const last = this.#track.xyz.length / 3 - 1;
    if (this.#s > last) this.#turn(last);
    else if (this.#s < 0) this.#turn(0);
  }

  #turn(end: number): void {
    this.#s = end;
    this.#push = 0;
    // a walk that cannot be turned round ends here
    if (this.#track.reversible) this.#dir = end === 0 ? 1 : -1;
  }

  #backTo(x: number, y: number, z: number): boolean {
    for (let n = this.#sent - 1; n >= Math.max(0, this.#sent - MEMORY); n--) {
      const i = n % MEMORY;
      if (this.#sentX[i] !== x || this.#sentZ[i] !== z) continue;
      this.#track = this.#sentTrack[i];
      this.#s = this.#sentS[i];
      this.#push = 0;
      place(this.#track, this.#s, this.#p);
      this.#feet?.at(y - this.#client.yOffset, this.#p[1]);
      return true;
    }
    return false;
  }

  /** Put back to where it never was: the server gives it a place. */
  #lost(wire: Wire): void {
    this.#lead(wire, this.#track, this.#s);
  }

  // ---- the server -------------------------------------------------------------------------------------------------

  #enter(t: number, wire: Wire): void {
    const p = this.#p;
    place(this.#track, this.#s, p);
    wire.server({ op: 'enter', pos: [p[0], p[1] + this.#client.yOffset, p[2]], speed: this.#speed });
    this.#feet?.at(p[1], p[1]);
    // the first ping is back before the client's first claim
    wire.serverAt(t + wire.rttMs, { op: 'rtt', ms: Math.round(wire.rttMs) });
    this.#enterAt = Number.POSITIVE_INFINITY;
  }

  #ping(wire: Wire): void {
    wire.server({ op: 'rtt', ms: Math.round(wire.rttMs + this.#random.next() * wire.jitterMs) });
  }

  #happen(t: number, wire: Wire): void {
    const { happenings } = this.#client;
    const what = happenings[this.#random.below(happenings.length)];
    this.#happenAt = t + this.#random.between(0.3, 1.7) * HAPPEN_MS;
    // one thing at a time
    if (this.#undoAt === Number.POSITIVE_INFINITY) this.#begin(what, t, wire);
  }

  #begin(what: Happening, t: number, wire: Wire): void {
    const random = this.#random;
    const speed = this.#speed;
    switch (what) {
      case 'sprint':
        wire.server({ op: 'speed', speed: speed * random.between(1.2, 2) });
        this.#later(t + random.between(200, 5000), { op: 'speed', speed });
        break;
      case 'boost':
        wire.server({ op: 'boost', speed: random.between(1, 8), ms: random.between(100, 2000) });
        break;
      case 'dash': {
        const samples = this.#track.xyz.length / 3;
        const to = this.#s + this.#dir * random.between(30, 150);
        if (!this.#track.scalable || to < 0 || to > samples - 1) break;
        place(this.#track, to, this.#p);
        this.#leads.push({ track: this.#track, s: to });
        const [x, y, z] = this.#p;
        wire.server({ op: 'grant', grant: `g${++this.#grants}`, to: [x, y + this.#client.yOffset, z] });
        break;
      }
      case 'teleport': {
        const track = this.#anyTrack();
        if (track.scalable === this.#track.scalable) this.#lead(wire, track, this.#anyPlace(track));
        break;
      }
      case 'knock':
        this.#knock(wire, 0);
        break;
      case 'launch':
        this.#knock(wire, random.between(2, 6.5));
        break;
      case 'root':
        wire.server({ op: 'state', rooted: true });
        // longer than a line can hold back what was sent before: else nobody could tell which claims those are
        this.#later(t + wire.rttMs + random.between(1100, 4000), { op: 'state', rooted: false });
        break;
      case 'death': {
        wire.server({ op: 'state', alive: false });
        this.#later(t + wire.rttMs + random.between(1100, 4000), { op: 'state', alive: true });
        break;
      }
      case 'reconnect':
        wire.server({ op: 'leave' });
        this.#happenAt = Number.POSITIVE_INFINITY;
        // what is on its way from before has arrived by then
        this.#enterAt = t + 2 * wire.rttMs + 2 * wire.jitterMs + random.between(1200, 8000);
        break;
    }
  }

  #later(t: number, ...facts: ActorFact[]): void {
    this.#undo = facts;
    this.#undoAt = t;
  }

  #takeBack(wire: Wire): void {
    this.#undoAt = Number.POSITIVE_INFINITY;
    for (const fact of this.#undo) {
      if (fact.op === 'state' && fact.alive === true && this.#random.chance(0.7)) {
        const track = this.#anyTrack();
        if (track.scalable === this.#track.scalable) this.#lead(wire, track, this.#anyPlace(track));
      }
      wire.server(fact);
    }
    this.#undo = [];
  }

  #lead(wire: Wire, track: Track, s: number): void {
    place(track, s, this.#p);
    this.#leads.push({ track, s });
    const [x, y, z] = this.#p;
    wire.server({ op: 'teleport', to: [x, y + this.#client.yOffset, z] });
  }

  #knock(wire: Wire, up: number): void {
    if (!this.#track.scalable) return;
    // along the walk's own direction: there the ground goes on
    const a = this.#p;
    const b = new Float64Array(3);
    place(this.#track, this.#s, a);
    place(this.#track, this.#s + 5, b);
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const length = Math.hypot(dx, dz);
    if (!(length > 0.05)) return;
    const plan = this.#random.between(3, 14) * (this.#random.chance(0.5) ? 1 : -1);
    const decay = this.#random.between(8, 30);
    wire.server({ op: 'impulse', velocity: [(dx / length) * plan, up, (dz / length) * plan], decay });
  }

  #shove(fact: Extract<ActorFact, { op: 'impulse' }>): void {
    const [vx, vy, vz] = fact.velocity;
    const a = this.#p;
    const b = new Float64Array(3);
    place(this.#track, this.#s, a);
    place(this.#track, this.#s + 5, b);
    const along = Math.sign((b[0] - a[0]) * vx + (b[2] - a[2]) * vz);
    this.#push = along * Math.hypot(vx, vz);
    this.#pushDecay = fact.decay;
    if (vy > 0) this.#feet?.launch(vy);
  }
}

/** The place `s` samples into a track. */
function place(track: Track, s: number, p: Float64Array): void {
  const { xyz } = track;
  const last = xyz.length / 3 - 1;
  const at = Math.min(Math.max(s, 0), last);
  const i = Math.min(Math.floor(at), last - 1);
  const share = at - i;
  const k = 3 * i;
  p[0] = xyz[k] + (xyz[k + 3] - xyz[k]) * share;
  p[1] = xyz[k + 1] + (xyz[k + 4] - xyz[k + 1]) * share;
  p[2] = xyz[k + 2] + (xyz[k + 5] - xyz[k + 2]) * share;
}
