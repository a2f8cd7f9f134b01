// Maps that change, in the guard: what closed a moment ago is open for who cannot have heard of it, who is in a door is never
// trapped, nobody else comes through, and walks of the server's end at the door.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import type { NavLink } from '../../src/mesh/navmesh.ts';
import type { Verdict } from '../../src/types.ts';
import { ringMesh } from '../oracle/rings.ts';
import { random } from './rounding.ts';
import { accepted, field, World } from './world.ts';

const M = 1024;
const bar = (x0: number, z0: number, x1: number, z1: number, y = 0) => ({
  at: [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * M),
  y,
});
const DOOR = 5;

/** Two rooms of 20 m, a door between x = 20 and x = 21 over the whole width; and an island. */
function doorMap(engine: 'wasm' | 'twin' = 'wasm', links: NavLink[] = []): NavMap {
  const { mesh } = ringMesh([bar(0, 0, 20, 10), bar(20, 0, 21, 10), bar(21, 0, 41, 10), bar(60, 0, 70, 10)]);
  return NavMap.fromMesh({ ...mesh, areas: Uint8Array.from([0, DOOR, 0, 0]), links }, { engine });
}

function walker(x: number, rules = {}, map = doorMap()): World {
  const w = new World(map, rules);
  w.guard.enter('p', { pos: [x, 0, 5], speed: 6 });
  w.move(1000, x, 5);
  return w;
}
const says = (v: Verdict): string => `${v.verdict} ${v.reason}`;
const close = (w: World): void => w.guard.area(DOOR, { open: false });
const open = (w: World): void => w.guard.area(DOOR, { open: true });

describe('a door', () => {
  test('that closed within the round trip and the grace is open for who walks through it', () => {
    const w = walker(19.7);
    w.guard.rtt('p', 200);
    close(w);
    expect(accepted([w.move(80, 20.1, 5), w.move(50, 20.4, 5), w.move(50, 20.7, 5), w.move(50, 21, 5)])).toBe(true);
    expect(says(w.move(50, 21.3, 5))).toBe('accept Accept');
  });
  test.each([
    [0, 150],
    [200, 350],
    [1000, 450],
  ])('rtt %i ms: to the millisecond', (rtt, most) => {
    for (const [ms, word] of [
      [most, 'accept Accept'],
      [most + 1, 'correct Wall'],
    ] as const) {
      const w = walker(19.7);
      w.guard.rtt('p', rtt);
      close(w);
      expect(says(w.move(ms, 21.3, 5))).toBe(word);
    }
  });
  test('doorGraceMs is the rule for it', () => {
    const w = walker(19.7, { doorGraceMs: 0 });
    close(w);
    expect(says(w.move(1, 20.2, 5))).not.toBe('accept Accept');
    const p = walker(19.7, { doorGraceMs: 2000 });
    close(p);
    expect(says(p.move(2000, 21.3, 5))).toBe('accept Accept');
  });
  test('that opened is open at once', () => {
    const w = walker(19.7);
    close(w);
    w.move(5000, 19.7, 5);
    expect(says(w.move(300, 21.3, 5))).toBe('correct Wall');
    open(w);
    w.guard.ack('p', 1);
    expect(says(w.move(300, 21.3, 5))).toBe('accept Accept');
  });
  test('is a wall to both sides; what is not joined to here at all is PathPartial as ever', () => {
    const w = walker(19.7);
    close(w);
    w.move(5000, 19.7, 5);
    expect(says(w.move(300, 21.3, 5))).toBe('correct Wall');
    expect(says(w.move(3000, 21.3, 5))).toBe('correct Wall');
    const far = walker(41, { burstMs: 10_000 });
    close(far);
    far.move(5000, 41, 5);
    far.move(10_000, 41, 5);
    expect(says(far.move(10_000, 61, 5))).toBe('correct PathPartial');
  });
  test('whoever is in it when it closes may leave to either side, whenever, and is outside then', () => {
    for (const side of [-1, 1]) {
      const w = walker(20.5);
      close(w);
      for (let i = 0; i < 50; i++) expect(says(w.move(400, 20.5 + (i % 2) * 0.2, 5))).toBe('accept Accept');
      w.move(400, 20.5, 5);
      expect(says(w.move(50, 20.5 + side * 0.3, 5))).toBe('accept Accept');
      expect(says(w.move(50, 20.5 + side * 0.6, 5))).toBe('accept Accept');
      expect(says(w.move(50, 20.5 + side * 0.9, 5))).toBe('accept Accept');
      // and not back in
      const back = w.move(300, 20.5, 5);
      expect([back.accepted, back.pos]).toEqual([false, [20.5 + side * 0.9, 0, 5]]);
      expect(w.move(1000, 20.5 - side, 5).accepted).toBe(false);
    }
  });
  test('on its rim one is outside', () => {
    const w = walker(20);
    close(w);
    w.move(5000, 20, 5);
    expect(says(w.move(300, 21, 5))).toBe('correct Wall');
    expect(says(w.move(1000, 19.5, 5))).toBe('accept Accept');
  });
  test('in and out again: leaving on the rim leaves it', () => {
    const w = walker(20.5);
    close(w);
    w.move(5000, 20.5, 5);
    expect(says(w.move(300, 21, 5))).toBe('accept Accept');
    expect(w.move(300, 20.5, 5).accepted).toBe(false);
    expect(says(w.move(1000, 21.5, 5))).toBe('accept Accept');
  });
  test('beside it a body may be as far off the mesh as beside any wall', () => {
    const w = walker(19.7, { edgeTolerance: 0.1 });
    close(w);
    w.move(5000, 19.7, 5);
    expect(says(w.move(300, 20.09, 5))).toBe('accept Accept');
    expect(w.move(300, 20.3, 5).accepted).toBe(false);
  });
  test('a switch through one guard is seen by all guards of the map, each at its next call', () => {
    const map = doorMap();
    const worlds = [new World(map), new World(map), new World(map)];
    for (const w of worlds) w.guard.enter('p', { pos: [19.7, 0, 5], speed: 6 });
    const own = new MoveGuard(map, {}, { engine: 'twin', now: () => 20_000 });
    for (const w of worlds) w.move(1000, 19.7, 5);
    worlds[0].guard.area(DOOR, { open: false });
    // seen now: from here its grace counts
    worlds[1].t = 9000;
    worlds[1].guard.score('p');
    expect(says(worlds[1].move(150, 21.3, 5))).toBe('accept Accept');
    worlds[2].move(8000, 19.7, 5);
    expect(says(worlds[2].move(151, 21.3, 5))).toBe('correct Wall');
    own.enter('q', { pos: [19.7, 0, 5], speed: 6 });
    expect(own.stateOf('q')).not.toBeNull();
  });
  test('an input stops at it, and does not before its client can have heard of it', () => {
    const run = (w: World, times: number): number => {
      for (let i = 0; i < times; i++) {
        w.t += 100;
        w.guard.input('p', ++w.seq, [1, 0], 100);
      }
      return w.pos[0];
    };
    const w = walker(19);
    close(w);
    w.move(5000, 19, 5);
    expect(run(w, 10)).toBeCloseTo(20, 2);
    const p = walker(19.5);
    close(p);
    run(p, 1);
    const q = walker(20.5);
    close(q);
    q.move(5000, 20.5, 5);
    expect(run(q, 10)).toBeGreaterThan(25);
  });
  test('a map that cannot change says so; wrong values are the map own refusals', () => {
    const still = new MoveGuard({ kernel: field(10, 10).kernel });
    expect(() => still.area(DOOR, { open: false })).toThrow(/area: map: expected one that can change/);
    const w = walker(10);
    expect(() => w.guard.area(64, { open: false })).toThrow(/area/);
    expect(() => w.guard.link('nowhere', false)).toThrow(/link/);
    expect(says(w.move(50, 10.3, 5))).toBe('accept Accept');
  });
});

describe('corrections', () => {
  test.each([
    [-1, 20],
    [1, 21],
  ])('from within a closed door lead to the side that the entity came from (%i)', (side, edge) => {
    for (const inside of [0.15, 0.5, 0.85]) {
      const w = walker(20.5 + side * 2);
      const to = 20.5 + side * (0.5 - inside);
      while (Math.abs(w.pos[0] - to) > 0.3) w.move(50, w.pos[0] - side * 0.3, 5);
      w.move(50, to, 5);
      close(w);
      w.move(2000, to, 5);
      const v = w.move(50, 5, 5);
      expect([v.verdict, v.reason]).toEqual(['correct', 'SpeedLimit']);
      expect(v.pos?.[0]).toBeCloseTo(edge, 3);
      expect(v.pos?.[2]).toBeCloseTo(5, 3);
      // it is outside now
      w.guard.ack('p', v.correction);
      expect(w.move(1000, 20.5 - side, 5).accepted).toBe(false);
      expect(w.pos[0]).toBeCloseTo(edge, 3);
    }
  });
  test('of who stands beside it change nothing', () => {
    const w = walker(19);
    close(w);
    w.move(2000, 19, 5);
    expect(w.move(50, 5, 5).pos).toEqual([19, 0, 5]);
  });
});

describe('clicks', () => {
  const click = (w: World, x: number, fields = {}): Verdict => {
    const from = w.pos;
    const duration = (Math.abs(x - from[0]) / 6) * 1000;
    return w.guard.begin('p', { seq: ++w.seq, from, to: [x, 0, 5], speed: 6, duration, ...fields }).copy();
  };
  test('through a closed door are refused as Wall, into it as TargetNotOnNavMesh', () => {
    const w = walker(15);
    close(w);
    w.t += 5000;
    expect(says(click(w, 25))).toBe('correct Wall');
    expect(says(click(w, 20.5))).toBe('correct TargetNotOnNavMesh');
    expect(says(click(w, 65))).toBe('correct PathPartial');
    expect(says(click(w, 19.5))).toBe('accept Accept');
  });
  test('made before their client can have heard of it are judged as it was', () => {
    const w = walker(19.5);
    w.guard.rtt('p', 200);
    close(w);
    w.t += 100;
    expect(says(click(w, 25))).toBe('accept Accept');
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(25, 3);
  });
  test('a walk under way ends at a door that closes, and goes on from there', () => {
    const w = walker(5);
    expect(says(click(w, 35))).toBe('accept Accept');
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(11, 3);
    close(w);
    expect(w.guard.positionAt('p', w.t + 20_000)?.[0]).toBeCloseTo(20, 1);
    w.t += 20_000;
    const [x] = w.pos;
    expect(x).toBeLessThanOrEqual(20);
    expect(x).toBeGreaterThan(19.98);
    expect(says(w.move(50, x - 0.3, 5))).toBe('accept Accept');
    expect(w.move(300, 21.5, 5).accepted).toBe(false);
  });
  test('it goes on where it has passed the door within the grace, or is in it', () => {
    for (const [closesAt, ends] of [
      [2400, 35],
      [2600, 35],
      [2300, 20],
      [3000, 35],
    ]) {
      const w = walker(5);
      click(w, 35);
      // at the door after 2500 ms, out of it after 2667
      w.t += closesAt;
      close(w);
      w.t += 1;
      w.pos;
      w.t += 20_000;
      expect([closesAt, Math.round(w.pos[0] * 10) / 10]).toEqual([closesAt, ends]);
    }
  });
  test('one that is cut stays cut when the door opens; the next click goes through', () => {
    const w = walker(5);
    click(w, 35);
    close(w);
    w.t += 100;
    open(w);
    w.t += 20_000;
    expect(w.pos[0]).toBeCloseTo(20, 1);
    expect(says(click(w, 35))).toBe('accept Accept');
    w.t += 20_000;
    expect(w.pos[0]).toBeCloseTo(35, 3);
  });
  test('a click through a door that has just closed leads as far as it is passed in time', () => {
    const w = walker(5);
    w.guard.rtt('p', 200);
    close(w);
    w.t += 100;
    expect(says(click(w, 35))).toBe('accept Accept');
    w.t += 20_000;
    expect(w.pos[0]).toBeCloseTo(20, 1);
  });
});

describe('links', () => {
  const link = (bidirectional = true): NavLink => {
    const ends = { from: [40.5, 0, 5] as const, to: [60.5, 0, 5] as const };
    return { ...ends, radius: 0.5, bidirectional, area: 0, flags: 1, userId: 7, tile: 0 };
  };
  const at = (x: number): World => walker(x, {}, doorMap('wasm', [link()]));
  /** Walks in steps of 0.3 m; the first refusal, or 'through'. */
  const over = (w: World, to: number): string => {
    const by = to > w.pos[0] ? 0.3 : -0.3;
    for (let x = w.pos[0]; Math.abs(to - x) > 0.3; x += by) {
      const v = w.move(50, x + by, 5);
      if (!v.accepted) return says(v);
    }
    return 'through';
  };
  test('that is off is a wall, after the grace; one way only goes one way', () => {
    expect(over(at(40), 62)).toBe('through');
    for (const [open, there, back] of [
      [false, false, false],
      ['forward', true, false],
      ['backward', false, true],
      [true, true, true],
    ] as const) {
      for (const [from, to, goes] of [
        [40, 62, there],
        [61, 39, back],
      ] as const) {
        const w = at(from);
        w.guard.link(7, open);
        w.move(5000, from, 5);
        const seen = over(w, to);
        expect([open, from, seen === 'through']).toEqual([open, from, goes]);
        if (!goes) expect(seen).toMatch(/^correct (Wall|TargetNotOnNavMesh)$/);
      }
    }
  });
  test('one that was switched off a moment ago may be entered; whoever is on its way finishes', () => {
    const w = at(40.3);
    w.guard.rtt('p', 200);
    w.guard.link(7, false);
    expect(over(w, 62)).toBe('through');
    const p = at(45);
    expect(p.guard.positionAt('p')).not.toBeNull();
    const q = at(40.3);
    expect(over(q, 50)).toBe('through');
    q.guard.link(7, false);
    q.move(3000, q.pos[0], 5);
    expect(over(q, 62)).toBe('through');
  });
});

describe.each(['wasm', 'twin'] as const)('at random, %s', (engine) => {
  test('honest walkers are never refused, cheats that walk through what closed long ago always are; batches say the same', () => {
    let cheated = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const seen = play(engine, seed);
      expect([seed, seen.honest]).toEqual([seed, []]);
      expect([seed, seen.missed]).toEqual([seed, 0]);
      expect([seed, seen.differences]).toEqual([seed, 0]);
      cheated += seen.cheated;
    }
    expect(cheated).toBeGreaterThan(4);
  });
});

interface Sent {
  readonly at: number;
  readonly who: number;
  readonly x: number;
  readonly z: number;
  readonly cheat: boolean;
}

/** Walkers, a door that is switched, and cheats; everything told to one guard move by move and to another by batches. */
function play(engine: 'wasm' | 'twin', seed: number) {
  const rand = random(seed * 7919);
  const walkers = Array.from({ length: 12 }, (_, who) => ({
    id: `p${who}`,
    rtt: 20 + Math.floor(rand() * 280),
    x: rand() * 40,
    z: 1 + rand() * 8,
    dir: rand() < 0.5 ? -1 : 1,
    every: [20, 50, 100, 250][Math.floor(rand() * 4)],
    sent: [] as Sent[],
    arrived: 0,
    who,
  }));
  // the door's switches in the server's time
  const switches: [number, boolean][] = [];
  let isOpen = true;
  for (let t = 500 + rand() * 500; t < 20_000; t += 80 + rand() * 1500) {
    isOpen = !isOpen;
    switches.push([Math.floor(t), isOpen]);
  }
  const openAt = (t: number): boolean => switches.reduce((was, [at, now]) => (at <= t ? now : was), true);
  const shutSince = (t: number): number => {
    const past = switches.filter(([at]) => at <= t);
    const last = past[past.length - 1];
    return last === undefined || last[1] ? Infinity : last[0];
  };
  const inDoor = (x: number): boolean => x >= 20 && x <= 21;
  for (const w of walkers) {
    let last = 0;
    for (let t = 200; t < 20_000; t += w.every) {
      if (rand() < 0.02) w.dir = -w.dir;
      const step = (w.every / 1000) * 6 * (0.5 + rand() * 0.5) * w.dir;
      const to = Math.min(Math.max(w.x + step, 0.2), 40.8);
      // what the client knows of the door: half a round trip old
      const known = openAt(t - w.rtt / 2);
      const through = (w.x < 20 && to >= 20) || (w.x > 21 && to <= 21);
      if (known || inDoor(w.x) || !through) w.x = to;
      else w.dir = -w.dir;
      const at = Math.max(last, t + w.rtt / 2 + rand() * Math.min(w.rtt, 140));
      last = at;
      w.sent.push({ at, who: w.who, x: w.x, z: w.z, cheat: false });
    }
  }
  const cheats: Sent[] = [];
  for (let k = 0; k < 12; k++) {
    const at = 1000 + rand() * 18_000;
    const since = shutSince(at);
    if (at - since > 450 + 1) cheats.push({ at, who: 100 + k, x: 21.4, z: 5, cheat: true });
  }
  const events = [...walkers.flatMap((w) => w.sent), ...cheats].sort((a, b) => a.at - b.at);

  const clock = { now: 0 };
  const map = doorMap(engine);
  const single = new MoveGuard(map, {}, { now: () => clock.now, engine });
  const batched = new MoveGuard(doorMap(engine), {}, { now: () => clock.now, engine });
  for (const guard of [single, batched]) {
    for (const w of walkers) {
      guard.enter(w.id, { pos: [w.sent[0].x, 0, w.sent[0].z], speed: 6 });
      guard.rtt(w.id, w.rtt);
    }
    for (const { who } of cheats) guard.enter(`p${who}`, { pos: [19.7, 0, 5], speed: 6 });
  }
  const seq = new Map<number, number>();
  const claims = batched.claims(64);
  const honest: string[] = [];
  let [missed, cheated, differences, next] = [0, 0, 0, 0];
  let pending: { event: Sent; verdict: Verdict }[] = [];
  const flush = (): void => {
    pending.forEach(({ event }, i) => {
      claims.t[i] = event.at;
      claims.entity[i] = batched.slot(`p${event.who}`);
      claims.seq[i] = seq.get(event.who) as number;
      claims.pos.set([event.x, 0, event.z], 3 * i);
    });
    batched.checkBatch(claims, pending.length);
    pending.forEach(({ event, verdict }, i) => {
      const same = claims.verdict[i] === verdict.verdictCode && claims.reason[i] === verdict.reasonCode;
      if (!same || `${single.stateOf(`p${event.who}`)}` !== `${batched.stateOf(`p${event.who}`)}`) differences++;
    });
    pending = [];
  };
  for (const event of events) {
    for (; next < switches.length && switches[next][0] <= event.at; next++) {
      flush();
      [clock.now] = switches[next];
      for (const guard of [single, batched]) guard.area(DOOR, { open: switches[next][1] });
    }
    if (pending.length === 60 || pending.some(({ event: other }) => other.who === event.who)) flush();
    clock.now = event.at;
    seq.set(event.who, (seq.get(event.who) ?? 0) + 1);
    const verdict = single.move(`p${event.who}`, seq.get(event.who) as number, event.x, 0, event.z).copy();
    pending.push({ event, verdict });
    if (event.cheat) {
      cheated++;
      if (verdict.accepted) missed++;
    } else if (!verdict.accepted) honest.push(`${event.at} ${event.who} ${event.x} ${says(verdict)}`);
  }
  flush();
  return { honest, missed, cheated, differences };
}
