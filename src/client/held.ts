// Findings that an announcement under way may still explain: merged by reason, kept for a while. Imported by
// client/validator.ts.
import type { ReportFeed } from './feed.ts';
import { SNAPSHOT_REASONS, type SnapshotReasonCode } from './words.ts';

// A row by reason: count, worst, allowed, first and last tick.
const ROW = 5;

/** Snapshots of a teleport may overtake its announcement: what looks like a teleport is told only when none came in time. */
export class HeldFindings {
  /** Whether there are any. */
  any: boolean;
  private readonly rows: Float64Array;
  /** When the first was made, ms. */
  private readonly at: Float64Array;

  constructor() {
    this.any = false;
    this.rows = new Float64Array(ROW * SNAPSHOT_REASONS.length);
    this.at = new Float64Array(1);
  }

  hold(nowMs: number, reason: SnapshotReasonCode, used: number, allowed: number, tick: number): void {
    const { rows, at } = this;
    if (!this.any) at[0] = nowMs;
    this.any = true;
    const k = ROW * reason;
    if (rows[k] === 0) rows[k + 3] = tick;
    if (rows[k] === 0 || used > rows[k + 1]) {
      rows[k + 1] = used;
      rows[k + 2] = allowed;
    }
    rows[k + 4] = tick;
    rows[k]++;
  }

  /** After `holdMs` everything goes to the feed. */
  release(nowMs: number, holdMs: number, feed: ReportFeed | null, entity: string | number): void {
    const { rows, at } = this;
    const waited = nowMs - at[0];
    // a clock that was set back does not keep them for ever
    if (waited >= 0 && waited < holdMs) return;
    if (feed !== null) {
      for (let reason = 0; reason < SNAPSHOT_REASONS.length; reason++) {
        const k = ROW * reason;
        if (rows[k] === 0) continue;
        const code = reason as SnapshotReasonCode;
        feed.add(nowMs, entity, code, rows[k], rows[k + 1], rows[k + 2], null, rows[k + 3], rows[k + 4]);
      }
    }
    this.forget();
  }

  /** They are explained. */
  forget(): void {
    this.rows.fill(0);
    this.any = false;
  }
}
