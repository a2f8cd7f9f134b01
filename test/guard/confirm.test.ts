// Claims that are under way while a client is put somewhere: some are legal walks from the new place too, and taken for
// obedience. When the client then is where it was put, the server is there with it, and nobody is refused for it.
import { describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import { field, floors, World } from './world.ts';

/** At 6 m/s on an open field, a round trip of 400 ms (300 are credited), walked into with 20 claims a second. */
function walker(map = field()): World {
  const w = new World(map);
  w.guard.enter('p', { pos: [20, 0, 30], speed: 6 });
  w.guard.rtt('p', 400);
  for (const verdict of w.walk(40, 50, 0.3, 0)) expect(verdict.verdict).toBe('accept');
  return w;
}

/** A stall of 2 s: what it held back comes at once, and one correction answers it. Where that puts the client. */
function stall(w: World): number {
  let x = w.pos[0];
  let put = Number.NaN;
  w.t += 2000;
  for (let i = 0; i < 40; i++) {
    x += 0.3;
    const verdict = w.move(0.01, x, 30);
    if (verdict.verdict === 'correct') {
      expect(put).toBeNaN();
      put = verdict.pos?.[0] ?? Number.NaN;
      // as far as the silence allows: no evidence
      expect(verdict.score).toBe(0);
    } else expect(verdict.verdict).toBe(Number.isNaN(put) ? 'accept' : 'ignore');
  }
  expect(put).toBe(w.pos[0]);
  return put;
}

describe('a correction, and claims from before the client heard of it', () => {
  test('one that is a legal walk is no obedience for good: the acknowledgement puts the entity back', () => {
    const w = walker();
    const put = stall(w);
    const credit = w.state[L.CREDIT];
    // the client walks on, and when the round trip is over the credit pays for where it has come to
    w.t += 450;
    expect(w.move(0, put + 3, 30).verdict).toBe('accept');
    expect(w.pos[0]).toBe(put + 3);
    w.guard.ack('p', 1);
    expect(w.pos).toEqual([put, 0, 30]);
    // as if it had not been: what was charged for it is there again
    expect(w.state[L.CREDIT]).toBeCloseTo(credit + 0.45 * 6.9, 2);
    for (const verdict of w.walk(40, 50, 0.3, 0)) expect(verdict).toMatchObject({ verdict: 'accept', score: 0 });
  });

  test('of a client that acknowledges, none moves anything until it does, also after a second stall', () => {
    const w = walker();
    stall(w);
    w.t += 200;
    w.guard.ack('p', 1);
    for (const verdict of w.walk(200, 50, 0.3, 0)) expect(verdict.verdict).toBe('accept');
    const put = stall(w);
    for (let i = 1; i <= 5; i++) expect(w.move(50, put + 3 + 0.3 * i, 30).verdict).toBe('ignore');
    // the line stands still again, with the acknowledgement behind these
    w.t += 2500;
    for (let i = 1; i <= 4; i++) {
      expect(w.move(0.01, put + 4.5 + 0.3 * i, 30)).toMatchObject({ verdict: 'ignore', reason: 'Stale', score: 0 });
    }
    w.guard.ack('p', 2);
    expect(w.pos[0]).toBe(put);
    for (let i = 1; i <= 20; i++) expect(w.move(0.01, put + 0.3 * i, 30).verdict).toBe('accept');
  });

  test('sooner than the round trip nothing is obedience: one correction, not two', () => {
    const w = walker();
    const put = stall(w);
    // it comes by on its way, in the same flush
    expect(w.move(0.01, put - 0.01, 30).verdict).toBe('accept');
    expect(w.move(0.01, put + 4, 30).verdict).toBe('ignore');
  });

  test('the farthest probe in this time is scored, once', () => {
    const w = walker();
    stall(w);
    w.guard.ack('p', 1);
    w.t += 3000;
    w.move(0, w.pos[0], 30);
    expect(w.move(50, w.pos[0] + 9.5, 30)).toMatchObject({ verdict: 'correct', correction: 2 });
    for (let i = 0; i < 10; i++) expect(w.move(10, w.pos[0] + 80, 30).verdict).toBe('ignore');
    w.guard.ack('p', 2);
    const { layers } = w.guard.evidence('p') ?? { layers: null };
    expect(layers?.speed).toBeGreaterThan(1);
    expect(layers?.speed).toBeLessThan(5.1);
  });
});

describe('what the way back does not give away', () => {
  test('two windows of walking in a row', () => {
    const w = walker();
    const stand = (n: number): void => {
      const [x] = w.pos;
      for (let i = 0; i < n; i++) w.move(50, x, 30);
    };
    stand(400);
    for (const n of [1, 2]) {
      const [x] = w.pos;
      // too long by little; then it stands until the acknowledgement is given up, and goes off at once
      expect(w.move(0, x + 6.9 * 1.3 + 0.3, 30).correction).toBe(n);
      stand(17);
      expect(w.move(50, x + 8.9, 30).verdict).toBe('accept');
      w.guard.ack('p', n);
      expect(w.pos[0]).toBe(n === 1 ? x : x + 8.9);
      // the credit is full again, of the way back a tenth
      if (n === 1) stand(40);
    }
  });

  test('five seconds later', () => {
    const w = walker();
    const put = stall(w);
    for (const verdict of w.walk(101, 50, 0.02, 0)) expect(verdict.accepted).toBe(true);
    w.guard.ack('p', 1);
    expect(w.pos[0]).toBeGreaterThan(put + 1);
  });

  test('up a ledge', () => {
    const w = new World(
      floors([
        [0, 0, 20, 60, 3],
        [20, 0, 60, 60, 0],
      ]),
    );
    w.guard.enter('p', { pos: [18, 3, 30], speed: 6 });
    for (let i = 1; i <= 6; i++) expect(w.move(50, 18 + 0.3 * i, 30, 3).verdict).toBe('accept');
    expect(w.move(0, 59, 30).correction).toBe(1);
    // off the ledge, and down
    for (let i = 1; i <= 20; i++) w.move(50, 19.8 + 0.1 * i, 30, Math.max(0, 3 - 0.16 * i));
    expect(w.pos[1]).toBe(0);
    w.guard.ack('p', 1);
    expect(w.pos[1]).toBe(0);
  });
});

describe('a teleport, and claims from before the client heard of it', () => {
  test('one that comes by the new place is no arrival for good: the true one is', () => {
    const w = walker();
    const [x] = w.pos;
    // back by two metres, over a place that the client is about to pass
    w.walk(7, 50, 0.3, 0);
    w.guard.teleport('p', [x + 4, 0, 30]);
    w.t += 700;
    for (let i = 1; i <= 13; i++) w.move(0.01, x + 2.1 + 0.3 * i, 30);
    // some of them were taken for its walk from there
    expect(w.pos[0]).toBeGreaterThan(x + 5);
    expect(w.move(0.01, x + 4, 30)).toMatchObject({ verdict: 'accept', score: 0 });
    for (const verdict of w.walk(40, 50, 0.3, 0)) expect(verdict).toMatchObject({ verdict: 'accept', score: 0 });
  });

  test('a line that stood still is late to the last of what it held back', () => {
    const w = walker();
    const [x] = w.pos;
    w.t += 232;
    w.guard.teleport('p', [200, 0, 30]);
    for (const dt of [25, 146, 213, 249, 176]) {
      expect(w.move(dt, x + 0.3, 30)).toMatchObject({ verdict: 'ignore', reason: 'Stale', score: 0 });
    }
    // and no longer than latency and a burst together
    expect(w.move(492, x + 0.3, 30)).toMatchObject({ verdict: 'correct', reason: 'Teleport' });
  });
});
