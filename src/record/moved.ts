// One entity's state as bytes, for its way to another machine: what `guard.export` writes and `guard.import` reads. Imported
// by guard.ts.
//
// Little-endian: magic u32, version u32, bytes in all u32, bytes of the header u32, digest 16 bytes (the first of sha-256
// over all the rest), header (JSON in UTF-8, spaces up to a multiple of 8), then f64: the ledger's numbers of the entity and
// the corners of the walk it is on.
//
// header: { navguard, map, rules, kernel, layout, now, id, player, carrier }. Map, rules, kernel and layout must be the reader's own:
// the same numbers mean the same thing only there. Nothing is signed: it is for servers that trust each other.
import { createHash } from 'node:crypto';
import { CORNER_CAP } from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { kernelHash } from '../kernel/wasm.ts';
import { CORNER, FLAGS, PATH_CORNERS, STRIDE, WALKING } from '../rules/ledger.ts';
import type { Rules } from '../rules/rules.ts';
import { VERSION } from '../version.ts';
import { ledgerLayout } from './layout.ts';
import { stateFault } from './state.ts';

/** 'NGEN', "navguard entity". */
const MAGIC = 0x4e45474e;
const FORM = 1;
const PREFIX = 32;
const DIGEST_AT = 16;
/** An id or a player's name has at most this many UTF-16 units. */
export const MOST_NAME = 1024;
/** Three names, each unit six bytes when it is escaped, and the rest of the header. */
const MOST_HEADER = 3 * 6 * MOST_NAME + 1024;
/** No export is longer. */
export const MOST_MOVED_BYTES = PREFIX + MOST_HEADER + 8 * (STRIDE + CORNER * CORNER_CAP);

/** What a guard judges by: an entity's state is worth something only where all of it is the same. */
export interface Ground {
  /** sha-256 of the map, hex; empty for a map without one. */
  readonly map: string;
  readonly rules: string;
  readonly kernel: string;
  readonly layout: string;
}

export interface Moved {
  readonly id: string;
  /** Who plays it, for log records. */
  readonly player: string | null;
  /** The writer's clock, ms. */
  readonly now: number;
  readonly state: Float64Array;
  /** Corners of the walk it is on, or null. */
  readonly path: Float64Array | null;
  /** Name of the carrier that it stands on, or null. */
  readonly carrier: string | number | null;
}

export function groundOf(map: string | undefined, rules: Rules): Ground {
  const values = Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1));
  return { map: map ?? '', rules: digest(JSON.stringify(values)), kernel: kernelHash(), layout: ledgerLayout() };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The bytes of one entity. Throws `BAD_ARGUMENT` for a name that is too long. */
export function writeMoved(ground: Ground, moved: Moved): Uint8Array {
  const { id, player, now, state, path, carrier } = moved;
  for (const [what, name] of [
    ['id', id],
    ['player', player ?? ''],
    ['carrier', String(carrier ?? '')],
  ]) {
    if (name.length > MOST_NAME) {
      throw wrong('export', what, `at most ${MOST_NAME} characters`, `${name.length}`);
    }
  }
  const head = JSON.stringify({ navguard: VERSION, ...ground, now, id, player, carrier });
  const header = Buffer.from(head.padEnd(head.length + ((8 - (Buffer.byteLength(head) % 8)) % 8)));
  const numbers = state.length + (path?.length ?? 0);
  const bytes = new Uint8Array(PREFIX + header.length + 8 * numbers);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORM, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, header.length, true);
  bytes.set(header, PREFIX);
  let at = PREFIX + header.length;
  for (const list of path === null ? [state] : [state, path]) {
    for (const n of list) {
      view.setFloat64(at, n, true);
      at += 8;
    }
  }
  bytes.set(digestOf(bytes), DIGEST_AT);
  return bytes;
}

/** Reads and checks everything; throws `BAD_ARGUMENT` with got and expected, and nothing has happened then. */
export function readMoved(data: unknown, ground: Ground, kernel: Kernel): Moved {
  if (!(data instanceof Uint8Array)) throw wrong('import', 'data', 'the bytes that export gave', shown(data));
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < PREFIX) throw wrong('import', 'data', `at least ${PREFIX} bytes`, `${data.length}`);
  const u32 = (at: number): number => view.getUint32(at, true);
  if (u32(0) !== MAGIC) throw wrong('import', 'magic', hex(MAGIC), hex(u32(0)));
  if (u32(4) !== FORM) throw wrong('import', 'version of the form', `${FORM}`, `${u32(4)}`);
  if (u32(8) !== data.length) throw wrong('import', 'bytes', `${u32(8)}, as it says itself`, `${data.length}`);
  if (data.length > MOST_MOVED_BYTES) throw wrong('import', 'bytes', `at most ${MOST_MOVED_BYTES}`, `${data.length}`);
  const stored = Buffer.from(data.subarray(DIGEST_AT, PREFIX)).toString('hex');
  const own = digestOf(data).toString('hex');
  if (stored !== own) throw wrong('import', 'digest (the bytes were damaged)', own, stored);
  const headerBytes = u32(12);
  const numbers = (data.length - PREFIX - headerBytes) / 8;
  if (!(headerBytes <= MOST_HEADER && Number.isInteger(numbers) && numbers >= 0)) {
    throw wrong('import', 'bytes of the header', 'as many as leave whole numbers after it', `${headerBytes}`);
  }
  const header = headerOf(data.subarray(PREFIX, PREFIX + headerBytes));
  for (const name of ['layout', 'kernel', 'map', 'rules'] as const) {
    if (header[name] !== ground[name])
      throw wrong('import', name, `this guard's, ${ground[name]}`, shown(header[name]));
  }
  const { id, player, now, carrier = null } = header;
  if (typeof id !== 'string' || id === '') throw wrong('import', 'id', 'a string that is not empty', shown(id));
  if (player !== null && typeof player !== 'string') throw wrong('import', 'player', 'a string or null', shown(player));
  if (carrier !== null && typeof carrier !== 'string' && typeof carrier !== 'number') {
    throw wrong('import', 'carrier', 'a name or null', shown(carrier));
  }
  if (typeof now !== 'number') throw wrong('import', 'now', 'the time of the export, ms', shown(now));
  if (numbers < STRIDE) throw wrong('import', 'numbers', `at least ${STRIDE}`, `${numbers}`);
  const all = Float64Array.from({ length: numbers }, (_, k) => view.getFloat64(PREFIX + headerBytes + 8 * k, true));
  const state = all.slice(0, STRIDE);
  const path = numbers > STRIDE ? all.slice(STRIDE) : null;
  const corners = (state[FLAGS] & WALKING) !== 0 ? state[PATH_CORNERS] : 0;
  if (numbers !== STRIDE + CORNER * corners) {
    throw wrong('import', 'numbers', `${STRIDE + CORNER * corners}`, `${numbers}`);
  }
  const nan = all.findIndex((n) => n !== n);
  if (nan >= 0) throw wrong('import', `number ${nan}`, 'a number', 'NaN');
  const fault = stateFault(kernel, state, path ?? undefined);
  if (fault !== null) throw wrong('import', 'state', fault[0], `${fault[1]}`);
  return { id, player, now, state, path, carrier };
}

function headerOf(bytes: Uint8Array): Record<string, unknown> {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    const header: unknown = JSON.parse(text);
    if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
  } catch {
    // said below
  }
  throw wrong('import', 'header', 'a JSON object', JSON.stringify(text.slice(0, 40)));
}

/** Over all bytes but the digest's own. */
function digestOf(bytes: Uint8Array): Buffer {
  const hash = createHash('sha256').update(bytes.subarray(0, DIGEST_AT)).update(bytes.subarray(PREFIX));
  return hash.digest().subarray(0, PREFIX - DIGEST_AT);
}

const hex = (n: number): string => `0x${n.toString(16).padStart(8, '0')}`;

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function wrong(method: string, name: string, expected: string, got: string): NavguardError {
  const message = `${method}: ${name}: expected ${expected}, got ${got}`;
  return new NavguardError('BAD_ARGUMENT', message, { got, expected });
}
