// NavMap at the door: whatever holds bytes is taken, and what becomes of the caller's bytes afterwards changes nothing.
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Engine } from '../src/kernel/index.ts';
import { NavMap } from '../src/map.ts';
import type { Vec3 } from '../src/types.ts';

const FROM = [25.7, 0.1, 9.8] as const;
const TO = [4.5, 0.1, 4.5] as const;
let exported: Buffer;
let packed: ArrayBuffer;
let walk: number | null;

beforeAll(async () => {
  exported = await readFile(new URL('../navdata/maps/maze.bin', import.meta.url));
  const map = await NavMap.load(exported);
  packed = map.toPack();
  walk = map.shortest(FROM, TO).length;
});

/** The same bytes held in every way that a caller may hold them. */
function held(bytes: Uint8Array): (Uint8Array | ArrayBuffer)[] {
  const inside = Buffer.alloc(bytes.length + 77, 7);
  inside.set(bytes, 13);
  const shared = (): Uint8Array => {
    const view = new Uint8Array(new SharedArrayBuffer(bytes.length));
    view.set(bytes);
    return view;
  };
  return [
    inside.subarray(13, 13 + bytes.length),
    new Uint8Array(bytes),
    new Uint8Array(bytes).buffer,
    shared(),
    shared().buffer as ArrayBuffer,
  ];
}

test('a part of a larger buffer and shared memory are as good as an array of their own', async () => {
  for (const bytes of held(exported)) expect((await NavMap.load(bytes)).shortest(FROM, TO).length).toBe(walk);
  for (const bytes of held(new Uint8Array(packed))) {
    expect((await NavMap.load(bytes)).shortest(FROM, TO).length).toBe(walk);
    expect(NavMap.fromPack(bytes).shortest(FROM, TO).length).toBe(walk);
  }
});

test('bytes that change after loading change nothing, nor for an engine made later', async () => {
  for (const load of [NavMap.load, NavMap.fromPack]) {
    for (const bytes of held(new Uint8Array(packed))) {
      const map = await load(bytes);
      new Uint8Array(ArrayBuffer.isView(bytes) ? bytes.buffer : bytes).fill(7);
      expect(new Uint8Array(map.toPack())).toEqual(new Uint8Array(packed));
    }
  }
  const early = new Uint8Array(exported);
  const loading = NavMap.load(early);
  early.fill(7);
  expect((await loading).shortest(FROM, TO).length).toBe(walk);
  const own = packed.slice(0);
  const map = NavMap.fromPack(own);
  structuredClone(own, { transfer: [own] });
  expect(map.toPack().byteLength).toBe(packed.byteLength);
});

test('what holds no bytes is named', async () => {
  for (const [got, kind] of [
    [undefined, 'Undefined'],
    [null, 'Null'],
    ['dungeon.bin', 'String'],
    [[1, 2], 'Array'],
  ] as const) {
    const message = `expected the bytes of a map (a Uint8Array, Buffer or ArrayBuffer), got ${kind}`;
    await expect(NavMap.load(got as never)).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_ARGUMENT', message: `load: ${message}` }),
    );
    expect(() => NavMap.fromPack(got as never)).toThrow(`fromPack: ${message}`);
  }
});

test('positions that are none and options that are none are named', async () => {
  const map = await NavMap.load(exported);
  type Query = (pos: Vec3, options?: object) => unknown;
  const queries: Record<string, Query> = {
    locate: (pos, options) => map.locate(pos, options),
    ray: (pos, options) => map.ray(pos, TO, options),
    corridor: (pos, options) => map.corridor(FROM, pos, options),
    shortest: (pos, options) => map.shortest(pos, TO, options),
    reach: (pos, options) => map.reach(FROM, pos, 50, options),
    surface: (pos, options) => map.surface(pos, [1, 0], options),
    batch: (_, options) => map.batch(4, options),
  };
  const bad = (message: unknown) => expect.objectContaining({ name: 'NavguardError', code: 'BAD_ARGUMENT', message });
  for (const [name, ask] of Object.entries(queries)) {
    const says = (text: string) => bad(expect.stringMatching(new RegExp(`^${name}(:| has) .*${text}`)));
    expect(() => ask(FROM, { bellow: 1 })).toThrow(says('no option "bellow", expected "below" perhaps$'));
    expect(() => ask(FROM, { nodecap: 1 })).toThrow(says('expected "nodeCap" perhaps$'));
    expect(() => ask(FROM, null as never)).toThrow(says('an object, got null$'));
    for (const option of ['below', 'above', 'tolerance']) {
      for (const value of [-1, NaN, Infinity, '1', null]) {
        expect(() => ask(FROM, { [option]: value })).toThrow(says(`${option} to be .* at least 0, got "?${value}`));
      }
    }
    for (const nodeCap of [0, 4097, 1.5]) expect(() => ask(FROM, { nodeCap })).toThrow(says('1\\.\\.4096, got '));
    for (const polygon of [-1, 0.5, 2 ** 32, 'a']) expect(() => ask(FROM, { polygon })).toThrow(says('polygon id'));
    if (name === 'corridor' || name === 'shortest') {
      expect(() => ask(FROM, { limit: -1 })).toThrow(says('limit to be metres of at least 0'));
      expect(() => ask(FROM, { limit: Infinity })).not.toThrow();
    } else expect(() => ask(FROM, { limit: 5 })).toThrow(says('no option "limit"'));
    expect(() => ask(FROM, { below: undefined, above: 3, tolerance: 0, nodeCap: 4096, polygon: 0 })).not.toThrow();
    if (name === 'batch') continue;
    for (const pos of [undefined, null, 'xyz', 5, [], [1, 2], [1, 2, 3, 4], [1, '2', 3], { x: 1, y: 2, z: 3 }]) {
      expect(() => ask(pos as never)).toThrow(says('\\[x, y, z\\], three numbers in metres, got '));
    }
    // numbers that no map holds are an answer, not a mistake
    expect(() => ask([NaN, 0, Infinity])).not.toThrow();
    expect(() => ask(new Float32Array([1, 2, 3]) as never)).not.toThrow();
  }
  for (const budget of [-1, NaN, undefined]) {
    expect(() => map.reach(FROM, TO, budget as never)).toThrow(bad(expect.stringMatching(/^reach: expected budget /)));
  }
  expect(() => map.surface(FROM, [1] as never)).toThrow(bad(expect.stringMatching(/^surface: expected delta /)));
  expect(map.surface(FROM, [0.1, 0], { polygon: null }).status).toBe('clear');
});

test.each<Engine>(['wasm', 'twin'])('more than the memory holds is an error, and the map stays: %s', async (engine) => {
  const map = await NavMap.load(exported, { engine });
  for (const bytes of [2 ** 32, 2 ** 50]) {
    expect(() => map.kernel.reserve(bytes)).toThrow(
      expect.objectContaining({
        name: 'NavguardError',
        code: 'OUT_OF_MEMORY',
        message: expect.stringMatching(/4096 MiB/),
      }),
    );
  }
  expect(map.shortest(FROM, TO).length).toBe(walk);
  const batch = map.batch(1);
  batch.from.set(FROM);
  batch.to.set(TO);
  batch.shortest(1);
  expect(batch.length[0]).toBe(walk);
});
