// Areas and flags of a soup's polygons and links: the file's own, or what the `areas` option makes of its names. Imported by
// soup.ts only.
import { NavguardError } from '../errors.ts';
import type { Finding } from '../mesh/conforming.ts';
import type { NavLink } from '../mesh/navmesh.ts';
import { placer } from './adapt.ts';
import type { AreaOption, Reading } from './options.ts';
import type { PolygonSoup, SoupLabel } from './polygons.ts';

/** Names of the file that a message lists. */
const NAMED = 12;

/** Area and flags of each kept polygon. Throws `BAD_FILE` for an area over 63 that no option maps. */
export function labelValues(
  soup: PolygonSoup,
  source: Uint32Array,
  reading: Reading,
  findings: Finding[],
): { areas: Uint8Array; flags: Uint16Array } {
  const used = new Set<string>();
  const values = soup.labels.map((label) => labelValue(label, reading.areas, used));
  const areas = new Uint8Array(source.length);
  const flags = new Uint16Array(source.length);
  const labelOf = soup.labelOf.taken();
  for (let p = 0; p < source.length; p++) {
    const value = values[labelOf[source[p]]];
    if (value.area > 63) {
      throw new NavguardError(
        'BAD_FILE',
        `${soup.format}: polygon ${source[p]}: got area ${value.area}, expected 0..63; say what it is with areas: { ${value.area}: { area: 1 } }.`,
        { polygon: source[p], got: value.area },
      );
    }
    areas[p] = value.area;
    flags[p] = value.flags;
  }
  for (const link of soup.links) {
    const key = String(link.area);
    if (reading.areas.has(key)) used.add(key);
  }
  const unused = [...reading.areas.keys()].filter((name) => !used.has(name));
  if (unused.length > 0) findings.push(unusedNames(soup, unused));
  return { areas, flags };
}

function labelValue(
  label: SoupLabel,
  options: ReadonlyMap<string, AreaOption>,
  used: Set<string>,
): Required<AreaOption> {
  for (const name of [...label.names, String(label.area)]) {
    const option = options.get(name);
    if (option === undefined) continue;
    used.add(name);
    return { area: option.area ?? label.area, flags: option.flags ?? label.flags };
  }
  return { area: label.area, flags: label.flags };
}

function unusedNames(soup: PolygonSoup, unused: readonly string[]): Finding {
  const names = new Set<string>();
  for (const { names: own, area } of soup.labels) {
    for (const name of own.length > 0 ? own : [String(area)]) names.add(name);
  }
  const list = [...names].slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
  const has = names.size > NAMED ? `${list.join(', ')}, ...` : list.join(', ');
  const asked = unused.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
  return {
    kind: 'unknown-area',
    message: `areas names ${asked.join(', ')}, which the file does not have (it has ${has})`,
    count: unused.length,
    polygons: [],
  };
}

/** The soup's links in the map's metres and axes. */
export function placedLinks(soup: PolygonSoup, reading: Reading): NavLink[] {
  const place = placer(reading);
  return soup.links.map((link) => {
    const option = reading.areas.get(String(link.area));
    return {
      ...link,
      from: place(link.from),
      to: place(link.to),
      radius: link.radius * reading.scale,
      area: option?.area ?? link.area,
      flags: option?.flags ?? link.flags,
    };
  });
}
