// Corridor lengths beside recast-navigation's computePath on levels whose geometry other projects published.
import { expect, test } from 'vitest';
import { besideDetour } from '../kernel/detour.ts';
import { LEVELS } from './levels.ts';

const SEED = 99101;

test.each(LEVELS)(
  '%s: lengths agree with Detour, and every leg is clear',
  async (name, make) => {
    const got = await besideDetour(await make(), 44_000, SEED);
    const { far, split, blocked, ...counts } = got;
    console.log(name, JSON.stringify(counts), far.slice(0, 3));
    expect(blocked.slice(0, 5), `${blocked.length} of ${got.legs} legs`).toEqual([]);
    expect(split.slice(0, 5), 'a walk for one, none for the other').toEqual([]);
    const walks = got.within + got.longer + got.shorter;
    expect(walks).toBeGreaterThan(9000);
    expect(got.within / walks, far.slice(0, 5).join('\n')).toBeGreaterThan(0.95);
  },
  300_000,
);
