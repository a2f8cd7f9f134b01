// Whole logs through real maps and guards: what comes out, and the one sentence that explains a log that does not fit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { Audit, type AuditOptions, auditLog, eventLine, headerLine, type MoveLogEvent } from '../../src/log/index.ts';
import { NavMap } from '../../src/map.ts';

const FIELD = { build: { boxes: [[0, -1, 0, 40, 0, 24] as const] } };
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function stream(text: string): AsyncIterable<Uint8Array> {
  return (async function* () {
    yield Buffer.from(text);
  })();
}

/** A round through the field: `count` steps of 0.3 m, 50 ms apart, on an ellipse, each position through `write`. */
function walk(count: number, write: (p: [number, number, number]) => [number, number, number]): MoveLogEvent[] {
  const at = (i: number): [number, number, number] =>
    write([20 + 14 * Math.cos(i * 0.021), 0.1, 12 + 8 * Math.sin(i * 0.021)]);
  const events: MoveLogEvent[] = [{ t: 0, op: 'enter', id: 'p1', pos: at(0), speed: 6 }];
  for (let i = 1; i <= count; i++) events.push({ t: 50 * i, op: 'move', id: 'p1', seq: i, pos: at(i) });
  return events;
}

function audit(
  events: MoveLogEvent[],
  header: Parameters<typeof headerLine>[0] = { map: FIELD },
  options: AuditOptions = {},
) {
  return auditLog(stream(headerLine(header) + events.map(eventLine).join('')), { name: 'walk.ndjson', ...options });
}

describe('hints', () => {
  test('an honest walk on the right map needs none', async () => {
    const summary = await audit(walk(200, (p) => p));
    expect(summary).toMatchObject({ claims: 200, accepted: 200, refused: 0, hints: [] });
  });

  test('C24: pelvis height 0.9 m above the mesh', async () => {
    const events = walk(200, ([x, y, z]) => [x, y + 0.9, z]);
    const summary = await audit(events);
    expect(summary.hints).toHaveLength(1);
    expect(summary.hints[0]).toMatch(/^All targets are (0\.9|0\.95) m above the mesh: set yOffset to \1\.$/);
    expect(await audit(events, { map: FIELD, rules: { yOffset: 0.9 } })).toMatchObject({ accepted: 200, hints: [] });
  });

  /** Every 51 steps of 50 ms a jump of 0.9 m that takes 0.86 s: a third of all claims are in the air. */
  const jumping = (i: number): number => {
    const t = 0.05 * (i % 51);
    return Math.max(0, 4.2 * t - (9.81 / 2) * t * t);
  };

  test('pelvis heights of a player who jumps a third of the time', async () => {
    let i = 0;
    const { hints } = await audit(walk(300, ([x, y, z]) => [x, y + 0.9 + jumping(i++), z]));
    expect(hints).toEqual([
      expect.stringMatching(/^\d\d % of all targets are (0\.9|0\.95|1) m above the mesh: set yOffset to /),
    ]);
  });

  test('jumps, cut ledges and stairs are no offset', async () => {
    let i = 0;
    expect((await audit(walk(300, ([x, y, z]) => [x, y + jumping(i++), z]))).hints).toEqual([]);
    // again and again without a pause
    const hopping = (t: number): number => 4.2 * t - (9.81 / 2) * t * t;
    expect((await audit(walk(300, ([x, y, z]) => [x, y + hopping((0.05 * i++) % 0.85), z]))).hints).toEqual([]);
    expect((await audit(walk(300, ([x, y, z]) => [x, y - 0.3, z]))).hints).toEqual([]);
    expect((await audit(walk(300, ([x, y, z]) => [x, y - 0.35 + 0.1 * (i++ % 8), z]))).hints).toEqual([]);
  });

  test('who stands just outside the mesh still stands on this map', async () => {
    // the mesh ends 0.6 m from the floor's edge
    const along = (z: number) =>
      walk(300, ([x]) => [x, 0, z]).map(
        (event, i) => (i === 0 ? { ...event, pos: [20, 0, 12] } : event) as MoveLogEvent,
      );
    expect((await audit(along(0.25))).hints).toEqual([]);
    expect((await audit(along(-1))).hints).toEqual([]);
    expect((await audit(along(28))).hints).toEqual([
      expect.stringMatching(/^All targets lie off the mesh by more than 2 m: /),
    ]);
  });

  test('metres on a map in centimetres', async () => {
    const { hints } = await audit(walk(300, ([x, y, z]) => [x / 100, y / 100, z / 100]));
    expect(hints).toEqual([expect.stringContaining('multiplied by 100 (the map is in centimetres)')]);
  });

  test('a yOffset with the wrong sign', async () => {
    const { hints } = await audit(
      walk(200, ([x, y, z]) => [x, y + 0.9, z]),
      { map: FIELD, rules: { yOffset: -0.9 } },
    );
    expect(hints[0]).toMatch(/above the mesh: set yOffset to 0\.9.? \(it is -0\.9 now\)\.$/);
  });

  test.each<[string, (p: [number, number, number]) => [number, number, number], RegExp]>([
    [
      'z is up',
      ([x, y, z]) => [x, z, y],
      /^(All|\d+ % of all) targets lie off the mesh, but 100 % of them lie on it with y and z swapped: /,
    ],
    [
      'centimetres',
      ([x, y, z]) => [100 * x, 100 * y, 100 * z],
      /^All targets lie off the mesh, but 100 % of them lie on it with divided by 100 \(centimetres\): /,
    ],
    [
      'z up and centimetres',
      ([x, y, z]) => [100 * x, 100 * z, 100 * y],
      /with y and z swapped, divided by 100 \(centimetres\): /,
    ],
    [
      'x mirrored',
      ([x, y, z]) => [-x, y, z],
      /^All targets lie off the mesh, but 100 % of them lie on it with x mirrored: /,
    ],
  ])('axes and units: %s', async (_, write, words) => {
    const { hints } = await audit(walk(300, write));
    expect(hints[0]).toMatch(words);
  });

  test('another level altogether', async () => {
    const { hints } = await audit(walk(100, ([x, y, z]) => [x + 5000, y, z * 3 - 777]));
    expect(hints).toHaveLength(1);
    expect(hints[0]).toMatch(
      /^All targets lie off the mesh by more than 2 m: they span x 50\d\d to .*, the map spans x 0.* check that the log belongs to this map/,
    );
  });

  test('a sequence number that never increases', async () => {
    const events = walk(50, (p) => p).map((event) => (event.op === 'move' ? { ...event, seq: 7 } : event));
    const { hints, byReason } = await audit(events);
    expect(byReason.Replay).toBe(49);
    expect(hints).toEqual([
      'The sequence numbers of "p1" never increase: a claim needs a higher seq than the one before it.',
    ]);
  });

  test('claims of entities that never entered', async () => {
    const { hints, byReason } = await audit(walk(50, (p) => p).slice(1));
    expect(byReason.UnknownEntity).toBe(50);
    expect(hints).toContain(
      '50 claims by "p1" came without an "enter" before: the recording began late, or the ids differ.',
    );
  });

  test('facts about entities that never entered', async () => {
    const events = walk(50, (p) => p);
    const told = (id: string): MoveLogEvent => ({ t: 0, op: 'speed', id, speed: 9 });
    const late: MoveLogEvent = { t: 9000, op: 'rtt', id: 'p1', ms: 40 };
    // after leaving, a fact may come late
    expect((await audit([...events, { t: 8000, op: 'leave', id: 'p1' }, late])).hints).toEqual([]);
    expect((await audit([events[0], told('zz'), ...events.slice(1)])).hints).toEqual([
      'Facts for an unknown entity ("zz", line 3) changed nothing: no "enter" came before them.',
    ]);
    expect((await audit([told('p1'), ...events, told('yy'), told('zz')])).hints).toEqual([
      expect.stringMatching(/^Facts for 3 unknown entities \(first "p1", line 2\) changed nothing: /),
      expect.stringMatching(/t is smaller than before/),
    ]);
  });

  test('seconds instead of milliseconds', async () => {
    const { hints } = await audit(walk(100, (p) => p).map((event) => ({ ...event, t: event.t / 1000 })));
    expect(hints).toEqual([expect.stringMatching(/t looks like seconds, expected milliseconds\.$/)]);
  });

  test('a clock that steps back', async () => {
    const events = walk(100, (p) => p).map((event, i) => (i === 50 ? { ...event, t: event.t - 60 } : event));
    const { hints, refused } = await audit(events);
    expect(refused).toBe(0);
    expect(hints).toEqual([
      'On 1 line t is smaller than before and counted as equal: t must come from a monotonic clock.',
    ]);
  });
});

describe('maps and rules', () => {
  const step: MoveLogEvent[] = [
    { t: 0, op: 'enter', id: 'p1', pos: [2.5, 9, 1.5], speed: 6 },
    { t: 50, op: 'move', id: 'p1', seq: 1, pos: [2.8, -3, 1.5], expect: 'accept' },
    { t: 100, op: 'move', id: 'p1', seq: 2, pos: [3.1, 5, 1.5], expect: 'accept' },
    { t: 5000, op: 'move', id: 'p1', seq: 3, pos: [3.1, 5, 3.5], expect: 'accept' },
  ];

  test('a grid ignores y', async () => {
    const map = { grid: ['......', '......', '.####.', '......'] };
    expect(await audit(step.slice(0, 3), { map })).toMatchObject({
      claims: 2,
      accepted: 2,
      mismatchCount: 0,
      hints: [],
    });
  });

  test('a file beside the log, with its hash; a map that was given wins', async () => {
    const bytes = await buildNavMesh(FIELD.build);
    writeFileSync(join(folder, 'field.bin'), bytes);
    const { hash } = (await NavMap.load(bytes)).info;
    const path = join(folder, 'walk.ndjson');
    const lines = walk(50, (p) => p)
      .map(eventLine)
      .join('');
    writeFileSync(path, headerLine({ map: { file: 'field.bin', hash } }) + lines);
    expect(await auditLog(path)).toMatchObject({ claims: 50, accepted: 50, logs: [path] });
    const other = `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`;
    writeFileSync(path, headerLine({ map: { file: 'field.bin', hash: other } }) + lines);
    await expect(auditLog(path)).rejects.toThrow(
      `line 1: the log was recorded on a map with hash ${other}, but field.bin has ${hash}.`,
    );
    const given = await auditLog(path, { map: await NavMap.load(bytes) });
    expect(given.hints).toEqual([`The log was recorded on a map with hash ${other}, but this one has ${hash}.`]);
    writeFileSync(path, headerLine({ map: { file: 'nowhere.bin' } }) + lines);
    const small = await NavMap.load(await buildNavMesh({ boxes: [[0, -1, 0, 3, 0, 3]] }));
    const summary = await auditLog(path, { map: small });
    expect(summary.refused).toBeGreaterThan(0);
    expect(summary.hints).toEqual([expect.stringContaining('targets lie off the mesh')]);
  });

  test.each<[string, Parameters<typeof headerLine>[0], AuditOptions, string]>([
    [
      'no map',
      {},
      {},
      'walk.ndjson, line 1: the header names no map and none was given, expected "map" in one of the two places.',
    ],
    ['a ragged grid', { map: { grid: ['..', '.'] } }, {}, 'walk.ndjson, line 1: '],
    ['a grid with strange characters', { map: { grid: ['.x'] } }, {}, 'walk.ndjson, line 1: '],
    ['nothing to build', { map: { build: {} } }, {}, 'walk.ndjson, line 1: map.build has no geometry'],
    ['an unknown rule', { map: FIELD, rules: { sppedTolerance: 1 } }, {}, 'the nearest known rule is "speedTolerance"'],
    [
      'a rule out of range',
      { map: FIELD, rules: { speedTolerance: 0 } },
      {},
      'walk.ndjson, line 1: rules.speedTolerance: expected a number of 1..10 x, got 0',
    ],
    ['an unknown rule of the caller', { map: FIELD }, { rules: { yOfset: 1 } }, 'the nearest known rule is "yOffset"'],
    ['a file that is not there', { map: { file: 'nowhere.bin' } }, {}, 'nowhere.bin: there is no such file.'],
  ])('stop: %s', async (_, header, options, words) => {
    await expect(
      audit(
        walk(3, (p) => p),
        header,
        options,
      ),
    ).rejects.toThrow(words);
  });
});

test('the same log twice gives the same verdicts, bit for bit, on both engines', async () => {
  // every seventh step is followed by a blink into a corner of the field
  const events = walk(150, (p) => p).flatMap((event, i): MoveLogEvent[] => {
    if (event.op !== 'move') return [event];
    const honest: MoveLogEvent = { ...event, seq: 2 * i };
    return i % 7 === 0 ? [honest, { ...event, seq: 2 * i + 1, pos: [1, 0.1, 1] }] : [honest];
  });
  const run = async (engine: 'wasm' | 'twin'): Promise<string> => {
    const seen: unknown[] = [];
    const options: AuditOptions = {
      engine,
      onVerdict: (t, claim, v, line) =>
        seen.push([t, claim.seq, v.verdict, v.reason, [...(v.pos ?? [])], v.used, v.allowed, v.score, line]),
    };
    await audit(events, { map: FIELD }, options);
    return JSON.stringify(seen);
  };
  const first = await run('wasm');
  expect(first).toContain('"correct"');
  expect(await run('wasm')).toBe(first);
  expect(await run('twin')).toBe(first);
});

test('several logs: one summary, entities apart', async () => {
  const all = new Audit();
  for (const name of ['a.ndjson', 'b.ndjson']) {
    await all.run(
      stream(
        headerLine({ map: FIELD }) +
          walk(20, (p) => p)
            .map(eventLine)
            .join(''),
      ),
      name,
    );
  }
  const summary = all.summary();
  expect(summary).toMatchObject({ claims: 40, accepted: 40, facts: 2, logs: ['a.ndjson', 'b.ndjson'] });
  expect(summary.byEntity.map(({ id, log, claims }) => [id, log, claims])).toEqual([
    ['p1', 'a.ndjson', 20],
    ['p1', 'b.ndjson', 20],
  ]);
});
