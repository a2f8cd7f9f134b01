// navguard bake from outside: what it writes, says and refuses. Needs dist/ (npm run build).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NavMap } from '../../src/index.ts';
import { glbOf, objOf, yard } from '../bake/levels.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
const SAMPLES = process.env.NAVGUARD_SAMPLES;
const FINE = '--cell-size 0.1 --cell-height 0.1 --agent-radius 0.4 --edge-error 1'.split(' ');
let folder = '';

function navguard(...args: string[]): Promise<{ code: number | null; out: Buffer; err: string }> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, out: Buffer.concat(out), err }));
  });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-bake-'));
  writeFileSync(join(folder, 'yard.obj'), objOf(yard()));
  writeFileSync(join(folder, 'yard.glb'), glbOf(yard()));
  writeFileSync(join(folder, 'areas.json'), '{"Water": {"area": 2, "flags": 4}}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('navguard bake', () => {
  test('permissive by default, says what that changes, and the map walks', async () => {
    const { code, err, out } = await navguard('bake', 'yard.obj', '-o', 'yard.bin', ...FINE);
    expect(err).toMatch(/^yard\.obj: 108 triangles, 24 x 24 m, 4\.05 m high\n/);
    expect(err).toMatch(/as given +permissive\n/);
    expect(err).toMatch(/agent radius, m +0\.4 +0\.2\n/);
    expect(err).toMatch(/agent slope, degrees +45 +50\n/);
    expect(err).toMatch(/components +\d+ +\d+\n/);
    expect(err).toMatch(/Only as given: nothing\.\n/);
    expect(err).toMatch(/Only permissive: \d+ places?, \d+ m2[;:]/);
    expect(err).toMatch(/yard\.bin: permissive, MSET, 32-bit, [\d,]+ bytes, hash [0-9a-f]{64}\n$/);
    expect([code, out.length]).toEqual([0, 0]);
    const map = await NavMap.load(readFileSync(join(folder, 'yard.bin')));
    expect(map.reach([15, 0, 4], [21, 2.2, 4], 50).status).toBe('clear');
    expect(map.ray([10, 0, 3], [14, 0, 3]).clear).toBe(false);
    expect(err).toContain(map.info.hash);
  });

  test('as given: the ramp is too steep; each kind says what it wrote; runs give the same bytes', async () => {
    for (const [kind, format] of [
      ['solo', /as given, MSET, 32-bit/],
      ['tiled', /as given, MSET, 32-bit/],
      ['tilecache', /as given, TSET tile cache, \d+ layers/],
    ] as const) {
      const args = ['bake', 'yard.glb', '--no-permissive', '--no-compare', '--kind', kind, ...FINE, '-o'];
      const [first, second] = await Promise.all([navguard(...args, `${kind}.bin`), navguard(...args, '-')]);
      expect([first.code, second.code], first.err).toEqual([0, 0]);
      expect(first.err).toMatch(format);
      expect(first.err).not.toMatch(/Only/);
      const bytes = readFileSync(join(folder, `${kind}.bin`));
      expect(second.out.equals(bytes), kind).toBe(true);
      const map = await NavMap.load(bytes);
      expect(map.reach([15, 0, 4], [21, 2.2, 4], 50).status).toBe('unreachable');
    }
  });

  test('a packed map, areas by material', async () => {
    const args = ['--no-compare', '--areas', 'areas.json', ...FINE];
    const { code, err } = await navguard('bake', 'yard.glb', '-o', 'yard.navpack', ...args);
    expect([code, err]).toEqual([0, expect.stringMatching(/yard\.navpack: permissive, packed map, /)]);
    const map = await NavMap.load(readFileSync(join(folder, 'yard.navpack')), { filter: { include: 4 } });
    expect(map.locate([12, 0, 20])).not.toBeNull();
    expect(map.locate([4, 0, 20])).toBeNull();
  });

  test.each<[string, string[], RegExp]>([
    ['no output', ['yard.obj'], /required option '-o, --output <file>' not specified/],
    ['no such file', ['gone.obj', '-o', 'x.bin'], /^navguard: Cannot read gone\.obj: there is no such file\.\n$/],
    ['a folder', ['.', '-o', 'x.bin'], /^navguard: Cannot read \.: it is a directory\.\n$/],
    ['a kind', ['yard.obj', '-o', 'x.bin', '--kind', 'many'], /--kind many: expected solo, tiled or tilecache\.\n$/],
    [
      'no number',
      ['yard.obj', '-o', 'x.bin', '--cell-size', 'small'],
      /--cell-size: expected a number, got "small"\.\n$/,
    ],
    ['a size', ['yard.obj', '-o', 'x.bin', '--agent-slope', '120'], /--agent-slope: got 120, expected 0\.\.89\.\n$/],
    [
      'tiles of a solo mesh',
      ['yard.obj', '-o', 'x.bin', '--tile-size', '32'],
      /--tile-size: .* give --kind tiled or tilecache\.\n$/,
    ],
    [
      'room for obstacles without a tile cache',
      ['yard.obj', '-o', 'x.bin', '--kind', 'tiled', '--max-obstacles', '9'],
      /--max-obstacles is for tile caches: give --kind tilecache\.\n$/,
    ],
    [
      'a map',
      ['areas.json', '-o', 'x.bin'],
      /areas\.json: This looks like .*expected level geometry as OBJ, glTF or GLB\.\n$/,
    ],
    [
      'upside down',
      ['yard.obj', '-o', 'x.bin', '--axes', 'x,-y,z', '--agent-height', '90'],
      /yard\.obj: nothing is walkable: .*\.\n$/,
    ],
    [
      'no folder',
      ['yard.obj', '-o', 'gone/x.bin', '--no-compare'],
      /Cannot write gone\/x\.bin: there is no folder gone\.\n$/,
    ],
  ])('refused: %s', async (_name, args, sentence) => {
    const { code, err } = await navguard('bake', ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(existsSync(join(folder, 'x.bin'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

if (SAMPLES !== undefined) {
  test('a level of RecastDemo, tiled', async () => {
    const level = join(SAMPLES, 'recast-demo/nav_test.obj');
    const { code, err } = await navguard('bake', level, '-o', 'demo.bin', '--kind', 'tiled');
    expect(code, err).toBe(0);
    expect(err).toMatch(/1,612 triangles, 91\.38 x 77\.35 m/);
    expect(err).toMatch(/polygons +220 +274\n/);
    const map = await NavMap.load(readFileSync(join(folder, 'demo.bin')));
    expect(map.info.tiles).toBe(34);
  });
}
