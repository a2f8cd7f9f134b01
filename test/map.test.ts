// NavMap at the door: whatever holds bytes is taken, and what becomes of the caller's bytes afterwards changes nothing.
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { NavMap } from '../src/map.ts';

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
