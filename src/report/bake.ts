// What a bake says: the level, both presets side by side, and the places that only one of them has. Imported by cli/.
import type { BakeSettings, Difference, Level, OneSided } from '../bake/index.ts';
import type { NavMap } from '../map.ts';
import { type NavMesh, polygonCount } from '../mesh/navmesh.ts';
import { grouped } from './table.ts';

/** One bake of a level. */
export interface BakedPreset {
  readonly name: string;
  readonly settings: BakeSettings;
  readonly bytes: Uint8Array;
  readonly mesh: NavMesh;
  readonly map: NavMap;
  /** Walkable, square metres in plan. */
  readonly area: number;
}

export function levelLine(path: string, { triangles, min, max }: Level): string {
  const [x, y, z] = max.map((value, axis) => shown(value - min[axis]));
  return `${path}: ${grouped(triangles.length / 3)} triangles, ${x} x ${z} m, ${y} m high\n`;
}

/** One preset, or both with what only one has. */
export function bakeReport(presets: readonly BakedPreset[], difference: Difference | null): string {
  const rows: [string, (preset: BakedPreset) => string][] = [
    ['agent radius, m', ({ settings }) => shown(settings.agentRadius)],
    ['agent height, m', ({ settings }) => shown(settings.agentHeight)],
    ['agent climb, m', ({ settings }) => shown(settings.agentClimb)],
    ['agent slope, degrees', ({ settings }) => shown(settings.agentSlope)],
    ['walkable area, m2', ({ area }) => grouped(Math.round(area))],
    ['polygons', ({ mesh }) => grouped(polygonCount(mesh))],
    ['components', ({ map }) => grouped(map.info.components)],
  ];
  const lines = [`${''.padEnd(22)}${presets.map(({ name }) => name.padStart(14)).join('')}`];
  for (const [label, value] of rows) {
    lines.push(`${label.padEnd(22)}${presets.map((preset) => value(preset).padStart(14)).join('')}`);
  }
  if (difference !== null) {
    lines.push(...oneSided(presets[0].name, difference.onlyA), ...oneSided(presets[1].name, difference.onlyB));
  }
  const [first, last] = [presets[0].settings, presets[presets.length - 1].settings];
  if (first.agentRadius > 0 && last.agentRadius === 0) {
    const finer = shown(first.agentRadius / 4);
    lines.push(
      `A cell and the edge error are more than the radius: smaller cells (--cell-size ${finer}) stay nearer to it.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function oneSided(name: string, { places, area, largest }: OneSided): string[] {
  if (places === 0) return [`Only ${name}: nothing.`];
  const what = places === 1 ? 'place' : 'places';
  const lines = [`Only ${name}: ${grouped(places)} ${what}, ${square(area)}${places > 1 ? '; the largest:' : ':'}`];
  for (const patch of largest) lines.push(`  ${square(patch.area)} at ${patch.at.map(shown).join(', ')}`);
  return lines;
}

function square(area: number): string {
  return `${area < 10 ? area.toFixed(1) : grouped(Math.round(area))} m2`;
}

function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}
