// What callers ask of a map, checked at its door: positions and options. A leaf: imports only other leaves. Cheap on the
// good way: no allocation, and nothing is looked up for an empty object of options.
import { NavguardError } from './errors.ts';
import { closestWord } from './nearest.ts';
import type { Vec3 } from './types.ts';

const OPTIONS = ['below', 'above', 'tolerance', 'nodeCap', 'polygon'] as const;
const LIMITED = [...OPTIONS, 'limit'] as const;
/** Largest `nodeCap` and polygon id (which then says that none is known). */
const MOST_NODES = 4096;
const MOST_POLYGON = 0xffffffff;

/** Throws `BAD_ARGUMENT` for anything but three numbers; which numbers is the kernel's question. */
export function checkPosition(method: string, name: string, pos: Vec3): void {
  if (
    typeof pos !== 'object' ||
    pos === null ||
    pos.length !== 3 ||
    typeof pos[0] !== 'number' ||
    typeof pos[1] !== 'number' ||
    typeof pos[2] !== 'number'
  ) {
    refuse(method, name, '[x, y, z], three numbers in metres', pos);
  }
}

/** A motion in plan: two numbers. */
export function checkDelta(method: string, delta: readonly [number, number]): void {
  if (
    typeof delta !== 'object' ||
    delta === null ||
    delta.length !== 2 ||
    typeof delta[0] !== 'number' ||
    typeof delta[1] !== 'number'
  ) {
    refuse(method, 'delta', '[x, z], two numbers in metres', delta);
  }
}

/** Metres of at least 0; Infinity means without limit. */
export function checkLimit(method: string, name: string, metres: unknown): void {
  if (!(typeof metres === 'number' && metres >= 0)) {
    refuse(method, name, 'metres of at least 0 (Infinity for no limit)', metres);
  }
}

/** Throws `BAD_ARGUMENT` for an unknown option or a value out of range; an option that is undefined is not given. */
export function checkOptions(method: string, options: object, limited = false): void {
  if (typeof options !== 'object' || options === null) refuse(method, 'options', 'an object', options);
  for (const name in options) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    switch (name) {
      case 'below':
      case 'above':
      case 'tolerance':
        if (!(Number.isFinite(value) && (value as number) >= 0)) {
          refuse(method, name, 'a finite number of metres of at least 0', value);
        }
        break;
      case 'nodeCap':
        if (!(Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_NODES)) {
          refuse(method, name, `a whole number of 1..${MOST_NODES}`, value);
        }
        break;
      case 'polygon':
        // a wrong one of this range costs time only; null is what an answer says where it knows none
        if (
          value !== null &&
          !(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_POLYGON)
        ) {
          refuse(method, name, 'a polygon id, a whole number of at least 0', value);
        }
        break;
      default:
        if (name !== 'limit' || !limited) unknown(method, name, limited ? LIMITED : OPTIONS);
        checkLimit(method, name, value);
    }
  }
}

function unknown(method: string, name: string, known: readonly string[]): never {
  const expected = closestWord(name, known);
  throw new NavguardError(
    'BAD_ARGUMENT',
    `${method} has no option "${name.slice(0, 64)}", expected "${expected}" perhaps`,
    {
      method,
      got: name,
      expected,
    },
  );
}

function refuse(method: string, name: string, expected: string, got: unknown): never {
  throw new NavguardError('BAD_ARGUMENT', `${method}: expected ${name} to be ${expected}, got ${shown(got)}`, {
    method,
    name,
    expected,
    got,
  });
}

/** A wrong value in a few words. */
function shown(got: unknown): string {
  if (typeof got === 'string') return JSON.stringify(got.slice(0, 40));
  if (Array.isArray(got))
    return `[${got.slice(0, 4).map((v) => (Array.isArray(v) ? '[..]' : shown(v)))}${got.length > 4 ? ', ..' : ''}]`;
  if (typeof got === 'object' && got !== null) return 'an object';
  return typeof got === 'function' ? 'a function' : String(got);
}
