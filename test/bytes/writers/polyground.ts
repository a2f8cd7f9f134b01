// Random walkable ground as polygons with corners of their own, and an oracle for what must come out: areas by kind and parts
// by flooding cells. The cells lie on lines at random distances, so a wide polygon beside two narrow ones makes T-junctions;
// heights lie on one slope per storey, so borders meet.

export interface PolyGround {
  /** x, y, z of each corner of each polygon, counter-clockwise in x-z or the other way. */
  readonly rings: readonly (readonly [number, number, number][])[];
  readonly areas: readonly number[];
  /** Square metres by area. */
  readonly size: ReadonlyMap<number, number>;
  readonly components: number;
}

export interface GroundShape {
  readonly cells: number;
  readonly storeys: number;
  /** Only triangles. */
  readonly triangles?: boolean;
  readonly areas?: number;
}

/** `next` gives numbers of 0..1. */
export function polyGround(next: () => number, shape: GroundShape): PolyGround {
  const { cells, storeys, triangles = false, areas: kinds = 3 } = shape;
  const lines = () => {
    const at = [Math.floor(next() * 40) - 20];
    // Multiples of 1/8: exact in f32 and on the grid of 1/1024.
    for (let i = 0; i < cells; i++) at.push(at[i] + 0.5 + Math.floor(next() * 16) / 8);
    return at;
  };
  const xs = lines();
  const zs = lines();
  const rings: [number, number, number][][] = [];
  const areas: number[] = [];
  const size = new Map<number, number>();
  let components = 0;
  for (let storey = 0; storey < storeys; storey++) {
    const [slopeX, slopeZ] = [0, 1].map(() => Math.floor(next() * 5) / 16 - 0.125);
    const height = (x: number, z: number) => storey * 20 + slopeX * x + slopeZ * z;
    const filled = Array.from({ length: cells }, () => Array.from({ length: cells }, () => next() < 0.8));
    filled[0][0] = true;
    components += flood(filled);
    for (let j = 0; j < cells; j++) {
      for (let i = 0; i < cells; i++) {
        if (!filled[j][i]) continue;
        const wide = i + 1 < cells && filled[j][i + 1] && next() < 0.3 ? 1 : 0;
        const area = Math.floor(next() * kinds);
        const [x0, x1, z0, z1] = [xs[i], xs[i + 1 + wide], zs[j], zs[j + 1]];
        size.set(area, (size.get(area) ?? 0) + (x1 - x0) * (z1 - z0));
        const quad = [
          [x0, z0],
          [x1, z0],
          [x1, z1],
          [x0, z1],
        ].map(([x, z]): [number, number, number] => [x, height(x, z), z]);
        const parts = triangles || next() < 0.4 ? [quad.slice(0, 3), [quad[0], quad[2], quad[3]]] : [quad];
        for (const part of parts) {
          // Any corner may come first.
          const turn = Math.floor(next() * part.length);
          rings.push([...part.slice(turn), ...part.slice(0, turn)]);
          areas.push(area);
        }
        i += wide;
      }
    }
  }
  return { rings, areas, size, components };
}

/** Parts of a grid joined by sides. */
function flood(filled: readonly boolean[][]): number {
  const seen = filled.map((row) => row.map(() => false));
  let parts = 0;
  for (let j = 0; j < filled.length; j++) {
    for (let i = 0; i < filled.length; i++) {
      if (!filled[j][i] || seen[j][i]) continue;
      parts++;
      const open = [[i, j]];
      seen[j][i] = true;
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const [dx, dz] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]) {
          const [x, z] = [at[0] + dx, at[1] + dz];
          if (!filled[z]?.[x] || seen[z][x]) continue;
          seen[z][x] = true;
          open.push([x, z]);
        }
      }
    }
  }
  return parts;
}

/** Vertices once for each place, and the rings as numbers of them. */
export function indexed(ground: PolyGround): { vertices: [number, number, number][]; rings: number[][] } {
  const numbers = new Map<string, number>();
  const vertices: [number, number, number][] = [];
  const rings = ground.rings.map((ring) =>
    ring.map((corner) => {
      const key = corner.join(' ');
      let n = numbers.get(key);
      if (n === undefined) {
        n = vertices.push(corner) - 1;
        numbers.set(key, n);
      }
      return n;
    }),
  );
  return { vertices, rings };
}
