// What an attacker can cost: one entity that claims to walk across a large open map, again and again, as fast as it can. How
// much of a core that takes, whether the others notice, and what the limit behind it does to honest clicks.
import type { Tuple } from '../../src/bench/ground.ts';
import type { Level } from '../../src/bench/level.ts';
import { QUICK } from '../../src/bench/measure.ts';
import { groundPoints } from '../../src/bench/queries.ts';
import { type Random, random } from '../../src/bench/random.ts';
import type { Row } from '../../src/bench/report.ts';
import { type Recording, record, SPEED } from '../../src/bench/walkers.ts';
import { MoveGuard } from '../../src/guard.ts';
import { openGround } from '../levels.ts';
import type { OwnCase } from './case.ts';

const POLYGONS = 16_000;
/** Honest entities that move at 20 Hz: few, so that a recording is long. */
const OTHERS = 64;
/** Claims to walk a second of the attacker, and the rate at which the others are watched. */
const RATES = [10, 100, 1000, 10_000] as const;
const WATCHED = 1000;
/** A new entity may spend a second's allowance at once: the attacker's cost is what comes after that, ms. */
const SETTLED_MS = 1000;
/** Honest clickers, and the seconds between two clicks of one of them. */
const CLICKERS = 200;
const CLICK_S = [2, 5] as const;
/** How long they play, ms. */
const CLICK_MS = 60_000;

export const ATTACK_CASE: OwnCase = {
  name: 'attack',
  maps: [`terrain-${POLYGONS}`],
  async run({ queries }) {
    const on = await openGround(POLYGONS);
    const moves = record(on, queries, OTHERS, 0xa77);
    const short = queries <= QUICK.queries;
    // Once for nothing, so that everything is compiled.
    play(on, moves, WATCHED);
    const { calm, attacked } = others(on, moves, short ? 1 : 3);
    const nsPerOp = 1000 * quantile(attacked, 0.99);
    const without = 1000 * quantile(calm, 0.99);
    return {
      case: 'attack',
      map: on.name,
      subject: 'navguard',
      nsPerOp,
      peers: { 'no attacker': without },
      ratios: { 'no attacker': without / nsPerOp },
      margins: {},
      queries: attacked.length,
      compared: attacked.length,
      agreement: {},
      differences: {},
      figures: {
        'us: p50 of the others, no attacker': quantile(calm, 0.5),
        'us: p50 of the others, attacked': quantile(attacked, 0.5),
        ...attackerCost(on, moves),
        ...honestClicks(on, short ? CLICK_MS / 10 : CLICK_MS),
      },
      note: `time: p99 of the others' guard.move, each timed alone, while one entity sends ${WATCHED} map-crossing begin claims a second; ${on.map.info.polygons} polygons`,
    } satisfies Row;
  },
};

/** Microseconds of each of the others' moves, without and with an attacker, in turns. */
function others(on: Level, moves: Recording, turns: number): { calm: Float64Array; attacked: Float64Array } {
  const calm = new Float64Array(turns * moves.n);
  const attacked = new Float64Array(turns * moves.n);
  for (let turn = 0; turn < turns; turn++) {
    calm.set(play(on, moves, 0).moves, turn * moves.n);
    attacked.set(play(on, moves, WATCHED).moves, turn * moves.n);
  }
  return { calm, attacked };
}

/** Microseconds of CPU in a second of wall time that the attacker takes, by its rate; and of single claims. */
function attackerCost(on: Level, moves: Recording): Record<string, number> {
  const figures: Record<string, number> = {};
  const { searchNodesPerSecond } = new MoveGuard(on.map).rules;
  figures[`us a second: what ${searchNodesPerSecond} search nodes cost`] = (searchNodesPerSecond * nodeCost(on)) / 1000;
  let worst = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const rate of RATES) {
    const { claims, settled } = play(on, moves, rate);
    const spent = claims.slice(settled).reduce((sum, us) => sum + us, 0);
    const seconds = (moves.time[moves.n - 1] - SETTLED_MS) / 1000;
    figures[`us a second: the attacker at ${rate} claims a second`] = spent / seconds;
    worst = claims.reduce((most, us) => Math.max(most, us), worst);
    least = Math.min(least, quantile(Float64Array.from(claims), 0.5));
  }
  figures['us: the worst single claim'] = worst;
  figures['us: a claim with the allowance used up'] = least;
  // What it can do besides: moves through whatever is near. Those may always search a little.
  const { claims, settled } = play(on, moves, WATCHED, true);
  figures['us: a hop of up to 3 m, claimed by the same'] =
    claims.slice(settled).reduce((sum, us) => sum + us, 0) / (claims.length - settled);
  return figures;
}

interface Played {
  /** Microseconds of each of the others' moves and of each claim of the attacker. */
  readonly moves: Float64Array;
  readonly claims: readonly number[];
  /** How many of the claims were sent before SETTLED_MS. */
  readonly settled: number;
}

/**
 * Plays the recording; between two moves the attacker sends what is due at `rate` claims a second. With `hops` it claims a
 * hop in any direction after each walk, and that is what is timed.
 */
function play(on: Level, recording: Recording, rate: number, hops = false): Played {
  const { n, entities, entity, seq, time, pos } = recording;
  const clock = { now: 0 };
  const guard = new MoveGuard(on.map, {}, { now: () => clock.now });
  for (const { id, start } of entities) guard.enter(id, { pos: start, speed: SPEED });
  const next = random(0xa77ac);
  const click = crossing(on, next);
  const start = groundPoints(on, next)();
  guard.enter('attacker', { pos: start, speed: SPEED });
  const moves = new Float64Array(n);
  const claims: number[] = [];
  for (let i = 0; i < n; i++) {
    clock.now = time[i];
    while (claims.length < (rate * time[i]) / 1000) {
      // It knows where it is.
      const from = guard.positionAt('attacker') ?? start;
      const claim = { seq: 2 * claims.length, from, ...click(from) };
      const [dx, dz] = [6 * next() - 3, 6 * next() - 3];
      let began = performance.now();
      guard.begin('attacker', claim);
      if (hops) {
        began = performance.now();
        guard.move('attacker', claim.seq + 1, from[0] + dx, from[1], from[2] + dz);
      }
      claims.push(1000 * (performance.now() - began));
    }
    const { id } = entities[entity[i]];
    const began = performance.now();
    guard.move(id, seq[i], pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]);
    moves[i] = 1000 * (performance.now() - began);
  }
  return { moves, claims, settled: Math.min(claims.length, Math.ceil((rate * SETTLED_MS) / 1000)) };
}

/** Clicks at places at least half the map away, with time enough for the walk. */
function crossing(on: Level, next: Random): (from: Tuple) => { to: Tuple; speed: number; duration: number } {
  const { min, max } = on.map.info.bounds;
  const half = Math.max(max[0] - min[0], max[2] - min[2]) / 2;
  const point = groundPoints(on, next);
  return (from) => {
    while (true) {
      const to = point();
      const straight = Math.sqrt((to[0] - from[0]) ** 2 + (to[2] - from[2]) ** 2);
      if (straight >= half) return { to, speed: SPEED, duration: (3000 * straight) / SPEED };
    }
  };
}

/** Nanoseconds per search node: the dearer of the two searches, over pairs that cross the map. */
function nodeCost(on: Level): number {
  const next = random(0x90de);
  const point = groundPoints(on, next);
  const click = crossing(on, next);
  const pairs = Array.from({ length: 100 }, () => {
    const from = point();
    return { from, to: click(from).to };
  });
  const { kernel } = on.map;
  const each = (['shortest', 'corridor'] as const).map((search) => {
    let nodes = 0;
    const began = performance.now();
    for (const { from, to } of pairs) {
      on.map[search](from, to);
      nodes += kernel.output[2];
    }
    return (1e6 * (performance.now() - began)) / nodes;
  });
  return Math.max(...each);
}

/** What becomes of honest clicks across the map, one every few seconds from each of many. */
function honestClicks(on: Level, forMs: number): Record<string, number> {
  const next = random(0xc11c);
  const point = groundPoints(on, next);
  const click = crossing(on, next);
  const clock = { now: 0 };
  const guard = new MoveGuard(on.map, {}, { now: () => clock.now });
  const due = new Float64Array(CLICKERS);
  const soon = (): number => 1000 * (CLICK_S[0] + next() * (CLICK_S[1] - CLICK_S[0]));
  const component = new Int32Array(CLICKERS);
  for (let k = 0; k < CLICKERS; k++) {
    const pos = point();
    component[k] = on.map.locate(pos)?.component ?? -1;
    guard.enter(`clicker ${k}`, { pos, speed: SPEED });
    due[k] = soon();
  }
  const took: number[] = [];
  let undecided = 0;
  let accepted = 0;
  for (let seq = 0; ; seq++) {
    const k = due.indexOf(due.reduce((a, b) => Math.min(a, b)));
    clock.now = due[k];
    if (clock.now > forMs) break;
    due[k] += soon();
    const id = `clicker ${k}`;
    const from = guard.positionAt(id);
    if (from === null) continue;
    const claim = { seq, from, ...click(from) };
    if (on.map.locate(claim.to)?.component !== component[k]) continue;
    const began = performance.now();
    const { accepted: taken, verdict } = guard.begin(id, claim);
    took.push(1000 * (performance.now() - began));
    if (verdict === 'undecided') undecided++;
    else if (taken) accepted++;
  }
  const sorted = Float64Array.from(took);
  return {
    'honest clicks across the map': took.length,
    '% of them accepted with a walk': (100 * accepted) / took.length,
    '% of them undecided': (100 * undecided) / took.length,
    'us: p50 of an honest click': quantile(sorted, 0.5),
    'us: p99 of an honest click': quantile(sorted, 0.99),
  };
}

function quantile(values: Float64Array, share: number): number {
  const sorted = values.slice().sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
