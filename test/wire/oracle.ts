// The frames a second time, to hold the decoders against: layouts as tables, numbers put together from bytes by arithmetic,
// no DataView. Slow; shares no code with src/wire.

type Field = readonly [name: string, type: 'u8' | 'u16' | 'u32' | 'i32' | 'f64'];

const vec = (name: string): Field[] => ['x', 'y', 'z'].map((axis) => [`${name}${axis}`, 'f64'] as const);
const SAID: readonly Field[] = [
  ['has', 'u8'],
  ['mapVersion', 'u32'],
  ['progress', 'u32'],
];
const BODY: readonly Field[] = [
  ['entity', 'u32'],
  ['has', 'u8'],
  ['strategy', 'u8'],
  ['kind', 'u16'],
  ['flags', 'u32'],
  ['mapVersion', 'u32'],
  ['progress', 'u32'],
  ...vec('from.'),
  ...vec('to.'),
  ...['facing', 'durationMs', 'speed', 'stop', 'chaseMs', 'timestampMs'].map((name) => [name, 'f64'] as const),
];
const hash = Array.from({ length: 32 }, (_, k) => [`hash${k}`, 'u8'] as const);

const LAYOUTS: Readonly<Record<number, readonly Field[]>> = {
  257: [['seq', 'u32'], ...SAID, ...vec('')],
  258: [['seq', 'u32'], ...SAID, ['x', 'i32'], ['y', 'i32'], ['z', 'i32']],
  259: [['seq', 'u32'], ...BODY],
  260: [['correction', 'u32']],
  261: [['seq', 'u32'], ...SAID, ['dirX', 'f64'], ['dirZ', 'f64'], ['ms', 'f64']],
  513: [['version', 'u16'], ['entity', 'u32'], ...SAID, ...hash, ['timeMs', 'f64'], ['speed', 'f64'], ...vec('')],
  514: [
    ['seq', 'u32'],
    ['reason', 'u8'],
    ['x', 'i32'],
    ['y', 'i32'],
  ],
  515: [['startMs', 'f64'], ...BODY],
  516: [['seq', 'u32'], ['entity', 'u32'], ['reason', 'u8'], ...vec('')],
  517: [['correction', 'u32'], ['seq', 'u32'], ['reason', 'u8'], ...vec('')],
  519: [['entity', 'u32']],
};
const SNAPSHOT = 518;
const BYTES = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8 };

function whole(bytes: Uint8Array, at: number, size: number): number {
  let n = 0;
  for (let k = 0; k < size; k++) n = 256 * n + bytes[at + k];
  return n;
}

/** IEEE 754 binary64 by its definition. */
function double(bytes: Uint8Array, at: number): number {
  const sign = bytes[at] < 128 ? 1 : -1;
  const exponent = ((whole(bytes, at, 2) % 32768) >> 4) >>> 0;
  const fraction = ((bytes[at + 1] % 16) * 2 ** 48 + whole(bytes, at + 2, 6)) / 2 ** 52;
  if (exponent === 2047) return fraction === 0 ? sign * Infinity : Number.NaN;
  if (exponent === 0) return sign * (fraction * 2 ** -1022);
  return sign * (1 + fraction) * 2 ** (exponent - 1023);
}

function number(bytes: Uint8Array, at: number, type: Field[1]): number {
  if (type === 'f64') return double(bytes, at);
  const n = whole(bytes, at, BYTES[type]);
  return type === 'i32' ? (n < 2 ** 31 ? n : n - 2 ** 32) / 1024 : n;
}

/** What is read: flat numbers by name, or a word for why nothing is. */
export type Reading =
  | 'short'
  | 'command'
  | 'value'
  | 'version'
  | { readonly bytes: number; readonly fields: Record<string, number> };

/** Reads `bytes` as the frame of one of `commands`. */
export function oracle(bytes: Uint8Array, commands: readonly number[]): Reading {
  if (bytes.length < 2) return 'short';
  const command = whole(bytes, 0, 2);
  if (!commands.includes(command)) return 'command';
  if (command === SNAPSHOT) return snapshot(bytes);
  const layout = LAYOUTS[command];
  const size = layout.reduce((sum, [, type]) => sum + BYTES[type], 2);
  if (bytes.length < size) return 'short';
  const fields: Record<string, number> = {};
  let at = 2;
  for (const [name, type] of layout) {
    fields[name] = number(bytes, at, type);
    at += BYTES[type];
  }
  if (command === 513 && fields.version !== 1) return 'version';
  return allowed(command, fields) ? { bytes: size, fields: told(fields) } : 'value';
}

function snapshot(bytes: Uint8Array): Reading {
  if (bytes.length < 8) return 'short';
  const count = whole(bytes, 6, 2);
  if (count > 256) return 'value';
  if (bytes.length < 8 + 16 * count) return 'short';
  const fields: Record<string, number> = { tick: whole(bytes, 2, 4), count };
  for (let i = 0; i < count; i++) {
    fields[`entity${i}`] = whole(bytes, 8 + 16 * i, 4);
    for (let k = 0; k < 3; k++) fields[`pos${3 * i + k}`] = number(bytes, 12 + 16 * i + 4 * k, 'i32');
  }
  return { bytes: 8 + 16 * count, fields };
}

function allowed(command: number, fields: Record<string, number>): boolean {
  const { has, reason } = fields;
  const bits = new Set([1, 2, 4, 8].filter((bit) => (has & bit) !== 0));
  const begins = command === 259 || command === 515;
  if (has > (begins ? 15 : 3)) return false;
  const plainZero = (names: readonly string[]): boolean => names.every((name) => Object.is(fields[name], 0));
  if (has !== undefined && !bits.has(1) && !plainZero(['mapVersion'])) return false;
  if (has !== undefined && !bits.has(2) && !plainZero(['progress'])) return false;
  if (begins) {
    const data = ['strategy', 'kind', 'flags', ...BODY.filter(([, type]) => type === 'f64').map(([name]) => name)];
    if (!bits.has(8) && (bits.has(4) || !plainZero(data))) return false;
    if (!bits.has(4) && !plainZero(['to.x', 'to.y', 'to.z'])) return false;
  }
  if (reason > 20 || (command === 516 && reason === 0)) return false;
  if (command < 512) return true;
  if (command === 515 && (!bits.has(8) || fields.strategy > 4)) return false;
  if (command === 513 && fields.speed < 0) return false;
  return Object.values(fields).every(Number.isFinite);
}

function told(fields: Record<string, number>): Record<string, number> {
  const { has, version, ...rest } = fields;
  if (has === undefined) return rest;
  if (has % 2 < 1) rest.mapVersion = -1;
  if (has % 4 < 2) rest.progress = -1;
  if ('from.x' in rest) {
    rest.hasTarget = has % 8 < 4 ? 0 : 1;
    rest.hasData = has % 16 < 8 ? 0 : 1;
  }
  return rest;
}

/** A frame of src/wire as the oracle's flat numbers. */
export function flat(frame: object): Record<string, number> {
  const fields: Record<string, number> = {};
  const count = (frame as { count?: number }).count;
  for (const [name, value] of Object.entries(frame) as [string, number | boolean | ArrayLike<number>][]) {
    if (typeof value !== 'object') fields[name] = Number(value);
    else if (name === 'from' || name === 'to') for (let k = 0; k < 3; k++) fields[`${name}.${'xyz'[k]}`] = value[k];
    else {
      const meant = count === undefined ? value.length : name === 'pos' ? 3 * count : count;
      for (let k = 0; k < meant; k++) fields[`${name === 'mapHash' ? 'hash' : name}${k}`] = value[k];
    }
  }
  return fields;
}
