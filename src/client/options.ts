// Options of the client's validator, report feed and move sync: one table each with name, unit, default and range. Names
// and values are checked once, at the door. A leaf of client/.

/** One numeric option. */
export interface OptionEntry {
  readonly unit: string;
  /** Undefined: the caller must say. */
  readonly fallback: number | undefined;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly what: string;
}

type Given<F> = OptionEntry & { readonly fallback: F };

function option<F extends number | undefined>(
  unit: string,
  fallback: F,
  min: number,
  max: number,
  what: string,
): Given<F> {
  return { unit, fallback, min, max, whole: false, what };
}
function whole(unit: string, fallback: number, min: number, max: number, what: string): Given<number> {
  return { unit, fallback, min, max, whole: true, what };
}

/**
 * Thresholds of the snapshot validator. The defaults of displacement are those of a `MoveGuard`: whatever it lets an entity
 * do between two ticks is in order here.
 */
export const SNAPSHOT_OPTIONS = {
  maxSpeed: option(
    'm/s',
    undefined,
    0,
    1e6,
    "the entity's plan speed limit, skills included; `setMaxSpeed` changes it",
  ),
  maxVerticalSpeed: option('m/s', 60, 0, 1e6, 'rising and falling'),
  tickMs: option('ms', 50, 1, 60_000, "the server's tick"),
  fixedPoint: whole('units/m', 0, 0, 2 ** 20, '0: positions are metres; else whole numbers, so many to a metre'),
  speedTolerance: option('x', 1.15, 1, 10, 'as the rule of this name on the server'),
  burstMs: option('ms', 1300, 0, 60_000, "metres that may come at once: the server's burstMs and rttCreditMaxMs"),
  overrun: option('m', 0.5, 0, 1e6, 'so far over its displacement a snapshot is smoothed, beyond it is dropped'),
  teleportDistance: option('m', 50, 0, 1e9, 'a step over its displacement and over this is reported'),
  gapSmoothMs: option('ms', 250, 0, 60_000, 'more missing ticks than this are smoothed'),
  leadMs: option('ms', 2000, 0, 1e6, "the ticks' time may be ahead of the client's clock by so much more than it was"),
  driftTolerance: option('x', 0.05, 0, 1, "the server's clock may be so much faster"),
  lateMs: option('ms', 5000, 0, 1e6, 'no packet is under way for longer: an older tick is reported, a younger dropped'),
  deviationSmooth: option('m', 0.1, 0, 1e9, 'farther from the prediction than this is smoothed'),
  deviationDrop: option('m', 10, 0, 1e9, 'farther from the prediction than this is dropped'),
  deviationReport: option('m', 50, 0, 1e9, 'farther from the prediction than this is reported'),
  rebaseAfter: whole('', 5, 1, 1e6, 'so many refused snapshots in a row that agree with each other are believed'),
  expectMs: option('ms', 2000, 0, 1e6, 'how long an announced place is waited for'),
  expectRadius: option('m', 1, 0, 1e6, 'how near to it the entity must show up, beside what it can have walked since'),
  holdMs: option('ms', 1000, 0, 1e6, 'how long a finding waits for the announcement that explains it'),
} as const satisfies Record<string, OptionEntry>;

/** How often reports are sent. */
export const FEED_OPTIONS = {
  windowMs: option('ms', 1000, 0, 3_600_000, 'findings within this time are merged into one report'),
  everyMs: option('ms', 10_000, 0, 3_600_000, 'one report each so often in the long run; what comes between is merged'),
  burst: whole('reports', 3, 1, 1000, 'so many reports may go out sooner'),
  maxEntries: whole('', 64, 1, 65_536, 'different findings in one report; more are only counted'),
} as const satisfies Record<string, OptionEntry>;

/** How moves are sent and remembered. */
export const SYNC_OPTIONS = {
  sendMs: option('ms', 50, 1, 60_000, 'moves are sent at most so often'),
  keepAliveMs: option('ms', 1000, 1, 3_600_000, 'an entity that stands is sent so often'),
  minStep: option('', 0.001, 0, 1e6, 'a smaller step is standing; in the unit of the positions'),
  kept: whole('', 256, 2, 65_536, 'sent moves that are remembered'),
  firstSeq: whole('', 1, 0, 0xffffffff, 'number of the first move'),
  lateMs: option('ms', 5000, 0, 1e6, 'no correction is under way for longer: an older number then starts anew'),
} as const satisfies Record<string, OptionEntry>;

/** Values of a table: those with a default may be left out. */
export type OptionsOf<T extends Record<string, OptionEntry>> = {
  readonly [K in keyof T as T[K]['fallback'] extends number ? K : never]?: number | undefined;
} & { readonly [K in keyof T as T[K]['fallback'] extends number ? never : K]: number };
/** Every value of a table. */
export type Settled<T extends Record<string, OptionEntry>> = { readonly [K in keyof T]: number };

/**
 * The whole set for a part of it. Throws RangeError for a name that is not in the table (nor in `besides`), for a value out of
 * its range, and for one that is missing.
 */
export function settle<T extends Record<string, OptionEntry>>(
  owner: string,
  table: T,
  given: unknown,
  besides: readonly string[] = [],
): Settled<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RangeError(`${owner}: expected an object of options, got ${shown(given)}`);
  }
  const known = [...Object.keys(table), ...besides];
  for (const name of Object.keys(given)) {
    if (known.indexOf(name) < 0) {
      throw new RangeError(`${owner} has no option "${name.slice(0, 64)}"; it has ${known.join(', ')}`);
    }
  }
  const settled: Record<string, number> = {};
  for (const name of Object.keys(table)) {
    const { fallback, min, max, whole: integer, unit } = table[name];
    const value = (given as Record<string, unknown>)[name] ?? fallback;
    const good = typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value));
    if (!good) {
      const kind = `${integer ? 'a whole number' : 'a number'} of ${min}..${max}${unit === '' ? '' : ` ${unit}`}`;
      throw new RangeError(`${owner}: expected ${name} to be ${kind}, got ${shown(value)}`);
    }
    settled[name] = value;
  }
  return settled as Settled<T>;
}

/** A wrong value in a few words. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
