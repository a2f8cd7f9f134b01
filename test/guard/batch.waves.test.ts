// checkBatch over crowds: chunks of every length, entities that come again at once, later or never, refusals of every kind in
// the middle of a wave, several guards on one map; against move one by one, for both engines. Seeds stand in the names.
import { expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { extentOf } from '../../src/rules/extent.ts';
import { random } from './rounding.ts';
import { bundled } from './world.ts';

const ACTIONS = ['none', 'watch', 'restrict', 'kick'];
const BOUNDS = ['exact', 'lower', 'upper'];

type Vec = [number, number, number];

/** Who claims next: how often an entity comes again within a wave of 128. */
const ORDERS: [string, number, (i: number, count: number, rand: () => number) => number][] = [
  ['each in turn', 300, (i, count) => i % count],
  ['anyone', 60, (_, count, rand) => Math.floor(rand() * count)],
  ['each three times in a row', 150, (i, count) => Math.floor(i / 3) % count],
  ['a few', 5, (_, count, rand) => Math.floor(rand() * count)],
  ['one alone', 1, () => 0],
];

for (const engine of ['wasm', 'twin'] as const) {
  for (const name of ['thin-walls', 'terrain', 'floors']) {
    test.each(ORDERS)(`${engine}, ${name}, %s (seed 81)`, async (order, count, who) => {
      const map = await bundled(name);
      const rand = random(81);
      let now = 0;
      const one = new MoveGuard(map, {}, { engine, now: () => now });
      // two guards on one kernel: their waves share its memory
      const shared = { kernel: map.createKernel(engine), info: map.info };
      const all = new MoveGuard(shared, {}, { now: () => now });
      const other = new MoveGuard(shared, {}, { now: () => now });
      const ids = Array.from({ length: count }, (_, i) => `p${i}`);
      const { minX, minY, minZ, maxX, maxY, maxZ } = extentOf(map.kernel);
      const [min, max] = [
        [minX, minY, minZ],
        [maxX, maxY, maxZ],
      ];
      const place = (): Vec => {
        for (;;) {
          const at = [0, 1, 2].map((k) => min[k] + rand() * (max[k] - min[k])) as Vec;
          const found = map.locate(at, { below: 50, above: 50 });
          if (found !== null) return found.point as Vec;
        }
      };
      const places = ids.map(place);
      ids.forEach((id, k) => {
        for (const guard of [one, all, other]) guard.enter(id, { pos: places[k], speed: 6 });
      });
      const seq = ids.map(() => 0);
      const claims = all.claims(400);
      const seen = new Map<string, number>();
      let accepted = 0;
      let judged = 0;
      for (let round = 0; round < 12; round++) {
        const n = [400, 129, 128, 127, 1, 37][round % 6];
        // between batches, facts that make moves other than ordinary
        const id = ids[Math.floor(rand() * count)];
        for (const guard of [one, all]) {
          if (round % 6 === 1) guard.boost(id, 5, 400);
          if (round % 6 === 2) guard.impulse(id, [3, 2, 0], 10);
          if (round % 6 === 3) guard.state(id, { rooted: round < 6 });
          if (round % 6 === 4) guard.setSpeed(id, 3);
          if (round % 6 === 5) guard.pause(50);
        }
        let t = now;
        for (let i = 0; i < n; i++) {
          const k = who(i, count, rand);
          t += rand() < 0.3 ? 0 : (rand() * 90) / count;
          const odd = rand();
          const far = odd < 0.01 ? 80 : odd < 0.04 ? 4 : 0.28;
          const angle = rand() * 2 * Math.PI;
          const still = rand() < 0.15 ? 0 : 1;
          const at = places[k];
          const next: Vec = [at[0] + still * far * Math.cos(angle), at[1], at[2] + still * far * Math.sin(angle)];
          const floor = map.locate([next[0], next[1], next[2]], { below: 2, above: 2 });
          if (floor !== null) next[1] = (floor.point as Vec)[1];
          const rounded = next.map((v) => (rand() < 0.7 ? Math.round(v * 100) / 100 : v)) as Vec;
          if (far < 1 && floor !== null) places[k] = rounded;
          claims.entity[i] = rand() < 0.01 ? [-1, 1e6][i % 2] : all.slot(ids[k]);
          claims.seq[i] = rand() < 0.02 ? [Number.NaN, -1, 1.5, 0][i % 4] : ++seq[k];
          claims.pos.set(rounded, 3 * i);
          if (rand() < 0.01) claims.pos[3 * i + (i % 3)] = [Number.NaN, Infinity, 1e308][i % 3];
          if (rand() < 0.03) claims.pos[3 * i + 1] += rand() * 5;
          claims.t[i] = rand() < 0.02 ? [Number.NaN, -5, Infinity][i % 3] : t;
        }
        other.checkBatch(claims, Math.min(n, 50));
        all.checkBatch(claims, n);
        for (let i = 0; i < n; i++) {
          now = claims.t[i];
          const [x, y, z] = claims.pos.subarray(3 * i, 3 * i + 3);
          const v = one.move(ids[claims.entity[i]] ?? 'nobody', claims.seq[i], x, y, z);
          judged++;
          if (v.accepted) accepted++;
          seen.set(v.reason, (seen.get(v.reason) ?? 0) + 1);
          const got = [claims.verdict[i], claims.reason[i], claims.bound[i], claims.action[i], claims.correction[i]];
          const want = [
            v.verdictCode,
            v.reasonCode,
            v.bound === null ? -1 : BOUNDS.indexOf(v.bound),
            ACTIONS.indexOf(v.action),
            v.correction,
          ];
          for (const list of ['used', 'allowed', 'straight', 'length'] as const) {
            got.push(claims[list][i]);
            want.push(v[list] ?? Number.NaN);
          }
          got.push(claims.score[i], ...claims.at.subarray(3 * i, 3 * i + 3));
          want.push(v.score, ...(v.pos ?? [Number.NaN, Number.NaN, Number.NaN]));
          const k = got.findIndex((value, at) => !Object.is(value, want[at]));
          if (k >= 0) throw new Error(`${order}, round ${round}, claim ${i}, number ${k}: ${got[k]} and ${want[k]}`);
        }
        now = t;
        for (const who of ids) {
          const [a, b] = [one.stateOf(who) as Float64Array, all.stateOf(who) as Float64Array];
          const k = a.findIndex((value, at) => !Object.is(value, b[at]));
          if (k >= 0) throw new Error(`${order}, round ${round}, ${who}: number ${k} is ${a[k]} and ${b[k]}`);
        }
      }
      // the ordinary move is the rule, and what is not ordinary is there
      expect(accepted).toBeGreaterThan(judged / 4);
      expect(judged - accepted).toBeGreaterThan(judged / 50);
      for (const reason of ['Accept', 'Malformed', 'UnknownEntity', 'Replay'])
        expect([...seen.keys()]).toContain(reason);
    });
  }
}
