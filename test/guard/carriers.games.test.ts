// Random games with carriers, honest and hostile: both engines, batches, recordings and observers give the same verdicts and
// states; nobody is faster than its credit on any deck; nothing throws. Seeds stand in the names.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { Audit } from '../../src/log/audit.ts';
import type { NavMap } from '../../src/map.ts';
import type { Vec3, Verdict } from '../../src/types.ts';
import { random } from './rounding.ts';
import { floors } from './world.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const SHIPS = ['ferry', 'lift', 17] as const;

const shores = (): NavMap =>
  floors([
    [0, 0, 20, 40, 0],
    [30, 0, 60, 40, 0],
    [0, 0, 10, 40, 5],
  ]);

interface Told {
  t: number;
  tell(guard: MoveGuard, claim: (v: Verdict, id: string, named: boolean) => void): void;
}

/** What a server and its clients do, as a list that any guard can be told. */
function script(seed: number, steps: number): Told[] {
  const next = random(seed);
  const told: Told[] = [];
  const at: Record<string, [number, number, number]> = {};
  const ship = (name: string | number, t: number): [number, number, number] => {
    if (name === 'ferry') return [25 + 6 * Math.sin(t / 3000), 0, 20];
    return name === 'lift' ? [12, 2.5 - 2.5 * Math.cos(t / 900), 20] : [25, 0, 5 + ((t / 50) % 60)];
  };
  const seqs: Record<string, number> = {};
  const on: Record<string, { name: string | number; offset: [number, number, number] } | undefined> = {};
  let t = 0;
  const add = (tell: Told['tell']): void => {
    told.push({ t, tell });
  };
  const size = { ferry: [6, 2, 8], lift: [3, 0.2, 3], 17: 2 } as const;
  for (const name of SHIPS) add((g) => g.carrier(name, { pos: ship(name, 0), size: size[name] }));
  for (const id of IDS) {
    at[id] = [4 + 2 * IDS.indexOf(id), 0, 20];
    seqs[id] = 0;
    const pos = at[id];
    add((g) => g.enter(id, { pos, speed: 6 }));
  }
  for (let i = 0; i < steps; i++) {
    t += Math.floor(next() * 40);
    const id = IDS[Math.floor(next() * IDS.length)];
    const name = SHIPS[Math.floor(next() * SHIPS.length)];
    const other = IDS[Math.floor(next() * IDS.length)];
    const kind = next();
    const now = ship(name, t);
    const dx = next() - 0.5;
    const dz = next() - 0.5;
    const seq = ++seqs[id];
    if (kind < 0.3) {
      const jump = next() < 0.005;
      const pos: Vec3 = jump ? [500 * dx, 0, 20] : now;
      add((g) => g.carrier(name, { pos, yaw: name === 'ferry' ? t / 5000 : 0 }));
    } else if (kind < 0.32) {
      const offset: [number, number, number] = [2 * dx, 0, 2 * dz];
      on[id] = { name, offset };
      add((g) => g.attach(id, name, offset));
    } else if (kind < 0.325) {
      on[id] = undefined;
      add((g) => g.detach(id));
    } else if (kind < 0.33 && id < other) {
      on[id] = { name: other, offset: [1, 0, 0] };
      add((g) => {
        if (g.slot(other) >= 0) g.attach(id, other, [1, 0, 0]);
      });
    } else if (kind < 0.335) {
      add((g) => g.carrier(name, null));
      add((g) => g.carrier(name, { pos: now, size: size[name] }));
    } else if (kind < 0.34) {
      on[id] = undefined;
      at[id] = [4, 0, 20];
      const pos = at[id];
      add((g) => g.leave(id));
      add((g) => g.enter(id, { pos, speed: 6 }));
    } else if (kind < 0.345) {
      on[id] = undefined;
      at[id] = [40, 0, 20];
      add((g) => g.teleport(id, [40, 0, 20]));
    } else if (kind < 0.35) {
      add((g) => g.grant(id, [50, 0, 30]));
    } else if (kind < 0.36) {
      const ms = Math.floor(next() * 400);
      add((g) => g.rtt(id, ms));
    } else if (kind < 0.37) {
      const state = [{ rooted: true }, { rooted: false }, { flying: next() < 0.3 }, { alive: true }][
        Math.floor(next() * 4)
      ];
      add((g) => g.state(id, state));
    } else if (kind < 0.38) {
      add((g, claim) => claim(g.input(id, seq, [dx, dz], 50), id, true));
    } else if (kind < 0.39) {
      const from = at[id];
      add((g, claim) => claim(g.begin(id, { seq, from, to: [40, 0, 20], speed: 6, duration: 8000 }), id, true));
    } else if (kind < 0.6) {
      // by word: on what it stands on, or on anything
      const place = on[id];
      const honest = place !== undefined && next() < 0.7;
      const label = honest ? place.name : name;
      const offset: unknown = honest
        ? [place.offset[0] + 0.4 * dx, place.offset[1], place.offset[2] + 0.4 * dz]
        : next() < 0.05
          ? [Number.NaN, 0]
          : [6 * dx, 4 * (next() - 0.5), 6 * dz];
      const base = typeof label === 'string' && IDS.includes(label) ? at[label] : ship(label, t);
      const o = offset as number[];
      const pos = next() < 0.9 ? [base[0] + o[0], base[1] + (o[1] ?? 0), base[2] + (o[2] ?? 0)] : at[id];
      on[id] = { name: label, offset: offset as [number, number, number] };
      add((g, claim) => claim(g.move(id, seq, pos[0], pos[1], pos[2], { carrier: label, offset }), id, true));
    } else {
      const place = on[id];
      const carried = place !== undefined && !IDS.includes(String(place.name)) && next() < 0.5;
      const [bx, by, bz] = carried ? ship(place.name, t - 100 * next()) : at[id];
      const [ox, oy, oz] = carried ? place.offset : [0, 0, 0];
      const step = next() < 0.05 ? 20 : 0.6;
      const x = bx + ox + step * dx;
      const y = by + oy + (next() < 0.1 ? 2 * next() : 0);
      const z = bz + oz + step * dz;
      at[id] = [x, y, z];
      add((g, claim) => claim(g.move(id, seq, x, y, z), id, false));
    }
  }
  return told;
}

const said = (v: Verdict): unknown[] => [
  ...[v.verdict, v.reason, v.used, v.allowed, v.straight, v.length, v.score, v.action, v.correction],
  v.pos === null ? null : [...v.pos],
];

/** Tells a guard a script; all that it said, and all states at the end. */
function run(map: NavMap, told: readonly Told[], options: ConstructorParameters<typeof MoveGuard>[2], batch = false) {
  let t = 0;
  const guard = new MoveGuard(map, {}, { ...options, now: () => t });
  const claims = guard.claims(1);
  const all: unknown[] = [];
  const proxy = new Proxy(guard, {
    get(_, name) {
      if (batch && name === 'move') {
        return (id: string, seq: number, x: number, y: number, z: number, extras?: object): unknown => {
          if (extras !== undefined || guard.slot(id) < 0) return guard.move(id, seq, x, y, z, extras);
          claims.entity[0] = guard.slot(id);
          claims.seq[0] = seq;
          claims.t[0] = t;
          claims.pos.set([x, y, z]);
          guard.checkBatch(claims, 1);
          all.push([claims.verdict[0], claims.reason[0]]);
          return null;
        };
      }
      const value = guard[name as keyof MoveGuard] as unknown;
      return typeof value === 'function' ? value.bind(guard) : value;
    },
  });
  for (const step of told) {
    t = step.t;
    step.tell(proxy, (v) => {
      if (v === null) return;
      all.push(batch ? [v.verdictCode, v.reasonCode] : said(v));
    });
  }
  return { guard, all, states: IDS.map((id) => [...(guard.stateOf(id) ?? [])]) };
}

describe('games with carriers (seeds 1 to 8)', () => {
  const map = shores();
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %d: twin, batches and an observer agree with WASM', (seed) => {
    const told = script(seed, 3000);
    const plain = run(map, told, {});
    const accepted = plain.all.filter((line) => (line as unknown[])[0] === 'accept').length;
    // neither all nor none
    expect(accepted).toBeGreaterThan(100);
    expect(plain.all.length - accepted).toBeGreaterThan(100);
    const twin = run(map, told, { engine: 'twin' });
    expect(twin.all).toEqual(plain.all);
    expect(twin.states).toEqual(plain.states);
    const watched = run(map, told, { record: { events: 256 } });
    expect(watched.all).toEqual(plain.all);
    expect(watched.states).toEqual(plain.states);
    const codes = run(map, told, {}, true);
    expect(codes.all.length).toBe(plain.all.length);
    expect(codes.states).toEqual(plain.states);
  });

  test.each([11, 12, 13, 14])(
    'seed %d: recordings give the same verdicts again, of each entity and of all',
    async (seed) => {
      for (const events of [16, 64, 4096]) {
        const { guard } = run(map, script(seed, 1500), { record: { events } });
        for (const id of [undefined, ...IDS]) {
          const audit = new Audit({ map, check: true, engine: seed % 2 === 0 ? 'twin' : 'wasm' });
          await audit.run(once(Buffer.from(guard.record(id).text())), 'appeal');
          const summary = audit.summary();
          expect(summary.mismatches.slice(0, 2), `${events} events of ${id}`).toEqual([]);
          expect(summary.expected).toBeGreaterThan(0);
        }
      }
    },
  );

  test.each([21, 22, 23])('seed %d: nobody is faster than its credit on a deck', (seed) => {
    // an oracle of its own: on a carrier, metres between two offsets are at most what time and one burst allow
    const next = random(seed);
    let t = 0;
    const guard = new MoveGuard(map, {}, { now: () => t });
    let x = 25;
    const tell = (): boolean => guard.carrier('ship', { pos: [x, 0, 20], yaw: t / 3000, size: [40, 4, 40] });
    tell();
    guard.enter('p', { pos: [25, 0, 20], speed: 6 });
    guard.attach('p', 'ship', [0, 0, 0]);
    let seq = 0;
    let metres = 0;
    let [ox, oz] = [0, 0];
    for (let i = 0; i < 4000; i++) {
      t += Math.floor(next() * 60);
      x += 2 * next() - 0.9;
      tell();
      const [nx, nz] = [ox + 2 * (next() - 0.5), oz + 2 * (next() - 0.5)];
      const [sin, cos] = [Math.sin(t / 3000), Math.cos(t / 3000)];
      const pos = [x + cos * nx + sin * nz, 0, 20 + cos * nz - sin * nx];
      const extras = next() < 0.5 ? { carrier: 'ship', offset: [nx, 0, nz] } : undefined;
      guard.move('p', ++seq, pos[0], pos[1], pos[2], extras);
      const state = guard.stateOf('p') as Float64Array;
      metres += Math.hypot(state[245] - ox, state[247] - oz);
      [ox, oz] = [state[245], state[247]];
      // (what rounding may add: see trail.ts)
      expect(metres).toBeLessThan(6.9 * (t / 1000 + 1) + 0.1 * (i + 1));
    }
  });
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
