// `navguard serve`: the reference server. Imported by cli/main.ts; what it runs on (ws, prom-client, pino) is loaded only
// when it runs.
import { dirname, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { NavguardError } from '../errors.ts';
import { loadMapFile } from '../log/maps.ts';
import { flagOf, SETTINGS, type SettingName, type Settings } from '../serve/options.ts';
import type { Vec3 } from '../types.ts';
import { jsonObjectFile, mapOptions, type ReadFlags, readFlags } from './inputs.ts';

interface ServeFlags extends ReadFlags, Record<string, unknown> {
  host: string;
  port: string;
  adminPort?: string;
  rules?: string;
  spawn?: string[];
  record?: string;
  recordMaxMb: string;
  recordFiles: string;
  recordExpect?: true;
  kick: boolean;
  behindProxy?: true;
  logLevel: string;
  logRefusals?: true;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** Refusals that are logged in a second, at most: a log must not be what a cheat fills the disk with. */
const REFUSALS_PER_SECOND = 50;

const TEACHING = `
How it works
  A client opens ws://host:port/<room> (or ?room=<room>; "lobby" without) and is put on the map; ?name=<name> names its entity
  <room>/<name>. It sends binary frames of navguard/wire: Move (I am here), MoveBegin (I walk there), Input, Ack. It gets Hello
  first; then one answer for each claim: MoveAnswer, or Correction (stand there, and acknowledge), or MoveFail (a refused click,
  told to its sender only). The others get a Snapshot of what has moved, once in --tick-ms, MoveStarted for an accepted click,
  and Left. With ?form=json all of it is JSON text, for trying it by hand:
      > {"op":"move","seq":1,"pos":[3.1,0,4.2]}
      < {"op":"answer","seq":1,"reason":"Accept","pos":[3.1,0,4.2]}

  Who sends too much is dropped, then closed (1008); a frame over --max-frame-bytes closes (1009); who does not read gets no
  more snapshots, then is closed; who does not answer pings is cut. The time of a claim is when the server read it; the round
  trip is measured by pings. Nobody is asked who it is: put your own login in front, or use the library.

  http://host:port/metrics (Prometheus) and /healthz (JSON; 503 while it shuts down). SIGTERM or SIGINT: no more connections,
  closing frames, the move log to its end, exit code 0.

  --record moves.ngml writes moves-000001.ngml and so on, each a whole move log: "navguard audit <map> moves-000001.ngml" gives
  the live verdicts again. With --record-expect each claim carries its live verdict, and audit --check compares.

Examples:
  navguard serve dungeon.bin --port 8080
  navguard serve dungeon.bin --host 0.0.0.0 --admin-port 9100 --record logs/moves.ngml --record-max-mb 256
  npx wscat -c 'ws://127.0.0.1:8080/arena?form=json'`;

export function serveCommand(): Command {
  const command = new Command('serve')
    .summary('a reference server: rooms over WebSockets, every claim judged')
    .description(
      'Serves a map over WebSockets: rooms, authoritative positions, corrections, limits, metrics, a move log.',
    )
    .argument('<map>', 'navmesh export or packed map')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <n>', 'of the game; 0 = any free one', '8080')
    .option('--admin-port <n>', '/metrics and /healthz on a port of their own')
    .option('--rules <file>', 'JSON object of rules (see navguard audit --help)')
    .option('--spawn <x,y,z...>', 'where newcomers stand, in turn (default: all over the largest connected part)')
    .option('--record <file>', 'write a move log: name.ngml (binary) or name.ndjson')
    .option('--record-max-mb <mb>', 'a new file begins at this size', '64')
    .option('--record-files <n>', 'files that are kept, the oldest go first', '8')
    .option('--record-expect', 'claims carry their live verdict, for audit --check')
    .option('--no-kick', 'do not close who reaches the rules\' "kick"')
    .option('--behind-proxy', "a client's address is the last one of X-Forwarded-For")
    .option('--log-level <level>', LEVELS.join(', '), 'info')
    .option(
      '--log-refusals',
      `log each refused claim with all that led to it (at most ${REFUSALS_PER_SECOND} a second)`,
    );
  for (const [name, { fallback, unit, help }] of Object.entries(SETTINGS)) {
    command.option(`--${flagOf(name)} <n>`, `${unit} ${help}`, String(fallback));
  }
  return readFlags(command).addHelpText('after', TEACHING).action(runServe);
}

async function runServe(mapPath: string, flags: ServeFlags): Promise<void> {
  const settings: Partial<Record<SettingName, number>> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) settings[name] = number(name, flags[name] as string);
  const port = whole('port', flags.port, 0, 65_535);
  const adminPort = flags.adminPort === undefined ? undefined : whole('adminPort', flags.adminPort, 0, 65_535);
  const spawn = flags.spawn?.map(place);
  const record =
    flags.record === undefined
      ? undefined
      : {
          file: flags.record,
          maxBytes: Math.round(number('recordMaxMb', flags.recordMaxMb) * 2 ** 20),
          files: whole('recordFiles', flags.recordFiles, 1, 1e6),
          expect: flags.recordExpect === true,
        };
  if (!LEVELS.includes(flags.logLevel)) throw wrong('logLevel', flags.logLevel, LEVELS.join(', '));
  const rules = flags.rules === undefined ? undefined : await jsonObjectFile(flags.rules, 'rules');
  const map = await loadMapFile(mapPath, await mapOptions(flags));
  for (const pos of spawn ?? []) {
    if (map.locate(pos) === null) throw wrong('spawn', pos.join(','), `a place on the floor of ${mapPath}`);
  }
  const [{ pino }, { startServer }] = await Promise.all([import('pino'), import('../serve/server.ts')]);
  const logger = pino({ level: flags.logLevel, base: null });
  const server = await startServer(map, {
    ...(settings as Settings),
    host: flags.host,
    port,
    adminPort,
    ...(rules === undefined ? {} : { rules }),
    spawn,
    record,
    mapFile: record === undefined ? undefined : relative(dirname(resolve(record.file)), resolve(mapPath)),
    logger,
    verdictLog: flags.logRefusals === true ? { logger: few(logger) } : undefined,
    kick: flags.kick,
    behindProxy: flags.behindProxy === true,
  });
  const url = `ws://${flags.host}:${server.port}/`;
  const pages = `http://${flags.host}:${server.adminPort}`;
  const { hash } = map.info;
  logger.info({ url, metrics: `${pages}/metrics`, health: `${pages}/healthz`, map: mapPath, hash }, 'listening');
  await stopped((signal) => logger.info({ signal, sockets: server.clients.size }, 'shutting down'));
  await server.close();
  const { connections, claims } = server.counts;
  logger.info({ connections, claims, recorded: server.judge.log?.events ?? 0 }, 'stopped');
}

/** Until SIGTERM or SIGINT; a second one ends the process at once. */
function stopped(say: (signal: string) => void): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // those of main.ts end at once
      process.removeAllListeners(signal);
      process.once(signal, () => {
        process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
        say(signal);
        done();
      });
    }
  });
}

/** A logger that is not told more than so much in a second. */
function few(logger: { info(o: object, m: string): void; warn(o: object, m: string): void }) {
  let second = 0;
  let said = 0;
  let unsaid = 0;
  const warn = (record: object, message: string): void => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (unsaid > 0) logger.warn({ unsaid }, 'refusals not logged');
      second = now;
      said = 0;
      unsaid = 0;
    }
    if (said++ < REFUSALS_PER_SECOND) logger.warn(record, message);
    else unsaid++;
  };
  return { info: (record: object, message: string) => logger.info(record, message), warn };
}

function place(text: string): Vec3 {
  const numbers = text.split(',').map(Number);
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) throw wrong('spawn', text, 'x,y,z in metres');
  return numbers as unknown as Vec3;
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = number(name, text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong(name, text, `a whole number of ${least} to ${most}`);
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw wrong(name, text, 'a number');
  return value;
}

function wrong(name: string, got: string, expected: string): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `--${flagOf(name)} is ${got}, expected ${expected}.`, { option: name, got });
}
