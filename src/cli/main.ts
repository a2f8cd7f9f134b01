#!/usr/bin/env node
// The command line: one file per command, exit codes in one place.
import { readFileSync, writeSync } from 'node:fs';
import { Command } from 'commander';
import { fileTrouble } from '../log/reader.ts';
import { auditCommand } from './audit.ts';
import { bakeCommand } from './bake.ts';
import { benchCommand } from './bench.ts';
import { convertCommand } from './convert.ts';
import { EXIT_BAD_INPUT, EXIT_OK, reportFailure } from './fail.ts';
import { inspectCommand } from './inspect.ts';
import { packCommand } from './pack.ts';
import { queryCommand } from './query.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';
import { tuneCommand } from './tune.ts';

const SIMULATE_EXAMPLES = `
Examples:
  navguard simulate dungeon.bin --players 50 --seconds 120 -o honest.ndjson
  navguard simulate dungeon.bin --cheats all --rtt 200 -o - | navguard audit dungeon.bin - --check
  navguard simulate --model list
  navguard simulate dungeon.bin --model bunny -o bunny.ndjson`;

/** package.json lies beside dist/ in the package and in a checkout alike. */
function version(): string {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function program(): Command {
  const root = new Command('navguard')
    .description(
      "Decides whether a game client's claimed moves are possible on the server's navmesh.\n" +
        'Maps: a navmesh export of any format that it knows (see inspect --help), or a packed map. ' +
        'Logs: NDJSON, one event a line, or their binary form. "-" is stdin (logs, questions) or stdout.',
    )
    .version(version(), '-V, --version')
    .addHelpText(
      'after',
      `
Examples:
  navguard audit dungeon.bin monday.ndjson       who was refused, and why
  navguard inspect dungeon.bin --svg plan.svg    what was loaded, and a picture
  navguard bake dungeon.glb -o dungeon.bin       a navmesh, where there is only the level

Exit codes: 0 fine, 1 --check found a mismatch or --diff a difference, 2 bad input (one sentence says what), 70 a defect of navguard.`,
    );
  for (const make of [
    auditCommand,
    convertCommand,
    tuneCommand,
    queryCommand,
    inspectCommand,
    packCommand,
    bakeCommand,
    benchCommand,
    serveCommand,
  ])
    root.addCommand(make());
  simulateCommand(root);
  for (const command of [root, ...root.commands]) {
    if (command.name() === 'simulate') command.addHelpText('after', SIMULATE_EXAMPLES);
    command.exitOverride().configureOutput({ outputError: () => undefined });
    command.showSuggestionAfterError(true);
  }
  return root;
}

// A reader that has seen enough (head, less) closes the pipe: that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_OK);
    if (stream === process.stdout) writeSync(2, `navguard: Cannot write stdout: ${fileTrouble(error)}.\n`);
    process.exit(EXIT_BAD_INPUT);
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // exit handlers remove temporary files
  process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
}

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
