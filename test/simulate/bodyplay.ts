// Levels with their navmeshes, bodies recorded in them, and their tracks played through a guard by clients on bad lines.
// Imported by the tests of bodies, quick and long.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECIPES } from '../../navdata/maps.ts';
import { type BuildSpec, buildFromObj, buildNavMesh, readObj } from '../../src/build/index.ts';
import { MoveGuard, type Rules } from '../../src/guard.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import { NavMap } from '../../src/map.ts';
import type { Actor, LineModel, Track, Wire } from '../../src/simulate/actor.ts';
import { Arena } from '../../src/simulate/arena.ts';
import { type Level, levelOfSpec, levelOfTriangles } from '../../src/simulate/bodies/index.ts';
import type { Outcome } from '../../src/simulate/outcome.ts';
import { type Random, seeded } from '../../src/simulate/random.ts';

export interface BodyLevel {
  readonly name: string;
  readonly level: Level;
  readonly bytes: Uint8Array;
}

/** Six islands: nobody jumps between them, the bridge between the first two is open. */
const ISLAND_FENCES = [
  [0, 0, 25, 12],
  [26, 0, 38, 12],
  [0, 13, 12, 25],
  [13, 13, 25, 25],
  [26, 13, 38, 25],
  [11.99, -1, 13.01, 5],
  [11.99, 7, 13.01, 13],
] as const;

export async function bundledLevel(name: string, change: Partial<BuildSpec> = {}): Promise<BodyLevel> {
  const recipe = RECIPES.find((r) => r.name === name);
  if (recipe === undefined) throw new Error(`no bundled map ${name}`);
  const spec = { ...recipe.spec, ...change };
  const level = name === 'islands' ? levelOfSpec(spec, ISLAND_FENCES) : levelOfSpec(spec);
  return { name, level, bytes: await buildNavMesh(spec) };
}

/** A level of RecastDemo, with RecastDemo's own settings; tile 0 = in one piece. */
export async function demoLevel(samples: string, name: string, tile = 0): Promise<BodyLevel> {
  const text = readFileSync(join(samples, 'recast-demo', `${name}.obj`), 'utf8');
  const agent = { radius: 0.6, height: 2, climb: 0.9, slope: 45 };
  const bytes = await buildFromObj(text, { cell: 0.3, cellHeight: 0.2, agent, tile });
  return {
    name: tile === 0 ? name : `${name}, tiles of ${tile}`,
    level: levelOfTriangles(readObj(text), agent, 0.3, 0.2),
    bytes,
  };
}

/**
 * Where gaps are wider than voxels make them, the defaults do. Beside stairs, on slopes and in RecastDemo's levels contours are coarse and walls
 * lean: whoever runs such levels with bodies that press into walls sets `wide`.
 */
export function rulesOn(name: string): Partial<Rules> {
  return /^(pillars|floors|terrain|dungeon|nav_test)/.test(name) ? { edgeTolerance: 'wide' } : {};
}

/** One client: walks a track and sends where it is; a refusal ends it. */
class TrackWalker implements Actor {
  readonly id: string;
  readonly kind = 'honest';
  readonly model: string;
  readonly listens = 'refusals';
  readonly cheatingSince = Infinity;
  wakeAt: number;
  readonly #track: Track;
  readonly #hz: number;
  readonly #quantum: number;
  #start = Number.NaN;
  #seq = 0;

  constructor(id: string, track: Track, startMs: number, hz: number, quantum: number) {
    this.id = id;
    this.model = track.source;
    this.#track = track;
    this.wakeAt = startMs;
    this.#hz = hz;
    this.#quantum = quantum;
  }

  wake(t: number, wire: Wire): void {
    const { xyz, hz, speed } = this.#track;
    if (this.#start !== this.#start) {
      this.#start = t;
      wire.server({ op: 'enter', pos: [xyz[0], xyz[1], xyz[2]], speed });
      wire.server({ op: 'rtt', ms: wire.rttMs });
    } else {
      const at = ((t - this.#start) / 1000) * hz;
      const i = Math.floor(at);
      if (i + 1 >= xyz.length / 3) {
        this.wakeAt = Infinity;
        return;
      }
      const share = at - i;
      const p = (axis: number): number => this.#round(xyz[3 * i + axis] * (1 - share) + xyz[3 * i + 3 + axis] * share);
      wire.move(this.#seq++, p(0), p(1), p(2));
    }
    this.wakeAt = t + (1000 / this.#hz) * wire.random.between(0.9, 1.1);
  }

  hear(): void {
    this.wakeAt = Infinity;
  }

  #round(v: number): number {
    return this.#quantum > 0 ? Math.round(v / this.#quantum) * this.#quantum : v;
  }
}

export interface BodyRefusal {
  readonly track: number;
  readonly outcome: Outcome;
  /** Everything about the entity, the refused claim last. */
  readonly events: readonly MoveLogEvent[];
}

export interface BodyJudgement {
  claims: number;
  undecided: number;
  refusals: BodyRefusal[];
  watched: number;
  worstScore: number;
}

/** Every track through one guard: `rounds` clients each, drawn from the seed. */
export async function playTracks(
  bytes: Uint8Array,
  tracks: readonly Track[],
  seed: number,
  { rounds = 1, rules = {}, ideal = false }: { rounds?: number; rules?: Partial<Rules>; ideal?: boolean } = {},
): Promise<BodyJudgement> {
  const map = await NavMap.load(bytes);
  const random = seeded(seed);
  const result: BodyJudgement = { claims: 0, undecided: 0, refusals: [], watched: 0, worstScore: 0 };
  const events = new Map<string, MoveLogEvent[]>();
  const tap = (event: MoveLogEvent): void => {
    const id = (event as { id?: string }).id;
    if (id === undefined) return;
    const list = events.get(id);
    if (list !== undefined) list.push(event);
  };
  const numbers = new Map<string, number>();
  const arena = new Arena((now) => new MoveGuard(map, rules, { now }), { seed, tap });
  for (let round = 0; round < rounds; round++) {
    tracks.forEach((track, i) => {
      const id = `${i}.${round}`;
      events.set(id, []);
      numbers.set(id, i);
      const line = ideal ? IDEAL : drawLine(random);
      const hz = ideal ? 60 : [5, 10, 20, 30, 60, 120][random.below(6)];
      const quantum = ideal ? 0 : 0.01 * (1 + random.below(5));
      arena.add({ actor: new TrackWalker(id, track, random.between(0, 1000), hz, quantum), line });
    });
  }
  arena.run(1e9);
  for (const outcome of arena.outcomes) {
    result.claims += outcome.claims;
    result.undecided += outcome.undecided;
    result.worstScore = Math.max(result.worstScore, outcome.worstScore);
    if (outcome.worstAction > 0) result.watched++;
    if (outcome.refusals > 0) {
      const all = events.get(outcome.id) as MoveLogEvent[];
      const cut = all.findIndex((e) => e.op === 'move' && e.seq === outcome.first[0].seq);
      result.refusals.push({
        track: numbers.get(outcome.id) as number,
        outcome,
        events: all.slice(0, cut + 1),
      });
    }
  }
  return result;
}

const IDEAL: LineModel = { rttMs: 0, jitterMs: 0, transport: 'ordered', loss: 0, stallMs: 0, stallsPerMinute: 0 };

function drawLine(random: Random): LineModel {
  const rttMs = random.between(20, 400);
  return {
    rttMs,
    jitterMs: random.between(0, rttMs),
    transport: random.chance(0.5) ? 'ordered' : 'unordered',
    loss: random.between(0, 0.05),
    stallMs: 600,
    stallsPerMinute: 2,
  };
}
