// Findings on their way out: merged per time window, rate limited, handed to a transport. Imported by client/validator.ts
// and by callers. One feed serves any number of validators.
import { FEED_OPTIONS, type OptionsOf, type Settled, settle, shown } from './options.ts';
import { type ReportTransport, SNAPSHOT_REASONS, type SnapshotReasonCode, type SnapshotReportEntry } from './words.ts';

type Merged = { -readonly [K in keyof SnapshotReportEntry]: SnapshotReportEntry[K] };

/** Options of a report feed; each has a default. */
export type ReportFeedOptions = OptionsOf<typeof FEED_OPTIONS>;

/**
 * Merges findings of one kind about one entity and sends them as one report when their window is over, and not more often
 * than the rate allows: what has to wait is merged on, so nothing is lost but detail. Times are the caller's, ms.
 */
export class ReportFeed {
  /** Findings that were told to the feed. */
  findings: number;
  /** Reports that were sent. */
  sent: number;
  /** How often the transport threw. Its report is gone. */
  failures: number;
  private readonly transport: ReportTransport;
  private readonly o: Settled<typeof FEED_OPTIONS>;
  private entries: Merged[];
  private readonly byEntity: Map<string | number, (Merged | undefined)[]>;
  private overflow: number;
  private count: number;
  private fromMs: number;
  private toMs: number;
  private tokens: number;
  private filledMs: number;

  /** Throws RangeError for an unknown option or a value out of range, and for a transport without `send`. */
  constructor(transport: ReportTransport, options: ReportFeedOptions = {}) {
    if (typeof transport?.send !== 'function') {
      throw new RangeError(`ReportFeed: expected a transport with a method send, got ${shown(transport)}`);
    }
    this.transport = transport;
    this.o = settle('ReportFeed', FEED_OPTIONS, options);
    this.findings = 0;
    this.sent = 0;
    this.failures = 0;
    this.entries = [];
    this.byEntity = new Map();
    this.overflow = 0;
    this.count = 0;
    this.fromMs = 0;
    this.toMs = 0;
    this.tokens = this.o.burst;
    this.filledMs = NaN;
  }

  /** Whether findings wait to be sent. */
  get waiting(): boolean {
    return this.count > 0;
  }

  /** One kind of finding about one entity, `count` times. NaN for what is not known. */
  add(
    nowMs: number,
    entity: string | number,
    reason: SnapshotReasonCode,
    count: number,
    worst: number,
    allowed: number,
    field: string | null,
    firstTick: number,
    lastTick: number,
  ): void {
    // what waited long enough is a report of its own
    this.flush(nowMs);
    if (this.count === 0) this.fromMs = nowMs;
    this.toMs = nowMs;
    this.count += count;
    this.findings += count;
    let row = this.byEntity.get(entity);
    if (row === undefined) {
      if (this.entries.length >= this.o.maxEntries) {
        this.overflow += count;
        return;
      }
      row = [];
      this.byEntity.set(entity, row);
    }
    const known = row[reason];
    if (known === undefined) {
      if (this.entries.length >= this.o.maxEntries) {
        this.overflow += count;
        return;
      }
      const entry: Merged = {
        entity,
        reason: SNAPSHOT_REASONS[reason],
        count,
        worst: finite(worst),
        allowed: finite(allowed),
        field,
        firstTick: finite(firstTick),
        lastTick: finite(lastTick),
      };
      row[reason] = entry;
      this.entries.push(entry);
      return;
    }
    known.count += count;
    if (Number.isFinite(worst) && (known.worst === null || worst > known.worst)) {
      known.worst = worst;
      known.allowed = finite(allowed);
    }
    known.field = field;
    if (known.firstTick === null) known.firstTick = finite(firstTick);
    if (Number.isFinite(lastTick)) known.lastTick = lastTick;
  }

  /** Sends what is due. Call it once a frame: it costs two comparisons when nothing waits. `force`: whatever the window and rate say. */
  flush(nowMs: number, force = false): void {
    if (this.count === 0) return;
    // a clock that was set back starts the waiting anew
    if (!(nowMs >= this.fromMs)) this.fromMs = nowMs;
    if (!force && nowMs - this.fromMs < this.o.windowMs) return;
    this.refill(nowMs);
    if (!force && this.tokens < 1) return;
    this.tokens = Math.max(0, this.tokens - 1);
    const { fromMs, toMs, count, overflow, entries } = this;
    // a transport may call back into a validator: this window is over before it is told
    this.entries = [];
    this.byEntity.clear();
    this.overflow = 0;
    this.count = 0;
    this.sent++;
    try {
      this.transport.send({ fromMs, toMs, count, overflow, entries });
    } catch {
      this.failures++;
    }
  }

  private refill(nowMs: number): void {
    const gone = nowMs - this.filledMs;
    this.filledMs = nowMs;
    if (!(gone > 0)) return;
    const { everyMs, burst } = this.o;
    this.tokens = everyMs === 0 ? burst : Math.min(burst, this.tokens + gone / everyMs);
  }
}

function finite(n: number): number | null {
  return Number.isFinite(n) ? n : null;
}
