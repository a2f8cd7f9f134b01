// Errors with a place in a log: one sentence that says file, line, what was expected and what stands there.
import { NavguardError } from '../errors.ts';

/** A value as a message shows it: JSON, at most 60 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string;
  try {
    text = typeof value === 'number' ? String(value) : (JSON.stringify(value, special) ?? String(value));
  } catch {
    text = typeof value;
  }
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function special(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** A log line that stops the run. */
export function badLine(
  file: string,
  line: number,
  message: string,
  detail: Readonly<Record<string, unknown>> = {},
): NavguardError {
  return new NavguardError('BAD_LOG', `${file}, line ${line}: ${message}`, { file, line, ...detail });
}
