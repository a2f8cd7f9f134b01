// navguard audit: runs move logs and sums up.
import { once } from 'node:events';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { NavguardError } from '../errors.ts';
import { Audit } from '../log/audit.ts';
import { verdictLine } from '../log/writer.ts';
import { summaryText } from '../report/summary.ts';
import { RULE_NAMES, RULE_TABLE } from '../rules/table.ts';
import { EXIT_MISMATCH, UsageError } from './fail.ts';
import { auditInputs, jsonObjectFile, mapForLogs, type ReadFlags, readFlags } from './inputs.ts';
import { openOutput } from './output.ts';

interface AuditFlags extends ReadFlags {
  check?: true;
  json?: true;
  lenient?: true;
  out?: string;
  rules?: string;
  workers?: string;
}

export function auditCommand(): Command {
  return readFlags(
    new Command('audit')
      .summary('run move logs and say who was refused, and why')
      .description('Runs move logs through the guard and prints verdicts by reason and by entity.')
      .usage('[options] [map] <log...>')
      .argument(
        '<files...>',
        'an optional map (wins over the map of each log), then logs, directories of *.ndjson, or -',
      )
      .option('--check', "compare verdicts with the claims' expect; exit code 1 when one does not hold")
      .option('--json', 'print the summary as one JSON object')
      .option('--out <file>', 'write one verdict per claim, as NDJSON (- is stdout; the summary then goes to stderr)')
      .option('--rules <file>', "JSON object of rules that win over the log's")
      .option('--workers <n>', 'judge on n threads, 1..64; the verdicts are the same')
      .option('--lenient', 'count and skip lines that are not JSON or have an unknown op, instead of stopping')
      .addHelpText('after', () => `\n${rulesHelp()}\n${EXAMPLES}`)
      .action(runAudit),
  );
}

const EXAMPLES = `Examples:
  navguard audit dungeon.bin monday.ndjson --out verdicts.ndjson
  navguard audit navdata/logs --check`;

/** The rules with unit, default and meaning, from their one table. */
function rulesHelp(): string {
  const width = Math.max(...RULE_NAMES.map((name) => name.length));
  const lines = RULE_NAMES.map((name) => {
    const { fallback, unit, catches } = RULE_TABLE[name];
    const value = name === 'edgeTolerance' ? 'auto' : Array.isArray(fallback) ? '[]' : String(fallback);
    // a rule that catches nothing says what it is instead
    const meaning = catches.startsWith('nothing: ') ? catches.slice('nothing: '.length) : `against ${catches}`;
    return `  ${name.padEnd(width)}  ${`${value} ${unit}`.trim().padEnd(10)}  ${meaning}`;
  });
  return `Rules (a log's header or --rules), with defaults:\n${lines.join('\n')}\n`;
}

async function runAudit(files: string[], flags: AuditFlags): Promise<void> {
  const { map: mapPath, logs } = await auditInputs(files);
  const rules = flags.rules === undefined ? undefined : await jsonObjectFile(flags.rules, 'rules');
  const workers = flags.workers === undefined ? undefined : Number(flags.workers);
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= 64)) {
    throw new UsageError(`--workers: expected a whole number of 1..64, got "${flags.workers}".`);
  }
  const map = await mapForLogs(mapPath, flags);
  const output = flags.out === undefined ? null : await openOutput(flags.out);
  const progress = progressBar(logs.reduce((sum, log) => sum + log.bytes, 0));
  let earlierBytes = 0;
  const audit = new Audit({
    map,
    rules,
    lenient: flags.lenient,
    workers,
    check: flags.check ?? false,
    onVerdict:
      output === null ? undefined : (t, claim, verdict, _, map) => output.write(verdictLine(t, claim, verdict, map)),
    onChunk: async (bytesRead) => {
      progress.update(earlierBytes + bytesRead);
      if (output !== null) await output.drain();
    },
  });
  try {
    for (const log of logs) {
      if (log.path === '-') await audit.run(process.stdin, 'stdin');
      else await audit.run(log.path);
      earlierBytes += log.bytes;
    }
    await output?.commit();
  } catch (error) {
    await output?.abandon();
    throw rulesFileNamed(error, flags.rules);
  } finally {
    progress.stop();
  }
  const summary = audit.summary();
  const text = flags.json ? `${JSON.stringify(summary)}\n` : summaryText(summary, { check: flags.check === true });
  const stream = flags.out === '-' ? process.stderr : process.stdout;
  if (!stream.write(text)) await once(stream, 'drain');
  if (flags.check === true && summary.mismatchCount > 0) process.exitCode = EXIT_MISMATCH;
}

/** A wrong rule of `--rules` names its file. */
function rulesFileNamed(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof NavguardError) || error.code !== 'BAD_RULE' || path === undefined) return error;
  return new NavguardError('BAD_RULE', `${path}: ${error.message}`, error.detail);
}

interface Progress {
  update(bytes: number): void;
  stop(): void;
}

/** On stderr and only on a terminal: logs and pipes stay clean. */
function progressBar(totalBytes: number): Progress {
  if (process.stderr.isTTY !== true || totalBytes === 0) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{bar} {percentage} %, {eta} s left',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(totalBytes, 0);
  return { update: (bytes) => bar.update(Math.min(bytes, totalBytes)), stop: () => bar.stop() };
}
