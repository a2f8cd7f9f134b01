// The first line of a log, checked with valibot. What `map.build` and the rules mean is judged by those who build and
// read them; here only the shape. Only parser.ts imports this.
import * as v from 'valibot';
import { MOVE_LOG_VERSION, type MoveLogHeader } from './events.ts';
import { badLine, shown } from './problem.ts';
import { misspeltField } from './strays.ts';

function numbersOf(count: number, words: string) {
  return v.custom<number[]>(
    (value) => Array.isArray(value) && value.length === count && value.every((n) => Number.isFinite(n)),
    words,
  );
}
function number(words: string, holds: (n: number) => boolean) {
  return v.optional(v.custom<number>((value) => Number.isFinite(value) && holds(value as number), words));
}
const positive = number('a number above 0', (n) => n > 0);
const GRID = {
  grid: v.pipe(
    v.array(v.string('a string of "." and "#"'), 'a list of strings'),
    v.minLength(1, 'a list of at least one string'),
  ),
  cell: positive,
  origin: v.optional(numbersOf(2, '[x, z] with two finite numbers')),
  agent: number('a whole number of cells, at least 1', (n) => Number.isInteger(n) && n >= 1),
};
const FILE = {
  file: v.pipe(v.string('a path'), v.nonEmpty('a path')),
  portals: v.optional(
    v.custom<unknown>((value) => typeof value === 'string' || Array.isArray(value), 'a path or a list of portals'),
  ),
  read: v.optional(v.custom<unknown>(isObject, 'an object of options such as scale, axes and flip')),
  hash: v.optional(v.string('a string')),
};
const TOP = ['movelog', 'map', 'rules', 'comment', 'kernel', 'navguard'] as const;
const KINDS = ['file', 'build', 'grid'] as const;

/** Checks the parsed first line. Throws BAD_LOG. */
export function checkHeader(value: unknown, file: string, line: number): MoveLogHeader {
  const sample = `{"movelog":${MOVE_LOG_VERSION},"map":{...}}`;
  if (!isObject(value) || !Object.hasOwn(value, 'movelog')) {
    throw badLine(file, line, `expected the header ${sample} first, got ${shown(value)}.`, { expected: sample });
  }
  if (value.movelog !== MOVE_LOG_VERSION) {
    const message = `move log version ${shown(value.movelog)} is not supported, expected ${MOVE_LOG_VERSION}.`;
    throw badLine(file, line, message, { got: value.movelog, expected: MOVE_LOG_VERSION });
  }
  refuseMisspelt(value, TOP, 'the header', file, line);
  if (value.rules !== undefined && !isObject(value.rules)) fail('rules', 'an object of rules', value.rules, file, line);
  for (const field of ['comment', 'kernel', 'navguard'] as const) {
    const words = value[field];
    if (words !== undefined && typeof words !== 'string') fail(field, 'a string', words, file, line);
  }
  if (value.map !== undefined) checkMap(value.map, file, line);
  return value as unknown as MoveLogHeader;
}

function checkMap(map: unknown, file: string, line: number): void {
  const given = isObject(map) ? KINDS.filter((kind) => Object.hasOwn(map, kind)) : [];
  if (isObject(map) && given.length === 0 && typeof map.hash === 'string') {
    refuseMisspelt(map, ['hash', ...KINDS], 'map', file, line);
    return;
  }
  if (!isObject(map) || given.length !== 1) {
    fail('map', 'an object with exactly one of file, build, grid', map, file, line);
  }
  const kind = given[0];
  if (kind === 'build') {
    refuseMisspelt(map, ['build', 'portals'], 'map', file, line);
    if (!isObject(map.build)) fail('map.build', 'an object with boxes and/or triangles', map.build, file, line);
    if (map.portals !== undefined && !Array.isArray(map.portals)) {
      fail('map.portals', 'a list of portals', map.portals, file, line);
    }
    return;
  }
  const fields = kind === 'grid' ? GRID : FILE;
  check('map', v.object(fields as v.ObjectEntries), map, file, line);
  refuseMisspelt(map, Object.keys(fields), 'map', file, line);
}

function check(at: string, schema: v.GenericSchema, value: unknown, file: string, line: number): void {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return;
  const issue = result.issues[0];
  const path = (issue.path ?? []).map((step) =>
    typeof step.key === 'number' ? `[${step.key}]` : `.${String(step.key)}`,
  );
  const expected = issue.message.startsWith('Invalid') ? 'given' : issue.message;
  fail(`${at}${path.join('')}`, expected, issue.input, file, line);
}

function fail(at: string, expected: string, got: unknown, file: string, line: number): never {
  const message = `the header needs ${at} to be ${expected}, got ${shown(got)}.`;
  throw badLine(file, line, message, { field: at, expected, got });
}

function refuseMisspelt(value: object, known: readonly string[], where: string, file: string, line: number): void {
  const misspelt = misspeltField(value, known);
  if (misspelt === null) return;
  const message = `${where} has no field "${misspelt[0]}"; expected "${misspelt[1]}".`;
  throw badLine(file, line, message, { got: misspelt[0], expected: misspelt[1] });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
