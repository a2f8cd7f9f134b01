// The table of facts: which fields each has, checked with valibot. Off the hot path: facts are rare beside claims.
// Only parser.ts imports this.
import * as v from 'valibot';
import { footprintOf } from '../rules/footprint.ts';
import { STRATEGY_WORDS, type Strategy } from '../rules/strategy.ts';
import { CLAIM_OPS, type Fact, type FactOp } from './events.ts';
import { badLine, shown } from './problem.ts';
import { misspeltField } from './strays.ts';

function numbers(value: unknown, count: number): boolean {
  return Array.isArray(value) && value.length === count && value.every((n) => Number.isFinite(n));
}

const id = v.pipe(v.string('a string that is not empty'), v.nonEmpty('a string that is not empty'));
const label = v.custom<string | number>(
  (value) => (typeof value === 'string' && value !== '') || Number.isSafeInteger(value),
  'a string or a whole number',
);
const finite = v.custom<number>((value) => Number.isFinite(value), 'a finite number');
const atLeastZero = v.custom<number>(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  'a finite number of at least 0',
);
const flag = v.boolean('true or false');
const way = v.custom<boolean | 'forward' | 'backward'>(
  (value) => typeof value === 'boolean' || value === 'forward' || value === 'backward',
  'true, false, "forward" or "backward"',
);
const grow = v.custom<boolean | number>(
  (value) => typeof value === 'boolean' || (Number.isFinite(value) && (value as number) >= 0),
  'true, false or metres',
);
const vec3 = v.custom<[number, number, number]>((value) => numbers(value, 3), '[x, y, z] with three finite numbers');
const box = v.custom<number[]>(
  (value) =>
    (numbers(value, 6) || numbers(value, 7)) &&
    [0, 1, 2].every((i) => (value as number[])[i] <= (value as number[])[i + 3]),
  '[minX, minY, minZ, maxX, maxY, maxZ] with six finite numbers (and yaw), each minimum no greater than its maximum',
);
const cylinder = v.custom<number[]>(
  (value) => numbers(value, 5) && (value as number[])[3] >= 0 && (value as number[])[4] >= 0,
  '[x, y, z, radius, height] with five finite numbers, radius and height at least 0',
);
const size = v.custom<number | number[]>(
  (value) =>
    (Number.isFinite(value) && (value as number) >= 0) ||
    ((numbers(value, 2) || numbers(value, 3)) && (value as number[]).every((n) => n >= 0)) ||
    (numbers(value, 6) && [0, 1, 2].every((i) => (value as number[])[i] <= (value as number[])[i + 3])),
  'metres, two or three of them, or bounds of six numbers',
);

const strategies = v.custom<Strategy[]>(
  (value) => Array.isArray(value) && value.every((word) => STRATEGY_WORDS.includes(word)),
  `a list of ${STRATEGY_WORDS.join(', ')}`,
);
const progress = v.custom<string | number>(
  (value) => typeof value === 'string' || Number.isFinite(value),
  'a string or a finite number',
);
const numberList = v.custom<number[]>(allNumbers, 'a list of numbers');

function isCarried(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const { carrier, pos, size, past, rider } = value as Record<string, unknown>;
  if (!v.is(label, carrier) || !v.is(vec3, pos) || footprintOf(size) === null || !allNumbers(past)) return false;
  return rider === undefined || v.is(id, rider);
}

function allNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => typeof n === 'number');
}

/** The rest of a change is the map's to check. */
const change = v.looseObject({
  op: v.picklist(['area', 'link', 'block']),
  ...{ t: v.optional(finite), since: v.optional(finite), was: v.optional(finite) },
});

const FIELDS = {
  enter: {
    id,
    pos: vec3,
    speed: atLeastZero,
    kind: v.optional(v.string('a string')),
    strategies: v.optional(strategies),
    player: v.optional(v.string('a string')),
  },
  leave: { id },
  speed: { id, speed: atLeastZero },
  rtt: { id, ms: atLeastZero },
  grant: { id, grant: label, to: vec3, radius: v.optional(atLeastZero), ttl: v.optional(atLeastZero) },
  teleport: { id, to: vec3 },
  impulse: { id, velocity: vec3, decay: atLeastZero },
  boost: { id, speed: finite, ms: atLeastZero },
  pause: { ms: atLeastZero },
  state: { id, alive: v.optional(flag), rooted: v.optional(flag), flying: v.optional(flag) },
  carrier: {
    carrier: label,
    pos: v.nullable(vec3),
    yaw: v.optional(finite),
    size: v.optional(size),
    past: v.optional(numberList),
    rider: v.optional(id),
  },
  attach: { id, carrier: label, offset: vec3 },
  detach: { id, carrier: v.optional(label), offset: v.optional(vec3) },
  block: { obstacle: label, box: v.optional(box), cylinder: v.optional(cylinder), grow: v.optional(grow) },
  unblock: { obstacle: label },
  area: {
    area: v.custom<number>(
      (value) => Number.isInteger(value) && (value as number) >= 0,
      'a whole number of at least 0',
    ),
    open: v.optional(flag),
    speed: v.optional(atLeastZero),
  },
  link: { link: label, open: way },
  progress: { progress },
  version: { mapVersion: v.string('a string') },
  ack: {
    id,
    correction: v.custom<number>(
      (value) => Number.isInteger(value) && (value as number) >= 0,
      'a whole number of at least 0',
    ),
  },
  restore: {
    id,
    state: v.optional(numberList),
    layout: v.optional(v.string('a string')),
    path: v.optional(numberList),
    carried: v.optional(v.custom<object>(isCarried, 'what a guard gave')),
    map: v.optional(v.array(change)),
    pause: v.optional(v.custom<[number, number]>((value) => allNumbers(value) && value.length === 2, '[ms, until ms]')),
    mapVersion: v.optional(v.string('a string')),
    progress: v.optional(v.string('a string')),
  },
} satisfies Record<FactOp, v.ObjectEntries>;

const SCHEMAS = new Map(
  Object.entries(FIELDS).map(([op, fields]) => [op as FactOp, v.object(fields as v.ObjectEntries)]),
);

/** Facts that need one of several fields. */
const ONE_OF: Partial<Record<FactOp, readonly string[]>> = {
  state: ['alive', 'rooted', 'flying'],
  block: ['box', 'cylinder'],
  area: ['open', 'speed'],
};

/** A missing field has no message of its own: valibot says only that the key is absent. */
function wordsOf(schema: v.ObjectEntries[string]): string {
  const { message } = schema as { message?: unknown };
  return typeof message === 'string' ? message : 'given';
}

/** Checks a parsed line against its op's row; special numbers are numbers already. Throws BAD_LOG. */
export function checkFact(value: Record<string, unknown>, file: string, line: number): Fact {
  const op = value.op as FactOp;
  const result = v.safeParse(SCHEMAS.get(op)!, value);
  if (!result.success) {
    const issue = result.issues[0];
    const field = String(issue.path?.[0]?.key ?? '');
    const fields: v.ObjectEntries = FIELDS[op];
    const given = value[field];
    const misspelt = given === undefined ? misspeltField(value, ['t', 'op', ...Object.keys(FIELDS[op])]) : null;
    const hint = misspelt === null ? '' : ` (is "${misspelt[0]}" meant to be "${misspelt[1]}"?)`;
    const expected = given === undefined ? wordsOf(fields[field]) : issue.message;
    throw badLine(file, line, `"${op}" needs ${field} to be ${expected}, got ${shown(given)}${hint}.`, {
      op,
      field,
      got: given,
      expected,
    });
  }
  const misspelt = misspeltField(value, ['t', 'op', ...Object.keys(FIELDS[op])]);
  if (misspelt !== null) {
    const message = `"${op}" has no field "${misspelt[0]}"; expected "${misspelt[1]}".`;
    throw badLine(file, line, message, { op, got: misspelt[0], expected: misspelt[1] });
  }
  const choices = ONE_OF[op];
  if (choices !== undefined) {
    const given = choices.filter((field) => value[field] !== undefined).length;
    if (given === 0 || (op === 'block' && given > 1)) {
      const expected = `${op === 'block' ? 'exactly one' : 'at least one'} of ${choices.join(', ')}`;
      throw badLine(file, line, `"${op}" needs ${expected}, got ${given === 0 ? 'none' : 'both'}.`, { op, expected });
    }
  }
  if (Object.hasOwn(value, 'expect')) {
    const message = `"${op}" is a fact and cannot carry "expect"; only claims can: ${CLAIM_OPS.join(', ')}.`;
    throw badLine(file, line, message, { op });
  }
  return value as unknown as Fact;
}
