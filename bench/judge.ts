// The bars of judgement, measured: no honest claim refused, nobody honest watched, on every map and for every client model;
// every cheat of the zoo caught within its bound.
// Usage: npm run judge -- [--moves 1e7] [--map names] [--model names] [--cheat names] [--runs n] [--seed n] [--json file]
//        [--workers n]; a name `none` leaves models or cheats out
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SingleBar } from 'cli-progress';
import { alignedTable, grouped } from '../src/report/table.ts';
import { CHEATS } from '../src/simulate/cheats/index.ts';
import { MODELS } from '../src/simulate/models.ts';
import type { HonestRow } from '../src/simulate/play.ts';
import type { CheatRow } from './judge/cheats.ts';
import { MAPS } from './judge/maps.ts';
import type { Message, Task } from './judge/worker.ts';

/** The most undecided claims there may be: a share. */
const UNDECIDED = 1e-4;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      moves: { type: 'string', default: '1e7' },
      map: { type: 'string', multiple: true },
      model: { type: 'string', multiple: true },
      cheat: { type: 'string', multiple: true },
      runs: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    },
  });
  const moves = number('moves', values.moves);
  const seed = number('seed', values.seed);
  const maps = chosen('map', values.map, [...MAPS.keys()]);
  const models = chosen(
    'model',
    values.model,
    MODELS.map((m) => m.name),
  );
  const cheats = chosen('cheat', values.cheat, [...CHEATS.keys()]);
  const runs = number('runs', values.runs);
  const claims = Math.ceil(moves / maps.length / Math.max(1, models.length));
  const tasks = maps.map((map, i): Task => ({ map, models, claims, cheats, runs, seed: seed + i }));
  const started = performance.now();
  const { rows, cheatRows, logs } = await play(
    tasks,
    number('workers', values.workers),
    claims * models.length * maps.length,
  );
  const seconds = (performance.now() - started) / 1000;

  if (rows.length > 0) sayHonest(rows, logs, seed, seconds);
  if (cheatRows.length > 0)
    process.stdout.write(`\ncheats, ${runs} runs a map (seed ${seed})\n${cheatTable(cheatRows)}`);
  for (const row of cheatRows.filter(isBroken)) {
    process.stdout.write(
      `${row.cheat} on ${row.map}: ${row.runs - row.caught - row.harmless} escaped, ${row.late} late, ${row.fouls} with fouls, ${row.honestRefused} honest claims refused, seeds ${row.seeds.slice(0, 5).join(' ')}\n`,
    );
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ seed, seconds, rows, cheats: cheatRows }, null, 1)}\n`);
  }
  const all = total(rows);
  const held =
    rows.length === 0 ||
    (all.refusals === 0 && all.watched === 0 && all.undecided < UNDECIDED * all.claims && all.claims >= moves * 0.99);
  if (!held || cheatRows.some(isBroken)) process.exitCode = 1;
}

function sayHonest(rows: readonly HonestRow[], logs: readonly string[], seed: number, seconds: number): void {
  process.stdout.write(`honest players, by map (seed ${seed})\n${table(rows, 'map')}\n`);
  process.stdout.write(`honest players, by client model\n${table(rows, 'model')}\n`);
  const broken = rows.filter((row) => row.refusals > 0 || row.watched > 0);
  for (const row of broken) {
    const reasons = JSON.stringify(row.reasons);
    process.stdout.write(
      `${row.map} ${row.model}, seed ${row.seed}: ${row.refusals} refused ${reasons}, ${row.watched} watched, worst score ${short(row.worstScore)}\n`,
    );
  }
  for (const path of logs) process.stdout.write(`  ${relative(process.cwd(), path)}\n`);
  const all = total(rows);
  const share = all.undecided / all.claims;
  process.stdout.write(
    `\n${grouped(all.claims)} honest claims in ${seconds.toFixed(0)} s: ${all.refusals} refused (bar 0), ${all.watched} watched (bar 0), ` +
      `${percent(share)} undecided (bar 0.01 %)\n`,
  );
}

/** Hands the tasks to workers, one each at a time, and gathers what they say. */
async function play(
  tasks: readonly Task[],
  workers: number,
  claims: number,
): Promise<{ rows: HonestRow[]; cheatRows: CheatRow[]; logs: string[] }> {
  const rows: HonestRow[] = [];
  const cheatRows: CheatRow[] = [];
  const logs: string[] = [];
  const waiting = [...tasks];
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: 'judging {bar} {percentage}% | {value}/{total} claims', stream: process.stderr })
    : null;
  bar?.start(claims, 0);
  try {
    await Promise.all(
      Array.from({ length: Math.min(workers, tasks.length) }, () => {
        const worker = new Worker(new URL('./judge/worker.js', import.meta.url));
        return new Promise<void>((resolve, reject) => {
          worker.on('error', reject);
          worker.on('message', (message: Message) => {
            if (message.kind === 'claims') bar?.increment(message.claims);
            else if (message.kind === 'honest') {
              rows.push(message.row);
              logs.push(...message.logs);
            } else if (message.kind === 'cheat') cheatRows.push(message.row);
            else {
              const task = waiting.shift();
              if (task !== undefined) worker.postMessage(task);
              else void worker.terminate().then(() => resolve());
            }
          });
        });
      }),
    );
  } finally {
    bar?.stop();
  }
  const at = (row: HonestRow): number => tasks.findIndex((t) => t.map === row.map);
  rows.sort((a, b) => at(a) - at(b));
  return { rows, cheatRows, logs };
}

function isBroken(row: CheatRow): boolean {
  return row.caught + row.harmless < row.runs || row.late > 0 || row.fouls > 0 || row.honestRefused > 0;
}

function cheatTable(rows: readonly CheatRow[]): string {
  const head = [
    'cheat',
    'maps',
    'runs',
    'caught',
    'harmless',
    'late',
    'fouls',
    'claims until',
    'most',
    's until',
    'most',
    'm ahead',
    'most',
  ];
  const names = [...new Set(rows.map((row) => row.cheat))];
  const lines = names.map((name) => {
    const own = rows.filter((row) => row.cheat === name);
    const sum = (of: (row: CheatRow) => number): number => own.reduce((all, row) => all + of(row), 0);
    const runs = sum((row) => row.runs);
    const claims = own.flatMap((row) => row.claims);
    const seconds = own.flatMap((row) => row.ms).map((ms) => ms / 1000);
    const metres = own.flatMap((row) => row.metres);
    // of those that gained anything
    const harmless = sum((row) => row.harmless);
    const share = runs === harmless ? '-' : `${((100 * sum((row) => row.caught)) / (runs - harmless)).toFixed(1)} %`;
    const maps = own.filter((row) => row.runs > 0).length;
    return [
      name,
      maps,
      runs,
      share,
      harmless,
      sum((row) => row.late),
      sum((row) => row.fouls),
      ...[claims, seconds, metres].flatMap((list) => [middle(list).toFixed(1), Math.max(0, ...list).toFixed(1)]),
    ];
  });
  return alignedTable([head, ...lines]);
}

function middle(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
}

interface Total {
  claims: number;
  refusals: number;
  watched: number;
  undecided: number;
  late: number;
  ignored: number;
  worstScore: number;
  minutes: number;
  wallMs: number;
}

function total(rows: readonly HonestRow[]): Total {
  const all = {
    claims: 0,
    refusals: 0,
    watched: 0,
    undecided: 0,
    late: 0,
    ignored: 0,
    worstScore: 0,
    minutes: 0,
    wallMs: 0,
  };
  for (const row of rows) {
    for (const name of [
      'claims',
      'refusals',
      'watched',
      'undecided',
      'late',
      'ignored',
      'minutes',
      'wallMs',
    ] as const) {
      all[name] += row[name];
    }
    all.worstScore = Math.max(all.worstScore, row.worstScore);
  }
  return all;
}

function table(rows: readonly HonestRow[], by: 'map' | 'model'): string {
  const head = [
    by,
    'claims',
    'refused',
    'watched',
    'undecided',
    'worst score',
    'overtaken',
    'in flight',
    'minutes',
    'claims/s',
  ];
  const names = [...new Set(rows.map((row) => row[by]))];
  const lines = names.map((name) => {
    const t = total(rows.filter((row) => row[by] === name));
    const rate = Math.round(t.claims / (t.wallMs / 1000));
    return [
      name,
      t.claims,
      t.refusals,
      t.watched,
      t.undecided,
      short(t.worstScore),
      t.late,
      t.ignored,
      Math.round(t.minutes),
      rate,
    ];
  });
  return alignedTable([head, ...lines]);
}

function short(n: number): string {
  return n.toFixed(3);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(4)} %`;
}

function number(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 1)) throw new Error(`--${flag} is "${text}", expected a number of at least 1`);
  return value;
}

function chosen(flag: string, asked: readonly string[] | undefined, known: readonly string[]): string[] {
  const words = (asked ?? []).flatMap((text) => text.split(','));
  if (words.length === 1 && words[0] === 'none') return [];
  for (const word of words) {
    if (!known.includes(word)) throw new Error(`--${flag} ${word}: expected ${known.join(', ')}`);
  }
  return words.length === 0 ? [...known] : words;
}

await main().catch((error: Error) => {
  process.stderr.write(`judge: ${error.message}\n`);
  process.exitCode = 2;
});
