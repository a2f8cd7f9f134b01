// What a simulated player is: the two ends it has (client and server), what it may do and what it hears. Everybody in
// simulate/ builds on it; it imports only the log's words and the random stream.
import type { Claim, Fact } from '../log/events.ts';
import type { ReasonName, VerdictWord } from '../reasons.ts';
import type { Random } from './random.ts';

/** Metres, y up. */
export interface Point {
  x: number;
  y: number;
  z: number;
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Something the server does about an actor, in the move log's words; time and name are filled in. */
export type ActorFact = Without<Fact, 't' | 'id'>;

/** What a client sends, in the move log's words. Time is when it arrives; the name is the actor's unless given. */
export type ActorClaim = Without<Claim, 't' | 'id'> & { id?: unknown };

/** What the server answers a claim with; reaches the client half a round trip after judging. */
export interface Answer {
  readonly op: Claim['op'];
  /** As the client sent it. */
  readonly seq: unknown;
  readonly verdict: VerdictWord;
  readonly reason: ReasonName;
  /** The authoritative position; null for an unknown entity. */
  readonly pos: readonly [number, number, number] | null;
  /** The number of the correction, 0 = none. */
  readonly correction: number;
  readonly action: 'none' | 'watch' | 'restrict' | 'kick';
  readonly score: number;
}

/**
 * One player. The arena calls `wake` at `wakeAt`, and `hear` and `told` when something reaches the client. All times are
 * milliseconds of true server time; a client's own clock may be skewed, but that is the actor's own affair.
 */
export interface Actor {
  readonly id: string;
  /** `honest`, or the name of a cheat. */
  readonly kind: string;
  /** Name of the client model (honest) or variant (cheats): figures are gathered by kind and model. */
  readonly model: string;
  /** When to wake it next; Infinity = it has nothing more to do. It must set a later time in `wake`. */
  wakeAt: number;
  /** From when on its claims are not honest (Infinity while they are). Claims sent from then on count as the cheat's. */
  cheatingSince: number;
  /** Which answers it wants: all, or only those that refuse (cheaper: nothing is queued for accepted claims). */
  readonly listens: 'all' | 'refusals' | 'none';
  /** Does what is due at t: reads its true position, sends, lets the server do things. */
  wake(t: number, wire: Wire): void;
  /** An answer has reached the client. It may change `wakeAt`. */
  hear(t: number, answer: Answer, wire: Wire): void;
  /**
   * A fact of `wire.server` has reached the client, half a round trip after it was made.
   * @param pos the authoritative position when the server made it
   */
  told?(t: number, fact: ActorFact, pos: readonly [number, number, number] | null, wire: Wire): void;
}

/** An actor's line to the server and the server's hand on the actor. Valid during `wake`, `hear` and `told` only. */
export interface Wire {
  /** The actor's own stream of random numbers: other actors do not disturb it. */
  readonly random: Random;
  /** The line's true round-trip time without jitter, ms. */
  readonly rttMs: number;
  /** Extra delay of a packet, up to this, ms. */
  readonly jitterMs: number;
  /** Sends "I am here" now, through the line's delay, jitter, loss, reordering and stalls. No allocation. */
  move(seq: number, x: number, y: number, z: number): void;
  /** Sends any claim now, through the line. Whatever it holds goes to the guard as it is. */
  send(claim: ActorClaim): void;
  /** For cheats that control arrival exactly: the server has the claim at `arrivalMs` (not before now). */
  sendAt(arrivalMs: number, claim: ActorClaim): void;
  /** The client acknowledges a correction: behind the claims it sent before, and again when it gets lost. */
  ack(correction: number): void;
  /** The server does this about the actor now (claims that arrived earlier are judged already). */
  server(fact: ActorFact): void;
  /** The server does this at `t` (not before now). */
  serverAt(t: number, fact: ActorFact): void;
  /** Where the server holds the actor now: for what the *server* decides. Null when it is not in the game. */
  authority(): readonly [number, number, number] | null;
}

/** The line between a client and the server. */
export interface LineModel {
  /** Round trip without jitter, ms. */
  readonly rttMs: number;
  /** Extra delay of a packet on its way to the server: 0 up to this, ms. */
  readonly jitterMs: number;
  /** `ordered`: TCP, lost packets come again and hold up the later ones. `unordered`: lost is lost, packets overtake. */
  readonly transport: 'ordered' | 'unordered';
  /** Share of packets that get lost. */
  readonly loss: number;
  /** The line stands still now and then, for up to this (jitter and repeats included), ms. */
  readonly stallMs: number;
  readonly stallsPerMinute: number;
  /** No packet is later than this beyond half the round trip (default 1000), ms. */
  readonly lateMs?: number | undefined;
}

/**
 * A true way through a level, recorded once and replayed by many actors with different clients: positions of the feet at
 * equal intervals. Whoever records it must not use navguard's own kernel.
 */
export interface Track {
  /** Who made it: `crowd`, `slide`, `body`, ... */
  readonly source: string;
  /** Samples a second. */
  readonly hz: number;
  /** x, y, z of each sample, metres. */
  readonly xyz: Float32Array;
  /** The most plan metres a second in it: the speed limit of whoever replays it at its own pace. */
  readonly speed: number;
  /** It may be played at another pace (nothing in it falls or flies). */
  readonly scalable: boolean;
  /** It may be played backwards (nothing in it is one-way). */
  readonly reversible: boolean;
}

/** The true ground of a map, from code that is not navguard's kernel. Metres. */
export interface Terrain {
  /** Anywhere on the ground, every square metre alike. */
  randomPoint(random: Random): Point;
  /** The ground under a position and near its height; null when it is not over the ground. */
  onGround(p: Point): Point | null;
  /** The height of the floor nearest to a point that is over the ground or on its rim. */
  floorAt(p: Point): number;
  /** Whether the straight line on the ground is free. */
  sight(from: Point, to: Point): boolean;
  /** Plan metres of a walk, never shorter than the shortest; Infinity when there is none, NaN when unknown. */
  walk(from: Point, to: Point): number;
  /** The corners of a walk, ends included; null when there is none or it is unknown. */
  path(from: Point, to: Point): Point[] | null;
  /** Whether there is ground within `radius` (plan metres) of the segment that lies more than `drop` below its start. */
  lowerGroundNear(from: Point, to: Point, radius: number, drop: number): boolean;
}

/** What whoever makes actors for a map is given. */
export interface Stage {
  readonly map: string;
  readonly terrain: Terrain;
  /** Recorded true walks on this map, at least one. */
  readonly tracks: readonly Track[];
}

/** An actor and its line, ready for the arena. */
export interface Cast {
  readonly actor: Actor;
  readonly line: LineModel;
}

/** One cheat of the zoo. */
export interface CheatEntry {
  readonly name: string;
  /** How it works, in one sentence. */
  readonly how: string;
  /**
   * By when, from the start of cheating, it must have been refused or be at `watch`; what is not given does not bind. A run
   * that no bound binds counts as caught when it is refused or at `watch` at all.
   */
  readonly bound: { readonly claims?: number; readonly metres?: number; readonly ms?: number };
  /** A cheater that enters at `startMs`; null when this map has no place for it. */
  make(stage: Stage, id: string, random: Random, startMs: number): Cast | null;
}
