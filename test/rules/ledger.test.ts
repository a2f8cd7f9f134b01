// The ledger's numbers: each has a place of its own.
import { expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';

/** How many numbers stand at a place that is more than one. */
const RUNS: Readonly<Record<string, number>> = {
  LOWER: 2 * L.LOWER_MAX,
  PUSH: L.PUSH_MAX * L.PUSH_STRIDE,
  TELE_FROM: 3,
  TELE_TO: 3,
  GRANT: L.GRANT_MAX * L.GRANT_STRIDE,
  LEDGE: 4,
  SCORES: L.LAYERS,
  RING: L.RING_MAX * L.RING_STRIDE,
  SPEEDS: L.SPEEDS_MAX,
  WINDOW: L.WINDOW_MAX * L.WINDOW_STRIDE,
};
/** What is exported besides places: bits of FLAGS, counts, times. */
const NO_PLACE =
  /(_MAX|_STRIDE)$|^(STRIDE|LAYERS|KEEP_MS|CORNER|ALIVE|ROOTED|FLYING|SEEN|PENDING|STALE|WALKING|LEFT|AIRBORNE|OVER_LEDGE|GRANTED|ON_LINK|PLACED_OFF|OVER_GAP|UNCONFIRMED|ATTACHED|BY_WORD)$/;

test('no two numbers share a place, and all lie within the stride', () => {
  const owner = new Map<number, string>();
  for (const [name, at] of Object.entries(L)) {
    if (typeof at !== 'number' || NO_PLACE.test(name)) continue;
    for (let k = 0; k < (RUNS[name] ?? 1); k++) {
      expect([at + k, owner.get(at + k)]).toEqual([at + k, undefined]);
      owner.set(at + k, name);
    }
    expect(at + (RUNS[name] ?? 1)).toBeLessThanOrEqual(L.STRIDE);
  }
  expect(owner.size).toBeGreaterThan(100);
});
