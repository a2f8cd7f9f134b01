// Puts plan coordinates on the map's grid of exact integers: the lattice of the export where there is one, else 1/1024 m.
// Imported by conform.ts and pack/. The only place where metres become units.
import { NavguardError } from '../errors.ts';
import { NAMED } from './findings.ts';
import type { NavMesh } from './navmesh.ts';

/** Largest |coordinate| in units: differences, products and determinants of such integers are exact in f64. */
export const RANGE_UNITS = 2 ** 24;
/** Unit of meshes without a lattice, metres. */
export const DEFAULT_UNIT = 1 / 1024;
/** A vertex this near to a cell corner (in cells) belongs on it: far maps carry f32 noise. */
const LATTICE_NOISE = 0.01;

export interface PlanGrid {
  /** Metres per unit. */
  readonly unit: number;
  /** Metres. */
  readonly originX: number;
  readonly originZ: number;
  /** Units per lattice cell; 0 = no lattice. */
  readonly cellUnits: number;
}

/** Distance between neighbouring f32 values at |v|. */
function spacing32(v: number): number {
  const a = Math.abs(v);
  return a < 2 ** -126 ? 2 ** -149 : 2 ** (Math.floor(Math.log2(a)) - 23);
}

/** The unit nearest to 1 mm (in ratio) that divides a lattice cell by a power of two; the cell itself if it is smaller. */
export function unitOfCell(cell: number): number {
  return cell / 2 ** Math.max(0, Math.round(Math.log2(cell * 1000)));
}

/** Chooses unit and origin. Throws `BAD_FILE` when the map is wider than the range or not finite. */
export function planGrid(mesh: NavMesh): PlanGrid {
  const { vertices, corners, lattice } = mesh;
  let minX = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let minZ = Number.POSITIVE_INFINITY;
  let maxZ = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < corners.length; c++) {
    const v = 3 * corners[c];
    const x = vertices[v];
    const z = vertices[v + 2];
    if (!(Number.isFinite(x) && Number.isFinite(vertices[v + 1]) && Number.isFinite(z))) {
      throw new NavguardError(
        'BAD_FILE',
        `vertex ${corners[c]}: expected finite coordinates, got ${x}, ${vertices[v + 1]}, ${z}`,
        { vertex: corners[c] },
      );
    }
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  if (minX > maxX) throw new NavguardError('BAD_FILE', 'navmesh: expected at least one polygon, got none');
  const cell = lattice.cell;
  if (!(cell >= 0 && cell < 1e6 && Number.isFinite(lattice.x) && Number.isFinite(lattice.z))) {
    throw new NavguardError(
      'BAD_FILE',
      `lattice: expected a finite origin and a cell of 0 to 1000000 m, got ${lattice.x}, ${lattice.z} and ${cell}`,
    );
  }
  const step = cell === 0 ? DEFAULT_UNIT : cell;
  const unit = cell === 0 ? DEFAULT_UNIT : unitOfCell(cell);
  const cellUnits = Math.round(step / unit);
  const fromX = cell === 0 ? 0 : lattice.x;
  const fromZ = cell === 0 ? 0 : lattice.z;
  const originX = fromX + Math.round(((minX + maxX) / 2 - fromX) / step) * step;
  const originZ = fromZ + Math.round(((minZ + maxZ) / 2 - fromZ) / step) * step;
  const reach = Math.max(maxX - originX, originX - minX, maxZ - originZ, originZ - minZ) / unit;
  // One cell of reserve: snapping may move the outermost vertices.
  if (!(reach <= RANGE_UNITS - cellUnits)) {
    throw new NavguardError(
      'BAD_FILE',
      `navmesh: expected at most ${(2 * RANGE_UNITS * unit).toFixed(0)} m across for cells of ${cell} m, got ${Math.max(maxX - minX, maxZ - minZ).toFixed(0)} m`,
      { width: maxX - minX, depth: maxZ - minZ, unit },
    );
  }
  return { unit, originX, originZ, cellUnits: cell === 0 ? 0 : cellUnits };
}

/**
 * Units of one coordinate. On a lattice, a value within the noise of f32 goes to the whole cell corner, so that two
 * tiles' copies of a corner meet; any other value goes to the nearest unit.
 */
export function toUnits(grid: PlanGrid, metres: number, origin: number): number {
  const units = (metres - origin) / grid.unit;
  if (grid.cellUnits > 0) {
    const corner = Math.round(units / grid.cellUnits) * grid.cellUnits;
    const off = Math.abs(units - corner);
    const noise = LATTICE_NOISE * grid.cellUnits;
    // The spacing is at most |metres| / 2^23: most values need no look at it.
    if (off <= noise || (off <= noise + (Math.abs(metres) * 2 ** -21) / grid.unit && isNoise(grid, metres, off))) {
      return corner + 0;
    }
  }
  // + 0 turns -0 into 0.
  return Math.round(units) + 0;
}

function isNoise(grid: PlanGrid, metres: number, off: number): boolean {
  return off <= LATTICE_NOISE * grid.cellUnits + (2 * spacing32(metres)) / grid.unit;
}

/** Whether a coordinate in units lies on a lattice line. */
export function onLattice(grid: PlanGrid, units: number): boolean {
  return grid.cellUnits === 0 || units % grid.cellUnits === 0;
}

export interface SnappedPlan {
  readonly grid: PlanGrid;
  /** Units, by vertex of the mesh; vertices that no polygon uses are 0. */
  readonly x: Int32Array;
  readonly z: Int32Array;
  /** Used vertices that lie on no lattice corner (0 without a lattice). */
  readonly offLattice: number;
  /** The first few of them, vertex numbers. */
  readonly strays: readonly number[];
}

/** Snaps every vertex that a polygon uses. */
export function snapVertices(mesh: NavMesh): SnappedPlan {
  const grid = planGrid(mesh);
  const count = mesh.vertices.length / 3;
  const x = new Int32Array(count);
  const z = new Int32Array(count);
  const done = new Uint8Array(count);
  let offLattice = 0;
  const strays: number[] = [];
  for (let c = 0; c < mesh.corners.length; c++) {
    const v = mesh.corners[c];
    if (done[v] === 1) continue;
    done[v] = 1;
    x[v] = toUnits(grid, mesh.vertices[3 * v], grid.originX);
    z[v] = toUnits(grid, mesh.vertices[3 * v + 2], grid.originZ);
    if (onLattice(grid, x[v]) && onLattice(grid, z[v])) continue;
    offLattice++;
    if (strays.length < NAMED) strays.push(v);
  }
  return { grid, x, z, offLattice, strays };
}
