// What counts for one claim of a batch only: that its client is heard of for the first time. It must not count for others.
import { expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { field } from './world.ts';

test('a newcomer in the same batch changes nothing for claims from before a teleport', () => {
  const clock = { now: 0 };
  const [one, all] = [0, 1].map(() => new MoveGuard(field(), {}, { now: () => clock.now }));
  for (const guard of [one, all]) {
    clock.now = 0;
    guard.enter('late', { pos: [10, 0, 5], speed: 5 });
    guard.enter('new', { pos: [20, 0, 5], speed: 5 });
    guard.move('late', 1, 10, 0, 5);
    // silent for a second: what it sent meanwhile is held back
    clock.now = 1000;
    guard.teleport('late', [100, 0, 5]);
  }
  const claims = all.claims(2);
  const said: [string, number, number][] = [
    ['late', 2, 11],
    ['new', 1, 20],
  ];
  said.forEach(([id, seq, x], i) => {
    claims.entity[i] = all.slot(id);
    claims.seq[i] = seq;
    claims.pos.set([x, 0, 5], 3 * i);
    claims.t[i] = 1700;
  });
  all.checkBatch(claims, 2);
  clock.now = 1700;
  const singly = said.map(([id, seq, x]) => one.move(id, seq, x, 0, 5).copy());
  expect(singly.map((verdict) => verdict.verdict)).toEqual(['ignore', 'accept']);
  expect(Array.from(claims.verdict)).toEqual(singly.map((verdict) => verdict.verdictCode));
  expect(all.stateOf('late')).toEqual(one.stateOf('late'));
});
