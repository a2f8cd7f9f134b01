// Feeds mutants to a child process and replaces the child when it hangs or dies. The verdict of each mutant comes back.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mutant } from '../bytes/mutants.ts';

const CHILD = fileURLToPath(new URL('./mutant-child.mjs', import.meta.url));

export interface Outcome {
  /** LOADED, an error code, QUERY_THREW, or HANG / CRASH. */
  readonly code: string;
  /** The error's sentence, or what the child was doing. */
  readonly message: string;
}

interface Report {
  readonly id: number;
  readonly stage: string;
  readonly code?: string;
  readonly message?: string;
}

/** Runs all mutants, one after the other; `limitMs` is the time one may take. */
export async function runMutants(
  mutants: Iterable<Mutant>,
  library: string,
  limitMs: number,
  take: (mutant: Mutant, outcome: Outcome) => void,
): Promise<number> {
  let child: ChildProcess | null = null;
  let id = 0;
  try {
    for (const mutant of mutants) {
      child ??= fork(CHILD, [library], { serialization: 'advanced', execArgv: ['--max-old-space-size=512'] });
      const outcome = await runOne(child, id++, mutant.bytes, limitMs);
      if (outcome.code === 'HANG' || outcome.code === 'CRASH') {
        child.kill('SIGKILL');
        child = null;
      }
      take(mutant, outcome);
    }
  } finally {
    child?.kill('SIGKILL');
  }
  return id;
}

function runOne(child: ChildProcess, id: number, bytes: Uint8Array, limitMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    let stage = 'start';
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (report: Report) => {
      if (report.id !== id) return;
      stage = report.stage;
      if (stage === 'done') end({ code: report.code ?? '', message: report.message ?? '' });
    };
    const onExit = (status: number | null) => end({ code: 'CRASH', message: `exit ${status} while at ${stage}` });
    const timer = setTimeout(() => end({ code: 'HANG', message: `more than ${limitMs} ms at ${stage}` }), limitMs);
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ id, bytes });
  });
}
