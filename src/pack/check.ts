// The door for packed maps that came from outside: after it passes, no kernel can read outside the map, loop for ever or
// miss a polygon. The hash only says that nothing was damaged: who edits a pack can hash it anew, so the structure is
// checked whole. Imported by map.ts and tools.
import * as L from '../../assembly/layout.ts';
import { checkLinks } from './checklinks.ts';
import { checkDetails, checkGrid, checkPolygons } from './checkparts.ts';
import { hashPack, storedHash } from './hash.ts';
import { align8, expect, fail, MOST_PACK_BYTES } from './limits.ts';
import { readNotes } from './view.ts';

/**
 * Checks a packed map. Throws `BAD_FILE` with one sentence: where, expected, got. Near-linear in bytes; less than four
 * times the pack's own bytes are allocated.
 */
export function checkPack(buffer: ArrayBuffer): void {
  const bytes = buffer.byteLength;
  if (bytes < L.H_END) fail('length', `at least ${L.H_END} bytes`, `${bytes}`);
  if (bytes > MOST_PACK_BYTES) fail('length', `at most ${MOST_PACK_BYTES} bytes`, `${bytes}`);
  const view = new DataView(buffer);
  const u32 = (at: number) => view.getUint32(at, true);
  if (u32(L.H_MAGIC) !== L.PACK_MAGIC) {
    fail('magic', `0x${L.PACK_MAGIC.toString(16)}`, `0x${u32(L.H_MAGIC).toString(16)}`);
  }
  expect(u32(L.H_VERSION), L.PACK_VERSION, 'format version');
  if (bytes !== u32(L.H_BYTES)) fail('length', `${u32(L.H_BYTES)} bytes, as its header says`, `${bytes}`);
  expect(bytes % 8, 0, 'length modulo 8');
  const hash = Buffer.from(hashPack(buffer)).toString('hex');
  if (storedHash(buffer) !== hash) {
    fail('content hash (the file was damaged or edited)', hash.slice(0, 16), storedHash(buffer).slice(0, 16));
  }

  const sections = checkSections(view);
  checkHeaderNumbers(view);
  const polygons = checkPolygons(view, sections);
  checkDetails(view, sections, polygons);
  checkLinks(view, sections, polygons);
  checkGrid(view, sections, polygons);
  const { sourcePolygons } = checkNotes(buffer, u32(L.H_LINKS));
  for (let p = 0; p < polygons.count; p++) {
    if (polygons.source[p] >= sourcePolygons) {
      fail(`polygon ${p} source`, `below ${sourcePolygons}`, `${polygons.source[p]}`);
    }
  }
}

/** Sections follow each other from the header's end, each padded to 8 bytes with zeros, with the lengths of the counts. */
function checkSections(view: DataView): { offset: number; length: number }[] {
  const u32 = (at: number) => view.getUint32(at, true);
  expect(u32(L.H_SECTIONS), L.SECTIONS, 'number of sections');
  const polygons = u32(L.H_POLYGONS);
  if (polygons < 1) fail('polygons', 'at least 1', `${polygons}`);
  const lengths: [string, number | null, number][] = [
    ['polygons', polygons * L.POLY_STRIDE, 1],
    ['detail index', u32(L.H_DETAILS) * L.DETAIL_STRIDE, 1],
    ['detail vertices', null, L.DETAIL_VERT_STRIDE],
    ['detail triangles', null, L.DETAIL_TRI_STRIDE],
    ['cell starts', (u32(L.H_GRID_W) * u32(L.H_GRID_H) + 1) * 4, 1],
    ['cell lists', null, 4],
    ['links', u32(L.H_LINKS) * L.LINK_STRIDE, 1],
    ['info', null, 1],
  ];
  const sections: { offset: number; length: number }[] = [];
  let at: number = L.H_END;
  lengths.forEach(([name, length, stride], s) => {
    const got = { offset: u32(L.H_TABLE + 8 * s), length: u32(L.H_TABLE + 8 * s + 4) };
    expect(got.offset, at, `section ${name}: offset`);
    if (length !== null) expect(got.length, length, `section ${name}: length`);
    expect(got.length % stride, 0, `section ${name}: length modulo ${stride}`);
    const end = got.offset + got.length;
    if (end > view.byteLength) fail(`section ${name}: end`, `at most ${view.byteLength}`, `${end}`);
    at = align8(end);
    // The pack's length is a multiple of 8, so the padding is inside.
    for (let pad = end; pad < at; pad++) {
      if (view.getUint8(pad) !== 0) expect(view.getUint8(pad), 0, `section ${name}: padding byte ${pad}`);
    }
    sections.push(got);
  });
  expect(at, view.byteLength, 'end of the last section');
  for (let pad = L.H_TABLE + 8 * L.SECTIONS; pad < L.H_END; pad++) {
    expect(view.getUint8(pad), 0, `header: reserved byte ${pad}`);
  }
  return sections;
}

/** Numbers that no section repeats. Those that repeat (bounds, longest list) are compared where they are computed. */
function checkHeaderNumbers(view: DataView): void {
  const f64 = (at: number) => view.getFloat64(at, true);
  for (const [name, at, least, most] of [
    ['origin x', L.H_ORIGIN_X, -1e9, 1e9],
    ['origin z', L.H_ORIGIN_Z, -1e9, 1e9],
    ['unit', L.H_UNIT, 1e-9, 1e3],
    ['cell size', L.H_CELL_SIZE, 0, 1e6],
    ['cell height', L.H_CELL_HEIGHT, 0, 1e6],
    ['agent height', L.H_AGENT_HEIGHT, 0, 1e6],
    ['agent radius', L.H_AGENT_RADIUS, 0, 1e6],
    ['agent climb', L.H_AGENT_CLIMB, 0, 1e6],
  ] as const) {
    // Written so that NaN fails.
    if (!(f64(at) >= least && f64(at) <= most)) fail(name, `${least} to ${most}`, `${f64(at)}`);
  }
  expect(f64(L.H_INV_UNIT), 1 / f64(L.H_UNIT), 'inverse of the unit');
}

/** The INFO section has the shape that view.ts promises. */
function checkNotes(buffer: ArrayBuffer, linkCount: number): { sourcePolygons: number } {
  let notes: unknown;
  try {
    notes = readNotes(buffer);
  } catch {
    fail('info', 'UTF-8 JSON', 'something else');
  }
  const isCount = (v: unknown): v is number => Number.isSafeInteger(v) && (v as number) >= 0;
  if (typeof notes !== 'object' || notes === null) fail('info', 'an object', JSON.stringify(notes));
  const { format, tiles, sourcePolygons, findings, links } = notes as Record<string, unknown>;
  if (typeof format !== 'string') fail('info: format', 'a string', JSON.stringify(format));
  if (!isCount(tiles)) fail('info: tiles', 'a count', JSON.stringify(tiles));
  if (!isCount(sourcePolygons)) fail('info: sourcePolygons', 'a count', JSON.stringify(sourcePolygons));
  if (!Array.isArray(findings)) fail('info: findings', 'a list', JSON.stringify(findings));
  (findings as unknown[]).forEach((finding, i) => {
    const f = (typeof finding === 'object' && finding !== null ? finding : {}) as Record<string, unknown>;
    const good =
      typeof f.kind === 'string' &&
      typeof f.message === 'string' &&
      isCount(f.count) &&
      Array.isArray(f.polygons) &&
      f.polygons.every(isCount) &&
      (f.at === undefined || (Array.isArray(f.at) && f.at.every(isPlace)));
    if (!good) fail(`info: finding ${i}`, 'kind, message, count, polygons and at', JSON.stringify(finding));
  });
  checkLinkNotes(links, linkCount);
  return { sourcePolygons: sourcePolygons as number };
}

function isPlace(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every((n) => Number.isFinite(n));
}

/** What is said of links: ascending, none twice, and no link that is not there. */
function checkLinkNotes(notes: unknown, linkCount: number): void {
  if (notes === undefined) return;
  if (!Array.isArray(notes)) fail('info: links', 'a list', JSON.stringify(notes));
  let next = 0;
  (notes as unknown[]).forEach((note, i) => {
    const n = (typeof note === 'object' && note !== null ? note : {}) as Record<string, unknown>;
    const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
    const good =
      Number.isSafeInteger(n.first) &&
      Number.isSafeInteger(n.count) &&
      (n.first as number) >= next &&
      (n.count as number) >= 1 &&
      isText(n.name) &&
      isText(n.agentType) &&
      (n.width === undefined || (Number.isFinite(n.width) && (n.width as number) >= 0)) &&
      (n.autoUpdate === undefined || typeof n.autoUpdate === 'boolean');
    next = (n.first as number) + (n.count as number);
    if (!good || next > linkCount) {
      fail(`info: links ${i}`, `first and count within ${linkCount} links, name, width`, JSON.stringify(note));
    }
  });
}
