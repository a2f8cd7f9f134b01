// The off-mesh links of a checked pack in words of the API, and how facts name them. Imported by map.ts, live/ and report/.
import * as L from '../../assembly/layout.ts';
import type { LinkNote } from './links.ts';
import { readNotes } from './view.ts';

/** One off-mesh link of a map. Of a wide portal there are several, side by side, with one name. Metres. */
export interface LinkView {
  /** Its number: `#7` names link 7. */
  readonly index: number;
  /** What the side file or the log's map calls it. */
  readonly name: string | null;
  /** On the floor, or as exported where that end is on no polygon. */
  readonly from: [number, number, number];
  readonly to: [number, number, number];
  /** How far beside its line a body may be. */
  readonly radius: number;
  readonly bidirectional: boolean;
  readonly area: number;
  readonly flags: number;
  /** The export's user id; 0 for portals of a side file. */
  readonly userId: number;
  /** Polygons of its ends, -1 = none: then it leads nowhere. */
  readonly polygons: readonly [number, number];
  /** Whether it is open when the map is loaded. */
  readonly open: boolean;
  /** A crossing takes its plan length so many times. */
  readonly cost: number;
  /** What a crossing takes instead, seconds; null = its length says it. */
  readonly seconds: number | null;
  /** Number of the first link of the same portal: its own, but in a wide one. */
  readonly portal: number;
  /** Of the whole portal; 0 = from point to point. */
  readonly width: number;
  readonly agentType: string | null;
  readonly autoUpdate: boolean;
}

/** All links of a checked pack, by their number. */
export function packLinks(buffer: ArrayBuffer): LinkView[] {
  const view = new DataView(buffer);
  const count = view.getUint32(L.H_LINKS, true);
  if (count === 0) return [];
  const noteOf = notesByLink(readNotes(buffer).links ?? []);
  const linksAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_LINKS, true);
  const polysAt = view.getUint32(L.H_TABLE, true);
  const unit = view.getFloat64(L.H_UNIT, true);
  const x0 = view.getFloat64(L.H_ORIGIN_X, true);
  const z0 = view.getFloat64(L.H_ORIGIN_Z, true);
  const links: LinkView[] = [];
  let portal = 0;
  for (let index = 0; index < count; index++) {
    const at = linksAt + index * L.LINK_STRIDE;
    const f32 = (field: number) => view.getFloat32(at + field, true);
    const u32 = (field: number) => view.getUint32(at + field, true);
    const place = (side: number): [number, number, number] => {
      const field = side * L.L_END_STRIDE;
      return [x0 + f32(L.L_AX + field) * unit, f32(L.L_AY + field), z0 + f32(L.L_AZ + field) * unit];
    };
    const polygon = (field: number) => (u32(field) === 0 ? -1 : (u32(field) - polysAt) / L.POLY_STRIDE);
    if ((u32(L.L_FLAGS) & L.LINK_STRIP) === 0) portal = index;
    const note = noteOf(index);
    const cost = f32(L.L_COST);
    links.push({
      index,
      name: note?.name ?? null,
      from: place(0),
      to: place(1),
      radius: f32(L.L_RADIUS),
      bidirectional: (u32(L.L_FLAGS) & L.LINK_BOTH) !== 0,
      area: u32(L.L_AREA),
      flags: u32(L.L_FLAGS) >>> L.LINK_FLAGS_SHIFT,
      userId: u32(L.L_USER),
      polygons: [polygon(L.L_POLY_A), polygon(L.L_POLY_B)],
      open: u32(L.L_STATE) !== 0,
      cost: cost > 0 ? cost : 1,
      seconds: cost < 0 ? -cost : null,
      portal,
      width: note?.width ?? 0,
      agentType: note?.agentType ?? null,
      autoUpdate: note?.autoUpdate ?? false,
    });
  }
  return links;
}

type Named = Pick<LinkView, 'index' | 'name' | 'userId'>;

/**
 * Which links a label means: those of that name; else, for `#7`, link 7; else those without a name whose export's user id it
 * is. Several when a portal is wide or a name is used again; none when the map has no such link.
 */
export function linkNames(links: readonly Named[]): (label: string | number) => readonly number[] {
  const named = new Map<string, number[]>();
  const users = new Map<string, number[]>();
  for (const { index, name, userId } of links) {
    const key = name ?? String(userId);
    const map = name === null ? users : named;
    const list = map.get(key);
    if (list === undefined) map.set(key, [index]);
    else list.push(index);
  }
  return (label) => {
    const text = String(label);
    const number = /^#(\d{1,8})$/.exec(text);
    const place = number !== null && Number(number[1]) < links.length ? [Number(number[1])] : undefined;
    return named.get(text) ?? place ?? users.get(text) ?? [];
  };
}

/** The same, once. */
export function linksOf(links: readonly Named[], label: string | number): readonly number[] {
  return linkNames(links)(label);
}

function notesByLink(notes: readonly LinkNote[]): (index: number) => LinkNote | undefined {
  let k = 0;
  return (index) => {
    while (k < notes.length && notes[k].first + notes[k].count <= index) k++;
    return k < notes.length && notes[k].first <= index ? notes[k] : undefined;
  };
}
