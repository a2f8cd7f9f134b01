// Appeals: what a guard recorded is run again, on WASM and on the twin, and gives the same verdicts bit for bit. Random games
// with all facts and claims, hostile ones too; rings that wrap. Seeds stand in the names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { MoveGuard } from '../../src/guard.ts';
import { Audit } from '../../src/log/audit.ts';
import type { ExpectFields, MoveLogEvent } from '../../src/log/events.ts';
import { MoveLog } from '../../src/log/reader.ts';
import type { NavMap } from '../../src/map.ts';
import { ledgerLayout } from '../../src/record/layout.ts';
import * as L from '../../src/rules/ledger.ts';
import { VERSION } from '../../src/version.ts';
import { newGame, play } from './game.ts';
import { random } from './rounding.ts';
import { blockedField, bundled, floors } from './world.ts';

const root = join(import.meta.dirname, '..', '..');

const MAPS: [string, () => Promise<NavMap>, [number, number, number]][] = [
  [
    'a grid with walls',
    async () =>
      blockedField(60, 60, 1, [
        [10, 0, 11, 40],
        [20, 20, 21, 60],
      ]),
    [5.5, 0, 5.5],
  ],
  [
    'floors over each other',
    async () =>
      floors([
        [0, 0, 40, 40, 0],
        [8, 8, 20, 20, 4],
      ]),
    [12, 0, 12],
  ],
  ['terrain', () => bundled('terrain'), [0, 0, 0]],
];

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Runs a log by `audit --check` and gives its summary. */
async function run(text: string | Uint8Array, map: NavMap, engine: 'wasm' | 'twin') {
  const audit = new Audit({ map, engine, check: true });
  await audit.run(once(typeof text === 'string' ? Buffer.from(text) : text), 'appeal');
  return audit.summary();
}

const claimsOf = (events: readonly MoveLogEvent[]) => events.filter((event) => 'expect' in event);

describe('recordings', () => {
  test.each(MAPS)('give the same verdicts again, wasm and twin: %s (seeds 81, 82)', async (name, load, start) => {
    const map = await load();
    const ids = Array.from({ length: 7 }, (_, i) => `p${i}`);
    let kept = '';
    for (const seed of [81, 82]) {
      for (const events of [16, 64, 4096]) {
        const game = newGame(map, { yOffset: seed === 82 ? 0.9 : 0 }, { record: { events } });
        const { guard } = game;
        for (const id of ids) guard.enter(id, { pos: start, speed: 6 });
        // in the midst of the game too: snapshots of walks, flights, pauses, of who has left
        const earlier: [string, number][] = [];
        const seen = play(game, ids, start, seed, 2500, (round) => {
          if (events > 16 || round % 50 > 0) return;
          const recording = guard.record(round % 100 === 0 ? undefined : ids[(round / 50) % ids.length]);
          earlier.push([recording.text(), claimsOf(recording.events).length]);
        });
        for (const [text, claims] of earlier) {
          const summary = await run(text, map, 'wasm');
          expect(summary.mismatches.slice(0, 2), `seed ${seed}`).toEqual([]);
          expect(summary.expected).toBe(claims);
        }
        kept += earlier.map(([text]) => text).join('');
        const words = [...seen.keys()].join(', ');
        for (const word of [
          'accept Accept',
          'correct',
          'reject Malformed',
          'Replay',
          'MapVersionMismatch',
          'begin accept',
        ]) {
          expect(words, `seed ${seed}`).toContain(word);
        }
        const all = guard.record();
        const recordings = [all, ...ids.map((id) => guard.record(id))];
        for (const [k, recording] of recordings.entries()) {
          const text = recording.text();
          const claims = claimsOf(recording.events).length;
          if (k > 0) expect(recording.events.length).toBeLessThanOrEqual(events + 1);
          for (const engine of ['wasm', 'twin'] as const) {
            const summary = await run(text, map, engine);
            const what = `seed ${seed}, ${events} events, recording ${k}, ${engine}`;
            expect(summary.mismatches.slice(0, 2), what).toEqual([]);
            expect(summary.expected, what).toBe(claims);
            expect(summary.hints.filter((hint) => /recorded/.test(hint))).toEqual([]);
          }
        }
        expect(claimsOf(all.events).length).toBeGreaterThan(events === 16 ? 8 : events === 64 ? 40 : 600);
      }
    }
    for (const field of ['"path":[', '"pause":[', '"mapVersion":"vvv', '"layout"']) {
      // on the terrain, clicks hardly ever hit the floor
      if (field !== '"path":[' || name !== 'terrain') expect(kept.includes(field), field).toBe(true);
    }
  });

  test('who is watched is judged like one who is not: verdicts and states (seed 83)', async () => {
    for (const [name, load, start] of MAPS) {
      const map = await load();
      const ids = ['a', 'b', 'c', 'd'];
      const logger = { info: () => undefined, warn: () => undefined };
      const games = [{}, { record: {} }, { record: { events: 16 }, log: { logger, accepted: true } }].map((options) => {
        const game = newGame(map, {}, options);
        for (const id of ids) game.guard.enter(id, { pos: start, speed: 6 });
        return { game, seen: play(game, ids, start, 83, 3000) };
      });
      for (const { game, seen } of games.slice(1)) {
        expect([...seen], name).toEqual([...games[0].seen]);
        for (const id of ids) {
          const a = games[0].game.guard.stateOf(id);
          const b = game.guard.stateOf(id);
          expect(b?.every((n, k) => Object.is(n, a?.[k])) ?? null, `${name} ${id}`).toBe(a === null ? null : true);
        }
      }
    }
  });

  test('what a claim got stands in its expect, exactly', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const game = newGame(map, {}, { record: {} });
    const { guard } = game;
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    game.set(100);
    const v = guard.move('a', 1, 5.3, 0, 5).copy();
    game.set(150);
    const w = guard.move('a', 2, 39, 0, 5).copy();
    const [, first, second] = guard.record('a').events as unknown as { expect: ExpectFields }[];
    for (const [got, { expect: said }] of [[v, first] as const, [w, second] as const]) {
      const { verdict, reason, pos, used, allowed, score, action, correction } = got;
      expect(said).toEqual({ verdict, reason, pos, within: 0, used, allowed, score, action, correction });
    }
    expect(w.verdict).toBe('correct');
    // and an expectation that is off by the last bit does not hold
    const broken = guard
      .record('a')
      .text()
      .replace(`"allowed":${w.allowed}`, `"allowed":${(w.allowed as number) + 2 ** -50}`);
    expect((await run(broken, map, 'wasm')).mismatchCount).toBe(1);
  });

  test('a recording is a move log with map, rules, kernel and version', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const game = newGame(map, { speedTolerance: 1.3 }, { record: { map: 'floors.navpack' } });
    game.guard.enter('a', { pos: [5, 0, 5], speed: 6, kind: 'hero', player: 'Ann' });
    const log = await MoveLog.open(once(Buffer.from(game.guard.record('a', 'appeal 7').text())));
    expect(log.header).toMatchObject({
      movelog: 1,
      map: { file: 'floors.navpack', hash: map.info.hash },
      rules: { speedTolerance: 1.3, kickAt: 10 },
      comment: 'appeal 7',
      navguard: VERSION,
    });
    expect(log.header.kernel).toMatch(/^[0-9a-f]{16}$/);
    expect(VERSION).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    expect(game.guard.record('nobody').events).toEqual([]);
  });

  test('says which of map and kernel is another one', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const other = floors([[0, 0, 41, 40, 0]]);
    const game = newGame(map, {}, { record: {} });
    game.guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    game.guard.move('a', 1, 5, 0, 5);
    const text = game.guard.record('a').text();
    expect((await run(text, map, 'wasm')).hints).toEqual([]);
    expect((await run(text, other, 'wasm')).hints.join()).toContain(`recorded on a map with hash ${map.info.hash}`);
    const kernel = (JSON.parse(text.split('\n')[0]) as { kernel: string }).kernel;
    const hints = (await run(text.replace(kernel, '0123456789abcdef'), map, 'twin')).hints.join();
    expect(hints).toContain(
      `recorded by the kernel 0123456789abcdef of navguard ${VERSION}, but this is the kernel ${kernel}`,
    );
    const audit = new Audit({});
    await expect(audit.run(once(Buffer.from(text)), 'x')).rejects.toThrow(
      /names the map only by its hash .*, expected the map itself/,
    );
  });

  test('a state of another layout, or a path that does not fit, is refused with a sentence', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const game = newGame(map, {}, { record: { events: 16 } });
    game.guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    for (let i = 0; i < 40; i++) {
      game.set(50 * i);
      game.guard.move('a', i, 5 + 0.1 * i, 0, 5);
    }
    const text = game.guard.record('a').text();
    expect(text).toContain('"op":"restore"');
    await expect(run(text.replace(/"layout":"[0-9a-f]+"/, '"layout":"00"'), map, 'wasm')).rejects.toThrow(
      /line 2: "restore": restore: layout: expected [0-9a-f]{16} of navguard .*, got "00"/,
    );
    await expect(run(text.replace(/"state":\[/, '"state":[1,'), map, 'wasm')).rejects.toThrow(/line 2: "restore"/);
  });

  test('a state with any numbers in it is refused or judged, soon (seed 85)', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const game = newGame(map, {}, { record: { events: 16 } });
    game.guard.enter('a', { pos: [20, 0, 20], speed: 6 });
    play(game, ['a'], [20, 0, 20], 85, 60);
    const lines = game.guard.record('a').text().trim().split('\n');
    const at = lines.findIndex((line) => line.includes('"op":"restore"'));
    const rand = random(85);
    const restore = JSON.parse(lines[at]) as { state: unknown[] };
    const evil = [0, 1, -1, 2, 0.5, 7, 64, 1e9, 1e15, 4294967295, 4294967296, -1e300, 'NaN', 'Infinity', '-Infinity'];
    let refused = 0;
    let judged = 0;
    for (let round = 0; round < 500; round++) {
      const state = [...restore.state];
      const n = 1 + Math.floor(rand() * 4);
      for (let k = 0; k < n; k++) state[Math.floor(rand() * state.length)] = evil[Math.floor(rand() * evil.length)];
      const text = lines.with(at, JSON.stringify({ ...restore, state })).join('\n');
      try {
        await run(text, map, 'wasm');
        judged++;
      } catch (error) {
        if (!(error instanceof NavguardError) || error.code !== 'BAD_LOG') throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(10);
    expect(judged).toBeGreaterThan(100);
  });

  test('an acknowledged teleport (ack 0) can be read again; part of a number is none', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const { guard, set } = newGame(map, {}, { record: { events: 512 } });
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    guard.teleport('a', [20, 0, 20]);
    guard.ack('a', 0);
    set(100);
    expect(guard.move('a', 1, 20.2, 0, 20).verdict).toBe('accept');
    expect(() => guard.ack('a', 1.5)).toThrow('ack: correction: expected a whole number of at least 0, got 1.5');
    const { claims, expected, mismatchCount } = await run(guard.record('a').text(), map, 'wasm');
    expect([claims, expected, mismatchCount]).toEqual([1, 1, 0]);
  });

  test('every fact that the guard takes can be read again; the others throw', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const facts: ((g: MoveGuard) => unknown)[] = [
      (g) => g.enter('__proto__', { pos: [-0, 0, 1e300], speed: 1e300, kind: '', player: '', strategies: [] }),
      (g) => g.enter('\ud800', { pos: [1, 0, 1], speed: 0 }),
      (g) => g.boost('a', 0, 0),
      (g) => g.impulse('a', [0, 0, 0], 5e-324),
      (g) => g.impulse('a', [4, 0, 0], 1e-300),
      (g) => g.impulse('a', [1e200, 0, 0], 1),
      (g) => g.impulse('a', [1, 0, 0], 5e-324),
      (g) => g.ack('a', 1e300),
      (g) => g.state('a', {}),
      (g) => g.pause(0),
      (g) => g.version(''),
      (g) => g.rtt('a', 1e308),
      (g) => g.teleport('a', [1e9, 0, 0]),
      ...['', 1.5, -0, 'x'].map((progress) => (g: MoveGuard) => g.progress(progress)),
      ...['', 0, 7, 1.5, {}, 10n, Symbol('x'), Number.NaN, 'x'].map(
        (grant) => (g: MoveGuard) => g.grant('a', [1, 0, 1], { grant: grant as never }),
      ),
    ];
    let threw = 0;
    for (const fact of facts) {
      const { guard, set } = newGame(map, {}, { record: { events: 512 } });
      guard.enter('a', { pos: [5, 0, 5], speed: 6 });
      set(10);
      try {
        fact(guard);
      } catch (error) {
        expect(error).toMatchObject({ name: 'NavguardError', code: 'BAD_ARGUMENT' });
        threw++;
      }
      set(100);
      guard.move('a', 200, 5.1, 0, 5);
      const { expected, mismatchCount } = await run(guard.record().text(), map, 'wasm');
      expect([expected, mismatchCount], String(fact)).toEqual([1, 0]);
    }
    expect(threw).toBe(7);
  });

  test('a state on a link that the map does not have is refused', () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const guard = new MoveGuard(map, {}, { now: () => 0 });
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    for (const end of [0, -1, 1e9, Number.NaN, 0.5]) {
      const state = Array.from(guard.stateOf('a') ?? []);
      state[L.FLAGS] |= L.ON_LINK;
      state[L.LINK] = end;
      expect(() => guard.restore('a', { state, layout: ledgerLayout() })).toThrow(
        /^restore: state: expected a link end/,
      );
    }
  });

  test('the options are checked, and record needs them', () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    for (const record of [5, null, [], { events: 15 }, { events: 1.5 }, { events: 1e9 }, { map: '' }, { event: 5 }]) {
      expect(() => new MoveGuard(map, {}, { record: record as never }), JSON.stringify(record)).toThrow(/^record/);
    }
    expect(() => new MoveGuard(map).record('a')).toThrow(/record/);
  });

  test('memory is bounded by who is here at once, not by how much happens', () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const game = newGame(map, {}, { record: { events: 512 } });
    const { guard } = game;
    for (let wave = 0; wave < 30; wave++) {
      for (let k = 0; k < 10; k++) guard.enter(`w${wave}-${k}`, { pos: [5 + k, 0, 5], speed: 6 });
      for (let i = 0; i < 300; i++) {
        game.set(game.now() + 40);
        for (let k = 0; k < 10; k++) guard.move(`w${wave}-${k}`, i, 5 + k + (i % 2) * 0.1, 0, 5);
      }
      for (let k = 0; k < 10; k++) guard.leave(`w${wave}-${k}`);
      game.set(game.now() + 61_000);
    }
    // two segments of 256 moves of 56 bytes and 2 KiB, and two states, for each of 10 places (a wave may meet the one before)
    expect(guard.recordBytes).toBeLessThanOrEqual(20 * 2 * (256 * 56 + 2048 + 8 * 128));
    expect(guard.recordBytes).toBeGreaterThan(0);
  });
});
