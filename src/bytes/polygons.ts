// What every reader of triangles and polygons fills: growing typed arrays, counted before they grow. No geometry here: the
// numbers are the file's own. Imported by bytes/ only.
import { NavguardError } from '../errors.ts';
import type { NavLink } from '../mesh/navmesh.ts';
import type { AgentOption } from './options.ts';

/** Corners of all polygons: above any map that fits the plan grid. */
export const MOST_CORNERS = 2 ** 24;
export const MOST_VERTICES = 2 ** 23;
/** Corners of one polygon: cutting one that is not convex takes the third power of this. */
export const MOST_RING = 256;

/** What polygons of one kind are called in the file, and what they are without the `areas` option. */
export interface SoupLabel {
  /** Names that the option may use, the nearest to the polygon first. */
  readonly names: readonly string[];
  /** The file's area; over 63 it must be mapped by the option. */
  readonly area: number;
  readonly flags: number;
}

/** Ground as it is where a file says nothing: Detour's default filter lets flag 1 pass. */
export const PLAIN_LABEL: SoupLabel = { names: [], area: 0, flags: 1 };

/** The surface of one polygon: its corners and vertices inside it, in triangles. */
export interface SoupDetail {
  /** x, y, z of the vertices that are no corners, in the file's units and axes. */
  readonly vertices: Float64Array;
  /** Three a triangle: below the corner count a corner, else corner count + k = vertex k. */
  readonly triangles: Uint8Array;
}

/** A list of numbers that doubles as it grows. */
export class Numbers<A extends Float64Array | Uint32Array> {
  array: A;
  length = 0;

  constructor(array: A) {
    this.array = array;
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const grown = new (this.array.constructor as new (n: number) => A)(Math.max(256, 2 * this.length));
      grown.set(this.array);
      this.array = grown;
    }
    this.array[this.length++] = value;
  }

  taken(): A {
    return this.array.subarray(0, this.length) as A;
  }
}

/** Polygons as a file has them: any winding, any number of corners, corners shared or not, in the file's units and axes. */
export class PolygonSoup {
  /** For people: "OBJ, triangles". */
  readonly format: string;
  /** x, y, z of each vertex. */
  readonly positions = new Numbers(new Float64Array(0));
  /** Ends of the polygons in `corners`. */
  readonly ends = new Numbers(new Uint32Array(0));
  readonly corners = new Numbers(new Uint32Array(0));
  /** Label of each polygon. */
  readonly labelOf = new Numbers(new Uint32Array(0));
  readonly labels: SoupLabel[] = [];
  /** Surfaces finer than the corners, where the file has them. */
  readonly details = new Map<number, SoupDetail>();
  /** In the file's units and axes, as the positions. */
  readonly links: NavLink[] = [];
  /** Body sizes in the file's units, where it has them. */
  agent: AgentOption | null = null;
  /** Lattice of the vertices, in the file's units; y-up files only. */
  lattice: { x: number; z: number; cell: number } | null = null;

  constructor(format: string) {
    this.format = format;
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  get polygonCount(): number {
    return this.ends.length;
  }

  vertex(x: number, y: number, z: number): void {
    if (this.positions.length >= 3 * MOST_VERTICES) throw tooMany('vertices', MOST_VERTICES);
    this.positions.push(x);
    this.positions.push(y);
    this.positions.push(z);
  }

  corner(vertex: number): void {
    if (this.corners.length >= MOST_CORNERS) throw tooMany('corners of polygons', MOST_CORNERS);
    this.corners.push(vertex);
  }

  /** Ends the polygon of the corners since the last end. */
  close(label: number): void {
    this.ends.push(this.corners.length);
    this.labelOf.push(label);
  }

  /** The number of a label; equal ones have one number. */
  label(label: SoupLabel): number {
    const key = `${label.area} ${label.flags} ${label.names.join('\n')}`;
    let n = this.#labelNumbers.get(key);
    if (n === undefined) {
      n = this.labels.length;
      this.labels.push(label);
      this.#labelNumbers.set(key, n);
    }
    return n;
  }
  readonly #labelNumbers = new Map<string, number>();
}

function tooMany(what: string, most: number): NavguardError {
  return new NavguardError('BAD_FILE', `The file has more than ${most} ${what}, expected a navmesh with fewer.`, {
    expected: most,
  });
}
