// The benchmark: prepares each case, compares everyone's answers, then times them in alternating rounds.
// Usage: npm run bench -- [--case names] [--map names] [--quick] [--json file] [--csv] [--markdown]
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allocRow } from './alloc.ts';
import type { Case } from './cases/case.ts';
import { CORRIDOR_CASES } from './cases/corridor.ts';
import { GRID_CASES } from './cases/grid.ts';
import { GUARD_CASES } from './cases/guard.ts';
import { LOCATE_CASES } from './cases/locate.ts';
import { RAY_CASES } from './cases/ray.ts';
import { REACH_CASES } from './cases/reach.ts';
import { GROWTH, LEVELS, level, openGround } from './levels.ts';
import { header, type MapSize, machine, makeRow, markdown, type Row, rowLines, sizeLines, writeCsv } from './report.ts';
import { answerAll, type Effort, interleave, SEGMENT, sunk } from './rounds.ts';

const CASES: readonly Case[] = [
  ...RAY_CASES,
  ...LOCATE_CASES,
  ...CORRIDOR_CASES,
  ...REACH_CASES,
  ...GUARD_CASES,
  ...GRID_CASES,
];
const ALLOC = 'alloc';

interface Size extends Effort {
  readonly queries: number;
  /** Longest time that a subject may take to answer for the comparison; beyond it fewer answers are compared. */
  readonly answerMs: number;
}

/** The whole run takes minutes, the quick one seconds: too few queries and rounds to quote, enough to see that it works. */
const FULL: Size = { queries: 65_536, rounds: 15, sampleMs: 12, answerMs: 2500 };
const QUICK: Size = { queries: 8_192, rounds: 5, sampleMs: 4, answerMs: 300 };
/** Below this share of equal answers the bench itself is suspect. */
const SUSPECT = 0.9;

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
  const wanted = chosen('case', values.case, [...CASES.map((c) => c.name), ALLOC]);
  const maps = chosen('map', values.map, [...new Set(CASES.flatMap((c) => c.maps))]);
  const effort = values.quick ? QUICK : FULL;
  const on = machine();
  const started = performance.now();

  console.log(`${on.cpu}, ${on.cores} cores, Node ${on.node}, ${on.date}`);
  console.log(
    `${effort.queries} distinct queries a case, ${effort.rounds} alternating rounds; a ratio is the peer's time over navguard's${values.quick ? '; QUICK: not to be quoted' : ''}\n`,
  );
  const cases = CASES.filter((c) => wanted(c.name));
  for (const line of sizeLines(await sizes(cases, maps))) console.log(line);
  console.log(`\n${header()}`);

  const rows: Row[] = [];
  const suspects: string[] = [];
  for (const one of cases) {
    for (const map of one.maps.filter(maps)) {
      const row = await measure(one, map, effort);
      rows.push(row);
      console.log(rowLines(row).join('\n'));
      for (const [peer, share] of Object.entries(row.agreement)) {
        if (share < (peer === 'twin' ? 1 : SUSPECT)) suspects.push(`${one.name} on ${map}: ${peer} agrees on ${share}`);
      }
    }
  }
  if (wanted(ALLOC)) {
    const row = allocRow(values.quick);
    rows.push(row);
    console.log(rowLines(row).join('\n'));
  }

  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s; sink ${sunk().toExponential(3)}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`);
  if (values.csv) for (const path of writeCsv(join(root, 'bench/results'), rows, on)) console.log(path);
  if (values.markdown) console.log(`\n${markdown(rows, on)}`);
  for (const suspect of suspects) console.error(`bench: ${suspect}: expected more; look before you quote`);
  if (suspects.length > 0) process.exitCode = 1;
}

async function measure(one: Case, map: string, effort: Size): Promise<Row> {
  const prepared = await one.prepare(map, effort.queries);
  const segments = prepared.queries / SEGMENT;
  const answered = prepared.subjects.map((subject) => answerAll(subject, segments, effort.answerMs));
  const compared = Math.min(...answered) * SEGMENT;
  const agreements = prepared.agreements(compared);
  const { note } = prepared;
  const timings = interleave(prepared.subjects, segments, effort);
  return makeRow(one.name, prepared.map, prepared.queries, timings, agreements, compared, prepared.best, note);
}

/** Sizes of the navmeshes that the chosen cases use. */
async function sizes(cases: readonly Case[], maps: (name: string) => boolean): Promise<MapSize[]> {
  const used = LEVELS.filter((name) => maps(name) && cases.some((c) => c.maps.includes(name)));
  const levels = await Promise.all(used.map(level));
  if (cases.some((c) => c.name === 'growth') && maps('terrain')) {
    levels.push(...(await Promise.all(GROWTH.slice(0, -1).map(openGround))));
  }
  return levels.map((on) => ({
    map: on.name,
    polygons: on.map.info.polygons,
    exportBytes: on.bytes.length,
    packBytes: on.map.info.bytes,
  }));
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
