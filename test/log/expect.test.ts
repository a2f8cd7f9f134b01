// Every form of `expect`, and the clause for a wrong one.
import { describe, expect, test } from 'vitest';
import { compileExpect, type JudgedVerdict } from '../../src/log/expect.ts';

const ACCEPTED: JudgedVerdict = {
  verdict: 'accept',
  reason: 'Accept',
  pos: [1, 0, 2],
  used: null,
  allowed: null,
  score: 0,
  action: 'none',
  correction: 0,
};
const WALL: JudgedVerdict = {
  verdict: 'correct',
  reason: 'Wall',
  pos: [1, 0, 2],
  used: null,
  allowed: null,
  score: 1.5,
  action: 'watch',
  correction: 3,
};
const STALE: JudgedVerdict = { ...ACCEPTED, verdict: 'ignore', reason: 'Stale' };
const UNKNOWN: JudgedVerdict = { ...ACCEPTED, verdict: 'reject', reason: 'UnknownEntity', pos: null };
const UNDECIDED: JudgedVerdict = { ...ACCEPTED, verdict: 'undecided', reason: 'Undecided' };

/** A claim infinitely far away: the log writer says "Infinity". */
const FAR: JudgedVerdict = { ...WALL, reason: 'OutOfMap', used: Number.POSITIVE_INFINITY, allowed: 4 };

describe('expect', () => {
  test.each<[unknown, JudgedVerdict, boolean]>([
    [{ used: 'Infinity', allowed: 4 }, FAR, true],
    [{ used: Number.POSITIVE_INFINITY }, FAR, true],
    [{ used: '-Infinity' }, FAR, false],
    [{ used: 'Infinity' }, WALL, false],
    ['accept', ACCEPTED, true],
    ['accept', WALL, false],
    ['accept', UNDECIDED, false],
    ['Accept', UNDECIDED, false],
    ['undecided', UNDECIDED, true],
    ['correct', WALL, true],
    ['Wall', WALL, true],
    ['SpeedLimit', WALL, false],
    ['refused', WALL, true],
    ['refused', UNKNOWN, true],
    ['refused', STALE, true],
    ['refused', ACCEPTED, false],
    ['refused', UNDECIDED, false],
    [['Wall', 'PathPartial'], WALL, true],
    [['accept', 'undecided'], UNDECIDED, true],
    [['accept', 'SpeedLimit'], WALL, false],
    [['SpeedLimit', { reason: 'Wall', scoreAbove: 1 }], WALL, true],
    [{ verdict: 'correct' }, WALL, true],
    [{ verdict: 'refused' }, STALE, true],
    [{ verdict: ['accept', 'ignore'] }, STALE, true],
    [{ verdict: ['accept', 'ignore'] }, WALL, false],
    [{ reason: ['Wall', 'PathPartial'] }, WALL, true],
    [{ pos: [1, 0, 2] }, WALL, true],
    [{ pos: [1, 0, 2.0005] }, WALL, true],
    [{ pos: [1, 0, 2.01] }, WALL, false],
    [{ pos: [1, 0, 2.5], within: 0.5 }, WALL, true],
    [{ pos: [1, 0.6, 2], within: 0.5 }, WALL, false],
    [{ pos: null }, UNKNOWN, true],
    [{ pos: null }, WALL, false],
    [{ pos: [0, 0, 0] }, UNKNOWN, false],
    [{ scoreBelow: 1.5 }, WALL, false],
    [{ scoreBelow: 1.6, scoreAbove: 1.4 }, WALL, true],
    [{ scoreAbove: 1.5 }, WALL, false],
    [{ correction: 3 }, WALL, true],
    [{ correction: 0 }, ACCEPTED, true],
    [{ correction: 2 }, WALL, false],
    [{ correction: true }, WALL, true],
    [{ correction: false }, WALL, false],
    [{ action: 'watch' }, WALL, true],
    [{ action: 'kick' }, WALL, false],
    [{ verdict: 'correct', reason: 'Wall', action: 'none' }, WALL, false],
  ])('%j', (wanted, verdict, holds) => {
    expect(compileExpect(wanted)(verdict)).toBe(holds);
  });

  test.each<[unknown, string]>([
    ['accpet', 'expected a verdict, "refused" or a reason, got "accpet" (is "accept" meant?)'],
    ['wall', 'expected a verdict, "refused" or a reason, got "wall" (is "Wall" meant?)'],
    [[], 'expected at least one alternative, got an empty list'],
    [
      {},
      'expected at least one of verdict, reason, pos, within, scoreBelow, scoreAbove, score, used, allowed, correction, action, got an empty object',
    ],
    [
      { verdit: 'accept' },
      'expected only verdict, reason, pos, within, scoreBelow, scoreAbove, score, used, allowed, correction, action, got "verdit" (is "verdict" meant?)',
    ],
    [
      { reason: 'Walls' },
      /^expected reason to be one of Accept, .*, got "Walls" \(is "Wall" meant\?\)$/ as unknown as string,
    ],
    [{ pos: [1, 2] }, 'expected pos to be [x, y, z] or null, got [1,2]'],
    [{ within: 1 }, 'expected pos beside within, got none'],
    [{ scoreBelow: '1' }, 'expected scoreBelow to be a number, got "1"'],
    [7, 'expected a word, an object, or a list of these, got 7'],
    [null, 'expected a word, an object, or a list of these, got null'],
  ])('wrong: %j', (wanted, clause) => {
    expect(() => compileExpect(wanted)).toThrow(clause);
  });
});
