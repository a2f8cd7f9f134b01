// The exact search on one map in several clothes (test/oracle/symmetry.ts), and with its ends swapped: equal lengths. Used
// by the quick slice and the long run.
import { NavMap } from '../../src/map.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { pack } from '../../src/pack/pack.ts';
import { random } from '../oracle/random.ts';
import { cutUp, MOTIONS, moveMesh, moveUnits, notched, withoutDetails } from '../oracle/symmetry.ts';
import { gridOf, gridPoints, type Vec } from './gridpoints.ts';

export interface SymmetryCount {
  /** Answers compared, walks among them, and those that are the same to the last bit. */
  compared: number;
  walks: number;
  bitwise: number;
  worst: number;
  /** Corners that the recut forms have more than the plain map. */
  corners: number;
  wrong: string[];
}

export const NO_SYMMETRY = (): SymmetryCount => ({
  compared: 0,
  walks: 0,
  bitwise: 0,
  worst: 0,
  corners: 0,
  wrong: [],
});

interface Dressed {
  readonly name: string;
  readonly map: NavMap;
  readonly place: (units: readonly [number, number], y: number) => Vec;
}

/** The same mesh moved, turned and mirrored, read anew each time. */
function moved(mesh: NavMesh): Dressed[] {
  const plain = NavMap.fromMesh(mesh);
  const corner = boundsOf(plain);
  return MOTIONS.map(([name, motion]) => {
    const map = NavMap.fromMesh(moveMesh(mesh, motion));
    const grid = gridOf(map);
    // The new grid's origin is its own: where the old bounds' corners went tells by how many units it differs.
    const to = boundsOf(map);
    const ends = [moveUnits(motion, [corner[0], corner[1]]), moveUnits(motion, [corner[2], corner[3]])];
    const shift = [0, 1].map((k) => to[k]! - Math.min(ends[0]![k]!, ends[1]![k]!));
    return {
      name,
      map,
      place: (units, y) => {
        const [x, z] = moveUnits(motion, units);
        return [grid.x + (x + shift[0]!) * grid.unit, y, grid.z + (z + shift[1]!) * grid.unit];
      },
    };
  });
}

/** Its conforming polygons cut up, or with corners on their edges. */
function recut(mesh: NavMesh, seed: number, count: SymmetryCount): Dressed[] {
  const conforming = conform(mesh);
  return [
    ['cut up', cutUp(conforming, random(seed))] as const,
    ['notched', notched(conforming, random(seed))] as const,
    ['notched, then cut up', cutUp(notched(conforming, random(seed)), random(seed + 1))] as const,
  ].map(([name, polygons]) => {
    count.corners += polygons.x.length - conforming.x.length;
    const map = NavMap.fromPack(pack(mesh, polygons));
    const grid = gridOf(map);
    return { name, map, place: ([x, z], y) => [grid.x + x * grid.unit, y, grid.z + z * grid.unit] };
  });
}

function boundsOf(map: NavMap): number[] {
  const grid = gridOf(map);
  const { min, max } = map.info.bounds;
  return [min[0] - grid.x, min[2] - grid.z, max[0] - grid.x, max[2] - grid.z].map((v) => Math.round(v / grid.unit));
}

/** `n` queries on a mesh, each asked there and back and of all its other forms. */
export function checkSymmetry(mesh: NavMesh, seed: number, n: number, count: SymmetryCount): void {
  const plain = withoutDetails({ ...mesh, links: [] });
  const map = NavMap.fromMesh(plain);
  const forms = [...moved(plain), ...recut(plain, seed, count)];
  const stand = gridPoints(map, random(seed));
  // Every floor's own height is well within, another floor's is not.
  const options = { below: 0.3, above: 0.3, tolerance: 0 };
  for (let i = 0; i < n; i++) {
    const [s, e] = [stand(), stand()];
    const first = map.shortest(s.at, e.at, options);
    const others = [
      ['swapped', map.shortest(e.at, s.at, options)] as const,
      ...forms.map((form) => {
        const [from, to] = [form.place(s.units, s.at[1]), form.place(e.units, e.at[1])];
        return [form.name, form.map.shortest(from, to, options)] as const;
      }),
    ];
    for (const [name, other] of others) {
      count.compared++;
      if (first.status === 'complete') count.walks++;
      if (other.status === first.status && other.length === first.length) {
        count.bitwise++;
        continue;
      }
      const error = Math.abs((other.length ?? Infinity) / (first.length ?? 0) - 1);
      count.worst = Math.max(count.worst, error);
      if (other.status === first.status && error <= 1e-12) continue;
      const [a, b] = [first, other].map((answer) => `${answer.status} ${answer.length}`);
      count.wrong.push(`${mesh.format}, seed ${seed}, ${name}: ${s.at} -> ${e.at}: ${a}, ${b}`);
    }
  }
}
