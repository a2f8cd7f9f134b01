// What is closed on a living map, and since when. Imported by src/live, and by those who judge with it.
import type { ObstacleShape } from '../types.ts';

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

/** A change that makes of a fresh map what a living one has become, as the fact that a move log would hold of it. */
export type LiveFact =
  | { readonly op: 'area'; readonly area: number; readonly open?: boolean; readonly speed?: number }
  | { readonly op: 'link'; readonly link: string; readonly open: boolean | 'forward' | 'backward' }
  | ({ readonly op: 'block'; readonly obstacle: string | number } & ObstacleShape);
