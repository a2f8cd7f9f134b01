// Broken exports in a process that may be killed: whatever passes our check must neither hang nor crash the importer, nor
// recast-navigation's own queries afterwards. Needs the built library (npm run build).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { flips, type Mutant, nastyWords, prefixes, replaced, scattered } from '../bytes/mutants.ts';
import { smallMset } from '../bytes/small.ts';
import { runMutants } from './mutantpool.ts';

const LIBRARY = process.env.NAVGUARD_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
const SAMPLES = process.env.NAVGUARD_SAMPLES;
const SEED = Number(process.env.NAVGUARD_SEED ?? 20261);
const LIMIT_MS = 5000;

const files: [string, () => Promise<Uint8Array>][] = [['generated', smallMset]];
if (SAMPLES !== undefined) {
  files.push([
    'solomesh-stair2',
    async () => new Uint8Array(readFileSync(join(SAMPLES, 'go-detour/solomesh-stair2.bin'))),
  ]);
}

const kinds: [string, (file: Uint8Array) => Iterable<Mutant>][] = [
  ['every prefix', prefixes],
  ['every byte ^ 0xff', (file) => flips(file, 0xff)],
  ['every byte ^ 0x01', (file) => flips(file, 0x01)],
  ['every byte ^ 0x80', (file) => flips(file, 0x80)],
  ['every byte at random', (file) => replaced(file, SEED)],
  ['every word by nasty numbers', nastyWords],
  ['2 to 8 bytes at random', (file) => scattered(file, 5000, SEED)],
];

describe.each(files)('mutants of %s', (_file, make) => {
  it.each(kinds)(`%s (seed ${SEED})`, async (kind, mutate) => {
    const library = join(LIBRARY, 'src/bytes/index.js');
    expect(existsSync(library), `${library} is built`).toBe(true);
    const file = await make();
    const tally: Record<string, number> = {};
    const failures: string[] = [];
    const count = await runMutants(mutate(file), library, LIMIT_MS, (mutant, { code, message }) => {
      tally[code] = (tally[code] ?? 0) + 1;
      const refused = code === 'BAD_FILE' || code === 'UNSUPPORTED_FORMAT';
      // A whole prefix is never a whole file; anything else may load as what it spells, which the import itself compares.
      const fine = refused ? /^.+\.$/.test(message) : code === 'LOADED' && kind !== 'every prefix';
      if (!fine) failures.push(`${mutant.name}: ${code} ${message}`);
    });
    console.log(`${kind}: ${JSON.stringify(tally)}`);
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });
});
