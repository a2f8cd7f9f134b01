// Which polygons of a map count: by flags, as Detour's query filters say it, and by area. Imported by pack/ and map.ts.
// Pure tests on numbers; what is left out is taken from the map by pack/filter.ts.
import { NavguardError } from '../errors.ts';

/** Areas of an export number 0..63. */
export const AREAS = 64;

/**
 * What to keep of a map. With `include` or `exclude` a polygon passes when `(flags & include) !== 0` and
 * `(flags & exclude) === 0` (Detour's rule; `include` alone defaults to 0xffff, `exclude` to 0). Without either flags are not
 * looked at: many exports leave them all 0, and Detour's default filter passes nothing of those. Areas are tested besides.
 */
export interface MapFilter {
  /** Flags of which a polygon needs one, 0..0xffff. */
  readonly include?: number;
  /** Flags of which a polygon may have none, 0..0xffff. */
  readonly exclude?: number;
  /** Only these areas, 0..63. Not together with `excludeAreas`. */
  readonly areas?: readonly number[];
  /** All but these areas, 0..63. */
  readonly excludeAreas?: readonly number[];
}

const FIELDS: ReadonlySet<string> = new Set(['include', 'exclude', 'areas', 'excludeAreas']);

function refuse(what: string, expected: string, got: unknown): never {
  throw new NavguardError('BAD_ARGUMENT', `filter${what}: expected ${expected}, got ${JSON.stringify(got) ?? got}`, {
    got,
  });
}

function flagsOf(name: 'include' | 'exclude', value: number): number {
  if (!(Number.isInteger(value) && value >= 0 && value <= 0xffff)) refuse(` ${name}`, 'flags of 0..65535', value);
  return value;
}

/** An area number, or `BAD_ARGUMENT`. */
export function areaNumber(what: string, area: number): number {
  if (Number.isInteger(area) && area >= 0 && area < AREAS) return area;
  throw new NavguardError('BAD_ARGUMENT', `${what}: expected an area of 0..${AREAS - 1}, got ${area}`, { got: area });
}

/** The filter as a test of flags and area. Throws `BAD_ARGUMENT` for a filter that says nothing or the wrong things. */
export function filterTest(filter: MapFilter): (flags: number, area: number) => boolean {
  if (typeof filter !== 'object' || filter === null) refuse('', 'an object', filter);
  for (const name of Object.keys(filter)) {
    if (!FIELDS.has(name)) refuse('', `include, exclude, areas or excludeAreas`, name);
  }
  const { areas, excludeAreas } = filter;
  if (areas !== undefined && excludeAreas !== undefined) refuse('', 'areas or excludeAreas', 'both');
  const byFlags = filter.include !== undefined || filter.exclude !== undefined;
  const include = flagsOf('include', filter.include ?? 0xffff);
  const exclude = flagsOf('exclude', filter.exclude ?? 0);
  const listed = areas ?? excludeAreas;
  const wanted = areas !== undefined;
  const named = new Set<number>();
  if (listed !== undefined) {
    if (!Array.isArray(listed)) refuse(wanted ? ' areas' : ' excludeAreas', 'a list of areas', listed);
    for (const area of listed) named.add(areaNumber(wanted ? 'filter areas' : 'filter excludeAreas', area));
  }
  return (flags, area) => {
    if (byFlags && ((flags & include) === 0 || (flags & exclude) !== 0)) return false;
    return listed === undefined || named.has(area) === wanted;
  };
}
