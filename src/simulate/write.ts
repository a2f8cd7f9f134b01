// A simulated game as a move log on disk or on a stream. Imported by cli/ and navdata/.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { MoveLogEvent, MoveLogHeader } from '../log/events.ts';
import { eventLine, headerLine } from '../log/writer.ts';

/** Whatever plays and says what the server saw. */
export interface Playing {
  /** Milliseconds played. */
  readonly time: number;
  events(): Iterable<MoveLogEvent>;
}

/** Characters gathered before they go out. */
const CHUNK = 1 << 16;

/**
 * Writes header and events as NDJSON, as fast as the stream takes them; the stream stays open.
 * @param onProgress told the milliseconds played after each chunk
 */
export async function writeSimulation(
  out: Writable,
  header: Omit<MoveLogHeader, 'movelog'>,
  simulation: Playing,
  onProgress?: (timeMs: number) => void,
): Promise<void> {
  let text = headerLine(header);
  for (const event of simulation.events()) {
    text += eventLine(event);
    if (text.length < CHUNK) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
    onProgress?.(simulation.time);
  }
  if (!out.write(text)) await once(out, 'drain');
  onProgress?.(simulation.time);
}
