// A client that walks honestly, a server with a real guard, and a bad network between them: delay, jitter, loss, copies,
// and reordering, played on one clock. Used by test/client/*.test.ts.
import {
  MoveSync,
  ReportFeed,
  SnapshotAction,
  type SnapshotReport,
  SnapshotValidator,
} from '../../src/client/index.ts';
import { MoveGuard } from '../../src/guard.ts';
import { type Random, seeded } from '../../src/simulate/random.ts';
import { field } from '../guard/world.ts';

export interface Setting {
  seed: number;
  /** Round trip without jitter, and what each way may take longer, ms. */
  rttMs: number;
  jitterMs: number;
  loss: number;
  copies: number;
  /** Client freezes of so many ms, one about every five seconds. */
  stallMs: number;
  /** Server teleports: announced with the tick, without it, or none. */
  teleports: 'tick' | 'place' | 'none';
  /** Corrections of claims that the client did not mean: it is put so many metres aside now and then. */
  glitch: number;
  /** Moves and confirmations share a way that keeps their order, as over TCP. */
  ordered: boolean;
  ms: number;
}

export interface Outcome {
  reports: SnapshotReport[];
  /** Snapshots by action, and how many had a deviation from what was sent. */
  counts: number[];
  corrections: number;
  /** Times of corrections obeyed, and of the first claim after each that the server accepted. */
  obeyed: number[];
  agreed: number[];
  acknowledged: number[];
  /** Whether the server ends where the client says it is. */
  apart: number;
  /** Causes: stalls over the burst, glitches. */
  causes: number;
  leaps: number;
  teleports: number;
}

const SEND_MS = 50;
const FRAME_MS = 16;
const SPEED = 6;

export function playNetwork(s: Setting, onSend?: (seq: number, x: number, z: number) => void): Outcome {
  const random: Random = seeded(s.seed);
  let now = 0;
  const guard = new MoveGuard(field(400, 60), {}, { now: () => now });
  const queue: { at: number; order: number; run: () => void }[] = [];
  let order = 0;
  /** Reliable: in order and never lost, as over TCP; the rest as over UDP. */
  const lastReliable = { up: 0, down: 0 };
  const post = (way: 'up' | 'down', reliable: boolean, run: () => void): void => {
    const copies = reliable ? 1 : random.chance(s.loss) ? 0 : random.chance(s.copies) ? 2 : 1;
    for (let k = 0; k < copies; k++) {
      let at = now + s.rttMs / 2 + s.jitterMs * random.next();
      if (reliable) at = lastReliable[way] = Math.max(at, lastReliable[way]);
      queue.push({ at, order: order++, run });
    }
  };

  const reports: SnapshotReport[] = [];
  const out: Outcome = {
    reports,
    counts: [],
    corrections: 0,
    obeyed: [],
    agreed: [],
    acknowledged: [],
    apart: 0,
    causes: 0,
    leaps: 0,
    teleports: 0,
  };
  const feed = new ReportFeed({ send: (report) => void reports.push(report) });
  const validator = new SnapshotValidator({ maxSpeed: SPEED }, feed, 'p');
  const me = { x: 200, y: 0, z: 30 };
  let lastSeq = 0;
  let tick = 2 ** 32 - 40;
  let voidBefore = 0;

  const sync = new MoveSync({
    send: (seq, x, y, z) => {
      onSend?.(seq, x, z);
      post('up', s.ordered, () => {
        const v = guard.move('p', seq, x, y, z);
        // what snapshots answer: the newest claim that was judged, refused or not
        if (v.reason !== 'Replay') lastSeq = seq;
        if (v.accepted) {
          if (seq >= voidBefore && out.agreed.length < out.obeyed.length) out.agreed.push(now);
        }
        if (v.verdict !== 'correct' || v.pos === null) return;
        out.corrections++;
        const pos = { x: v.pos[0], y: v.pos[1], z: v.pos[2] };
        const { correction } = v;
        // corrections are worth a reliable way
        post('down', true, () => {
          if (sync.correct(now, correction, pos, seq) === 'applied') validator.expect(now, pos);
        });
      });
    },
    place: (x, y, z) => {
      Object.assign(me, { x, y, z });
      out.obeyed.push(now);
      voidBefore = sync.nextSeq;
      while (out.agreed.length < out.obeyed.length - 1) out.agreed.push(NaN);
    },
    acknowledge: (correction) => {
      // teleports are confirmed with 0, each
      if (correction !== 0) out.acknowledged.push(correction);
      post('up', true, () => guard.ack('p', correction));
    },
  });

  guard.enter('p', { pos: [200, 0, 30], speed: SPEED });
  guard.rtt('p', s.rttMs);
  let heading = 0;
  let frozenUntil = -1;
  let quietUntil = 0;
  const predicted = { x: 0, y: 0, z: 0 };
  for (; now < s.ms; now += 1) {
    queue.sort((a, b) => a.at - b.at || a.order - b.order);
    while (queue.length > 0 && queue[0].at <= now) queue.shift()?.run();
    if (now % 50 === 0) {
      tick = (tick + 1) % 2 ** 32;
      if (s.teleports !== 'none' && now % 8000 === 4000) {
        const to = { x: me.x < 200 ? 350 : 50, y: 0, z: 30 };
        guard.teleport('p', [to.x, to.y, to.z]);
        out.teleports++;
        const announced = tick;
        post('down', true, () => {
          validator.expect(now, to, s.teleports === 'tick' ? announced : undefined);
          sync.correct(now, 0, to, sync.nextSeq);
        });
      }
      const pos = guard.positionAt('p') as [number, number, number];
      const snapshot = { tick, x: pos[0], y: pos[1], z: pos[2] };
      const answered = lastSeq;
      post('down', false, () => {
        const known = sync.sentAt(answered, predicted);
        const action = validator.check(now, snapshot, known ? predicted : null);
        if (validator.leapt) out.leaps++;
        if (action === SnapshotAction.report && s.teleports === 'none') throw new Error(`reported at ${now}`);
      });
    }
    // nobody plays on while the level loads, and a glitch is over before the next
    if (s.stallMs > 0 && random.chance(1 / 5000) && now > quietUntil && now < s.ms - 2000) {
      frozenUntil = now + s.stallMs;
      quietUntil = frozenUntil + 4000;
      if (s.stallMs > 1000) out.causes++;
    }
    if (s.glitch > 0 && random.chance(1 / 5000) && now > quietUntil && now < s.ms - 2000) {
      me.x += me.x < 200 ? s.glitch : -s.glitch;
      quietUntil = now + 4000;
      out.causes++;
    }
    if (now % FRAME_MS !== 0 || now < frozenUntil) continue;
    // a frame after a freeze makes up for the time of it
    const frameMs = frozenUntil >= 0 && now - frozenUntil < FRAME_MS ? Math.min(s.stallMs, 3000) : FRAME_MS;
    if (random.chance(0.02)) heading = random.below(8);
    const way = [
      [1, 0],
      [0.6, 0.8],
      [0, 1],
      [-0.6, 0.8],
      [-1, 0],
      [-0.6, -0.8],
      [0, -1],
      [0.6, -0.8],
    ][heading];
    const step = (SPEED * frameMs) / 1000;
    me.x = Math.min(395, Math.max(5, me.x + step * way[0]));
    me.z = Math.min(55, Math.max(5, me.z + step * way[1]));
    sync.update(now, me);
    validator.flush(now);
  }
  // the last second: all comes to rest
  for (const end = now + 3000; now < end; now += 1) {
    queue.sort((a, b) => a.at - b.at || a.order - b.order);
    while (queue.length > 0 && queue[0].at <= now) queue.shift()?.run();
    if (now % FRAME_MS === 0) sync.update(now, me);
    validator.flush(now);
  }
  feed.flush(now, true);
  const end = guard.positionAt('p') as [number, number, number];
  out.apart = Math.sqrt((end[0] - me.x) ** 2 + (end[2] - me.z) ** 2);
  out.counts = [...validator.counts];
  return out;
}

/** What a claim may take at most from the frame that sends it to its judgement. */
export function roundTripMs(s: Setting): number {
  return s.rttMs + 2 * s.jitterMs + SEND_MS + 2 * FRAME_MS;
}
