// A stalled line: what its client sent before it could know of a teleport, a death or a root, or behind a dash, comes late
// and all at once. None of it is held against the player.
import { describe, expect, test } from 'vitest';
import { field, World } from './world.ts';

/** At 6 m/s on an open field, a round trip of 100 ms, walked into with 20 claims a second. */
function walker(): World {
  const w = new World(field());
  w.guard.enter('p', { pos: [20, 0, 30], speed: 6 });
  w.guard.rtt('p', 100);
  for (const verdict of w.walk(40, 50, 0.3, 0)) expect(verdict.verdict).toBe('accept');
  return w;
}

describe('a flush after 900 ms', () => {
  test('of claims from before a teleport is stale', () => {
    const w = walker();
    const [x] = w.pos;
    w.guard.teleport('p', [200, 0, 30]);
    w.t += 900;
    for (let i = 1; i <= 10; i++) {
      expect(w.move(0.1, x + 0.3 * i, 30)).toMatchObject({ verdict: 'ignore', reason: 'Stale', score: 0 });
    }
    expect(w.move(0.1, 200, 30).verdict).toBe('accept');
    // whoever goes on from the old place for longer is put back
    const cheat = walker();
    cheat.guard.teleport('p', [200, 0, 30]);
    expect(cheat.move(1251, x, 30)).toMatchObject({ verdict: 'correct', reason: 'Teleport' });
  });

  test.each([
    ['a death', { alive: false }, 'LiveStatus'],
    ['a root', { rooted: true }, 'ActionStatus'],
  ])('of claims from before %s is ignored', (_what, state, reason) => {
    const w = walker();
    const [x] = w.pos;
    w.guard.state('p', state);
    w.t += 900;
    for (let i = 1; i <= 10; i++) {
      expect(w.move(0.1, x + 0.3 * i, 30)).toMatchObject({ verdict: 'ignore', reason, score: 0 });
    }
    const late = w.move(300, x + 3, 30);
    expect([late.accepted, late.reason]).toEqual([false, reason]);
    expect(late.score).toBeGreaterThan(0);
  });

  test('behind a dash finds the credit untouched: the dash was granted', () => {
    const w = walker();
    const [x] = w.pos;
    w.guard.grant('p', [x + 6, 0, 30]);
    w.t += 400;
    // nearer than what a full purse pays for, farther than a walk of the time that passed
    expect(w.move(0, x + 6, 30).verdict).toBe('accept');
    for (let i = 1; i <= 14; i++) expect(w.move(0.1, x + 6 + 0.3 * i, 30).verdict).toBe('accept');
    // and the grant is used up
    for (const verdict of w.walk(60, 50, 0.3, 0)) expect(verdict.verdict).toBe('accept');
    expect(w.move(50, x + 6, 30).reason).toBe('SpeedLimit');
  });
});

describe('who goes on sending is no stalled line', () => {
  test('claims from before a teleport: stale for rttC + pendingMs, then put back', () => {
    const w = walker();
    const [x] = w.pos;
    w.guard.teleport('p', [200, 0, 30]);
    const verdicts = Array.from({ length: 16 }, (_, i) => w.move(50, x + 0.3 * i, 30));
    // 100 + 500 ms
    expect(verdicts.slice(0, 12).every((v) => v.verdict === 'ignore')).toBe(true);
    expect(verdicts[12]).toMatchObject({ verdict: 'correct', reason: 'Teleport' });
  });

  test.each([
    ['dead', { alive: false }, 'LiveStatus', 'reject'],
    ['rooted', { rooted: true }, 'ActionStatus', 'correct'],
  ])('%s: in flight for rttC + dropGraceMs, then refused', (_what, state, reason, verdict) => {
    const w = walker();
    const [x] = w.pos;
    w.guard.state('p', state);
    const verdicts = Array.from({ length: 8 }, (_, i) => w.move(50, x + 0.3 * (i + 1), 30));
    // 100 + 150 ms
    expect(verdicts.slice(0, 5).every((v) => v.verdict === 'ignore')).toBe(true);
    expect(verdicts[5]).toMatchObject({ verdict, reason });
  });
});

test('steps of a flush into the place of a grant do not use it up', () => {
  const w = walker();
  const [x] = w.pos;
  w.guard.grant('p', [x + 2, 0, 30]);
  w.t += 600;
  for (let i = 1; i <= 12; i++) expect(w.move(0, x + 0.3 * i, 30).verdict).toBe('accept');
  for (const verdict of w.walk(60, 50, 0.3, 0)) expect(verdict.verdict).toBe('accept');
  // back over 18 m in one claim: only the grant pays for that
  expect(w.move(50, x + 2, 30).verdict).toBe('accept');
  w.walk(60, 50, 0.3, 0);
  expect(w.move(50, x + 2, 30).reason).toBe('SpeedLimit');
});

describe('the dead and the rooted who go on', () => {
  test('by sending where they fell, a step from where the server has them, are not watched', () => {
    const w = walker();
    const [x] = w.pos;
    w.guard.state('p', { alive: false });
    for (let i = 0; i < 200; i++) {
      const v = w.move(50, x + 0.6, 30);
      expect([v.accepted, v.action, v.pos]).toEqual([false, 'none', [x, 0, 30]]);
    }
  });

  test('by clicking or holding a stick are refused, and not watched', () => {
    for (const state of [{ alive: false }, { rooted: true }]) {
      const w = walker();
      const from = w.pos;
      w.guard.state('p', state);
      w.t += 2000;
      for (let i = 0; i < 50; i++) {
        w.t += 100;
        const to = [from[0] + 5, 0, 30];
        const v = w.guard.begin('p', { seq: ++w.seq, from, to, speed: 6, duration: 900 });
        expect([v.accepted, v.action]).toEqual([false, 'none']);
      }
      expect(w.pos).toEqual(from);
    }
    const w = walker();
    w.guard.state('p', { alive: false });
    for (let i = 0; i < 100; i++) {
      w.t += 50;
      expect(w.guard.input('p', ++w.seq, [1, 0], 50).action).toBe('none');
    }
  });

  test('the rooted who do not heed corrections are watched', () => {
    const w = walker();
    const [x] = w.pos;
    w.guard.state('p', { rooted: true });
    let action = 'none';
    for (let i = 1; i <= 160; i++) action = w.move(50, x + 0.3 * i, 30).action;
    expect(action).not.toBe('none');
    expect(w.pos).toEqual([x, 0, 30]);
  });
});
