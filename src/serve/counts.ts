// What a server counts, as plain numbers: counting costs next to nothing, and metrics.ts reads them when it is asked. A leaf
// of serve/.
import { REASON_NAMES, VERDICT_WORDS } from '../reasons.ts';
import type { Verdict } from '../types.ts';

/** Why a socket was closed by the server. */
export const CLOSE_REASONS = ['gone', 'rate', 'slow', 'dead', 'idle', 'kick', 'protocol', 'shutdown'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];
/** Why a connection was refused. */
export const REFUSALS = ['full', 'address', 'room', 'name', 'shutdown'] as const;
export type Refusal = (typeof REFUSALS)[number];
/** Why something was dropped. */
export const DROPS = ['rate', 'malformed', 'foreign', 'snapshot'] as const;
export type Drop = (typeof DROPS)[number];

/** Upper ends of the histogram of answering, seconds. */
export const BUCKETS = [
  0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1,
] as const;

type Table<Key extends string> = Record<Key, number>;

function table<Key extends string>(keys: readonly Key[]): Table<Key> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Table<Key>;
}

export class Counts {
  readonly closed = table(CLOSE_REASONS);
  readonly refused = table(REFUSALS);
  readonly dropped = table(DROPS);
  /** Frames and bytes that came in, messages that went out. */
  frames = 0;
  bytes = 0;
  sent = 0;
  connections = 0;
  /** By verdict and reason. */
  readonly verdicts = new Float64Array(VERDICT_WORDS.length * REASON_NAMES.length);
  /** Answers by bucket (the last: beyond all), and the sum of their seconds. */
  readonly answers = new Float64Array(BUCKETS.length + 1);
  answerSeconds = 0;
  /** Times that the server itself stood still, and ms of it. */
  pauses = 0;
  pauseMs = 0;

  verdict(verdict: Verdict): void {
    this.verdicts[verdict.verdictCode * REASON_NAMES.length + verdict.reasonCode]++;
  }

  answer(ms: number): void {
    const seconds = ms / 1000;
    let k = 0;
    while (k < BUCKETS.length && seconds > BUCKETS[k]) k++;
    this.answers[k]++;
    this.answerSeconds += seconds;
  }

  get claims(): number {
    return this.verdicts.reduce((sum, n) => sum + n, 0);
  }
}
