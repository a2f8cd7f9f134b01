// A server under half its load for a long time: `npm run soak -- --minutes 30 --sockets n`. Prints its heap and RSS once in a
// while and the slope of both over the second half; ends with 1 when they grow, or when anything went wrong.
//   --map <file> --minutes <m> --sockets <n> --room <n> --every <s>
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadMapFile } from '../src/log/maps.ts';
import { ServerProcess } from './serve/child.ts';
import { Crowd } from './serve/crowd.ts';
import { routesOf } from './serve/routes.ts';

const { values } = parseArgs({
  options: {
    map: { type: 'string', default: 'navdata/maps/pillars.bin' },
    minutes: { type: 'string', default: '30' },
    sockets: { type: 'string', default: '600' },
    room: { type: 'string', default: '16' },
    every: { type: 'string', default: '15' },
  },
});
const minutes = Number(values.minutes);
const sockets = Number(values.sockets);
const room = Number(values.room);
const everyMs = 1000 * Number(values.every);
const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
/** What may come on top in an hour, MB, beside twice the error of the slope: less than a day would notice. */
const FLAT_MB_PER_HOUR = 16;

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Least squares: growth an hour, and its standard error. */
function slope(points: readonly (readonly [minute: number, mb: number])[]): { perHour: number; error: number } {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const sxx = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const b = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - b * (x - meanX)) ** 2, 0);
  return { perHour: 60 * b, error: 60 * Math.sqrt(rest / Math.max(1, n - 2) / sxx) };
}

const routes = routesOf(await loadMapFile(values.map), 6);
const open = ['--max-sockets', '60000', '--per-address', '60000', '--joins-per-second', '100000'];
const server = await ServerProcess.start(MAIN, [values.map, ...open]);
const crowd = new Crowd(server.url, routes);
await crowd.grow(sockets, room);
const start = performance.now();
const heap: [number, number][] = [];
const rss: [number, number][] = [];
let wrong = 0;
let claims = 0;
let answers = 0;
let worstP99 = 0;
/** Players that leave and come back in each interval: half a room. */
const churn = Math.ceil(room / 2);
while (performance.now() - start < 60_000 * minutes) {
  await wait(Math.min(everyMs, 60_000 * minutes - (performance.now() - start)));
  const seen = crowd.take();
  const metrics = await server.metrics();
  const minute = (performance.now() - start) / 60_000;
  heap.push([minute, (metrics.get('nodejs_heap_size_used_bytes') ?? Number.NaN) / 2 ** 20]);
  rss.push([minute, (metrics.get('process_resident_memory_bytes') ?? Number.NaN) / 2 ** 20]);
  claims += seen.sent;
  answers += seen.answered;
  wrong += seen.refused + seen.closed;
  worstP99 = Math.max(worstP99, seen.quantile(0.99));
  const row = {
    minute: minute.toFixed(2),
    'answers/s': Math.round(seen.answered / (everyMs / 1000)),
    'p99 ms': seen.quantile(0.99).toFixed(2),
    refused: seen.refused,
    closed: seen.closed,
    'heap MB': heap[heap.length - 1][1].toFixed(1),
    'RSS MB': rss[rss.length - 1][1].toFixed(1),
    pauses: metrics.get('navguard_pauses_total'),
  };
  console.log(JSON.stringify(row));
  crowd.shrink(sockets - churn);
  await crowd.grow(sockets, room);
}
await wait(500);
const rest = crowd.take();
answers += rest.answered;
claims += rest.sent;
// those that left took their last claims with them
const unanswered = crowd.players.reduce((sum, player) => sum + player.unanswered, 0);
crowd.stop();
const code = await server.stop();
const second = <T>(points: readonly T[]): readonly T[] => points.slice(Math.floor(points.length / 2));
const heapSlope = slope(second(heap));
const rssSlope = slope(second(rss));
const flat = (s: typeof heapSlope): boolean => s.perHour - 2 * s.error < FLAT_MB_PER_HOUR;
const ok = flat(heapSlope) && flat(rssSlope) && wrong === 0 && code === 0 && unanswered <= sockets;
const of = (s: typeof heapSlope): string => `${s.perHour.toFixed(1)} +- ${s.error.toFixed(1)}`;
console.log(
  JSON.stringify({
    minutes,
    sockets,
    claims,
    answers,
    refusedOrClosed: wrong,
    unanswered,
    worstP99: worstP99.toFixed(2),
    'heap MB/h': of(heapSlope),
    'RSS MB/h': of(rssSlope),
    exit: code,
    ok,
  }),
);
process.exit(ok ? 0 : 1);
