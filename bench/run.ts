// The benchmark: prepares each case, compares everyone's answers, then times them in alternating rounds.
// Usage: npm run bench -- [--case names] [--map names] [--quick] [--json file] [--csv] [--markdown]
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  CASES,
  FULL,
  header,
  machine,
  measure,
  QUICK,
  type Row,
  rowLines,
  sizeLines,
  sizeOf,
} from '../src/bench/index.ts';
import { markdown, writeCsv } from '../src/bench/report.ts';
import { sunk } from '../src/bench/rounds.ts';
import { allocRow } from './alloc.ts';
import { ATTACK_CASE } from './cases/attack.ts';
import { type MapCase, type OwnCase, onLevels } from './cases/case.ts';
import { GRID_CASES } from './cases/grid.ts';
import { GROWTH_CASE } from './cases/growth.ts';
import { LOAD_CASES } from './cases/load.ts';
import { LEVELS, level } from './levels.ts';

const MAP_CASES: readonly MapCase[] = [...CASES.map(onLevels), ...GRID_CASES, GROWTH_CASE];
const ALLOC_CASE: OwnCase = {
  name: 'alloc',
  maps: ['yard'],
  run: async (size) => allocRow(size.queries <= QUICK.queries),
};
const OWN_CASES: readonly OwnCase[] = [ATTACK_CASE, ALLOC_CASE, ...LOAD_CASES];

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      case: { type: 'string', multiple: true },
      map: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      csv: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
    },
  });
  const all = [...MAP_CASES, ...OWN_CASES];
  const wanted = chosen('case', values.case, [...new Set(all.map((c) => c.name))]);
  const maps = chosen('map', values.map, [...new Set(all.flatMap((c) => c.maps))]);
  const size = values.quick ? QUICK : FULL;
  const on = machine();
  const started = performance.now();

  console.log(`${on.cpu}, ${on.cores} cores, Node ${on.node}, ${on.date}`);
  console.log(
    `${size.queries} distinct queries a case, ${size.rounds} alternating rounds; a ratio is the peer's time over navguard's${values.quick ? '; QUICK: not to be quoted' : ''}\n`,
  );
  const cases = MAP_CASES.filter((c) => wanted(c.name));
  const used = LEVELS.filter((name) => maps(name) && cases.some((c) => c.maps.includes(name)));
  const sizes = (await Promise.all(used.map(level))).map(sizeOf);
  for (const line of sizeLines(sizes)) console.log(line);
  console.log(`\n${header()}`);

  const rows: Row[] = [];
  const suspicions: string[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    console.log(rowLines(row).join('\n'));
  };
  for (const one of cases) {
    for (const map of one.maps.filter(maps)) {
      const measured = measure(one.name, await one.prepare(map, size.queries), size);
      add(measured.row);
      suspicions.push(...measured.suspicions);
    }
  }
  for (const one of OWN_CASES) {
    if (wanted(one.name) && one.maps.some(maps)) add(await one.run(size));
  }

  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s; sink ${sunk().toExponential(3)}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`);
  if (values.csv) for (const path of writeCsv(join(root, 'bench/results'), rows, on)) console.log(path);
  if (values.markdown) console.log(`\n${markdown(rows, on)}`);
  for (const suspicion of suspicions) console.error(`bench: ${suspicion}; look before you quote`);
  if (suspicions.length > 0) process.exitCode = 1;
}

/** A filter from `--case a --case b,c`; everything when it was not given. */
function chosen(what: string, given: string[] | undefined, known: readonly string[]): (name: string) => boolean {
  if (given === undefined) return () => true;
  const names = given.flatMap((list) => list.split(','));
  for (const name of names) {
    if (!known.includes(name)) {
      const more = what === 'map' && !process.env.NAVGUARD_SAMPLES ? ' (more with NAVGUARD_SAMPLES)' : '';
      throw new Error(`--${what}: expected one of ${known.join(', ')}${more}, got "${name}"`);
    }
  }
  return (name) => names.includes(name);
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
