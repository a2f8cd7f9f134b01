// The closed loop in small: lines, time, what is heard when, and honest players of every model that nobody refuses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import type { Actor, Answer, LineModel, Wire } from '../../src/simulate/actor.ts';
import { Arena } from '../../src/simulate/arena.ts';
import { gridRows } from '../../src/simulate/cells.ts';
import { PacketLine } from '../../src/simulate/line.ts';
import { MODELS } from '../../src/simulate/models.ts';
import { playHonest } from '../../src/simulate/play.ts';
import { Queue } from '../../src/simulate/queue.ts';
import { seeded } from '../../src/simulate/random.ts';
import { openGridStage, openStage } from '../../src/simulate/stage.ts';

const LINE: LineModel = {
  rttMs: 100,
  jitterMs: 0,
  transport: 'ordered',
  loss: 0,
  stallMs: 0,
  stallsPerMinute: 0,
};

test('the queue gives what comes first, first come of equals', () => {
  const random = seeded(5);
  const queue = new Queue();
  const waiting: { time: number; order: number }[] = [];
  let order = 0;
  for (let step = 0; step < 5000; step++) {
    if (waiting.length === 0 || random.chance(step < 3000 ? 0.6 : 0.3)) {
      const time = random.below(50);
      const slot = queue.put(time, 1, 0);
      queue.x[slot] = order;
      waiting.push({ time, order: order++ });
    } else {
      waiting.sort((a, b) => a.time - b.time || a.order - b.order);
      const slot = queue.take();
      expect({ time: queue.time[slot], order: queue.x[slot] }).toEqual(waiting.shift());
    }
    expect(queue.size).toBe(waiting.length);
  }
});

describe('lines', () => {
  const arrivals = (model: Partial<LineModel>): number[] => {
    const line = new PacketLine({ ...LINE, ...model }, seeded(3), 0);
    return Array.from({ length: 4000 }, (_, i) => line.arrival(i * 20));
  };
  test('ordered: nothing is lost, nothing overtakes, nothing is later than it may be', () => {
    const got = arrivals({ jitterMs: 100, loss: 0.1, stallMs: 900, stallsPerMinute: 20, lateMs: 700 });
    got.forEach((t, i) => {
      expect(t).toBeGreaterThanOrEqual(i * 20 + 50);
      expect(t).toBeLessThanOrEqual(i * 20 + 50 + 700);
      if (i > 0) expect(t).toBeGreaterThanOrEqual(got[i - 1]);
    });
    expect(Math.max(...got.map((t, i) => t - i * 20 - 50))).toBe(700);
  });
  test('unordered: a share is lost, others overtake', () => {
    const got = arrivals({ jitterMs: 100, loss: 0.1, transport: 'unordered' });
    const lost = got.filter((t) => Number.isNaN(t)).length;
    expect(lost).toBeGreaterThan(300);
    expect(lost).toBeLessThan(500);
    expect(got.some((t, i) => i > 0 && t < got[i - 1])).toBe(true);
  });
});

/** Sends one claim far too far every 100 ms, and notes what it hears. */
class Shouter implements Actor {
  readonly id = 'c';
  readonly kind = 'shout';
  readonly model = '';
  readonly listens = 'all';
  wakeAt = 0;
  cheatingSince = 300;
  readonly heard: [number, Answer][] = [];
  readonly facts: [number, string][] = [];
  #seq = 0;

  wake(t: number, wire: Wire): void {
    if (t === 0) wire.server({ op: 'enter', pos: [2.5, 0, 2.5], speed: 5 });
    else if (t < 300) wire.move(this.#seq++, 2.5, 0, 2.5);
    else wire.send({ op: 'move', seq: this.#seq++, pos: [30, 0, 2.5] });
    this.wakeAt = t < 900 ? t + 100 : Number.POSITIVE_INFINITY;
  }
  hear(t: number, answer: Answer, wire: Wire): void {
    this.heard.push([t, answer]);
    if (answer.correction > 0) wire.ack(answer.correction);
  }
  told(t: number, fact: { op: string }): void {
    this.facts.push([t, fact.op]);
  }
}

test('answers and facts take half a round trip, cheats are counted from where they begin', () => {
  const map = GridMap.from(Array.from({ length: 40 }, () => '.'.repeat(40)));
  const log: MoveLogEvent[] = [];
  const arena = new Arena((now) => new MoveGuard(map, {}, { now }), { seed: 1, tap: (e) => void log.push(e) });
  const actor = new Shouter();
  const outcome = arena.add({ actor, line: LINE });
  arena.run(5000);
  expect(actor.facts).toEqual([[50, 'enter']]);
  expect(actor.heard.map(([t]) => t)).toEqual([200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  // every second claim was sent before its client could have heard
  const said = actor.heard.map(([, a]) => a.verdict).join(' ');
  expect(said).toBe('accept accept correct ignore correct ignore correct ignore correct');
  expect(outcome).toMatchObject({
    claims: 2,
    refusals: 0,
    cheatClaims: 7,
    cheatRefusals: 7,
    cheatedAt: 300,
    cheatMetres: 0,
  });
  expect(outcome.firstRefusal).toMatchObject({ reason: 'SpeedLimit', claims: 1, ms: 50 });
  expect(log.filter((e) => e.op === 'move').map((e) => e.t)).toEqual([150, 250, 350, 450, 550, 650, 750, 850, 950]);
  // acknowledged where the client sent it: half a round trip after it heard, which is another half after judging
  expect(log.filter((e) => e.op === 'ack')[0]).toMatchObject({ t: 450, correction: 1 });
});

/** Models whose bars are held in the long tests: see test/long/models.test.ts. */
const SLICE = MODELS.filter((m) => m.clicks === 'none' && m.jump[1] === 0 && !m.harsh);

describe('honest players are not refused (seed 7)', async () => {
  const maze = await openStage(
    'maze',
    new Uint8Array(readFileSync(join(import.meta.dirname, '../../navdata/maps/maze.bin'))),
    {
      seed: 7,
      walkers: 12,
      seconds: 20,
    },
  );
  const rooms = openGridStage(
    'rooms',
    { rows: gridRows('rooms', 33, seeded(4)), cell: 1, origin: [0, 0] },
    { seed: 7, walkers: 12, seconds: 20 },
  );
  test.each(SLICE.map((m) => [m.name, m] as const))('%s', (_name, client) => {
    for (const stage of [maze, rooms]) {
      const row = playHonest(stage, client, { seed: 7, claims: 4000 });
      expect(row.suspects.map((o) => [stage.map, o.id, o.refused, o.worstScore, o.first])).toEqual([]);
      expect(row.undecided).toBe(0);
      expect(row.claims).toBeGreaterThan(3900);
      // the same seed plays the same game
      const again = playHonest(stage, client, { seed: 7, claims: 4000 });
      expect({ ...again, wallMs: 0 }).toEqual({ ...row, wallMs: 0 });
    }
  });
});
