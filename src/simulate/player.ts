// One simulated player: a walker of the crowd, its client and line, and the cheat it plays. Imported by simulate/.
import type { CrowdAgent } from 'recast-navigation';
import { type ClientProfile, Line } from './client.ts';
import type { Ground, Point } from './ground.ts';
import type { HopSite } from './hops.ts';
import type { Random } from './random.ts';
import { Referee } from './referee.ts';

/** What a player does: walk honestly, run too fast, jump across the map, or hop through a wall. */
export type Play =
  | { readonly kind: 'honest' }
  | { readonly kind: 'speed'; readonly factor: number }
  | { readonly kind: 'blink' }
  | { readonly kind: 'hop'; readonly site: HopSite };

/** A cheat that has not been caught by then was out of luck: milliseconds. */
const RUN_MS = 20_000;
/** How long a caught cheater goes on claiming: milliseconds. */
const ENCORE_MS = 400;
/** Detour's walk along the surface may end this much beyond the asked point: metres. */
const SLIP = 0.003;

export class Player {
  readonly id: string;
  readonly play: Play;
  readonly speed: number;
  readonly line: Line;
  readonly referee: Referee;
  readonly enteredAt: number;
  /** True position at the end of the last step, and at its start. */
  now: Point;
  before: Point;
  seq = 0;
  /** From here on the player's claims are not honest. */
  cheating = false;
  /** A claim that must be refused has been sent: its time; else Infinity. */
  caughtAt = Number.POSITIVE_INFINITY;
  readonly #agent: CrowdAgent;
  readonly #random: Random;
  readonly #ground: Ground;
  #target: Point | null = null;
  #targetUntil = 0;
  #steppedAt: number;
  readonly #cheatAt: number;

  constructor(
    ground: Ground,
    random: Random,
    id: string,
    play: Play,
    speed: number,
    profile: ClientProfile,
    at: number,
  ) {
    this.id = id;
    this.play = play;
    this.#ground = ground;
    this.#random = random;
    this.speed = speed;
    const start = play.kind === 'hop' ? approach(ground, random, play.site.from) : ground.randomPoint(random);
    this.#agent = ground.addWalker(start, this.speed);
    this.now = this.#position();
    this.before = this.now;
    this.enteredAt = at;
    this.#steppedAt = at;
    // The client hears of its place half a round trip after the server decided it.
    this.line = new Line(random, profile, at + profile.rttMs / 2);
    this.referee = new Referee(this.speed, this.now, at);
    this.#cheatAt = at + profile.rttMs + random.between(2000, 4000);
  }

  /** After a step of the crowd that ended at `time`: look where we are and what to do next. */
  step(time: number): void {
    this.before = this.now;
    this.now = this.#position();
    const most = (this.#agent.maxSpeed * (time - this.#steppedAt)) / 1000 + SLIP;
    this.#steppedAt = time;
    if (distance(this.before, this.now) > most) this.#undo(time);
    if (time < this.enteredAt + this.line.profile.rttMs / 2) return;
    if (this.play.kind === 'hop' && !this.cheating) {
      if (this.#target === null) this.#walkTo(this.play.site.from, Number.POSITIVE_INFINITY);
      if (time >= this.#cheatAt && distance(this.now, this.play.site.from) < 0.2) this.#jump(this.play.site.to);
      return;
    }
    if (!this.cheating && time >= this.#cheatAt) this.#cheat();
    if (this.#target === null || time >= this.#targetUntil || distance(this.now, this.#target) < 0.5) {
      this.#walkTo(this.#somewhere(), time + this.#random.between(5000, 25_000));
    }
  }

  /** A cheat's run is over: caught and done, or never caught. */
  over(time: number): boolean {
    if (this.play.kind === 'honest') return false;
    return time > Math.min(this.caughtAt + ENCORE_MS, this.#cheatAt + RUN_MS);
  }

  /** The true position at a moment of the last step; `share` 0 is its start, 1 its end. */
  at(share: number): Point {
    const { before: a, now: b } = this;
    return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, z: a.z + (b.z - a.z) * share };
  }

  leave(): void {
    this.#ground.crowd.removeAgent(this.#agent);
  }

  #cheat(): void {
    const { play } = this;
    if (play.kind === 'speed') {
      this.cheating = true;
      this.#agent.maxSpeed = this.speed * play.factor;
      this.#agent.maxAcceleration = this.speed * play.factor * 5;
    } else if (play.kind === 'blink') {
      for (let tries = 0; tries < 50; tries++) {
        const to = this.#ground.randomPoint(this.#random);
        if (distance(this.now, to) < this.referee.capacity * 1.2 + 1) continue;
        this.#jump(to);
        return;
      }
    }
  }

  #jump(to: Point): void {
    this.cheating = true;
    this.#agent.teleport(to);
    this.now = to;
    this.#target = null;
  }

  /**
   * Detour's walk along the surface sometimes lands decimetres away, on a wall that is not the nearest, when it starts on
   * the very edge of a polygon. A walker cannot do that: back to where it was, and off to somewhere else.
   */
  #undo(time: number): void {
    this.#agent.teleport(this.before);
    this.now = this.before;
    if (this.#target === null) return;
    if (this.play.kind === 'hop' && !this.cheating) this.#walkTo(this.#target, this.#targetUntil);
    else this.#walkTo(this.#somewhere(), time + this.#random.between(5000, 25_000));
  }

  /** A place that can be walked to, if a few tries find one; for those who run too fast, the farthest of them. */
  #somewhere(): Point {
    let best = this.now;
    let farthest = -1;
    for (let tries = 0; tries < 6; tries++) {
      const to = this.#ground.randomPoint(this.#random);
      const walk = this.#ground.walk(this.now, to);
      if (!Number.isFinite(walk) || walk <= farthest) continue;
      best = to;
      farthest = walk;
      if (!this.cheating) break;
    }
    return best;
  }

  #walkTo(to: Point, until: number): void {
    this.#target = to;
    this.#targetUntil = until;
    this.#agent.requestMoveTarget(to);
  }

  #position(): Point {
    const raw = this.#agent.raw;
    return { x: raw.get_npos(0), y: raw.get_npos(1), z: raw.get_npos(2) };
  }
}

/** A few metres off, with free sight; else the very place. */
function approach(ground: Ground, random: Random, to: Point): Point {
  for (let tries = 0; tries < 20; tries++) {
    const angle = random.between(0, 2 * Math.PI);
    const away = random.between(1, 5);
    const from = ground.onGround({ x: to.x + away * Math.cos(angle), y: to.y, z: to.z + away * Math.sin(angle) });
    if (from !== null && ground.sight(from, to)) return from;
  }
  return to;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.z - b.z);
}
