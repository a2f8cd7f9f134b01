// What a server is given besides numbers (those are in options.ts). A leaf of serve/ but for types.
import type { LogOptions, Rules } from '../guard.ts';
import type { Vec3 } from '../types.ts';
import type { VerdictListener } from './judge.ts';
import type { Settings } from './options.ts';
import type { ServeRecordOptions } from './recorder.ts';

/** What is needed of a logger: pino has it. */
export interface ServeLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ServeOptions extends Partial<Settings> {
  /** Where to listen (default 127.0.0.1, port 0 = any free one). */
  readonly host?: string;
  readonly port?: number;
  /** `/metrics` and `/healthz` listen on another port of the same host, and no longer on the game's. */
  readonly adminPort?: number | undefined;
  readonly rules?: Partial<Rules> | Readonly<Record<string, unknown>>;
  /** Where newcomers stand, in turn (default: places all over the largest connected part). */
  readonly spawn?: readonly Vec3[] | undefined;
  readonly record?: ServeRecordOptions | undefined;
  /** How move logs name the map (its path; default: by its hash only). */
  readonly mapFile?: string | undefined;
  readonly logger?: ServeLogger | undefined;
  /** One record for each refused claim, to the guard's logger. */
  readonly verdictLog?: LogOptions | undefined;
  /** Who reaches the guard's `kick` is closed (default true). */
  readonly kick?: boolean;
  /** The address is the last one of X-Forwarded-For. */
  readonly behindProxy?: boolean;
  readonly onVerdict?: VerdictListener | undefined;
  /** Where an entity stands that joins, and how fast it is: your game's word, in place of `spawn` and `speed`. */
  readonly place?: ((room: string, name: string | undefined) => Placed | undefined) | undefined;
}

/** A newcomer. */
export interface Placed {
  readonly pos: Vec3;
  /** m/s. */
  readonly speed: number;
}
