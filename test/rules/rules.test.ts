// The table of rules: whole, checked, and helpful about mistakes.
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { edgeToleranceOn, resolveRules } from '../../src/rules/rules.ts';
import { RULE_NAMES, RULE_TABLE, type RuleEntry } from '../../src/rules/table.ts';

function refused(rules: unknown): NavguardError {
  try {
    resolveRules(rules as Record<string, unknown>);
  } catch (error) {
    expect(error).toBeInstanceOf(NavguardError);
    expect((error as NavguardError).code).toBe('BAD_RULE');
    return error as NavguardError;
  }
  throw new Error('not refused');
}

test('defaults', () => {
  expect(resolveRules()).toEqual({
    speedTolerance: 1.15,
    burstMs: 1000,
    rttCreditMaxMs: 300,
    wayRoundSlackMs: 250,
    pendingMs: 500,
    ackRadius: 1,
    positionQuantum: 0.05,
    edgeTolerance: 'auto',
    below: 0.5,
    above: 2.6,
    yOffset: 0,
    jumpHeight: 2.1,
    gravity: 9.81,
    fallSpeedMax: 60,
    falls: 'edges',
    jumpGap: 0,
    teleportDistance: 50,
    maxSeqGap: 65536,
    maxStop: 5,
    durationTolerance: 0.1,
    durationSlackMs: 100,
    refuseSlow: false,
    snapshotThreshold: 0.1,
    dropGraceMs: 150,
    doorGraceMs: 150,
    searchNodesPerSecond: 20_000,
    nodeCap: 4096,
    wall: 'reach',
    speedMetric: 'plan',
    driftTolerance: 0.06,
    scoreHalfLifeMs: 30_000,
    watchAt: 1,
    restrictAt: 3,
    kickAt: 10,
    shadow: [],
  });
});

test('every rule says what it is for, and accepts its own default', () => {
  for (const name of RULE_NAMES) {
    const entry: RuleEntry = RULE_TABLE[name];
    expect(entry.catches.length, name).toBeGreaterThan(3);
    expect(entry.spares.length, name).toBeGreaterThan(3);
    expect(resolveRules({ [name]: entry.fallback })[name]).toEqual(entry.fallback);
    if (entry.kind === 'number') {
      expect(entry.min).toBeLessThanOrEqual(entry.fallback);
      expect(entry.max).toBeGreaterThanOrEqual(entry.fallback);
      for (const bad of [entry.min - 1, entry.max + 1, NaN, Infinity, '1', null]) {
        expect(refused({ [name]: bad }).message).toContain(`rules.${name}: expected`);
      }
    }
  }
});

test.each([
  ['speedTolerence', 'speedTolerance'],
  ['burst', 'burstMs'],
  ['teleportDist', 'teleportDistance'],
  ['wal', 'wall'],
  ['JUMPHEIGHT', 'jumpHeight'],
  ['kickat', 'kickAt'],
])('%s: did you mean %s', (got, expected) => {
  const error = refused({ [got]: 1 });
  expect(error.message).toContain(`"${got}"`);
  expect(error.message).toContain(`"${expected}"`);
  expect(error.detail).toEqual({ got, expected });
});

test('values are named in the error', () => {
  expect(refused({ speedTolerance: 0.5 }).message).toBe('rules.speedTolerance: expected a number of 1..10 x, got 0.5');
  expect(refused({ wall: 'none' }).message).toBe('rules.wall: expected one of "reach", "sight", got "none"');
  expect(refused({ refuseSlow: 1 }).message).toContain('true or false, got 1');
  expect(refused({ shadow: ['Walls'] }).message).toContain('got "Walls"');
  expect(refused({ nodeCap: 1.5 }).message).toContain('a whole number of 1..4096');
  expect(refused({ edgeTolerance: 'big' }).message).toContain(', "auto" or "wide"');
  expect(refused({ watchAt: 5, restrictAt: 3 }).message).toContain('ascending');
  for (const bad of [null, 7, 'x', []]) expect(refused(bad).message).toContain('an object of rules');
  // the beginning of a name is nearer than a name of the same length
  expect(refused({ speedTol: 1 }).message).toContain('nearest known rule is "speedTolerance"');
  expect(refused({ __proto__x: 1 }).message).toContain('unknown rule');
  expect(refused(JSON.parse('{"__proto__": 1}')).message).toContain('unknown rule');
});

test('edge tolerance follows the cells of the map and its agent', () => {
  expect(edgeToleranceOn(resolveRules(), 0.2, Math.fround(0.4))).toBeCloseTo(0.4, 9);
  expect(edgeToleranceOn(resolveRules(), 0.3, 0.4)).toBeCloseTo(0.6, 9);
  expect(edgeToleranceOn(resolveRules(), 0.2, 0)).toBe(0.25);
  expect(edgeToleranceOn(resolveRules(), 0.3, 3)).toBeCloseTo(2.3 * 0.3 + 0.6 * 3 + 0.05 * Math.SQRT1_2, 9);
  expect(edgeToleranceOn(resolveRules(), 0, 0.4)).toBe(0.1);
  expect(edgeToleranceOn(resolveRules({ edgeTolerance: 'wide' }), 0.2, 0.4)).toBeCloseTo(0.735355, 6);
  expect(edgeToleranceOn(resolveRules({ edgeTolerance: 'wide' }), 0, 0.4)).toBe(0.1);
  expect(edgeToleranceOn(resolveRules({ edgeTolerance: 0 }), 0.2, 0.4)).toBe(0);
});

test('rule sets have one shape, whatever they were made of: what V8 optimised for one guard serves the next', () => {
  setFlagsFromString('--allow-natives-syntax');
  const sameShape = new Function('a', 'b', 'return %HasFastProperties(a) && %HaveSameMap(a, b)');
  setFlagsFromString('--no-allow-natives-syntax');
  // numbers that are no small integers, and words where a number may stand, come first
  const rich = resolveRules({ burstMs: 250.5, watchAt: 0.5, edgeTolerance: 0.2, shadow: ['Wall'], wall: 'sight' });
  resolveRules();
  for (const partial of [{}, { burstMs: 300 }, { edgeTolerance: 0 }, { falls: 'off' }]) {
    expect(sameShape(resolveRules(partial), resolveRules({ ...rich })), JSON.stringify(partial)).toBe(true);
  }
  expect(Object.keys(resolveRules())).toEqual([...RULE_NAMES]);
});
