// How an export is to be read: its units, axes and handedness, what its areas mean, whom it was made for. Checked here once,
// for every format. Imported by bytes/, map.ts and cli/.
import { NavguardError } from '../errors.ts';
import { closestWord } from '../nearest.ts';

/** Area and flags of what an export calls by a name or a number; what is left out stays as exported. */
export interface AreaOption {
  /** 0..63. */
  readonly area?: number;
  /** 0..65535. */
  readonly flags?: number;
}

/** Whom a navmesh was made for, metres: the file stores where the middle of such a body may be. */
export interface AgentOption {
  readonly radius: number;
  readonly height: number;
  readonly climb: number;
}

/**
 * What an export does not say about itself. Positions of the map are metres with y up; give the options that make the map
 * agree with the positions that your clients send.
 *
 * | export from | options |
 * | --- | --- |
 * | Unity, as Unity has it (JSON, most OBJ scripts) | none |
 * | Unity, exporter that negates x (right-handed OBJ, glTF) | `flip: true` |
 * | Unreal (centimetres, z up), positions to be sent as (x, z, y) / 100 | `axes: 'x,z,y', scale: 0.01` |
 * | Blender with z up | `axes: 'x,z,-y'` |
 * | Godot, three.js, Babylon, glTF as the format has it | none |
 */
export interface ReadOptions {
  /** Metres per unit of the file (default 1; a file in centimetres: 0.01). */
  readonly scale?: number;
  /**
   * Which axis of the file becomes x, y (up) and z, each with an optional sign: `'x,z,-y'` makes the file's z the height
   * (also written `'xz-y'`). Default `'x,y,z'`.
   */
  readonly axes?: string;
  /** Mirrors the map after `axes`: x is negated, as between left-handed and right-handed coordinates (default false). */
  readonly flip?: boolean;
  /**
   * Metres within which corners of triangles and polygons are one place (default: the format's; exact copies are always
   * one). Formats of Detour know their own neighbours and take no `weld`.
   */
  readonly weld?: number;
  /** By the file's area number, or its name of a group, material or node: area and flags in the map. */
  readonly areas?: Readonly<Record<string | number, AreaOption>>;
  /** Body sizes in metres, where the file has none or wrong ones. */
  readonly agent?: AgentOption;
}

/** One axis of the map: which of the file's axes it is (0..2), and its sign. */
export interface AxisOf {
  readonly from: 0 | 1 | 2;
  readonly sign: 1 | -1;
}

/** Checked options, every choice made. */
export interface Reading {
  readonly scale: number;
  /** For x, y and z of the map; `flip` is in the sign of x. */
  readonly axes: readonly [AxisOf, AxisOf, AxisOf];
  /** Metres; undefined = the format's default. */
  readonly weld: number | undefined;
  readonly areas: ReadonlyMap<string, AreaOption>;
  readonly agent: AgentOption | undefined;
  /** Nothing was asked for: the file is taken as it is. */
  readonly plain: boolean;
}

const OPTIONS = ['scale', 'axes', 'flip', 'weld', 'areas', 'agent'] as const;
const AGENT = ['radius', 'height', 'climb'] as const;
/** Units of a file lie between a thousandth of a millimetre and a thousand kilometres. */
const LEAST_SCALE = 1e-6;
const MOST_SCALE = 1e6;
/** Metres: wider welds would swallow rooms. */
const MOST_WELD = 10;
/** Metres: larger than any body. */
const MOST_AGENT = 1000;

/** Checks options. Throws `BAD_ARGUMENT` for an unknown name (naming the nearest) or a wrong value. */
export function checkReadOptions(options: ReadOptions): Reading {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw refuse('the options', 'an object', options);
  }
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw unknown(name, OPTIONS);
  }
  const { scale = 1, axes = 'x,y,z', flip = false, weld, areas, agent } = options;
  if (!(typeof scale === 'number' && scale >= LEAST_SCALE && scale <= MOST_SCALE)) {
    throw refuse('scale', `metres per unit of the file, ${LEAST_SCALE}..${MOST_SCALE}`, scale);
  }
  if (typeof flip !== 'boolean') throw refuse('flip', 'true or false', flip);
  if (weld !== undefined && !(typeof weld === 'number' && weld >= 0 && weld <= MOST_WELD)) {
    throw refuse('weld', `metres, 0..${MOST_WELD}`, weld);
  }
  const [x, y, z] = axesOf(axes);
  const mirrored: AxisOf = flip ? { from: x.from, sign: x.sign === 1 ? -1 : 1 } : x;
  return {
    scale,
    axes: [mirrored, y, z],
    weld,
    areas: areasOf(areas),
    agent: agent === undefined ? undefined : agentOf(agent),
    plain: OPTIONS.every((name) => options[name] === undefined),
  };
}

/** Whether the file's y stays up: then a mesh that is flat in plan stays so. */
export function keepsHeights(reading: Reading): boolean {
  return reading.axes[1].from === 1 && reading.axes[1].sign === 1;
}

function axesOf(axes: unknown): [AxisOf, AxisOf, AxisOf] {
  const expected = `x, y and z once each with optional signs, such as 'x,z,-y'`;
  if (typeof axes !== 'string') throw refuse('axes', expected, axes);
  const words = /^([+-]?[xyz]),?([+-]?[xyz]),?([+-]?[xyz])$/i.exec(axes.slice(0, 16).replaceAll(' ', ''));
  if (words === null) throw refuse('axes', expected, axes);
  const found = words.slice(1).map((word): AxisOf => {
    const letter = word[word.length - 1].toLowerCase();
    return { from: 'xyz'.indexOf(letter) as 0 | 1 | 2, sign: word[0] === '-' ? -1 : 1 };
  });
  if (new Set(found.map((axis) => axis.from)).size !== 3) throw refuse('axes', expected, axes);
  return [found[0], found[1], found[2]];
}

function areasOf(areas: unknown): Map<string, AreaOption> {
  const found = new Map<string, AreaOption>();
  if (areas === undefined) return found;
  const expected = 'an object such as { 3: { area: 5 }, water: { area: 2, flags: 4 } }';
  if (typeof areas !== 'object' || areas === null || Array.isArray(areas)) throw refuse('areas', expected, areas);
  for (const [name, value] of Object.entries(areas)) {
    const shown = `areas["${name.slice(0, 40)}"]`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw refuse(shown, '{ area, flags }', value);
    }
    for (const key of Object.keys(value)) {
      if (key !== 'area' && key !== 'flags') throw unknown(key, ['area', 'flags'], shown);
    }
    const { area, flags } = value as AreaOption;
    if (area !== undefined && !(Number.isInteger(area) && area >= 0 && area <= 63)) {
      throw refuse(`${shown}.area`, 'an area of 0..63', area);
    }
    if (flags !== undefined && !(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) {
      throw refuse(`${shown}.flags`, 'flags of 0..65535', flags);
    }
    found.set(name, { ...(area === undefined ? {} : { area }), ...(flags === undefined ? {} : { flags }) });
  }
  return found;
}

function agentOf(agent: unknown): AgentOption {
  if (typeof agent !== 'object' || agent === null || Array.isArray(agent)) {
    throw refuse('agent', '{ radius, height, climb } in metres', agent);
  }
  for (const name of Object.keys(agent)) {
    if (!(AGENT as readonly string[]).includes(name)) throw unknown(name, AGENT, 'agent');
  }
  for (const name of AGENT) {
    const value = (agent as Record<string, unknown>)[name];
    if (!(typeof value === 'number' && value >= 0 && value <= MOST_AGENT)) {
      throw refuse(`agent.${name}`, `metres, 0..${MOST_AGENT}`, value);
    }
  }
  const { radius, height, climb } = agent as AgentOption;
  return { radius, height, climb };
}

function unknown(name: string, known: readonly string[], of = 'reading a map'): NavguardError {
  const expected = closestWord(name, known);
  const got = name.slice(0, 64);
  return new NavguardError('BAD_ARGUMENT', `${of} has no option "${got}", expected "${expected}" perhaps`, {
    got,
    expected,
  });
}

function refuse(what: string, expected: string, got: unknown): NavguardError {
  const shown =
    typeof got === 'string' ? JSON.stringify(got.slice(0, 40)) : typeof got === 'object' ? typeName(got) : String(got);
  return new NavguardError('BAD_ARGUMENT', `read: expected ${what} to be ${expected}, got ${shown}`, { expected, got });
}

function typeName(got: unknown): string {
  return got === null ? 'null' : Array.isArray(got) ? 'a list' : 'an object';
}
