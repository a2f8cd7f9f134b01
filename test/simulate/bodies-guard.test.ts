// A seeded slice of bodies in the bundled levels, through the guard at its defaults over bad lines: none is refused. The
// large run is test/long/bodies.test.ts.
import { expect, test } from 'vitest';
import { Footing, newPilotCounts, recordBodies } from '../../src/simulate/bodies/index.ts';
import { Ground } from '../../src/simulate/ground.ts';
import { seeded } from '../../src/simulate/random.ts';
import { bundledLevel, playTracks, rulesOn } from './bodyplay.ts';

const SEED = 3;

test.each(['pillars', 'maze', 'floors', 'terrain', 'islands', 'thin-walls'])(`%s (seed ${SEED})`, async (name) => {
  const { level, bytes } = await bundledLevel(name);
  const ground = await Ground.open(bytes, 1);
  const footing = await Footing.open(bytes);
  try {
    const counts = newPilotCounts();
    const tracks = recordBodies(level, ground, footing, seeded(SEED), { walkers: 4, seconds: 30 }, counts);
    // bodies that do something: press against walls, jump
    expect(counts.steps).toBeGreaterThan(4 * 29 * 60);
    expect(counts.pressed / counts.steps).toBeGreaterThan(0.03);
    expect(counts.jumps).toBeGreaterThan(5);
    const again = recordBodies(level, ground, footing, seeded(SEED), { walkers: 1, seconds: 5 });
    expect(again[0].xyz).toEqual(tracks[0].xyz.subarray(0, again[0].xyz.length));
    const { claims, undecided, refusals, watched } = await playTracks(bytes, tracks, SEED, {
      rounds: 2,
      rules: rulesOn(name),
    });
    expect(claims).toBeGreaterThan(3000);
    expect(refusals.map(({ outcome, events }) => [outcome.first[0], events.slice(-3)])).toEqual([]);
    expect([undecided, watched]).toEqual([0, 0]);
  } finally {
    ground.destroy();
    footing.destroy();
  }
});
