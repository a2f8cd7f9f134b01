// What a reference server can be told, in one table: name, default, range, unit, and what it is for. The command line's
// flags and their help are made from it. A leaf of serve/.
import { NavguardError } from '../errors.ts';

/** One number that can be set. */
export interface Setting {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  readonly help: string;
}

/** Every number of a server. The flag of `maxSockets` is `--max-sockets`. */
export const SETTINGS = {
  speed: { fallback: 6, least: 0, most: 1000, unit: 'm/s', help: 'speed limit of everybody who joins' },
  tickMs: { fallback: 50, least: 10, most: 1000, unit: 'ms', help: 'how often a room sends what has moved' },
  roomSize: { fallback: 64, least: 1, most: 1024, unit: 'sockets', help: 'in one room, at most' },
  maxRooms: { fallback: 1024, least: 1, most: 1e6, unit: 'rooms', help: 'at a time, at most' },
  maxSockets: { fallback: 4096, least: 1, most: 1e6, unit: 'sockets', help: 'in all, at most' },
  perAddress: { fallback: 32, least: 1, most: 1e6, unit: 'sockets', help: 'of one address, at most' },
  joinsPerSecond: { fallback: 8, least: 0.1, most: 1e6, unit: '1/s', help: 'connections of one address, on average' },
  maxEntities: { fallback: 4, least: 1, most: 256, unit: 'entities', help: 'of one socket, at most' },
  maxFrameBytes: { fallback: 1024, least: 64, most: 1 << 20, unit: 'bytes', help: 'of one frame; a longer one closes' },
  messagesPerSecond: { fallback: 60, least: 1, most: 1e6, unit: '1/s', help: 'of one socket; more are dropped' },
  bytesPerSecond: { fallback: 16_384, least: 64, most: 1e9, unit: 'bytes/s', help: 'of one socket; more are dropped' },
  burstSeconds: { fallback: 2, least: 0.1, most: 60, unit: 's', help: 'worth of both that may come at once' },
  queueBytes: { fallback: 65_536, least: 1024, most: 1 << 30, unit: 'bytes', help: 'unsent: no more snapshots' },
  queueLimitBytes: {
    fallback: 524_288,
    least: 1024,
    most: 1 << 30,
    unit: 'bytes',
    help: 'unsent: the socket is closed',
  },
  pingMs: { fallback: 2000, least: 50, most: 60_000, unit: 'ms', help: 'between pings, which measure the round trip' },
  deadMs: {
    fallback: 10_000,
    least: 200,
    most: 600_000,
    unit: 'ms',
    help: 'without a pong or a frame: half-open, cut',
  },
  idleMs: { fallback: 300_000, least: 200, most: 86_400_000, unit: 'ms', help: 'without a claim: closed' },
  graceMs: { fallback: 3000, least: 0, most: 60_000, unit: 'ms', help: 'for closing handshakes at shutdown' },
} as const satisfies Record<string, Setting>;

/** A number's name. */
export type SettingName = keyof typeof SETTINGS;
/** All of them, in force. */
export type Settings = { readonly [K in SettingName]: number };

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** The numbers in force. Throws `BAD_ARGUMENT` for one out of range. */
export function settingsOf(given: Partial<Settings>): Settings {
  const all: Record<string, number> = {};
  for (const name of NAMES) {
    const { fallback, least, most, unit } = SETTINGS[name];
    const value = given[name] ?? fallback;
    if (!(value >= least && value <= most)) {
      throw new NavguardError('BAD_ARGUMENT', `${name} is ${value}, expected ${least} to ${most} ${unit}.`, {
        option: name,
        got: value,
      });
    }
    all[name] = value;
  }
  return all as Settings;
}

/** `maxSockets` -> `max-sockets`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
