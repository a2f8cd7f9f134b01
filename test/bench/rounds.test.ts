// The measuring itself: rounds, medians, comparisons, reports, seeds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compare, sameBits, sameLength, samePoint, sameSight } from '../../src/bench/compare.ts';
import { random, shuffle } from '../../src/bench/random.ts';
import { machine, makeRow, markdown, rowLines, writeCsv } from '../../src/bench/report.ts';
import { answerAll, interleave, type Subject, summary } from '../../src/bench/rounds.ts';

/** Notes what it is asked; each segment takes `turns` steps of work. */
function subject(name: string, turns: number): Subject & { asked: number[]; begun: number } {
  const made = {
    name,
    asked: [] as number[],
    begun: 0,
    begin() {
      made.begun++;
    },
    run(segment: number) {
      made.asked.push(segment);
      let x = segment;
      for (let i = 0; i < turns; i++) x = Math.imul(x, 1664525) + 1013904223;
      return x;
    },
    answers: () => [],
  };
  return made;
}

describe('rounds', () => {
  test('every segment is answered once, in order, after begin', () => {
    const one = subject('one', 1);
    expect(answerAll(one, 8)).toBe(8);
    expect(one.asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(one.begun).toBe(1);
  });

  test('answering stops when its time is up, after one segment at least', () => {
    expect(answerAll(subject('slow', 3_000_000), 1000, 0)).toBe(1);
  });

  test('samples walk through the segments in order, wrap, and begin again at segment 0', () => {
    const slow = subject('slow', 3_000_000);
    const [timing] = interleave([slow], 4, { rounds: 9, sampleMs: 0.001 });
    // The first call measures the size of a sample; then one segment a round.
    expect(slow.asked).toEqual([0, 0, 1, 2, 3, 0, 1, 2, 3, 0]);
    expect(slow.begun).toBe(1 + 3);
    expect(timing.samples).toHaveLength(9);
    expect(timing.p50).toBeGreaterThan(0);
  });

  test('a fast subject takes many segments a sample, and the time is per query', () => {
    const fast = subject('fast', 1);
    const slow = subject('slow', 400_000);
    const [a, b] = interleave([fast, slow], 16, { rounds: 5, sampleMs: 1000 });
    expect(fast.asked.length).toBe(1 + 5 * 16);
    expect(b.p50).toBeGreaterThan(20 * a.p50);
  });

  test('median and margin', () => {
    expect(summary([5, 1, 3]).p50).toBe(3);
    expect(summary([4, 1, 3, 2]).p50).toBe(2.5);
    expect(summary([7, 7, 7, 7, 7]).margin).toBe(0);
    // One outlier of fifteen moves neither.
    const calm = Array.from({ length: 14 }, (_, i) => 100 + i);
    const { p50, margin } = summary([...calm, 10_000]);
    expect(p50).toBe(107);
    expect(margin).toBeLessThan(6);
  });
});

describe('comparisons', () => {
  test('differences are counted by kind, with examples', () => {
    const made = compare('peer', [1, 0, 1, 1], [1, 1, 0, 1], 4, sameSight);
    expect(made.share).toBe(0.5);
    expect(made.differences).toEqual({ 'only peer clear': 1, 'only navguard clear': 1 });
    expect(made.examples).toEqual([1, 2]);
  });

  test('a start off the mesh is no blocked ray', () => {
    expect(compare('peer', [Number.NaN], [0], 1, sameSight).share).toBe(0);
  });

  test('bits, lengths, points', () => {
    expect(compare('twin', [Number.NaN, 0, 1], [Number.NaN, -0, 1 + 1e-15], 3, sameBits).share).toBe(1 / 3);
    const lengths = compare('peer', [10, 10, 10, Number.NaN, 0.001], [10.05, 10.2, 9.8, 3, 0.002], 5, sameLength);
    expect(lengths.differences).toEqual({ 'navguard shorter': 1, 'peer shorter': 1, 'only peer finds a walk': 1 });
    const points = compare('peer', [0, 0, 0, 5, 0, 5, 1, 0, 1], [0.2, 0, 0.2, 5, 1, 5, 9, 0, 1], 3, samePoint(0.3));
    expect(points.differences).toEqual({ 'other height': 1, 'other place': 1 });
  });
});

describe('reports', () => {
  const timing = (name: string, p50: number) => ({ name, p50, margin: 1, samples: [p50] });
  const row = makeRow(
    'grid.short',
    'wall-10',
    65_536,
    [timing('navguard', 10), timing('twin', 25), timing('a', 80), timing('b', 40)],
    [{ peer: 'a', share: 0.75, differences: { 'other bits': 16_384 }, examples: [] }],
    65_536,
    { 'pure-js': ['a', 'b'] },
  );

  test('a row has the fields that programs read', () => {
    expect(JSON.parse(JSON.stringify(row))).toMatchObject({
      case: 'grid.short',
      map: 'wall-10',
      subject: 'navguard',
      nsPerOp: 10,
      peers: { 'pure-js': 40, twin: 25, a: 80, b: 40 },
      ratios: { 'pure-js': 4, twin: 2.5, a: 8, b: 4 },
      agreement: { a: 0.75 },
    });
  });

  test('the table and the markdown show every peer', () => {
    const text = rowLines(row).join('\n');
    expect(text).toContain('4.00x');
    expect(text).toContain('75.0 %  16384 other bits');
    expect(markdown([row], machine())).toContain('| grid.short | wall-10 | 10.0 | pure-js 40 (4.0x); twin 25 (2.5x)');
  });

  test('what is no time is shown and written beside the times', () => {
    const also = { ...row, case: 'attack', figures: { 'us: p50, attacked': 0.45, '% undecided': 6 } };
    expect(rowLines(also).join('\n')).toMatch(/ 0\.450 us: p50, attacked\n +6\.00 % undecided/);
    const folder = mkdtempSync(join(tmpdir(), 'navguard-test-'));
    try {
      const written = writeCsv(folder, [row, also], { cpu: 'C', cores: 2, node: 'v20', date: '2026-01-01' });
      expect(written.map((path) => path.slice(folder.length + 1))).toEqual([
        'grid.short.csv',
        'attack.csv',
        'attack.figures.csv',
      ]);
      expect(readFileSync(written[2], 'utf8').split('\n').slice(1)).toEqual([
        '2026-01-01,C,v20,attack,wall-10,us: p50  attacked,0.450000',
        '2026-01-01,C,v20,attack,wall-10,% undecided,6.00000',
        '',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('one CSV file per case', () => {
    const folder = mkdtempSync(join(tmpdir(), 'navguard-test-'));
    try {
      const [path] = writeCsv(folder, [row], { cpu: 'C, 1 GHz', cores: 2, node: 'v20', date: '2026-01-01' });
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      expect(path.endsWith('grid.short.csv')).toBe(true);
      expect(lines).toHaveLength(6);
      for (const line of lines) expect(line.split(',')).toHaveLength(11);
      expect(lines[1]).toBe('2026-01-01,C  1 GHz,v20,grid.short,wall-10,navguard,65536,10.00,1.00,,');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('seeds', () => {
  test('the same seed gives the same numbers in [0, 1), another seed others', () => {
    const [a, b, c] = [random(7), random(7), random(8)].map((next) => Array.from({ length: 1000 }, next));
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
    expect(Math.min(...a)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...a)).toBeLessThan(1);
    expect(a.reduce((s, x) => s + x, 0) / 1000).toBeCloseTo(0.5, 1);
  });

  test('shuffle keeps the members', () => {
    const list = Uint32Array.from({ length: 50 }, (_, i) => i);
    shuffle(list, random(3));
    expect([...list]).not.toEqual([...list].sort((x, y) => x - y));
    expect([...list].sort((x, y) => x - y)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });
});
