// The inline map of a move log (`map.build`): its shape, its defaults and the checks at the door.
// Imported by build/ and by whoever reads logs. Knows nothing of recast-navigation.
import { NavguardError } from '../errors.ts';
import type { Vec3 } from '../types.ts';

/** minX, minY, minZ, maxX, maxY, maxZ in metres. */
export type Box = readonly [number, number, number, number, number, number];
/** Three corners, x, y, z each, in metres; walkable on the side from which they run counter-clockwise. */
export type Triangle = readonly [number, number, number, number, number, number, number, number, number];

/** Sizes of the walker that the mesh is built for: metres, slope in degrees. */
export interface AgentSpec {
  readonly radius: number;
  readonly height: number;
  readonly climb: number;
  readonly slope: number;
}

/** An off-mesh connection: a jump, a ladder, a portal. */
export interface LinkSpec {
  /** What facts call it; the export keeps its place in the list, counted from 1. */
  readonly id?: string | number;
  readonly from: Vec3;
  readonly to: Vec3;
  readonly radius: number;
  readonly bidirectional: boolean;
}

/** Ground inside the box becomes this area, 1..62 (0 is plain ground). */
export interface AreaSpec {
  readonly area: number;
  readonly box: Box;
}

/** A whole level in a few lines. Every field but the geometry has a default. */
export interface BuildSpec {
  readonly boxes?: readonly Box[];
  readonly triangles?: readonly Triangle[];
  /** Plan and height resolution of the voxels, metres. */
  readonly cell?: number;
  readonly cellHeight?: number;
  readonly agent?: Partial<AgentSpec>;
  /** Tile side in cells; 0 = one tile. */
  readonly tile?: number;
  readonly links?: readonly LinkSpec[];
  readonly areas?: readonly AreaSpec[];
}

/** A checked spec with every default filled in. */
export interface CheckedSpec {
  readonly boxes: readonly Box[];
  readonly triangles: readonly Triangle[];
  readonly cell: number;
  readonly cellHeight: number;
  readonly agent: AgentSpec;
  readonly tile: number;
  readonly links: readonly LinkSpec[];
  readonly areas: readonly AreaSpec[];
}

export const DEFAULT_AGENT: AgentSpec = { radius: 0.4, height: 2, climb: 0.4, slope: 45 };
const DEFAULT_CELL = 0.2;
const DEFAULT_CELL_HEIGHT = 0.1;

/** What a log may ask of the server that replays it: beyond this the voxels would eat its memory. */
export const MAX_CELLS = 64_000_000;
const MAX_TILE_CELLS = 4_000_000;
const MAX_SHAPES = 200_000;
/** Detour keeps 14 bits for the tile, Recast 13 bits for a height in voxels. */
const MAX_TILES = 1 << 14;
export const MAX_HEIGHT_CELLS = 8191;

const SPEC_FIELDS = ['boxes', 'triangles', 'cell', 'cellHeight', 'agent', 'tile', 'links', 'areas'];

/** Fills in defaults, or throws BAD_ARGUMENT with one sentence: which field, got, expected. */
export function checkSpec(spec: unknown): CheckedSpec {
  if (!isObject(spec)) throw bad('map.build', spec, 'an object with boxes and/or triangles');
  onlyFields(spec, SPEC_FIELDS, 'map.build');
  const boxes = list(spec.boxes, 'boxes').map((box, i) => checkBox(box, `boxes[${i}]`));
  const triangles = list(spec.triangles, 'triangles').map(
    (t, i) => numbers(t, 9, `triangles[${i}]`) as never as Triangle,
  );
  if (boxes.length + triangles.length === 0) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      'map.build has no geometry: got 0 boxes and 0 triangles, expected at least one.',
    );
  }
  if (boxes.length + triangles.length > MAX_SHAPES) {
    throw bad('boxes and triangles', boxes.length + triangles.length, `at most ${MAX_SHAPES}`);
  }
  const cell = positive(spec.cell, DEFAULT_CELL, 'cell');
  const cellHeight = positive(spec.cellHeight, DEFAULT_CELL_HEIGHT, 'cellHeight');
  const tile = spec.tile ?? 0;
  if (typeof tile !== 'number' || !Number.isInteger(tile) || tile < 0 || (tile > 0 && tile < 8) || tile > 2000) {
    throw bad('tile', tile, '0 (one tile) or a whole number of cells from 8 to 2000');
  }
  const checked: CheckedSpec = {
    boxes,
    triangles,
    cell,
    cellHeight,
    agent: checkAgent(spec.agent),
    tile,
    links: list(spec.links, 'links').map((link, i) => checkLink(link, `links[${i}]`)),
    areas: list(spec.areas, 'areas').map((area, i) => checkArea(area, `areas[${i}]`)),
  };
  checkExtent(checked);
  return checked;
}

function checkBox(value: unknown, name: string): Box {
  const box = numbers(value, 6, name);
  for (let axis = 0; axis < 3; axis++) {
    if (!(box[axis] < box[axis + 3])) {
      throw bad(`${name} ${'xyz'[axis]}`, `${box[axis]} to ${box[axis + 3]}`, 'its minimum below its maximum');
    }
  }
  return box as never as Box;
}

function checkAgent(value: unknown): AgentSpec {
  if (value === undefined) return DEFAULT_AGENT;
  if (!isObject(value)) throw bad('agent', value, 'an object with radius, height, climb, slope');
  onlyFields(value, ['radius', 'height', 'climb', 'slope'], 'agent');
  const agent = { ...DEFAULT_AGENT, ...(value as Partial<AgentSpec>) };
  for (const name of ['radius', 'height', 'climb', 'slope'] as const) {
    if (typeof agent[name] !== 'number' || !Number.isFinite(agent[name]) || agent[name] < 0 || agent[name] > 1000) {
      throw bad(`agent.${name}`, agent[name], 'a number from 0 to 1000');
    }
  }
  if (agent.height === 0) throw bad('agent.height', 0, 'more than 0');
  if (agent.slope >= 90) throw bad('agent.slope', agent.slope, 'degrees from 0 to below 90');
  return agent;
}

function checkLink(value: unknown, name: string): LinkSpec {
  if (!isObject(value)) throw bad(name, value, 'an object with id, from, to, radius');
  onlyFields(value, ['id', 'from', 'to', 'radius', 'bidirectional'], name);
  const id = value.id;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw bad(`${name}.id`, id, 'a name or a number');
  }
  const bidirectional = value.bidirectional ?? true;
  if (typeof bidirectional !== 'boolean') throw bad(`${name}.bidirectional`, bidirectional, 'true or false');
  return {
    ...(id === undefined || id === null ? {} : { id }),
    from: numbers(value.from, 3, `${name}.from`) as never as Vec3,
    to: numbers(value.to, 3, `${name}.to`) as never as Vec3,
    radius: positive(value.radius, 0.5, `${name}.radius`),
    bidirectional,
  };
}

function checkArea(value: unknown, name: string): AreaSpec {
  if (!isObject(value)) throw bad(name, value, 'an object with area and box');
  onlyFields(value, ['area', 'box'], name);
  const area = value.area;
  if (typeof area !== 'number' || !Number.isInteger(area) || area < 1 || area > 62) {
    throw bad(`${name}.area`, area, 'a whole number from 1 to 62');
  }
  return { area, box: checkBox(value.box, `${name}.box`) };
}

/** Bounds of all geometry: minX, minY, minZ, maxX, maxY, maxZ. */
export function extent(spec: Pick<CheckedSpec, 'boxes' | 'triangles'>): Box {
  const e: [number, number, number, number, number, number] = [
    Infinity,
    Infinity,
    Infinity,
    -Infinity,
    -Infinity,
    -Infinity,
  ];
  for (const shape of [...spec.boxes, ...spec.triangles]) {
    for (let i = 0; i < shape.length; i++) {
      const axis = i % 3;
      e[axis] = Math.min(e[axis], shape[i]);
      e[axis + 3] = Math.max(e[axis + 3], shape[i]);
    }
  }
  return e;
}

function checkExtent(spec: CheckedSpec): void {
  const [minX, minY, minZ, maxX, maxY, maxZ] = extent(spec);
  const width = Math.ceil((maxX - minX) / spec.cell);
  const depth = Math.ceil((maxZ - minZ) / spec.cell);
  const high = Math.ceil((maxY - minY) / spec.cellHeight);
  const size = `${width} x ${depth} cells (${maxX - minX} x ${maxZ - minZ} m at ${spec.cell} m)`;
  if (high > MAX_HEIGHT_CELLS) {
    throw bad('the height of the map', `${high} cells of ${spec.cellHeight} m`, `at most ${MAX_HEIGHT_CELLS}`);
  }
  if (spec.tile === 0) {
    if (!(width * depth <= MAX_TILE_CELLS)) throw bad('one tile', size, `at most ${MAX_TILE_CELLS} cells; set "tile"`);
    return;
  }
  if (!(width * depth <= MAX_CELLS)) throw bad('the map', size, `at most ${MAX_CELLS} cells`);
  const tiles = Math.ceil(width / spec.tile) * Math.ceil(depth / spec.tile);
  if (tiles > MAX_TILES) throw bad('tiles', `${tiles} of ${spec.tile} cells`, `at most ${MAX_TILES}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function onlyFields(value: Record<string, unknown>, known: readonly string[], name: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw bad(`a field of ${name}`, `"${key}"`, `one of ${known.join(', ')}`);
  }
}

function list(value: unknown, name: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw bad(name, value, 'a list');
  return value;
}

function numbers(value: unknown, count: number, name: string): readonly number[] {
  if (!Array.isArray(value) || value.length !== count) throw bad(name, value, `${count} numbers`);
  for (const n of value) {
    // Beyond f32's whole numbers Recast's voxels mean nothing.
    if (typeof n !== 'number' || !(Math.abs(n) <= 16_777_216)) throw bad(name, n, 'finite numbers within 16,777,216 m');
  }
  return value as number[];
}

function positive(value: unknown, fallback: number, name: string): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !(value >= 0.001) || !(value <= 1000)) throw bad(name, value, '0.001 to 1000 m');
  return value;
}

function bad(name: string, got: unknown, expected: string): NavguardError {
  const shown = typeof got === 'object' ? JSON.stringify(got) : String(got);
  const short = shown.length > 80 ? `${shown.slice(0, 77)}...` : shown;
  return new NavguardError('BAD_ARGUMENT', `Inline map: ${name} is ${short}, expected ${expected}.`, { got, expected });
}
