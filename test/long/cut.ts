// Cuts a refused game down to the few lines that still get refused, and keeps them for whoever looks for the cause.
// Imported by the long tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MoveGuard } from '../../src/guard.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import { eventLine, headerLine } from '../../src/log/writer.ts';
import type { NavMap } from '../../src/map.ts';
import type { Refusal } from './judgement.ts';

/** Standing still for this long fills every purse: milliseconds. */
const REST_MS = 10_000;

/**
 * The fewest last moves (of 1, 2, 4, ... or all) that end in the same refusal after a fresh entry. The entity enters long
 * before, so that the cut never takes credit away: what is refused then is refused for what the moves say.
 */
export function cutDown(map: NavMap, refusal: Refusal): MoveLogEvent[] {
  const [enter, rtt, ...moves] = refusal.events;
  for (let keep = 1; keep < moves.length; keep *= 2) {
    const kept = moves.slice(-keep - 1);
    const [first, ...rest] = kept;
    if (first.op !== 'move' || enter.op !== 'enter') break;
    const events = [
      { ...enter, t: first.t - REST_MS, pos: first.pos as [number, number, number] },
      { ...rtt, t: first.t - REST_MS },
      first,
      ...rest,
    ] as MoveLogEvent[];
    if (lastReason(map, events) === refusal.verdict.reason) return events;
  }
  return [...refusal.events];
}

function lastReason(map: NavMap, events: readonly MoveLogEvent[]): string {
  let now = 0;
  let reason = '';
  const guard = new MoveGuard(map, {}, { now: () => now });
  for (const event of events) {
    now = event.t;
    if (event.op === 'enter') guard.enter(event.id, { pos: event.pos, speed: event.speed });
    else if (event.op === 'rtt') guard.rtt(event.id, event.ms);
    else if (event.op === 'move') {
      const [x, y, z] = event.pos as [number, number, number];
      reason = guard.move(event.id as string, event.seq as number, x, y, z).reason;
    }
  }
  return reason;
}

/**
 * Writes the cut log and its map to navdata/generated/refusals (not committed) and returns the log's path. With a name and
 * its cause known it belongs into test/fixtures.
 */
export function keepRefusal(map: NavMap, mapName: string, bytes: Uint8Array, seed: number, refusal: Refusal): string {
  const dir = join(import.meta.dirname, '..', '..', 'navdata', 'generated', 'refusals');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${mapName}.bin`), bytes);
  const path = join(dir, `${mapName}-${seed}-${refusal.id}-${refusal.verdict.reason}.ndjson`);
  const comment = `honest claim refused as ${refusal.verdict.reason}: the last line; seed ${seed}`;
  const lines = cutDown(map, refusal).map(eventLine);
  writeFileSync(path, headerLine({ map: { file: `${mapName}.bin` }, comment }) + lines.join(''));
  return path;
}
