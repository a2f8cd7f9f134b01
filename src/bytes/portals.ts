// The side file of portals: connections that a level's tools keep beside the navmesh export. Checked field by field, then
// off-mesh links of the mesh like the export's own. Imported by map.ts and cli/.
//
// JSON: a list of portals, or { "portals": [...] }. Positions are metres, y up, as everywhere in navguard. Each portal has
//
//   start, end      [x, y, z] (both needed)
//   name            text or a whole number: what `link` calls it; several may share one
//   width           metres across the way; the portal is then as wide at both ends (default 0: from point to point)
//   radius          how far an end may lie from the mesh, metres (default 0.5)
//   bidirectional   default true
//   costModifier    a crossing takes its plan length so many times (less than 1 and Unity's -1 count as 1)
//   seconds, speed  what a crossing takes instead: seconds, or metres per second along it; one of the two
//   area, flags     as of a polygon: 0..63 (default 0), 0..65535 (default 1)
//   open            whether it is open at the start (default true; for one across tiles that are not neighbours false)
//   agentType       text or a number: who may use it; see the option `agentType`
//   autoUpdate      true or false, kept for the game: a portal that moves is another version of the map
import * as v from 'valibot';
import { NavguardError } from '../errors.ts';
import type { NavLink, NavMesh } from '../mesh/navmesh.ts';

/** One entry of a side file. */
export interface Portal {
  readonly start: readonly [number, number, number];
  readonly end: readonly [number, number, number];
  readonly name?: string | number;
  readonly width?: number;
  readonly radius?: number;
  readonly bidirectional?: boolean;
  readonly costModifier?: number;
  readonly seconds?: number;
  readonly speed?: number;
  readonly area?: number;
  readonly flags?: number;
  readonly open?: boolean;
  readonly agentType?: string | number;
  readonly autoUpdate?: boolean;
}

/** No side file names more portals. */
export const MAX_PORTALS = 65_536;
/** Metres, seconds and multipliers stay in what f32 holds well. */
const MOST = 1e6;
const DEFAULT_RADIUS = 0.5;
/** As Detour's samples mark walkable ground. */
const DEFAULT_FLAGS = 1;

function number(words: string, holds: (n: number) => boolean) {
  return v.custom<number>((value) => Number.isFinite(value) && holds(value as number), words);
}
const PLACE = `[x, y, z] with three numbers within ${MOST} m`;
const vec3 = v.custom<[number, number, number]>(
  (value) =>
    Array.isArray(value) && value.length === 3 && value.every((n) => typeof n === 'number' && Math.abs(n) <= MOST),
  PLACE,
);
const label = v.custom<string | number>(
  (value) => (typeof value === 'string' && value !== '' && value.length <= 256) || Number.isSafeInteger(value),
  'a text of 1 to 256 characters or a whole number',
);
const flag = v.boolean('true or false');
const whole = (most: number) =>
  number(`a whole number of 0..${most}`, (n) => Number.isInteger(n) && n >= 0 && n <= most);
const FIELDS = {
  start: vec3,
  end: vec3,
  name: v.optional(label),
  width: v.optional(number('metres of 0..1000', (n) => n >= 0 && n <= 1000)),
  radius: v.optional(number('metres of 0.001..1000', (n) => n >= 0.001 && n <= 1000)),
  bidirectional: v.optional(flag),
  costModifier: v.optional(number(`a number of at most ${MOST}`, (n) => n <= MOST)),
  seconds: v.optional(number(`seconds of 0..${MOST}`, (n) => n >= 0 && n <= MOST)),
  speed: v.optional(number(`metres per second of 0.001..${MOST}`, (n) => n >= 0.001 && n <= MOST)),
  area: v.optional(whole(63)),
  flags: v.optional(whole(0xffff)),
  open: v.optional(flag),
  agentType: v.optional(label),
  autoUpdate: v.optional(flag),
} satisfies v.ObjectEntries;
const SCHEMA = v.object(FIELDS);
const KNOWN: readonly string[] = Object.keys(FIELDS);

/**
 * Checks the portals of a side file: its text, its bytes, or what JSON.parse made of it. Throws `BAD_ARGUMENT` with the
 * portal's number and name, the field, got and expected; a field that is none is an error.
 */
export function readPortals(given: unknown): readonly Portal[] {
  let value = given;
  if (ArrayBuffer.isView(given)) value = new TextDecoder().decode(given as Uint8Array);
  if (typeof value === 'string') value = parsed(value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const stray = Object.keys(value).find((key) => key !== 'portals');
    if (stray !== undefined) throw wrong('portals', 'only the field "portals" beside the list', JSON.stringify(stray));
    value = (value as { portals?: unknown }).portals;
  }
  if (!Array.isArray(value)) throw wrong('portals', 'a list of portals, or { "portals": [...] }', shown(value));
  if (value.length > MAX_PORTALS) throw wrong('portals', `at most ${MAX_PORTALS} portals`, `${value.length}`);
  return value.map(checkPortal);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('portals', 'JSON: a list of portals, or { "portals": [...] }', shown(text));
  }
}

function checkPortal(value: unknown, i: number): Portal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`portals[${i}]`, 'an object with start and end', shown(value));
  }
  const { name } = value as { name?: unknown };
  const where = `portals[${i}]${typeof name === 'string' && name !== '' ? ` (${shown(name)})` : ''}`;
  const stray = Object.keys(value).find((key) => !KNOWN.includes(key));
  if (stray !== undefined) throw wrong(where, `only the fields ${KNOWN.join(', ')}`, shown(stray));
  const result = v.safeParse(SCHEMA, value, { abortEarly: true });
  if (!result.success) {
    const [issue] = result.issues;
    const field = String(issue.path?.[0]?.key ?? '');
    const got = (value as Record<string, unknown>)[field];
    // (a field that is missing has no message of its own)
    throw wrong(`${where} ${field}`, got === undefined ? PLACE : issue.message, shown(got));
  }
  const portal = result.output as Portal;
  if (portal.seconds !== undefined && portal.speed !== undefined) throw wrong(where, 'seconds or speed', 'both');
  return portal;
}

/**
 * The mesh with portals behind its own off-mesh links. With `agentType`, portals of another agent type are left out; those
 * without one are for all.
 */
export function withPortals(mesh: NavMesh, portals: readonly Portal[], agentType?: string | number): NavMesh {
  const own = portals.filter(
    (p) => agentType === undefined || p.agentType === undefined || String(p.agentType) === String(agentType),
  );
  return own.length === 0 ? mesh : { ...mesh, links: [...mesh.links, ...own.map(linkOf)] };
}

function linkOf(portal: Portal): NavLink {
  const { start, end, name, width = 0, agentType, autoUpdate, open } = portal;
  const seconds = secondsOf(portal);
  return {
    from: start,
    to: end,
    radius: portal.radius ?? DEFAULT_RADIUS,
    bidirectional: portal.bidirectional ?? true,
    area: portal.area ?? 0,
    flags: portal.flags ?? DEFAULT_FLAGS,
    userId: 0,
    tile: -1,
    width,
    cost: Math.max(portal.costModifier ?? 1, 1),
    ...(seconds === undefined ? {} : { seconds }),
    ...(name === undefined ? {} : { name: String(name) }),
    ...(open === undefined ? {} : { open }),
    ...(agentType === undefined ? {} : { agentType: String(agentType) }),
    ...(autoUpdate === undefined ? {} : { autoUpdate }),
  };
}

function secondsOf({ seconds, speed, start, end }: Portal): number | undefined {
  if (speed === undefined) return seconds;
  const [dx, dy, dz] = [end[0] - start[0], end[1] - start[1], end[2] - start[2]];
  return Math.sqrt(dx * dx + dy * dy + dz * dz) / speed;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function wrong(where: string, expected: string, got: string): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `${where}: expected ${expected}, got ${got}.`, {
    field: where,
    expected,
    got,
  });
}
