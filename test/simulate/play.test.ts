// Honest players keep to their speed and to the ground; cheats do what they are named for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../navdata/maps.ts';
import type { Box } from '../../src/build/index.ts';
import { drawProfile } from '../../src/simulate/client.ts';
import { Ground } from '../../src/simulate/ground.ts';
import { findHopSites } from '../../src/simulate/hops.ts';
import { Player } from '../../src/simulate/player.ts';
import { seeded } from '../../src/simulate/random.ts';
import { separation } from './separation.ts';

const STEP_MS = 1000 / 60;
const mapBytes = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', '..', 'navdata', 'maps', `${name}.bin`));

describe('honest walkers', () => {
  it.each(RECIPES.map((r) => r.name))('on %s never outrun their speed and stay on the ground', async (name) => {
    const seed = 41;
    const random = seeded(seed);
    const ground = await Ground.open(mapBytes(name), 12);
    const players: Player[] = [];
    for (let i = 0; i < 12; i++) {
      players.push(
        new Player(ground, random, `p${i}`, { kind: 'honest' }, random.between(2, 7), drawProfile(random, {}), 0),
      );
    }
    let walked = 0;
    for (let time = STEP_MS; time < 60_000; time += STEP_MS) {
      ground.crowd.update(STEP_MS / 1000);
      for (const player of players) {
        player.step(time);
        const { now, before } = player;
        const moved = Math.hypot(now.x - before.x, now.z - before.z);
        walked += moved;
        // Detour's walk along the surface may end a few millimetres beyond the asked point.
        const most = (player.speed * STEP_MS) / 1000 + 0.0031;
        if (moved > most) expect.fail(`seed ${seed}, ${player.id} at ${time} ms moved ${moved} m of ${most}`);
        // The crowd's own height goes stale on steep edges; the client reports the floor's.
        const floor = ground.nearest({ ...now, y: ground.floorAt(now) });
        const off = floor === null ? Infinity : Math.hypot(floor.x - now.x, floor.z - now.z);
        if (off > 0.002) {
          expect.fail(
            `seed ${seed}, ${player.id} at ${time} ms is ${off} m off the ground: ${JSON.stringify([now, floor])}`,
          );
        }
      }
    }
    ground.destroy();
    // They do walk: a metre a second each at the least.
    expect(walked).toBeGreaterThan(12 * 60);
  });
});

describe('findHopSites', () => {
  it.each(['pillars', 'maze', 'floors', 'islands', 'thin-walls'])(
    'on %s gives ends that walls really part',
    async (name) => {
      const boxes = RECIPES.find((r) => r.name === name)?.spec.boxes as readonly Box[];
      const ground = await Ground.open(mapBytes(name), 1);
      const sites = findHopSites(ground, seeded(5), 25, 2.8, 18);
      expect(sites.length).toBe(25);
      for (const { from, to } of sites) {
        expect(Math.hypot(to.x - from.x, to.z - from.z)).toBeLessThan(3);
        expect(ground.onGround(from)).not.toBeNull();
        expect(ground.onGround(to)).not.toBeNull();
        // Half of Detour's figure is what the referee relies on.
        expect(separation(boxes, from, to, 9)).toBeGreaterThan(9);
      }
      ground.destroy();
    },
  );
});
