// What was recorded live gives the live verdicts when it is audited: line by line, over many rotated files, with honest
// players of several client models and cheats of the zoo, all that a game does to players, and garbage.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Audit } from '../../src/log/audit.ts';
import { verdictLine } from '../../src/log/writer.ts';
import { NavMap } from '../../src/map.ts';
import type { Placed } from '../../src/serve/given.ts';
import { startServer } from '../../src/serve/server.ts';
import { honestCast } from '../../src/simulate/cast.ts';
import { CHEATS } from '../../src/simulate/cheats/index.ts';
import { modelNamed } from '../../src/simulate/models.ts';
import { seeded } from '../../src/simulate/random.ts';
import { type OpenStage, openStage } from '../../src/simulate/stage.ts';
import { Live } from './live.ts';

const MAP = resolve(__dirname, '../../navdata/maps/pillars.bin');
const MODELS = [
  '10hz',
  '20hz',
  '60hz',
  'sprint',
  'boost',
  'dash',
  'teleport',
  'knock',
  'root',
  'death',
  'everything',
  'click',
  'click-moves',
];
const CHEATERS = [
  'speed x3',
  'blink',
  'wall hop',
  'replay',
  'NaN and friends',
  'forged sequence',
  'teleport never acknowledged',
  'hover',
  'click through a wall',
  'short clicks',
];

let stage: OpenStage;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-exact-'));
  stage = await openStage('pillars', readFileSync(MAP), { seed: 5, walkers: 8, seconds: 15 });
});
afterAll(() => {
  stage.destroy();
  rmSync(folder, { recursive: true });
});

interface Case {
  readonly form: 'ngml' | 'ndjson';
  readonly expect: boolean;
  readonly seed: number;
  /** Of play. */
  readonly ms: number;
}

async function play({ form, expect: carries, seed, ms }: Case) {
  const live: string[] = [];
  const places = new Map<string, Placed>();
  const server = await startServer(await NavMap.load(readFileSync(MAP)), {
    // many files, so that every entity is taken over from file to file again and again
    record: {
      file: join(folder, `moves.${form}`),
      maxBytes: form === 'ngml' ? 30_000 : 60_000,
      files: 1000,
      expect: carries,
    },
    mapFile: MAP,
    place: (_, name) => places.get(name ?? ''),
    onVerdict: (t, claim, verdict) => live.push(verdictLine(t, claim, verdict)),
    kick: false,
    perAddress: 100,
    roomSize: 100,
    messagesPerSecond: 500,
    bytesPerSecond: 1e6,
    pingMs: 200,
  });
  const random = seeded(seed);
  const start = performance.now();
  const casts = MODELS.map((name, i) => {
    const model = modelNamed(name);
    if (model === undefined) throw new Error(`no model ${name}`);
    return honestCast(stage, model, `honest${i}`, seeded(random.below(2 ** 32)), start + 20 * i);
  });
  for (const [i, name] of CHEATERS.entries()) {
    const cheat = CHEATS.get(name);
    if (cheat === undefined) throw new Error(`no cheat ${name}, but ${[...CHEATS.keys()].join(', ')}`);
    const cast = cheat.make(stage, `cheat${i}`, seeded(random.below(2 ** 32)), start + 20 * i);
    if (cast !== null) casts.push(cast);
  }
  const actors = casts.map(({ actor }, i) => new Live(server, actor, places, seed + i));
  await new Promise((done) => setTimeout(done, ms));
  for (const actor of actors) actor.stop();
  const files = server.judge.log?.names ?? [];
  await server.close();
  const offline: string[] = [];
  const audit = new Audit({
    check: true,
    onVerdict: (t, claim, verdict) => {
      const { expect: _, ...bare } = claim;
      offline.push(verdictLine(t, bare as typeof claim, verdict));
    },
  });
  for (const file of files) await audit.run(file);
  return { live, offline, files, summary: audit.summary(), actors, gaps: server.judge.log?.gaps };
}

describe('recorded live, audited offline', () => {
  test.concurrent.each<Case>([
    { form: 'ngml', expect: false, seed: 20260731, ms: 6000 },
    { form: 'ndjson', expect: true, seed: 4711, ms: 5000 },
  ])('$form, seed $seed', async (given) => {
    const { live, offline, files, summary, actors, gaps } = await play(given);
    expect(files.length).toBeGreaterThan(5);
    expect(gaps).toBe(0);
    expect(live.length).toBeGreaterThan(1000);
    expect(offline.length).toBe(live.length);
    const differences = live.flatMap((line, i) => (line === offline[i] ? [] : [{ live: line, offline: offline[i] }]));
    expect(differences.slice(0, 3)).toEqual([]);
    expect(summary.mismatchCount).toBe(0);
    expect(summary.expected).toBe(given.expect ? live.length : 0);
    // it was worth comparing
    const reasons = new Set(live.map((line) => JSON.parse(line).reason as string));
    expect(reasons.size).toBeGreaterThanOrEqual(5);
    expect(actors.reduce((sum, a) => sum + a.answered, 0)).toBeGreaterThan(0.9 * live.length);
  });
});
