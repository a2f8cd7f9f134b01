// How far two subjects agree, counted before anything is timed. A leaf; imported by the cases and report.ts.

/** One comparison of a peer with navguard. */
export interface Agreement {
  readonly peer: string;
  /** Share of queries with the same answer, 0..1. */
  readonly share: number;
  /** Counts of what differed, by kind. */
  readonly differences: Readonly<Record<string, number>>;
  /** The first few queries that differ. */
  readonly examples: readonly number[];
}

export type Answers = ArrayLike<number>;
/** What is wrong between the answers to query i, or null. */
export type Differ = (mine: Answers, theirs: Answers, i: number) => string | null;

/** Counts the differences over n queries. */
export function compare(peer: string, mine: Answers, theirs: Answers, n: number, differ: Differ): Agreement {
  const differences: Record<string, number> = {};
  const examples: number[] = [];
  let same = 0;
  for (let i = 0; i < n; i++) {
    const kind = differ(mine, theirs, i);
    if (kind === null) {
      same++;
    } else {
      differences[kind] = (differences[kind] ?? 0) + 1;
      if (examples.length < 5) examples.push(i);
    }
  }
  return { peer, share: same / n, differences, examples };
}

/** 1 = clear, 0 = blocked. */
export const sameSight: Differ = (mine, theirs, i) =>
  mine[i] === theirs[i] ? null : mine[i] === 1 ? 'only navguard clear' : 'only peer clear';

/** Bit for bit, NaN equal to NaN: for the twin. */
export const sameBits: Differ = (mine, theirs, i) => (Object.is(mine[i], theirs[i]) ? null : 'other bits');

/** Metres within 1 %, or a centimetre; NaN = no walk. */
export const sameLength: Differ = (mine, theirs, i) => {
  const a = mine[i];
  const b = theirs[i];
  if (Number.isNaN(a) || Number.isNaN(b)) {
    if (Number.isNaN(a) && Number.isNaN(b)) return null;
    return Number.isNaN(a) ? 'only peer finds a walk' : 'only navguard finds a walk';
  }
  if (Math.abs(a - b) <= Math.max(0.01, 0.01 * Math.min(a, b))) return null;
  return a < b ? 'navguard shorter' : 'peer shorter';
};

/** Points (x, y, z each) within `reach` metres in plan and in height. */
export function samePoint(reach: number): Differ {
  return (mine, theirs, i) => {
    const off = (k: number): boolean => Number.isNaN(mine[3 * i + k]) !== Number.isNaN(theirs[3 * i + k]);
    if (off(0)) return Number.isNaN(mine[3 * i]) ? 'only peer finds ground' : 'only navguard finds ground';
    if (Number.isNaN(mine[3 * i])) return null;
    const d = (k: number): number => theirs[3 * i + k] - mine[3 * i + k];
    if (Math.sqrt(d(0) ** 2 + d(2) ** 2) > reach) return 'other place';
    return Math.abs(d(1)) > reach ? 'other height' : null;
  };
}
