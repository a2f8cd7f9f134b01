// What a guard recorded of an entity or of all, as a move log: what `guard.record` gives. Imported by guard.ts.
import type { MoveLogEvent, MoveLogHeader } from '../log/events.ts';
import { eventLine, headerLine } from '../log/writer.ts';

/**
 * The last events of an entity with the verdicts they got, and the state they began with: a whole move log.
 * `navguard audit <map> <file> --check` judges the same claims again and compares.
 */
export class Recording {
  readonly header: MoveLogHeader;
  /** Facts and claims; a claim's `expect` says its verdict exactly. */
  readonly events: readonly MoveLogEvent[];

  /** @internal Use `MoveGuard.record`. */
  constructor(header: MoveLogHeader, events: readonly MoveLogEvent[]) {
    this.header = header;
    this.events = events;
  }

  /** The log as NDJSON. */
  text(): string {
    const { movelog: _, ...header } = this.header;
    return headerLine(header) + this.events.map(eventLine).join('');
  }
}
