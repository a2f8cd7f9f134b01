// navguard tune: what other rule values would have refused in logs of honest play.
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { Tuning } from '../log/tune.ts';
import { closestWord } from '../nearest.ts';
import { baseText, marginText, sweepPicture, sweepText } from '../report/tune.ts';
import { RULE_NAMES, RULE_TABLE, type RuleEntry, type RuleName } from '../rules/table.ts';
import { UsageError } from './fail.ts';
import { auditInputs, jsonObjectFile, mapForLogs, type ReadFlags, readFlags } from './inputs.ts';
import { writeWhole } from './output.ts';

interface TuneFlags extends ReadFlags {
  rule?: string[];
  rules?: string;
  svg?: string;
  json?: true;
  margins?: true;
}

/** Combinations of one run at most. */
const MOST_TRIALS = 10_000;

export function tuneCommand(): Command {
  return readFlags(
    new Command('tune')
      .summary('what other rule values would have refused in logs of honest play')
      .description(
        'Takes logs for honest play and runs them again and again. With --rule: under each of the values, how many claims would\n' +
          'have been refused that are not now, and which one first. Without: for every rule the strictest value under which the\n' +
          'logs fare no worse, and the worst honest claim beyond it.',
      )
      .usage('[options] [map] <log...>')
      .argument('<files...>', 'an optional map (wins over the map of each log), then logs or directories of *.ndjson')
      .option('--rule <name=values>', 'values to try: a,b,c or from:to:step; once or twice', collect)
      .option('--margins', 'every rule’s margin, besides --rule')
      .option('--rules <file>', "JSON object of rules that win over the logs' own in every run")
      .option('--svg <file>', 'a picture of the values that --rule tried (- is stdout)')
      .option('--json', 'print one JSON object')
      .addHelpText(
        'after',
        `
Examples:
  navguard tune monday.ndjson                                    how far each rule is from an honest claim
  navguard tune dungeon.bin monday.ndjson --rule speedTolerance=1.02:1.2:0.02 --svg tolerance.svg
  navguard tune logs/ --rule burstMs=200,500,1000 --rule speedTolerance=1.05,1.1,1.15`,
      )
      .action(runTune),
  );
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

async function runTune(files: string[], flags: TuneFlags): Promise<void> {
  const ranges = (flags.rule ?? []).map(readRange);
  if (ranges.length > 2) throw new UsageError(`--rule: expected one or two rules, got ${ranges.length}.`);
  if (ranges.length === 2 && ranges[0].rule === ranges[1].rule) {
    throw new UsageError(`--rule: ${ranges[0].rule} is given twice, expected two different rules.`);
  }
  const trials = ranges.reduce((product, { values }) => product * values.length, 1);
  if (trials > MOST_TRIALS) {
    throw new UsageError(`--rule: ${trials} combinations, expected at most ${MOST_TRIALS}: take larger steps.`);
  }
  if (flags.svg !== undefined && ranges.length === 0) {
    throw new UsageError('--svg draws what --rule tried: expected at least one --rule.');
  }
  if (flags.svg === '-' && flags.json) throw new UsageError('--svg - and --json both write stdout: expected one.');
  const { map: mapPath, logs } = await auditInputs(files);
  if (logs.some((log) => log.path === '-')) {
    throw new UsageError('tune runs its logs many times: expected files, got - (stdin).');
  }
  const rules = flags.rules === undefined ? undefined : await jsonObjectFile(flags.rules, 'rules');
  const map = await mapForLogs(mapPath, flags);
  const bar = progressBar();
  try {
    const paths = logs.map((log) => log.path);
    const tuning = await Tuning.open(paths, { map, rules, onRun: bar.update });
    const rows = ranges.length === 0 ? [] : await tuning.sweep(ranges);
    const margins = ranges.length === 0 || flags.margins ? await tuning.margins() : [];
    bar.stop();
    if (flags.svg !== undefined) await writeWhole(flags.svg, sweepPicture(rows, tuning.base));
    const text = flags.json
      ? `${JSON.stringify({ logs: paths, base: tuning.base, sweep: rows, margins })}\n`
      : [baseText(paths.length, tuning.base), sweepText(rows), marginText(margins)].filter((t) => t !== '').join('\n');
    (flags.svg === '-' ? process.stderr : process.stdout).write(text);
  } finally {
    bar.stop();
  }
}

/** `name=a,b,c` or `name=from:to:step`. */
function readRange(text: string): { rule: RuleName; values: unknown[] } {
  const [, name = '', list = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  if (name === '' || list === '') {
    throw new UsageError(`--rule: expected name=values such as speedTolerance=1.05,1.1 or 1:1.2:0.05, got "${text}".`);
  }
  if (!Object.hasOwn(RULE_TABLE, name)) {
    throw new UsageError(
      `--rule: unknown rule "${name}"; the nearest known rule is "${closestWord(name, RULE_NAMES)}".`,
    );
  }
  const rule = name as RuleName;
  const entry: RuleEntry = RULE_TABLE[rule];
  const steps = list.split(':');
  if (entry.kind === 'number' && steps.length > 1) return { rule, values: stepsOf(text, steps) };
  if (entry.kind === 'list') return { rule, values: list.split(',').map((word) => word.split('+')) };
  return { rule, values: list.split(',').map((word) => ruleValue(entry, word.trim())) };
}

function stepsOf(text: string, parts: readonly string[]): number[] {
  const [from, to, step] = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (parts.length !== 3 || !(count >= 1 && count <= MOST_TRIALS)) {
    throw new UsageError(`--rule: expected from:to:step with 1 to ${MOST_TRIALS} values, got "${text}".`);
  }
  // digits that sums of fractions leave are none of the user's
  return Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12)));
}

/** The guard's own check of rules says what is wrong with a value that is none. */
function ruleValue(entry: RuleEntry, word: string): unknown {
  if (entry.kind === 'switch') return word === 'true' ? true : word === 'false' ? false : word;
  if (entry.kind !== 'number' || word === '' || word === 'auto') return word;
  const value = Number(word);
  return Number.isNaN(value) ? word : value;
}

interface Progress {
  update(done: number, atMost: number): void;
  stop(): void;
}

/** On stderr and only on a terminal. The number of runs is an upper estimate that falls as rules turn out idle. */
function progressBar(): Progress {
  if (process.stderr.isTTY !== true) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{bar} run {value} of at most {total}, {eta} s left',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(1, 0);
  return {
    update(done, atMost) {
      bar.setTotal(Math.max(atMost, done));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
