// A packed map with room to change: what a kernel loads when its map can live. Imported by living.ts and tests.
//
// The polygon section gets spare records behind its own, so that ids of the pack stay what they are; every later section
// moves by one constant. Behind the last section stand a detail entry at height Infinity, for polygons that hold nobody, and
// the chains of pieces of cut polygons. H_POLYGONS, H_VERTICES and H_MAX_LIST count the room in, because scratch memory is
// laid out by them. Nothing of this is ever written to disk: hash and info are the pack's.
import * as L from '../../assembly/layout.ts';
import { align8 } from '../pack/limits.ts';

/** Where the parts of the image stand; bytes from the map's start. */
export interface Room {
  /** Records of the pack, and of the image. */
  readonly base: number;
  readonly total: number;
  readonly polysAt: number;
  /** By how much the sections after the polygons moved. */
  readonly shift: number;
  /** The detail entry of polygons that hold nobody. */
  readonly nowhere: number;
  /** u32 per spare record: the next piece of the same polygon, a record offset, 0 = last. */
  readonly chains: number;
  readonly bytes: number;
  /**
   * Vertex ids: those of the pack; from `extra[v]` on those of the further fans that closing can make of fan v; from
   * `pieces` on eight per spare record.
   */
  readonly extra: Uint32Array;
  readonly pieces: number;
  readonly vertices: number;
  readonly maxList: number;
}

const WORDS: number = L.POLY_STRIDE / 4;
/** Float32 Infinity. */
export const INFINITE = 0x7f800000;

/**
 * Measures the room. A fan of n corners falls into at most ceil(n / 2) when polygons of it close, so its ids are counted
 * beforehand: closing never runs out of them.
 */
export function measureRoom(pack: ArrayBuffer, spare: number): Room {
  const view = new DataView(pack);
  const u32 = (at: number): number => view.getUint32(at, true);
  const base = u32(L.H_POLYGONS);
  const vertices = u32(L.H_VERTICES);
  const polysAt = u32(L.H_TABLE);
  const words = new Uint32Array(pack, polysAt, base * WORDS);
  const extra = new Uint32Array(vertices);
  for (let p = 0; p < base; p++) {
    const at = p * WORDS;
    const count = words[at + L.P_COUNT / 4] & 0xff;
    for (let i = 0; i < count; i++) extra[words[at + L.P_VID / 4 + i]]++;
  }
  let next = vertices;
  for (let v = 0; v < vertices; v++) {
    const more = ((extra[v] + 1) >>> 1) - 1;
    extra[v] = next;
    next += Math.max(more, 0);
  }
  const shift = align8(spare * L.POLY_STRIDE);
  const nowhere = align8(pack.byteLength + shift);
  const chains = nowhere + L.DETAIL_STRIDE;
  return {
    base,
    total: base + spare,
    polysAt,
    shift,
    nowhere,
    chains,
    bytes: align8(chains + spare * 4),
    extra,
    pieces: next,
    vertices: next + 8 * spare,
    maxList: u32(L.H_MAX_LIST) + spare,
  };
}

/** The image: the pack, with room. */
export function withSpare(pack: ArrayBuffer, room: Room): ArrayBuffer {
  const image = new ArrayBuffer(room.bytes);
  const to = new Uint8Array(image);
  const polysEnd = room.polysAt + room.base * L.POLY_STRIDE;
  to.set(new Uint8Array(pack, 0, polysEnd));
  to.set(new Uint8Array(pack, polysEnd), polysEnd + room.shift);
  const view = new DataView(image);
  const move = (at: number): void => view.setUint32(at, view.getUint32(at, true) + room.shift, true);
  for (let s = 1; s < L.SECTIONS; s++) move(L.H_TABLE + 8 * s);
  view.setUint32(L.H_TABLE + 4, room.total * L.POLY_STRIDE, true);
  const details = view.getUint32(L.H_TABLE + 8 * L.SECTION_DETAIL_INDEX, true);
  for (let d = 0; d < view.getUint32(L.H_DETAILS, true); d++) {
    move(details + d * L.DETAIL_STRIDE + L.D_VERTS);
    move(details + d * L.DETAIL_STRIDE + L.D_TRIS);
  }
  const words = new Uint32Array(image, room.polysAt, room.total * WORDS);
  for (let p = 0; p < room.base; p++) words[p * WORDS + L.P_DETAIL / 4] += room.shift;
  for (let p = room.base; p < room.total; p++) freeRecord(words, p, room);
  view.setFloat32(room.nowhere + L.D_LEVEL, Infinity, true);
  for (const [at, value] of [
    [L.H_BYTES, room.bytes],
    [L.H_POLYGONS, room.total],
    [L.H_VERTICES, room.vertices],
    [L.H_MAX_LIST, room.maxList],
    // addressed by record id, and the first records of all are no pieces
    [L.H_CHAINS, room.chains - 4 * room.base],
  ]) {
    view.setUint32(at, value, true);
  }
  return image;
}

/** Makes record p one that holds nobody and leads nowhere. */
export function freeRecord(words: Uint32Array, p: number, room: Room): void {
  const at = p * WORDS;
  words.fill(0, at, at + WORDS);
  words[at + L.P_COUNT / 4] = 3;
  words[at + L.P_ID / 4] = p;
  words[at + L.P_DETAIL / 4] = room.nowhere;
  words[at + L.P_YMIN / 4] = INFINITE;
  words[at + L.P_YMAX / 4] = INFINITE;
}
