// A million honest moves and some thousand cheats on every map, through the guard: nobody honest is refused, no cheat
// gets away. Prints what it counted and the seeds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { largeMap } from '../../navdata/large.ts';
import { RECIPES } from '../../navdata/maps.ts';
import { buildFromObj } from '../../src/build/index.ts';
import { NavMap } from '../../src/map.ts';
import type { SimulateOptions } from '../../src/simulate/index.ts';
import { keepRefusal } from './cut.ts';
import { judge } from './judgement.ts';

type Source = [name: string, bytes: () => Promise<Uint8Array>];

const committed = RECIPES.map(({ name }): Source => {
  const path = join(import.meta.dirname, '..', '..', 'navdata', 'maps', `${name}.bin`);
  return [name, async () => readFileSync(path)];
});
const samples = process.env.NAVGUARD_SAMPLES;
const levels = (samples === undefined ? [] : ['dungeon', 'nav_test']).flatMap((name) =>
  [0, 48].map((tile): Source => {
    const path = join(samples ?? '', 'recast-demo', `${name}.obj`);
    return [`${name}-${tile === 0 ? 'solo' : 'tiled'}`, () => buildFromObj(readFileSync(path, 'utf8'), { tile })];
  }),
);
const maps: Source[] = [...committed, ['large', () => largeMap(1500)], ...levels];

/** The whole range of lines first, then lines at their worst. */
const LINES: [what: string, seed: number, seconds: number, options: SimulateOptions][] = [
  ['RTT 20-300 ms, jitter, 10-30 Hz', 1, 100, {}],
  [
    '10 Hz at RTT and jitter of 300 ms, a stall every three seconds',
    2,
    30,
    { hz: 10, rttMs: 300, jitterMs: 300, stallsPerMinute: 20 },
  ],
  ['30 Hz rounded to 5 cm, every tenth packet lost', 3, 15, { hz: 30, quantum: 0.05, loss: 0.1 }],
  ['strolling at 1.5 m/s, 30 Hz rounded to 5 cm', 4, 15, { hz: 30, quantum: 0.05, speed: 1.5 }],
  ['strolling at 0.6 m/s, 30 Hz rounded to 5 cm', 5, 15, { hz: 30, quantum: 0.05, speed: 0.6 }],
  ['walking at 3 m/s, 120 Hz rounded to 5 cm', 6, 6, { hz: 120, quantum: 0.05, speed: 3 }],
];

let honest = 0;
let cheats = 0;

describe.each(LINES)('%s (seed %d)', (_what, seed, seconds, options) => {
  it.each(maps)('%s', async (name, load) => {
    const bytes = await load();
    const map = await NavMap.load(bytes);
    const r = await judge(map, bytes, { players: 64, seconds, cheats: ['speed', 'blink', 'hop'], seed, ...options });
    honest += r.honest;
    cheats += r.runs.speed + r.runs.blink + r.runs.hop;
    console.log(
      `${name}, seed ${seed}: ${r.honest} honest moves, ${r.offMesh} off the mesh by rounding, ${r.walks} round something, ` +
        `${r.undecided} undecided, ${r.refusals.length} refused; cheats ${JSON.stringify(r.runs)} refused for ` +
        `${JSON.stringify(r.reasons)}, ${r.escaped.length} escaped; runs of unsure guilt ${JSON.stringify(r.unsure)}`,
    );
    const kept = r.refusals.slice(0, 10).map((refusal) => keepRefusal(map, name, bytes, seed, refusal));
    expect(kept, `${r.refusals.length} honest moves refused`).toEqual([]);
    expect(r.undecided).toBe(0);
    expect(r.escaped).toEqual([]);
    expect(r.late).toEqual([]);
    // The game had walls in the way and cheats to refuse: the zeros above mean something.
    expect(r.runs.blink).toBeGreaterThan(0);
    // Strollers' steps are stairs of rounding: too short to convict by.
    if (options.speed === undefined) {
      expect(r.runs.speed).toBeGreaterThan(0);
      expect(r.walks).toBeGreaterThan(0);
    }
    expect(Object.keys(r.reasons.hop)).not.toContain('Accept');
  });
});

afterAll(() => {
  console.log(`in all: ${honest} honest moves, ${cheats} cheats`);
  expect(honest).toBeGreaterThan(1_000_000);
});
