// What a map is, as text for a terminal and as one JSON object. Numbers come from the packed map.
import type { MapInfo } from '../pack/view.ts';
import type { Island } from './islands.ts';
import { m2, type Noted } from './noted.ts';
import type { Place } from './plan.ts';
import type { Survey } from './survey.ts';
import { alignedTable, grouped, harmless } from './table.ts';

/** `navguard inspect <map>`: newline at the end. */
export function inspectText(name: string, info: MapInfo, survey?: Survey): string {
  const { bounds, agent } = info;
  const known = (metres: number) => (metres > 0 ? `${rounded(metres)} m` : 'unknown');
  const exported = exportedPolygons(info);
  const parts = [
    ...(info.links > 0 ? [`${grouped(info.links)} of them off-mesh connections`] : []),
    ...(info.polygons === info.sourcePolygons ? [] : [`${grouped(info.polygons)} convex ones after loading`]),
  ];
  const rows: [string, string][] = [
    ['format', info.format],
    ['tiles', grouped(info.tiles)],
    ['polygons', `${grouped(exported)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`],
    ['vertices', grouped(info.vertices)],
    ['components', grouped(info.components)],
    ['links', grouped(info.links)],
    ['area', `${grouped(Math.round(info.area))} m2`],
    ['bounds', `x ${span(bounds, 0)}, y ${span(bounds, 1)}, z ${span(bounds, 2)} m`],
    ['cell', known(info.cellSize)],
    ['agent', `height ${known(agent.height)}, radius ${known(agent.radius)}, climb ${known(agent.climb)}`],
    ['grid', `1 unit = ${Number((info.unit * 1000).toPrecision(6))} mm`],
    ['packed', `${grouped(info.bytes)} bytes`],
    ['hash', info.hash],
  ];
  if (survey !== undefined && survey.floors > 1) rows.splice(5, 0, ['floors', grouped(survey.floors)]);
  const text = `${name}\n${alignedTable(rows.map(([key, value]) => [key, value]))}`;
  return `${text}${survey === undefined ? '' : islandTable(survey.islands)}\n${findingsText(survey?.findings ?? info.findings)}`;
}

/** Islands that a table shows from each end. */
const SHOWN = 4;

function islandTable(islands: readonly Island[]): string {
  if (islands.length < 2) return '';
  const row = ({ area, polygons, at }: Island): string[] => [m2(area), grouped(polygons), placeText(at)];
  const left = islands.length - 2 * SHOWN;
  const shown = left > 0 ? [...islands.slice(0, SHOWN), ...islands.slice(-SHOWN)] : islands;
  const rows = shown.map(row);
  if (left > 0) rows.splice(SHOWN, 0, [`... ${grouped(left)} more`, '', '']);
  return `\nComponents by area\n${alignedTable([['area', 'polygons', 'at'], ...rows])}`;
}

/** Places that are listed of each finding. */
const PLACES = 5;

function findingsText(findings: readonly (Omit<Noted, 'at'> & Partial<Pick<Noted, 'at'>>)[]): string {
  if (findings.length === 0) return 'Findings: none\n';
  let text = 'Findings (the numbers are those of the picture)\n';
  findings.forEach(({ kind, count, message, polygons, at = [] }, i) => {
    text += `  ${i + 1}  ${kind} (${grouped(count)}): ${harmless(message)}\n`;
    const more = (listed: number) => (count > listed && listed > 0 ? ', ...' : '');
    const places = at.slice(0, PLACES);
    if (places.length > 0) text += `     at ${places.map(placeText).join(', ')}${more(places.length)}\n`;
    const named = polygons.slice(0, PLACES);
    if (named.length > 0) text += `     polygons ${named.join(', ')}${more(named.length)}\n`;
  });
  return text;
}

function placeText(at: Place): string {
  return `(${at.map((v) => Number(v.toFixed(2)) + 0).join(', ')})`;
}

/** Islands that the JSON lists from each end. */
const LISTED = 20;

/**
 * `navguard inspect --json`: `polygons` as the export counts them, `loadedPolygons` after conforming; with a survey also
 * floors, islands (the 20 largest and the 20 smallest) and its findings.
 */
export function inspectJson(name: string, info: MapInfo, survey?: Survey): Record<string, unknown> {
  const json = { file: name, ...info, polygons: exportedPolygons(info), loadedPolygons: info.polygons };
  if (survey === undefined) return json;
  const { islands, floors, findings } = survey;
  const listed = islands.length <= 2 * LISTED ? islands : [...islands.slice(0, LISTED), ...islands.slice(-LISTED)];
  return { ...json, floors, islands: listed, findings };
}

/** As Detour counts: an off-mesh connection takes a polygon of its own. */
function exportedPolygons(info: MapInfo): number {
  return info.sourcePolygons + info.links;
}

function span(bounds: MapInfo['bounds'], axis: number): string {
  return `${rounded(bounds.min[axis])} to ${rounded(bounds.max[axis])}`;
}

function rounded(metres: number): number {
  return Number(metres.toFixed(3));
}
