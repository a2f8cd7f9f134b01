// navguard bench from outside: rows for every case on an export and on a packed map, its one sentence, its exit code.
// Needs dist/ (npm run build). What is measured here means nothing; that everyone gives the same answers does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES, type Row } from '../../src/bench/index.ts';
import { buildNavMesh } from '../../src/build/index.ts';
import { NavMap } from '../../src/map.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
const NAMES = CASES.map((one) => one.name);
let folder = '';

function bench(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [MAIN, 'bench', ...args], { cwd: folder });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, out, err }));
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-bench-'));
  const yard = await buildNavMesh({
    boxes: [
      [0, -1, 0, 24, 0, 24],
      [8, 0, 6, 9, 3, 24],
      [16, 0, 0, 17, 3, 18],
    ],
  });
  writeFileSync(join(folder, 'yard.bin'), yard);
  writeFileSync(join(folder, 'yard.navpack'), new Uint8Array((await NavMap.load(yard)).toPack()));
  writeFileSync(join(folder, 'closet.bin'), await buildNavMesh({ boxes: [[0, -1, 0, 4, 0, 4]] }));
  writeFileSync(join(folder, 'notes.txt'), 'not a map');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('navguard bench', () => {
  test('every case on an export, as JSON, with peers that agree', async () => {
    const { code, out, err } = await bench('yard.bin', '--quick', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const rows = JSON.parse(out) as Row[];
    expect(rows.map((row) => row.case)).toEqual(NAMES);
    for (const row of rows) {
      expect(row).toMatchObject({ map: 'yard.bin', subject: 'navguard' });
      expect(row.nsPerOp, row.case).toBeGreaterThan(0);
      const library = row.case.startsWith('guard.') ? 'hand-written' : 'recast-navigation';
      expect(Object.keys(row.peers), row.case).toEqual(expect.arrayContaining(['twin', library]));
      for (const [peer, ns] of Object.entries(row.peers)) expect(row.ratios[peer]).toBeCloseTo(ns / row.nsPerOp, 9);
      expect(row.agreement.twin, row.case).toBe(1);
      expect(row.agreement[library], row.case).toBeGreaterThan(0.95);
    }
  });

  test('a packed map: its twin only; a table for people', async () => {
    const { code, out, err } = await bench('yard.navpack', '--quick', '--case', 'locate,corridor.near, guard.move');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('recast-navigation cannot load this file');
    const cases = out.match(/^[a-z]+[.a-z]* +yard\.navpack +navguard +\d/gm)?.map((line) => line.split(' ')[0]);
    expect(cases).toEqual(['locate', 'corridor.near', 'guard.move']);
    expect(out.match(/ twin +\d+\.\d.*\d\.\d\dx +100\.0 %/g)).toHaveLength(3);
    expect(out).not.toMatch(/^ +recast-navigation +\d/m);
  });

  test('a map too small for a case leaves it out', async () => {
    const { code, out, err } = await bench('closet.bin', '--quick', '--case', 'ray.short,corridor.far');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^ray\.short +closet\.bin +navguard/m);
    expect(out).toMatch(/^corridor\.far +left out: closet\.bin: expected walks over 10 m, found 0 in \d+$/m);
  });

  test('without a map: one that comes with navguard', async () => {
    const { code, out } = await bench('--quick', '--case', 'ray.single');
    expect(code).toBe(0);
    expect(out).toMatch(/^maze\.bin +101 polygons, export 15356 bytes/m);
  });

  test.each([
    ['a missing map', ['nowhere.bin'], 'Cannot read nowhere.bin: there is no such file.'],
    ['an unknown case', ['yard.bin', '--case', 'ray'], `--case has "ray", expected ${NAMES.join(', ')}.`],
  ])('stop: %s', async (_, args, sentence) => {
    expect(await bench(...args)).toEqual({ code: 2, out: '', err: `navguard: ${sentence}\n` });
  });

  test('stop: not a map', async () => {
    const { code, out, err } = await bench('notes.txt');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^navguard: notes\.txt: [^\n]+\n$/);
  });
});
