// Events and verdicts to NDJSON lines. Recording happens on production servers: whatever a client sent is written as it
// is, and nothing a client sends can throw here.
import { NavguardError } from '../errors.ts';
import type { Verdict } from '../types.ts';
import { CLAIM_OPS, type Claim, FACT_OPS, MOVE_LOG_VERSION, type MoveLogEvent, type MoveLogHeader } from './events.ts';
import { numberText } from './special.ts';

const OPS: ReadonlySet<string> = new Set([...FACT_OPS, ...CLAIM_OPS]);
/** A client's value nested deeper is cut: it is malformed in any case, and recursion must end. */
const MAX_DEPTH = 16;

function valueText(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'number':
      return numberText(value);
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `"${value}"`;
    case 'object': {
      if (value === null || depth >= MAX_DEPTH) return 'null';
      if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
        const items = value as ArrayLike<unknown>;
        let text = '[';
        for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + valueText(items[i], depth + 1);
        return `${text}]`;
      }
      return objectText(value as Record<string, unknown>, depth);
    }
    default:
      return 'null';
  }
}

function objectText(value: Record<string, unknown>, depth: number): string {
  let text = '{';
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (field === undefined || typeof field === 'function' || typeof field === 'symbol') continue;
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${valueText(field, depth + 1)}`;
  }
  return `${text}}`;
}

/** The header as a line, newline included. `movelog` is filled in. */
export function headerLine(header: Omit<MoveLogHeader, 'movelog'>): string {
  return `${objectText({ movelog: MOVE_LOG_VERSION, ...header }, 0)}\n`;
}

/**
 * One event as a line, newline included; numbers that JSON cannot hold become strings.
 * @throws NavguardError BAD_ARGUMENT when `op` is unknown or `t` is not a finite number: those come from the server.
 */
export function eventLine(event: MoveLogEvent): string {
  if (!OPS.has(event.op)) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `A move log has no event "${event.op}"; expected one of ${[...OPS].join(', ')}.`,
    );
  }
  if (!Number.isFinite(event.t)) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `The event "${event.op}" needs t to be a finite number of ms, got ${event.t}.`,
    );
  }
  // t and op first, whatever the caller's order: the reader's fast path knows that shape
  const { t, op, ...rest } = event;
  return `${objectText({ t, op, ...rest }, 0)}\n`;
}

function point(value: readonly number[] | null): string {
  return value === null ? 'null' : `[${numberText(value[0])},${numberText(value[1])},${numberText(value[2])}]`;
}

function lengthText(value: number | null): string {
  return value === null ? 'null' : numberText(value);
}

/** One verdict as a line, newline included. `t` is the time it was judged at, ms; `map` the hash of the map it was judged on. */
export function verdictLine(t: number, claim: Claim, verdict: Omit<Verdict, 'copy'>, map?: string): string {
  const id = typeof claim.id === 'string' ? JSON.stringify(claim.id) : valueText(claim.id ?? null, 0);
  const straight = lengthText(verdict.straight);
  const length = verdict.length === verdict.straight ? straight : lengthText(verdict.length);
  // of a clear move all three are the same number, and formatting a double is the dearest part of a line
  const used = verdict.used === verdict.length ? length : lengthText(verdict.used);
  const seq = typeof claim.seq === 'number' ? numberText(claim.seq) : valueText(claim.seq ?? null, 0);
  return (
    `{"t":${numberText(t)},"id":${id},"seq":${seq},"op":"${claim.op}",` +
    `"verdict":"${verdict.verdict}","reason":"${verdict.reason}","pos":${point(verdict.pos)},` +
    `"straight":${straight},"length":${length},` +
    `"bound":${verdict.bound === null ? 'null' : `"${verdict.bound}"`},` +
    `"used":${used},"allowed":${lengthText(verdict.allowed)},` +
    `"score":${numberText(verdict.score)},"action":"${verdict.action}","correction":${verdict.correction}` +
    (map === undefined ? '}\n' : `,"map":"${map}"}\n`)
  );
}
