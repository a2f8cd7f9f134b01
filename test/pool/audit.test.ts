// `audit --workers n` and the example, as their users start them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = resolve(__dirname, '../..');
const cli = join(root, 'dist/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'navguard-pool-'));
afterAll(() => rmSync(folder, { recursive: true }));

function audit(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [cli, 'audit', ...args], { encoding: 'utf8', cwd: root });
}

function summaryOf(text: string): unknown {
  const { claimsPerSecond: _, ...rest } = JSON.parse(text) as { claimsPerSecond: number };
  return rest;
}

/** Kinds of claims and facts that the bundled logs have none of: one case of each. */
const CASES = /^(B1|B6|C14|C15|C17|D10|D11|D14|D15|D17|D18|D3|E10|E6|F2|F15|F16)-/;

describe('audit --workers', () => {
  test('bundled logs: every verdict and the summary are those of one thread', () => {
    const plain = audit('navdata/logs', '--json', '--check', '--out', join(folder, 'plain'));
    const pooled = audit('navdata/logs', '--json', '--check', '--workers', '2', '--out', join(folder, 'pooled'));
    expect([pooled.status, pooled.stderr]).toEqual([plain.status, plain.stderr]);
    expect(summaryOf(pooled.stdout)).toEqual(summaryOf(plain.stdout));
    const lines = readFileSync(join(folder, 'pooled'), 'utf8');
    expect(lines.length).toBeGreaterThan(100_000);
    expect(lines === readFileSync(join(folder, 'plain'), 'utf8')).toBe(true);
  });

  test('cases of every kind', () => {
    const cases = readdirSync(join(root, 'test/cases')).filter((name) => CASES.test(name) && name.endsWith('.ndjson'));
    expect(cases.length).toBe(17);
    const paths = cases.map((name) => join(root, 'test/cases', name));
    const plain = audit(...paths, '--check', '--json', '--out', join(folder, 'plain'));
    const pooled = audit(...paths, '--check', '--json', '--workers', '3', '--out', join(folder, 'pooled'));
    expect(pooled.status).toBe(0);
    expect(summaryOf(pooled.stdout)).toEqual(summaryOf(plain.stdout));
    expect(readFileSync(join(folder, 'pooled'), 'utf8')).toBe(readFileSync(join(folder, 'plain'), 'utf8'));
  });

  test('entities that carry others are judged by one thread only, and it says so', () => {
    const log = join(root, 'test/cases/D13-passenger-of-a-granted-driver.ndjson');
    expect(audit(log, '--check').status).toBe(0);
    const pooled = audit(log, '--check', '--workers', '2');
    expect([pooled.status, pooled.stderr]).toEqual([2, expect.stringContaining('without --workers')]);
  });

  test.each([
    ['a fact that the guard refuses', { t: 5, op: 'impulse', id: 'a', velocity: [1, 0, 0], decay: 0 }],
    ['a state of another layout', { t: 5, op: 'restore', id: 'b', state: [1, 2], layout: 'x' }],
    ['an expectation that is none', { t: 5, op: 'move', id: 'a', seq: 5, pos: [1, 0, 1], expect: 'maybe' }],
  ])('%s stops the run with the same sentence', (_, line) => {
    const head = { movelog: 1, map: { grid: ['........', '........', '........'] } };
    const events = [{ t: 0, op: 'enter', id: 'a', pos: [1, 0, 1], speed: 5 }, line, { t: 9, op: 'leave', id: 'a' }];
    const log = join(folder, 'bad.ndjson');
    writeFileSync(log, [head, ...events].map((event) => JSON.stringify(event)).join('\n'));
    const plain = audit(log, '--check');
    expect(plain.status).toBe(2);
    expect(audit(log, '--check', '--workers', '2')).toMatchObject({ status: 2, stderr: plain.stderr });
  });

  test('a number of threads that is none', () => {
    const { status, stderr } = audit('navdata/logs', '--workers', '0');
    expect(status).toBe(2);
    expect(stderr).toContain('--workers: expected a whole number of 1..64, got "0".');
  });
});

test('examples/worker-pool: honest players are accepted, the fast ones corrected', () => {
  const run = spawnSync(process.execPath, [join(root, 'examples/worker-pool/main.js'), '1'], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const [, ticks, count] = /^(\d+) ticks of 500 moves: (.*)$/m.exec(run.stdout) ?? [];
  expect(ticks).toBe('20');
  const { accepted, corrected, other } = JSON.parse(count) as Record<string, number>;
  expect(accepted + corrected + other).toBe(20 * 500);
  expect(accepted).toBeGreaterThan(8000);
  expect(corrected).toBeGreaterThan(0);
});
