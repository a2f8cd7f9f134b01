// What an attacker's searches may cost, counted in nodes: no clock of this machine is asked.
import { expect, test } from 'vitest';
import { openGround } from '../../bench/levels.ts';
import { groundPoints } from '../../src/bench/queries.ts';
import { random } from '../../src/bench/random.ts';
import { MoveGuard } from '../../src/guard.ts';
import type { Kernel } from '../../src/kernel/index.ts';

const NODES_PER_SECOND = 2000;
/** Where each search says how many nodes it made. */
const NODES_AT = { shortest: 2, corridor: 2, reach: 13 } as const;

/** The kernel, adding up the nodes of its searches. */
function counting(kernel: Kernel): { kernel: Kernel; nodes: () => number } {
  let nodes = 0;
  const counted = new Proxy(kernel, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: number[]) => {
        const result: unknown = value.apply(target, args);
        if (name in NODES_AT) nodes += target.output[NODES_AT[name as keyof typeof NODES_AT]];
        return result;
      };
    },
  });
  return { kernel: counted, nodes: () => nodes };
}

test('claims as fast as one can cost the search allowance and no node more', async () => {
  const on = await openGround(1500);
  for (const rate of [10, 100, 1000]) {
    const { kernel, nodes } = counting(on.map.createKernel('wasm'));
    const clock = { now: 0 };
    const guard = new MoveGuard({ kernel }, { searchNodesPerSecond: NODES_PER_SECOND }, { now: () => clock.now });
    const point = groundPoints(on, random(rate));
    guard.enter('attacker', { pos: point(), speed: 6 });
    const seconds = 10;
    let undecided = 0;
    for (let seq = 0; seq < seconds * rate; seq++) {
      clock.now = (1000 * seq) / rate;
      const from = guard.positionAt('attacker');
      const verdict = guard.begin('attacker', { seq, from, to: point(), speed: 6, duration: 1e6 });
      if (verdict.verdict === 'undecided') undecided++;
      // The bucket is full at first and holds a second's worth; one node for the rounding of its sums.
      expect(nodes(), `${rate} a second`).toBeLessThanOrEqual(NODES_PER_SECOND * (1 + clock.now / 1000) + 1);
    }
    // The allowance was what stopped it, not the claims' modesty.
    expect(nodes(), `${rate} a second`).toBeGreaterThan(0.8 * NODES_PER_SECOND * seconds);
    expect(undecided).toBeGreaterThan(0);
  }
});

test('who clicks across the map every few seconds is decided', async () => {
  const on = await openGround(1500);
  const clock = { now: 0 };
  const guard = new MoveGuard(on.map, {}, { now: () => clock.now });
  const point = groundPoints(on, random(7));
  const pos = point();
  guard.enter('honest', { pos, speed: 6 });
  const component = on.map.locate(pos)?.component;
  let clicks = 0;
  for (let seq = 0; seq < 200; seq++) {
    clock.now += 2500;
    const to = point();
    if (on.map.locate(to)?.component !== component) continue;
    clicks++;
    const from = guard.positionAt('honest');
    const { verdict, reason } = guard.begin('honest', { seq, from, to, speed: 6, duration: 1e5 });
    expect({ verdict, reason }, `click ${seq}`).toEqual({ verdict: 'accept', reason: 'Accept' });
  }
  expect(clicks).toBeGreaterThan(150);
});
