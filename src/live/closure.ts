// What is closed on a living map, and since when. Imported by src/live, and by those who judge with it.

/** One thing that is closed: an area, a link, or the ground under an obstacle. */
export interface Closure {
  /** `area 5`, `link j1` or `block crate`. */
  readonly key: string;
  readonly kind: 'area' | 'link' | 'block';
  /** The area's number, the link's place in the export, the obstacle's id. */
  readonly name: number | string;
  /** The map's revision with which it closed. */
  readonly revision: number;
}
