// Times subjects that answer the same queries, in alternating rounds of one run, and says how sure the medians are.
// Imported by measure.ts. Knows nothing of maps.
import { Bench } from 'tinybench';

/** Queries are asked in segments of this many, the smallest piece of work that is timed. */
export const SEGMENT = 1024;

/** Something that answers the queries of a case. The first subject of a case is navguard, the others are its peers. */
export interface Subject {
  readonly name: string;
  /** Called untimed before segment 0: subjects with state start over. */
  begin?(): void;
  /** Answers the queries of one segment and returns something made from the answers, so that no work can be dropped. */
  run(segment: number): number;
  /** The answers to all queries, as comparable numbers (what they mean is up to the case). */
  answers(): ArrayLike<number>;
}

/** How much to measure. */
export interface Effort {
  /** Samples per subject; odd, so that the median is one of them. */
  readonly rounds: number;
  /** A sample takes about this long, ms, unless one segment takes longer or all of them less. */
  readonly sampleMs: number;
}

/** What was measured of one subject. Times in ns per query. */
export interface Timing {
  readonly name: string;
  readonly p50: number;
  /** Half the width of the median's 95 % confidence interval, in percent of the median. */
  readonly margin: number;
  readonly samples: readonly number[];
}

/** Keeps the optimiser honest: every result ends here. */
let sink = 0;
export function sunk(): number {
  return sink;
}

/**
 * Answers everything once, untimed: warms the subject up and leaves its answers to be compared. Stops early after
 * `mostMs` milliseconds; returns how many segments were answered.
 */
export function answerAll(subject: Subject, segments: number, mostMs = Number.POSITIVE_INFINITY): number {
  subject.begin?.();
  const started = performance.now();
  let done = 0;
  while (done < segments && (done === 0 || performance.now() - started < mostMs)) swallow(subject.run(done++));
  return done;
}

function swallow(made: number): void {
  // A length that does not exist is no number; the sink stays one.
  if (Number.isFinite(made)) sink += made;
}

/**
 * Medians over rounds in which every subject takes one sample, in rotating order. A subject's samples walk through the
 * segments in order, so that all its queries get their turn and state carries over from one segment to the next.
 */
export function interleave(subjects: readonly Subject[], segments: number, effort: Effort): Timing[] {
  const tasks = subjects.map((subject) => ({ subject, size: sampleSize(subject, segments, effort), cursor: 0 }));
  const samples = subjects.map((): number[] => []);
  for (let round = 0; round < effort.rounds; round++) {
    const bench = new Bench({ iterations: 1, time: 0, warmup: false, retainSamples: true, throws: true });
    for (let k = 0; k < tasks.length; k++) {
      const task = tasks[(round + k) % tasks.length];
      bench.add(
        task.subject.name,
        () => {
          let made = 0;
          for (let s = 0; s < task.size; s++) made += task.subject.run(task.cursor + s);
          swallow(made);
        },
        {
          async: false,
          beforeEach() {
            if (task.cursor === 0) task.subject.begin?.();
          },
        },
      );
    }
    bench.runSync();
    for (let k = 0; k < tasks.length; k++) {
      const at = (round + k) % tasks.length;
      const task = tasks[at];
      const result = bench.tasks[k].result;
      if (result.state !== 'completed') throw new Error(`${task.subject.name}: ${result.state}`);
      samples[at].push((result.latency.mean * 1e6) / (task.size * SEGMENT));
      task.cursor = (task.cursor + task.size) % segments;
    }
  }
  return subjects.map((subject, i) => ({ name: subject.name, ...summary(samples[i]), samples: samples[i] }));
}

/** Segments per sample: a power of two, so that samples tile the segments. */
function sampleSize(subject: Subject, segments: number, effort: Effort): number {
  subject.begin?.();
  const started = performance.now();
  swallow(subject.run(0));
  const each = Math.max(performance.now() - started, 1e-3);
  let size = 1;
  while (size * 2 <= segments && segments % (size * 2) === 0 && size * 2 * each <= effort.sampleMs) size *= 2;
  return size;
}

/** Median and the half-width of its 95 % confidence interval in percent, by order statistics (no shape assumed). */
export function summary(samples: readonly number[]): { p50: number; margin: number } {
  const sorted = [...samples].sort((a, b) => a - b);
  const n = sorted.length;
  const p50 = n % 2 === 1 ? sorted[(n - 1) / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  // Ranks of a binomial(n, 1/2) within 1.96 standard deviations of the middle.
  const reach = 0.98 * Math.sqrt(n);
  const low = sorted[Math.max(0, Math.floor(n / 2 - reach))];
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + reach))];
  return { p50, margin: (50 * (high - low)) / p50 };
}
