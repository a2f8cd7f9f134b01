// What a claim's verdict should be: read once, compared often. A leaf of log/ beside events.ts.

import { nearestWord } from '../nearest.ts';
import { REASON_NAMES, VERDICT_WORDS } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import type { ExpectFields } from './events.ts';
import { shown } from './problem.ts';
import { reviveNumber } from './special.ts';

/** The fields of a verdict that an expectation can speak of. */
export type JudgedVerdict = Pick<
  Verdict,
  'verdict' | 'reason' | 'pos' | 'used' | 'allowed' | 'score' | 'action' | 'correction'
>;

/** A compiled expectation. */
export type Matcher = (verdict: JudgedVerdict) => boolean;

const REFUSED: ReadonlySet<string> = new Set(['correct', 'reject', 'ignore']);
const VERDICTS: readonly string[] = [...VERDICT_WORDS, 'refused'];
const REASONS: readonly string[] = REASON_NAMES;
const ACTIONS: readonly string[] = ['none', 'watch', 'restrict', 'kick'];
const FIELDS = [
  'verdict',
  'reason',
  'pos',
  'within',
  'scoreBelow',
  'scoreAbove',
  'score',
  'used',
  'allowed',
  'correction',
  'action',
] as const;
const DEFAULT_WITHIN = 0.001;

function verdictMatcher(word: string): Matcher {
  return word === 'refused' ? (v) => REFUSED.has(v.verdict) : (v) => v.verdict === word;
}

/** Reads one word of `expect`. Throws a plain Error with a clause for the caller's sentence. */
function wordMatcher(word: string): Matcher {
  if (VERDICTS.includes(word)) return verdictMatcher(word);
  if (REASONS.includes(word)) return (v) => v.reason === word;
  throw new Error(
    `expected a verdict, "refused" or a reason, got ${shown(word)}${suggestion(word, [...VERDICTS, ...REASONS])}`,
  );
}

function suggestion(word: unknown, known: readonly string[]): string {
  const near = typeof word === 'string' ? nearestWord(word, known) : null;
  return near === null ? '' : ` (is "${near}" meant?)`;
}

function wordsOf(value: unknown, field: string, known: readonly string[]): string[] {
  const words = Array.isArray(value) ? value : [value];
  for (const word of words) {
    if (!known.includes(word as string)) {
      throw new Error(
        `expected ${field} to be one of ${known.join(', ')}, got ${shown(word)}${suggestion(word, known)}`,
      );
    }
  }
  return words as string[];
}

function numberOf(value: unknown, field: string): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new Error(`expected ${field} to be a number, got ${shown(value)}`);
  return value;
}

function fieldsMatcher(fields: Record<string, unknown>): Matcher {
  const all: Matcher[] = [];
  for (const name of Object.keys(fields)) {
    if (!FIELDS.includes(name as keyof ExpectFields)) {
      throw new Error(`expected only ${FIELDS.join(', ')}, got ${shown(name)}${suggestion(name, FIELDS)}`);
    }
  }
  if (fields.verdict !== undefined) {
    const words = wordsOf(fields.verdict, 'verdict', VERDICTS).map(verdictMatcher);
    all.push((v) => words.some((matches) => matches(v)));
  }
  if (fields.reason !== undefined) {
    const words = wordsOf(fields.reason, 'reason', REASONS);
    all.push((v) => words.includes(v.reason));
  }
  if (fields.pos !== undefined) all.push(positionMatcher(fields.pos, fields.within));
  else if (fields.within !== undefined) throw new Error('expected pos beside within, got none');
  if (fields.scoreBelow !== undefined) {
    const limit = numberOf(fields.scoreBelow, 'scoreBelow');
    all.push((v) => v.score < limit);
  }
  if (fields.scoreAbove !== undefined) {
    const limit = numberOf(fields.scoreAbove, 'scoreAbove');
    all.push((v) => v.score > limit);
  }
  for (const name of ['score', 'used', 'allowed'] as const) {
    const wanted = fields[name];
    if (wanted === undefined) continue;
    // a claim may be infinitely far away: its log says so in a word
    const exact = wanted === null && name !== 'score' ? null : numberOf(reviveNumber(wanted), name);
    all.push((v) => Object.is(v[name], exact));
  }
  if (fields.correction !== undefined) {
    const wanted = fields.correction;
    if (typeof wanted === 'boolean') all.push((v) => v.correction > 0 === wanted);
    else {
      const number = numberOf(wanted, 'correction');
      all.push((v) => v.correction === number);
    }
  }
  if (fields.action !== undefined) {
    const words = wordsOf(fields.action, 'action', ACTIONS);
    all.push((v) => words.includes(v.action));
  }
  if (all.length === 0) throw new Error(`expected at least one of ${FIELDS.join(', ')}, got an empty object`);
  return (v) => all.every((matches) => matches(v));
}

function positionMatcher(pos: unknown, within: unknown): Matcher {
  const radius = within === undefined ? DEFAULT_WITHIN : numberOf(within, 'within');
  if (pos === null) return (v) => v.pos === null;
  if (!Array.isArray(pos) || pos.length !== 3 || !pos.every((n) => Number.isFinite(n))) {
    throw new Error(`expected pos to be [x, y, z] or null, got ${shown(pos)}`);
  }
  const [x, y, z] = pos as number[];
  return (v) => v.pos !== null && Math.hypot(v.pos[0] - x, v.pos[1] - y, v.pos[2] - z) <= radius;
}

function itemMatcher(item: unknown): Matcher {
  if (typeof item === 'string') return wordMatcher(item);
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return fieldsMatcher(item as Record<string, unknown>);
  }
  throw new Error(`expected a word, an object, or a list of these, got ${shown(item)}`);
}

const compiledWords = new Map<string, Matcher>();

/**
 * Compiles an `expect` value. "accept" does not match a verdict of `undecided`.
 * @throws Error whose message is a clause ("expected ..., got ...") for a sentence that names the line.
 */
export function compileExpect(expect: unknown): Matcher {
  if (typeof expect === 'string') {
    let matcher = compiledWords.get(expect);
    if (matcher === undefined) {
      matcher = wordMatcher(expect);
      compiledWords.set(expect, matcher);
    }
    return matcher;
  }
  if (Array.isArray(expect)) {
    if (expect.length === 0) throw new Error('expected at least one alternative, got an empty list');
    const any = expect.map(itemMatcher);
    return (v) => any.some((matches) => matches(v));
  }
  return itemMatcher(expect);
}
