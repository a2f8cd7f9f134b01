// The game: players walk, samples travel, and the server's log of it comes out event by event, in the order the server
// saw them. Memory holds what is on its way and nothing else. Imported by simulate/index.ts.
import { NavguardError } from '../errors.ts';
import type { MoveLogEvent } from '../log/events.ts';
import { type ClientWishes, drawProfile } from './client.ts';
import { Ground } from './ground.ts';
import { findHopSites, type HopSite } from './hops.ts';
import { type Play, Player } from './player.ts';
import { type Random, seeded } from './random.ts';

export const CHEAT_KINDS = ['speed', 'blink', 'hop'] as const;
export type CheatKind = (typeof CHEAT_KINDS)[number];

export interface SimulateOptions extends ClientWishes {
  /** Honest walkers (default 16). */
  readonly players?: number | undefined;
  /** Seconds of play (default 60). */
  readonly seconds?: number | undefined;
  /** Cheats played beside them, run after run; a cheater for every eight walkers and kind, at least one. */
  readonly cheats?: readonly CheatKind[] | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** What has been played so far. */
export interface SimulateCounts {
  /** Claims that came out, and how many of them are expected to be accepted. */
  moves: number;
  honest: number;
  /** Finished runs of a cheat: how many, and how many of them hold a claim that must be refused. */
  runs: Record<CheatKind, number>;
  convicted: Record<CheatKind, number>;
}

const STEP_MS = 1000 / 60;
const SPEED_FACTORS = [1.5, 2, 3];
/** Hops are shorter than what the slowest walker has in credit: a wall, not a speed, must stop them. */
const HOP_METRES = 2.8;
/** More than twice the farthest walk that a hopper could be granted: see Referee. */
const HOP_WALK = 18;

interface Slot {
  readonly kind: 'honest' | CheatKind;
  readonly number: number;
  run: number;
  player: Player | null;
}

interface Due {
  readonly event: MoveLogEvent;
  readonly order: number;
}

export class Simulation {
  readonly counts: SimulateCounts = {
    moves: 0,
    honest: 0,
    runs: { speed: 0, blink: 0, hop: 0 },
    convicted: { speed: 0, blink: 0, hop: 0 },
  };
  /** What could not be played on this map, in words. */
  readonly notes: string[] = [];
  /** Milliseconds played. */
  time = 0;
  readonly seconds: number;
  readonly #ground: Ground;
  readonly #random: Random;
  readonly #wishes: ClientWishes;
  readonly #slots: Slot[] = [];
  readonly #sites: HopSite[] = [];
  #due: Due[] = [];
  #order = 0;

  /**
   * @param bytes MSET bytes that navguard's own check has passed
   * @throws NavguardError BAD_ARGUMENT for an option out of range or a map without ground
   */
  static async open(bytes: Uint8Array, options: SimulateOptions = {}): Promise<Simulation> {
    const { players = 16, seconds = 60, cheats = [], seed = 1, ...wishes } = options;
    inRange('players', players, 0, 1000, true);
    inRange('seconds', seconds, 0, 1e7, false);
    inRange('seed', seed, 0, 2 ** 32 - 1, true);
    for (const [name, low, high] of RANGES) inRange(name, wishes[name] ?? low, low, high, false);
    const each = Math.max(1, Math.floor(players / 8));
    const kinds = [...new Set(cheats)];
    const ground = await Ground.open(bytes, players + kinds.length * each);
    const simulation = new Simulation(ground, seeded(seed), seconds, wishes);
    simulation.#fill(players, kinds, each);
    return simulation;
  }

  private constructor(ground: Ground, random: Random, seconds: number, wishes: ClientWishes) {
    this.#ground = ground;
    this.#random = random;
    this.seconds = seconds;
    this.#wishes = wishes;
  }

  #fill(players: number, kinds: readonly CheatKind[], each: number): void {
    for (let number = 0; number < players; number++) this.#slots.push({ kind: 'honest', number, run: 0, player: null });
    for (const kind of kinds) {
      if (kind === 'hop') {
        this.#sites.push(...findHopSites(this.#ground, this.#random, 64, HOP_METRES, HOP_WALK));
        if (this.#sites.length === 0) {
          this.notes.push(
            `no hop: this map has no wall under ${HOP_METRES} m that takes over ${HOP_WALK} m to walk round`,
          );
          continue;
        }
      }
      for (let number = 0; number < each; number++) this.#slots.push({ kind, number, run: 0, player: null });
    }
  }

  /** Events that are on their way: all that memory holds of the log. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Gives recast-navigation's memory back. Call it when done; the events end by themselves. */
  destroy(): void {
    this.#ground.destroy();
  }

  /** The server's log from the first to the last event. Once only. */
  *events(): Generator<MoveLogEvent, void, undefined> {
    const end = this.seconds * 1000;
    while (this.time < end) {
      const start = this.time;
      this.time = start + STEP_MS;
      this.#ground.crowd.update(STEP_MS / 1000);
      for (const slot of this.#slots) this.#play(slot, start);
      yield* this.#arrived(this.time);
    }
    for (const { player } of this.#slots) player?.leave();
    yield* this.#arrived(Number.POSITIVE_INFINITY);
  }

  #play(slot: Slot, start: number): void {
    const player = slot.player;
    if (player === null) {
      // Not all in one millisecond.
      if (start >= slot.number * 37) this.#enter(slot);
      return;
    }
    player.step(this.time);
    while (player.line.nextSampleAt <= this.time) this.#sample(player, start);
    if (player.over(this.time)) this.#finish(slot, player);
  }

  #enter(slot: Slot): void {
    const { kind, number } = slot;
    const run = slot.run++;
    let play: Play;
    let name: string;
    if (kind === 'speed') {
      const factor = SPEED_FACTORS[(run + number) % SPEED_FACTORS.length];
      play = { kind, factor };
      name = `x${factor}`;
    } else if (kind === 'hop') {
      play = { kind, site: this.#sites[this.#random.below(this.#sites.length)] };
      name = kind;
    } else {
      play = { kind };
      name = kind === 'honest' ? 'p' : kind;
    }
    const id = kind === 'honest' ? `p${number + 1}` : `${name}-${number + 1}.${run + 1}`;
    const profile = drawProfile(this.#random, this.#wishes);
    const [slow, fast] = kind === 'hop' ? [3, 3.5] : [2.5, 7];
    const speed = this.#wishes.speed ?? Math.round(this.#random.between(slow, fast) * 10) / 10;
    const player = new Player(this.#ground, this.#random, id, play, speed, profile, this.time);
    slot.player = player;
    const { x, y, z } = player.now;
    this.#push({ t: millis(this.time), op: 'enter', id, pos: [digits(x), digits(y), digits(z)], speed: player.speed });
    // The server's first ping is back before the client's first claim.
    this.#push({ t: millis(this.time + profile.rttMs), op: 'rtt', id, ms: Math.round(profile.rttMs) });
    player.referee.rtt(profile.rttMs);
  }

  #sample(player: Player, start: number): void {
    const { line } = player;
    const truth = player.at((line.nextSampleAt - start) / STEP_MS);
    const t = millis(line.send());
    const to = { x: line.round(truth.x), y: line.round(this.#ground.floorAt(truth)), z: line.round(truth.z) };
    let expect: 'accept' | 'refused' | undefined = 'accept';
    if (player.cheating) {
      const ground = player.play.kind === 'hop' ? this.#ground : null;
      const caught = player.caughtAt < Number.POSITIVE_INFINITY;
      expect = !caught && player.referee.mustRefuse(t, to, ground) ? 'refused' : undefined;
      if (expect === 'refused') player.caughtAt = this.time;
    } else if (player.play.kind !== 'honest') {
      player.referee.accept(t, to);
    }
    const event: MoveLogEvent = { t, op: 'move', id: player.id, seq: player.seq++, pos: [to.x, to.y, to.z] };
    if (expect !== undefined) event.expect = expect;
    this.counts.moves++;
    if (expect === 'accept') this.counts.honest++;
    this.#push(event);
  }

  #finish(slot: Slot, player: Player): void {
    const kind = player.play.kind as CheatKind;
    this.counts.runs[kind]++;
    if (player.caughtAt < Number.POSITIVE_INFINITY) this.counts.convicted[kind]++;
    // After the last claim has arrived.
    this.#push({ t: millis(Math.max(this.time, player.line.lastArrival)), op: 'leave', id: player.id });
    player.leave();
    slot.player = null;
  }

  #push(event: MoveLogEvent): void {
    this.#due.push({ event, order: this.#order++ });
  }

  *#arrived(until: number): Generator<MoveLogEvent, void, undefined> {
    const now: Due[] = [];
    const later: Due[] = [];
    for (const due of this.#due) (due.event.t <= until ? now : later).push(due);
    this.#due = later;
    now.sort((a, b) => a.event.t - b.event.t || a.order - b.order);
    for (const { event } of now) yield event;
  }
}

const RANGES: readonly (readonly [Exclude<keyof ClientWishes, undefined>, number, number])[] = [
  ['speed', 0.1, 100],
  ['hz', 0.5, 200],
  ['rttMs', 0, 5000],
  ['jitterMs', 0, 5000],
  ['loss', 0, 0.9],
  ['quantum', 1e-6, 1],
  ['burstMs', 0, 60_000],
  ['stallsPerMinute', 0, 600],
];

function inRange(name: string, value: number, low: number, high: number, whole: boolean): void {
  if (value >= low && value <= high && (!whole || Number.isInteger(value))) return;
  const expected = `${whole ? 'a whole number' : 'a number'} from ${low} to ${high}`;
  const message = `simulate: ${name} is ${value}, expected ${expected}.`;
  throw new NavguardError('BAD_ARGUMENT', message, { option: name, got: value, expected });
}

/** Times to 0.01 ms, upwards: rounding must not put a claim before what it follows. */
function millis(t: number): number {
  return Math.ceil(t * 100) / 100;
}

function digits(metres: number): number {
  return Math.round(metres * 1e4) / 1e4;
}
