// How the command line ends: exit codes, one sentence on stderr. A leaf of cli/.
import { CommanderError } from 'commander';
import { NavguardError } from '../errors.ts';
import { harmless } from '../report/table.ts';

export const EXIT_OK = 0;
/** `--check` found a mismatch. */
export const EXIT_MISMATCH = 1;
/** One clear sentence on stderr, nothing half-written. */
export const EXIT_BAD_INPUT = 2;
/** A defect of navguard's own (sysexits' EX_SOFTWARE). */
export const EXIT_INTERNAL = 70;

/** A mistake of the caller's that is no error of the library: a missing argument, an unwritable folder. */
export class UsageError extends Error {}

/** Says what went wrong and gives the exit code for it. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_OK;
    // no command at all: the help has been shown in place of a sentence
    if (error.code === 'commander.help') return EXIT_BAD_INPUT;
    say(sentence(error.message.replace(/^error: /, '')));
    return EXIT_BAD_INPUT;
  }
  if (error instanceof NavguardError || error instanceof UsageError) {
    say(sentence(error.message));
    return EXIT_BAD_INPUT;
  }
  say(`internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return EXIT_INTERNAL;
}

function say(text: string): void {
  process.stderr.write(`navguard: ${text}\n`);
}

/** One line, one full stop. */
function sentence(message: string): string {
  // commander's suggestion comes on a line of its own: "(Did you mean --check?)"
  const line = message
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(
      /\(Did you mean (one of )?(.*?)\?\)$/,
      (_, __, words: string) => `- did you mean ${words.replace(/, (?=[^,]*$)/, ' or ')}?`,
    );
  return harmless(/[.?!]$/.test(line) ? line : `${line}.`);
}
