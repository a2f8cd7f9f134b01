// What a map is, as text for a terminal and as one JSON object. Numbers come from the packed map.
import type { MapInfo } from '../pack/view.ts';
import { alignedTable, grouped } from './table.ts';

/** `navguard inspect <map>`: newline at the end. */
export function inspectText(name: string, info: MapInfo): string {
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
  let text = `${name}\n${alignedTable(rows.map(([key, value]) => [key, value]))}`;
  if (info.findings.length === 0) return `${text}\nFindings: none\n`;
  text += '\nFindings\n';
  for (const finding of info.findings) {
    const first = finding.polygons.slice(0, 5).join(', ');
    const where = finding.polygons.length === 0 ? '' : `; polygons ${first}${finding.count > 5 ? ', ...' : ''}`;
    text += `  ${finding.kind} (${grouped(finding.count)}): ${finding.message}${where}\n`;
  }
  return text;
}

/** `navguard inspect --json`: `polygons` as the export counts them, `loadedPolygons` after conforming. */
export function inspectJson(name: string, info: MapInfo): Record<string, unknown> {
  return { file: name, ...info, polygons: exportedPolygons(info), loadedPolygons: info.polygons };
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
