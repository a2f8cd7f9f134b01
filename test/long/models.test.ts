// The bars of judgement for honest players, a slice of `npm run judge`: every client model on maps of each kind.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridRows } from '../../src/simulate/cells.ts';
import { MODELS } from '../../src/simulate/models.ts';
import { logOf, playHonest } from '../../src/simulate/play.ts';
import { seeded } from '../../src/simulate/random.ts';
import { type OpenStage, openGridStage, openStage } from '../../src/simulate/stage.ts';

const SEED = 20;
const CLAIMS = 12_000;
const bundled = (name: string) => async (): Promise<OpenStage> =>
  openStage(name, new Uint8Array(readFileSync(join(import.meta.dirname, `../../navdata/maps/${name}.bin`))), {
    seed: SEED,
  });

const STAGES: readonly (readonly [string, () => Promise<OpenStage>])[] = [
  ...['floors', 'islands', 'maze', 'pillars', 'terrain', 'thin-walls'].map((name) => [name, bundled(name)] as const),
  [
    'grid',
    async () =>
      openGridStage('grid', { rows: gridRows('noise', 40, seeded(1)), cell: 0.5, origin: [-3, 8] }, { seed: SEED }),
  ],
];

/** Click-to-move, jumps on slopes and stalls beyond burstMs are measured by `npm run judge`. */
const CLIENTS = MODELS.filter((m) => m.clicks === 'none' && m.jump[1] === 0 && !m.harsh);

describe.each(STAGES)('%s', async (_name, open) => {
  const stage = await open();
  test.each(CLIENTS.map((m) => [m.name, m] as const))('%s', (_model, client) => {
    const row = playHonest(stage, client, { seed: SEED, claims: CLAIMS });
    const shown = row.suspects
      .slice(0, 1)
      .map((who) => logOf(stage, client, row, who).split('\n').slice(-12).join('\n'));
    expect(shown, `seed ${SEED}: ${JSON.stringify(row.reasons)}, worst score ${row.worstScore}`).toEqual([]);
    expect([row.refusals, row.watched, row.undecided]).toEqual([0, 0, 0]);
    expect(row.claims).toBeGreaterThan(CLAIMS * 0.95);
  });
});
