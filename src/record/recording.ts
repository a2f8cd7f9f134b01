// What a guard recorded of an entity or of all, as a move log: what `guard.record` gives. Imported by guard.ts.

import { FrameEncoder } from '../log/binary/encode.ts';
import { FILE_HEAD_BYTES, fileHead } from '../log/binary/form.ts';
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

  /** The log as bytes: the binary form, or NDJSON in UTF-8. */
  bytes(form: 'binary' | 'ndjson' = 'binary'): Uint8Array {
    if (form === 'ndjson') return new TextEncoder().encode(this.text());
    const { movelog: _, ...header } = this.header;
    const frame = new FrameEncoder();
    frame.line(headerLine(header).slice(0, -1));
    for (const event of this.events) frame.event(event);
    // the header at least is in it
    const records = frame.take() as Uint8Array;
    const whole = new Uint8Array(FILE_HEAD_BYTES + records.length);
    whole.set(fileHead());
    whole.set(records, FILE_HEAD_BYTES);
    return whole;
  }
}
