// Collects what loading changed; findings of one kind are merged. Imported by the other files of mesh/.
import type { Finding } from './conforming.ts';

type Kind = Finding['kind'];
export type Place = readonly [number, number, number];

/** Nobody jumps so far: a link that is longer is a teleporter, metres in plan. */
export const LONG_LINK = 64;

const WORDS: Readonly<Record<Kind, (n: number) => string>> = {
  'dropped-polygon': (n) => `${n} polygon part${s(n)} of no area dropped, the neighbours on both sides joined`,
  'triangulated-polygon': (n) => `${n} polygon${s(n)} not convex on the grid, cut into triangles`,
  'split-polygon': (n) => `${n} polygon${s(n)} with more than 8 corners cut into convex parts`,
  'off-lattice': (n) => `${n} ${n === 1 ? 'vertex lies' : 'vertices lie'} on no lattice corner`,
  'split-edge': (n) => `${n} point${s(n)} inserted into edges of neighbours (T-junctions)`,
  'welded-vertex': (n) => `${n} border ${n === 1 ? 'vertex' : 'vertices'} moved by up to 2 units to meet a neighbour`,
  'unlinked-portal': (n) => `${n} border edge${s(n)} with a link in the export met no partner edge`,
  'recovered-portal': (n) => `${n} pair${s(n)} of border edges joined that meet exactly though the export has no link`,
  'cut-portal': (n) => `${n} border portal${s(n)} cut: the step is higher than the climb`,
  'ambiguous-portal': (n) => `${n} border edge${s(n)} with several partners, linked to the nearest in height`,
  'broken-neighbour': (n) => `${n} inner edge${s(n)} whose neighbour does not share the edge, unlinked`,
  'unlinked-link': (n) => `${n} off-mesh link${s(n)} with an end on no polygon`,
  'far-link': (n) =>
    `${n} off-mesh link${s(n)} across tiles that are not neighbours, closed until opened: a move there needs a grant`,
  'long-link': (n) => `${n} off-mesh link${s(n)} longer than ${LONG_LINK} m: who is put there at once needs a grant`,
  'looped-link': (n) => `${n} off-mesh link${s(n)} with both ends on one polygon`,
  'doubled-link': (n) => `${n} off-mesh link${s(n)} with the ends of another one`,
  'reversed-winding': (n) => `${n} polygon${s(n)} wound against the rest of the mesh`,
  'duplicate-polygon': (n) => `${n} polygon${s(n)} given more than once`,
  'no-agent': () => 'the file names no agent sizes',
  'unknown-area': (n) => `${n} area name${s(n)} that the file does not have`,
  'filtered-polygon': (n) => `${n} polygon${s(n)} left out by the filter`,
  'filtered-link': (n) => `${n} off-mesh link${s(n)} closed by the filter`,
};

function s(n: number): string {
  return n === 1 ? '' : 's';
}

/** Names come from files: short, and on one line. */
function shownName(name: string): string {
  const text = JSON.stringify(name);
  return text.length <= 40 ? text : `${text.slice(0, 36)}..."`;
}

/** How many polygons and places a finding names. */
export const NAMED = 8;

export class Findings {
  readonly #counts = new Map<Kind, { count: number; polygons: number[]; at: Place[]; names: string[] }>();

  /** `polygon` is an export polygon number, or -1 for none; `at` a place in metres; `name` of a link that has one. */
  add(kind: Kind, polygon: number, count = 1, at?: Place, name?: string): void {
    let entry = this.#counts.get(kind);
    if (entry === undefined) {
      entry = { count: 0, polygons: [], at: [], names: [] };
      this.#counts.set(kind, entry);
    }
    entry.count += count;
    if (polygon >= 0 && entry.polygons.length < NAMED && !entry.polygons.includes(polygon))
      entry.polygons.push(polygon);
    if (at !== undefined && entry.at.length < NAMED) entry.at.push(at);
    if (name !== undefined && entry.names.length < NAMED) entry.names.push(shownName(name));
  }

  list(): Finding[] {
    const order = Object.keys(WORDS) as Kind[];
    return order.flatMap((kind) => {
      const entry = this.#counts.get(kind);
      if (entry === undefined) return [];
      const { count, polygons, at, names } = entry;
      const message = WORDS[kind](count) + (names.length === 0 ? '' : ` (${names.join(', ')})`);
      return [{ kind, message, count, polygons, ...(at.length === 0 ? {} : { at }) }];
    });
  }
}
