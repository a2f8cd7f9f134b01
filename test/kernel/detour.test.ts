// Corridor lengths beside recast-navigation's computePath on the bundled maps. The long run has levels of real games.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { overConnection } from './connection.ts';
import { besideDetour } from './detour.ts';

const SEED = 99001;

test.each(['pillars', 'maze', 'floors', 'terrain', 'islands', 'thin-walls'])(
  '%s: lengths agree with Detour, and every leg is clear',
  async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(`../../navdata/maps/${name}.bin`, import.meta.url)));
    const got = await besideDetour(bytes, 1500, SEED);
    expect(got.blocked.slice(0, 5), `${got.blocked.length} of ${got.legs} legs`).toEqual([]);
    expect(got.split.slice(0, 5), 'a walk for one, none for the other').toEqual([]);
    expect(got.legs).toBeGreaterThan(500);
    // What differs chose another corridor at a tile border.
    const walks = got.within + got.longer + got.shorter;
    expect(got.within / walks, got.far.slice(0, 5).join('\n')).toBeGreaterThan(0.95);
  },
);

const samples = process.env.NAVGUARD_SAMPLES;
if (samples) {
  test('offmeshcons: routes over its connection are as long as recast-navigation says, both ways', async () => {
    const bytes = new Uint8Array(readFileSync(`${samples}/go-detour/offmeshcons.bin`));
    const { crossed, wrong } = await overConnection(bytes, 200, SEED);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(crossed).toBeGreaterThan(100);
  });
}
