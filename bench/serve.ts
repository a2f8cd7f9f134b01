// How many sockets at 20 claims a second one server process holds with p99 of its answers below 20 ms: `npm run bench:serve`.
// The load comes from this process, the server is another; each has a core. Prints a row for each try, and the figure.
//   --map <file> --seconds <s> --room <n> --hz <n> --p99 <ms> --sockets <n> (only that many) --from <n> --record <file>
//   --csv: the figures also go to bench/results, beside the other cases
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine, type Row, writeCsv } from '../src/bench/report.ts';
import { loadMapFile } from '../src/log/maps.ts';
import { ServerProcess } from './serve/child.ts';
import { Crowd } from './serve/crowd.ts';
import { routesOf } from './serve/routes.ts';

const { values } = parseArgs({
  options: {
    map: { type: 'string', default: 'navdata/maps/pillars.bin' },
    seconds: { type: 'string', default: '5' },
    room: { type: 'string', default: '16' },
    hz: { type: 'string', default: '20' },
    p99: { type: 'string', default: '20' },
    sockets: { type: 'string' },
    from: { type: 'string', default: '400' },
    record: { type: 'string' },
    csv: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const room = Number(values.room);
const bound = Number(values.p99);
const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
/** Between growing and measuring, ms: compiled, warm, and everybody walks. */
const SETTLE_MS = 1500;

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const map = await loadMapFile(values.map);
const routes = routesOf(map, 6);
const open = [
  '--max-sockets',
  '60000',
  '--per-address',
  '60000',
  '--joins-per-second',
  '100000',
  '--max-rooms',
  '60000',
];
const record = values.record === undefined ? [] : ['--record', values.record];
const server = await ServerProcess.start(MAIN, [values.map, ...open, ...record, '--log-level', 'info']);
const crowd = new Crowd(server.url, routes, Number(values.hz));
/** Of the largest crowd that passed. */
let p99OfBest = Number.NaN;
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();

function gcSeconds(metrics: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [name, value] of metrics) if (name.startsWith('nodejs_gc_duration_seconds_sum')) sum += value;
  return sum;
}

/** Time that the machine was somebody else's, in hundredths of a second of all its cores; 0 where nobody says. */
function stolen(): number {
  try {
    return Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function measure(sockets: number): Promise<boolean> {
  if (crowd.players.length > sockets) crowd.shrink(sockets);
  await crowd.grow(sockets, room);
  await wait(SETTLE_MS);
  const before = await server.metrics();
  const start = performance.now();
  const cpu = process.cpuUsage();
  const taken = stolen();
  // a scrape is no part of the load
  await wait(300);
  crowd.take();
  lag.reset();
  await wait(1000 * seconds);
  const seen = crowd.take();
  const mine = process.cpuUsage(cpu);
  const measured = (performance.now() - start) / 1000;
  const after = await server.metrics();
  const cores = (after.get('process_cpu_seconds_total')! - before.get('process_cpu_seconds_total')!) / measured;
  const p99 = seen.quantile(0.99);
  const row = {
    sockets,
    'answers/s': Math.round(seen.answered / seconds),
    'of claims': `${((100 * seen.answered) / seen.sent).toFixed(1)} %`,
    'p50 ms': seen.quantile(0.5).toFixed(2),
    'p99 ms': p99.toFixed(2),
    'p99.9 ms': seen.quantile(0.999).toFixed(2),
    'snapshots/s': Math.round(seen.snapshots / seconds),
    'MB/s out': (seen.bytes / seconds / 1e6).toFixed(2),
    'server cores': cores.toFixed(2),
    'load cores': ((mine.user + mine.system) / 1e6 / measured).toFixed(2),
    'load lag p99': (lag.percentile(99) / 1e6).toFixed(1),
    'load lag max': (lag.max / 1e6).toFixed(1),
    'server lag max': (1000 * (after.get('nodejs_eventloop_lag_max_seconds') ?? Number.NaN)).toFixed(1),
    'server lag p99': (1000 * (after.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN)).toFixed(1),
    'server gc s': (gcSeconds(after) - gcSeconds(before)).toFixed(2),
    'stolen %': ((stolen() - taken) / measured / availableParallelism()).toFixed(1),
    refused: seen.refused,
    closed: seen.closed,
    'RSS MB': Math.round((after.get('process_resident_memory_bytes') ?? 0) / 2 ** 20),
  };
  console.log(JSON.stringify(row));
  const passed = p99 < bound && seen.closed === 0 && seen.answered > 0.97 * Number(values.hz) * sockets * seconds;
  if (passed) p99OfBest = p99;
  return passed;
}

let best = 0;
if (values.sockets !== undefined) best = (await measure(Number(values.sockets))) ? Number(values.sockets) : 0;
else {
  let failed = 0;
  for (let n = Number(values.from); failed === 0 || failed - best > 0.06 * failed; ) {
    // the better of two tries: one hiccup of the machine (see "stolen") is not the server's
    if ((await measure(n)) || (await measure(n))) best = n;
    else failed = n;
    n = failed === 0 ? Math.round(n * 1.5) : Math.round((best + failed) / 2 / 10) * 10;
    if (n === best || n === failed || failed === 1) break;
  }
}
const about = { map: values.map, hz: values.hz, room, bound: `${bound} ms` };
console.log(JSON.stringify({ ...about, node: process.version, 'largest N with p99 below the bound': best }));
if (values.csv) {
  const figures = {
    [`sockets at ${values.hz} claims a second with p99 below ${bound} ms`]: best,
    'ms: p99 at the largest': p99OfBest,
  };
  const nothing = { peers: {}, ratios: {}, margins: {}, agreement: {}, differences: {} };
  const name = basename(values.map, extname(values.map));
  const nsPerOp = 1e9 / (Number(values.hz) * best);
  const row: Row = {
    case: 'serve',
    map: name,
    subject: 'navguard serve',
    nsPerOp,
    queries: best,
    compared: 0,
    ...nothing,
    figures,
  };
  const results = join(dirname(fileURLToPath(import.meta.url)), '../../bench/results');
  for (const path of writeCsv(results, [row], machine())) console.log(path);
}
crowd.stop();
await server.stop();
process.exit(best > 0 ? 0 : 1);
