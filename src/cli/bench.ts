// navguard bench: how fast this machine answers on one's own map, beside recast-navigation and the pure-TypeScript twin.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Case, Level, Row } from '../bench/index.ts';
import { NavguardError } from '../errors.ts';
import { readMapBytes } from '../log/maps.ts';
import { UsageError } from './fail.ts';

interface BenchFlags {
  case?: string;
  quick?: true;
  json?: true;
}

/** The map that comes with the package; navdata/ lies beside dist/ in the package and in a checkout alike. */
const OWN_MAP = new URL('../../../navdata/maps/maze.bin', import.meta.url);

export function benchCommand(): Command {
  return new Command('bench')
    .summary('time the queries and the guard on a map, beside recast-navigation')
    .description(
      'Asks random questions of a map and replays recorded walkers on it: nanoseconds per query (median), how many times\n' +
        "navguard's time the others take, and how often they agree. Peers: recast-navigation (for a navmesh export), the\n" +
        'pure-TypeScript twin, and a guard written by hand on recast-navigation. About a minute; run it on a quiet machine.',
    )
    .argument('[map]', 'a navmesh export or a packed map (default: a maze that comes with navguard)')
    .option('--case <names>', 'only these, comma-separated: ray.short, locate, guard.move, ...')
    .option('--quick', 'seconds in place of a minute: too few queries to quote')
    .option('--json', 'print one JSON array, a row per case')
    .addHelpText(
      'after',
      `
Examples:
  navguard bench dungeon.bin
  navguard bench dungeon.bin --quick --case ray.short,guard.move --json`,
    )
    .action(runBench);
}

async function runBench(path: string | undefined, flags: BenchFlags): Promise<void> {
  // Loads recast-navigation: no other command should wait for that.
  const bench = await import('../bench/index.ts');
  const cases = chosenCases(bench.CASES, flags.case);
  const file = path ?? fileURLToPath(OWN_MAP);
  const on = await open(bench.openLevel, file);
  const size = flags.quick ? bench.QUICK : bench.FULL;
  const print = (lines: readonly string[]): void => {
    if (!flags.json) process.stdout.write(`${lines.join('\n')}\n`);
  };
  const { cpu, cores, node, date } = bench.machine();
  print([
    `${cpu}, ${cores} cores, Node ${node}, ${date}`,
    ...bench.sizeLines([bench.sizeOf(on)]),
    `${size.queries} distinct queries a case, ${size.rounds} alternating rounds${flags.quick ? '; quick: not to be quoted' : ''}`,
    ...(on.query ? [] : ['recast-navigation cannot load this file: navguard and its twin only']),
    '',
    bench.header(),
  ]);
  const rows: Row[] = [];
  const suspicions: string[] = [];
  for (const one of cases) {
    try {
      const measured = bench.measure(one.name, one.prepare(on, size.queries), size);
      rows.push(measured.row);
      suspicions.push(...measured.suspicions);
      print(bench.rowLines(measured.row));
    } catch (error) {
      if (!(error instanceof bench.UnsuitedMap)) throw error;
      print([`${one.name.padEnd(14)} left out: ${error.message}`]);
    }
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  for (const suspicion of suspicions) process.stderr.write(`bench: ${suspicion}\n`);
}

function chosenCases(all: readonly Case[], names: string | undefined): Case[] {
  if (names === undefined) return [...all];
  const wanted = names.split(',').map((name) => name.trim());
  for (const name of wanted) {
    if (!all.some((one) => one.name === name)) {
      throw new UsageError(`--case has "${name}", expected ${all.map((one) => one.name).join(', ')}.`);
    }
  }
  return all.filter((one) => wanted.includes(one.name));
}

async function open(openLevel: (name: string, bytes: Uint8Array) => Promise<Level>, file: string): Promise<Level> {
  const bytes = await readMapBytes(file);
  try {
    return await openLevel(basename(file), bytes);
  } catch (error) {
    if (!(error instanceof NavguardError)) throw error;
    throw new NavguardError(error.code, `${file}: ${error.message}`, { file, ...error.detail });
  }
}
