// Throughput of `navguard audit`: a log of a million honest claims, replayed by the command line as an operator would, on
// one core. Usage: npm run build && node dist/bench/audit.js [--claims n] [--runs n] [--json file]
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ENTITIES } from '../src/bench/cases/guard.ts';
import { machine } from '../src/bench/report.ts';
import { summary } from '../src/bench/rounds.ts';
import { Endless, record, SPEED } from '../src/bench/walkers.ts';
import { level } from './levels.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const cli = join(root, 'dist/src/cli/main.js');
const MAP = 'yard';

/** Writes map and log; returns the log's path. */
async function writeLog(folder: string, claims: number): Promise<string> {
  const on = await level(MAP);
  writeFileSync(join(folder, 'yard.bin'), on.bytes);
  const moves = record(on, 65_536, ENTITIES, 0xa0d17);
  const endless = new Endless(moves);
  const path = join(folder, 'honest.ndjson');
  const file = createWriteStream(path);
  const lines: string[] = [JSON.stringify({ movelog: 1, map: { file: 'yard.bin' }, comment: 'honest walkers, 20 Hz' })];
  for (const { id, start } of moves.entities) {
    lines.push(JSON.stringify({ t: 0, op: 'enter', id, pos: start, speed: SPEED }));
  }
  for (let i = 0; i < claims; i++) {
    const k = endless.at(i);
    const pos = [moves.pos[3 * k], moves.pos[3 * k + 1], moves.pos[3 * k + 2]];
    const t = Math.round(endless.time(i) * 1000) / 1000;
    lines.push(JSON.stringify({ t, op: 'move', id: moves.entities[moves.entity[k]].id, seq: i, pos }));
    if (lines.length >= 8192) file.write(`${lines.splice(0).join('\n')}\n`);
  }
  file.end(`${lines.join('\n')}\n`);
  await finished(file);
  return path;
}

/** Pins a command to one core where the system can. */
function pinned(command: string, args: readonly string[]): [string, string[]] {
  const can = process.platform === 'linux' && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  return can ? ['taskset', ['-c', '0', command, ...args]] : [command, [...args]];
}

interface AuditSummary {
  readonly claims: number;
  readonly accepted: number;
  readonly refused: number;
  readonly claimsPerSecond: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      claims: { type: 'string', default: '1000000' },
      runs: { type: 'string', default: '5' },
      json: { type: 'string' },
    },
  });
  const claims = Number(values.claims);
  const runs = Number(values.runs);
  if (!(Number.isInteger(claims) && claims > 0 && Number.isInteger(runs) && runs > 0)) {
    throw new Error(`--claims and --runs: expected whole numbers above 0, got ${values.claims} and ${values.runs}`);
  }
  const on = machine();
  const folder = mkdtempSync(join(tmpdir(), 'navguard-bench-'));
  try {
    const log = await writeLog(folder, claims);
    const [command, args] = pinned(process.execPath, [cli, 'audit', log, '--json']);
    console.log(
      `${on.cpu}, Node ${on.node}, ${on.date}${command === 'taskset' ? ', one core' : ', not pinned to a core'}`,
    );
    console.log(`${claims} claims, ${(statSync(log).size / 1e6).toFixed(0)} MB of NDJSON, ${runs} runs`);
    const whole: number[] = [];
    const own: number[] = [];
    for (let i = 0; i < runs; i++) {
      const started = performance.now();
      const run = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      const seconds = (performance.now() - started) / 1000;
      if (run.status !== 0) throw new Error(`audit ended with ${run.status ?? run.signal}`);
      const said = JSON.parse(run.stdout) as AuditSummary;
      if (said.claims !== claims) throw new Error(`audit judged ${said.claims} claims, expected ${claims}`);
      if (i === 0) console.log(`accepted ${said.accepted}, refused ${said.refused}`);
      whole.push(claims / seconds);
      own.push(said.claimsPerSecond);
    }
    const entire = summary(whole);
    const replay = summary(own);
    console.log(`whole process, start and map included: ${format(entire)}`);
    console.log(`as the summary says:                   ${format(replay)}`);
    if (values.json !== undefined) {
      const row = {
        case: 'audit',
        map: MAP,
        subject: 'navguard',
        claims,
        wholeProcess: entire,
        summary: replay,
        ...on,
      };
      writeFileSync(values.json, `${JSON.stringify(row, null, 1)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function format({ p50, margin }: { p50: number; margin: number }): string {
  return `${Math.round(p50).toLocaleString('en')} claims a second +-${margin.toFixed(1)} %`;
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
