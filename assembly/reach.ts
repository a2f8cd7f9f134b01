// The one question: can it be walked from here to there within a budget, and how far is it? Imported by index.ts only.
//
// Cheap first. (1) The straight ray: when it is clear its length is the shortest there is, whatever the budget; nothing
// of the target was looked up but the polygon the ray ended in, which holds it on its floor. (2) Blocked: the target is
// put on the mesh; when that moved it, the ray to the moved target. (3) Components, then the exact search within the
// budget: its length, or the proof that no walk fits. (4) Only when the node cap cut it short: a corridor, which may
// still acquit. Bound: one ray per polygon that holds the start, twice at most, and one search of each kind.
import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import {
  corridorLength,
  corridorNodes,
  corridorPolygons,
  corridorSearch,
  nodeCap,
  sharedComponent,
} from './corridor.ts';
import { frame } from './frame.ts';
import {
  F_LIST_E,
  F_LIST_S,
  F_PATH,
  FLOOR_ONLY,
  H_INV_UNIT,
  IN,
  MAP_BASE,
  NONE,
  OUT,
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_TO_OFF,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
} from './layout.ts';
import { closestFloor, floorOver, place, placedDistance, placedX, placedZ } from './locate.ts';
import { heightAt, idOf, OFF_GRID, polyAt, toMetresX, toMetresZ, toUnitsX, toUnitsZ, unit } from './mesh.ts';
import { rayEdgeDistance, rayPolygon, raySegment, rayT } from './ray.ts';
import { shortestBound, shortestGoal, shortestNodes, shortestSearch } from './shortest.ts';
import { anySlow, slowEffort } from './slow.ts';

// What OUT 2 says of OUT 1.
const EXACT: u32 = 0;
const LOWER: u32 = 1;
const UPPER: u32 = 2;

// Answers of the last question. Positions in units, the rest in metres; polygons are record addresses, 0 = none.
let straight: f64 = 0.0;
let walk: f64 = 0.0;
let bound: u32 = 0;
let fromPoly: u32 = 0;
let fromCount: u32 = 0; // polygons that hold the start, at F_LIST_S
let toCount: u32 = 0; // polygons that hold the target, at F_LIST_E; 0 = not looked up
let least: f64 = 0.0; // proven: no walk is shorter
let fromX: f64 = 0.0;
let fromZ: f64 = 0.0;
let fromDistance: f64 = 0.0;
let toPoly: u32 = 0;
let toX: f64 = 0.0;
let toZ: f64 = 0.0;
let toDistance: f64 = 0.0;
let nodes: u32 = 0;
let rayed: bool = false;

/** Plan distance (m) between the ends as they stand on the mesh. */
function placedStraight(): f64 {
  return Math.sqrt((toX - fromX) * (toX - fromX) + (toZ - fromZ) * (toZ - fromZ)) * unit();
}

/** The ray is clear: the straight line is exact. Ends that were not moved keep the length as asked, unrounded. */
function clear(): u32 {
  toPoly = rayPolygon();
  walk = fromDistance === 0.0 && toDistance === 0.0 ? straight : placedStraight();
  bound = EXACT;
  least = placedStraight();
  return S_CLEAR;
}

/**
 * The ray is blocked and both ends are placed (F_LIST_S, F_LIST_E): components, then the exact search within the budget.
 * What it proves convicts; where it was cut short only a corridor that fits can still acquit.
 */
function roundTheWall(startCount: u32, endCount: u32, ay: f64, by: f64, budget: f64, maxNodes: u32): u32 {
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const ends: u32 = ldU32(f + F_LIST_E);
  fromPoly = closestFloor(starts, startCount, fromX, fromZ, ay);
  toPoly = closestFloor(ends, endCount, toX, toZ, by);
  bound = LOWER;
  if (sharedComponent(starts, startCount, ends, endCount) === NONE) {
    walk = Infinity;
    return S_UNREACHABLE;
  }
  // A budget that is not a number is no budget.
  const limit: f64 = budget >= 0.0 ? budget * ldF64(MAP_BASE + H_INV_UNIT) : 0.0;
  const exact: u32 = shortestSearch(startCount, endCount, fromX, fromZ, toX, toZ, limit, maxNodes);
  nodes = shortestNodes();
  walk = shortestBound() * unit();
  least = walk;
  if (exact === S_WALK) {
    toPoly = shortestGoal(toPoly);
    bound = EXACT;
    return S_WALK;
  }
  if (exact !== S_UNDECIDED) return exact;
  const rough: u32 = corridorSearch(
    startCount,
    endCount,
    fromX,
    fromZ,
    heightAt(fromPoly, fromX, fromZ),
    toX,
    toZ,
    heightAt(toPoly, toX, toZ),
    limit,
    maxNodes,
  );
  nodes = nodes + corridorNodes();
  if (rough === S_UNREACHABLE) {
    walk = Infinity;
    least = Infinity;
  }
  if (rough !== S_WALK) return rough === S_UNREACHABLE ? S_UNREACHABLE : S_UNDECIDED;
  const path: u32 = ldU32(f + F_PATH);
  fromPoly = polyAt(ldU32(path));
  toPoly = polyAt(ldU32(path + ((corridorPolygons() - 1) << 2)));
  walk = corridorLength() * unit();
  bound = UPPER;
  return S_WALK;
}

/** `from` and `to` are addresses of f64 x, y, z in metres. Sets the answers above. */
function reachBetween(
  from: u32,
  to: u32,
  below: f64,
  above: f64,
  tolerance: f64,
  budget: f64,
  maxNodes: u32,
  fromHint: u32,
  toHint: u32,
): u32 {
  const ax: f64 = ldF64(from);
  const ay: f64 = ldF64(from + 8);
  const az: f64 = ldF64(from + 16);
  const bx: f64 = ldF64(to);
  const by: f64 = ldF64(to + 8);
  const bz: f64 = ldF64(to + 16);
  walk = Infinity;
  bound = LOWER;
  least = Infinity;
  fromPoly = 0;
  toPoly = 0;
  toCount = 0;
  fromDistance = 0.0;
  toDistance = 0.0;
  nodes = 0;
  rayed = false;
  straight = Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
  toX = toUnitsX(bx);
  toZ = toUnitsZ(bz);
  if (toX === OFF_GRID || toZ === OFF_GRID || !(Math.abs(by) < Infinity)) return S_OUT_OF_RANGE;
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const startCount: u32 = place(ax, ay, az, below, above, tolerance, fromHint, starts);
  if (startCount === NONE) return S_OUT_OF_RANGE;
  if (startCount === 0) return S_FROM_OFF;
  fromCount = startCount;
  fromX = placedX();
  fromZ = placedZ();
  fromDistance = placedDistance();
  rayed = true;
  if (raySegment(starts, startCount, fromX, fromZ, toX, toZ, by, below, above)) return clear();

  // the target may be claimed from either side of a corner
  const floorHint: u32 = floorOver(toHint & ~FLOOR_ONLY, toX, toZ, by, below, above)
    ? (toHint | FLOOR_ONLY) >>> 0
    : NONE;
  const endCount: u32 = place(bx, by, bz, below, above, tolerance, floorHint, ldU32(f + F_LIST_E));
  if (endCount === 0) return S_TO_OFF;
  toCount = endCount;
  toDistance = placedDistance();
  if (placedX() !== toX || placedZ() !== toZ) {
    toX = placedX();
    toZ = placedZ();
    if (raySegment(starts, startCount, fromX, fromZ, toX, toZ, by, below, above)) return clear();
  }
  return roundTheWall(startCount, endCount, ay, by, budget, maxNodes);
}

/**
 * Lower bound (m) of the effort of every walk between the grid points of the last question: see slow.ts. A clear ray did not
 * look up which polygons hold its target: walks may end on any floor in the band, so all of them count.
 */
function effort(below: f64, above: f64, tolerance: f64, to: u32, toHint: u32): f64 {
  const f: u32 = frame();
  const ends: u32 = ldU32(f + F_LIST_E);
  if (!(least < Infinity)) return least;
  if (toCount === 0) {
    const y: f64 = ldF64(to + 8);
    const floorHint: u32 = floorOver(toHint & ~FLOOR_ONLY, toX, toZ, y, below, above)
      ? (toHint | FLOOR_ONLY) >>> 0
      : NONE;
    const n: u32 = place(ldF64(to), y, ldF64(to + 16), below, above, tolerance, floorHint, ends);
    if (n === NONE || n === 0 || placedX() !== toX || placedZ() !== toZ) {
      stU32(ends, toPoly);
      toCount = 1;
    } else {
      toCount = n;
    }
  }
  const scale: f64 = unit();
  const units: f64 = least * ldF64(MAP_BASE + H_INV_UNIT);
  return slowEffort(units, ldU32(f + F_LIST_S), fromCount, fromX, fromZ, ends, toCount, toX, toZ) * scale;
}

/** Entry point: see KernelExports.reach. S_CLEAR does not depend on the budget: compare OUT 1 with it. */
export function reach(fromPolygon: u32, toPolygon: u32): u32 {
  const f: u32 = frame();
  const a: u32 = f + IN;
  const status: u32 = reachBetween(
    a,
    a + 24,
    ldF64(a + 48),
    ldF64(a + 56),
    ldF64(a + 64),
    ldF64(a + 72),
    nodeCap(ldF64(a + 80)),
    fromPolygon,
    toPolygon,
  );
  const out: u32 = f + OUT;
  // A clear ray leaves open in which of several start polygons it began: the floor nearest to the asked height.
  if (rayed && fromPoly === 0) {
    fromPoly = closestFloor(ldU32(f + F_LIST_S), fromCount, fromX, fromZ, ldF64(a + 8));
  }
  stF64(out, straight);
  stF64(out + 8, walk);
  stF64(out + 16, bound as f64);
  if (toPoly !== 0) {
    stF64(out + 24, idOf(toPoly) as f64);
    stF64(out + 32, toMetresX(toX));
    stF64(out + 40, heightAt(toPoly, toX, toZ));
    stF64(out + 48, toMetresZ(toZ));
    stF64(out + 56, toDistance);
  } else {
    stF64(out + 24, NONE as f64);
    stF64(out + 32, 0.0);
    stF64(out + 40, 0.0);
    stF64(out + 48, 0.0);
    stF64(out + 56, Infinity);
  }
  if (fromPoly !== 0) {
    stF64(out + 64, idOf(fromPoly) as f64);
    stF64(out + 72, toMetresX(fromX));
    stF64(out + 80, heightAt(fromPoly, fromX, fromZ));
    stF64(out + 88, toMetresZ(fromZ));
    stF64(out + 96, fromDistance);
  } else {
    stF64(out + 64, NONE as f64);
    stF64(out + 72, 0.0);
    stF64(out + 80, 0.0);
    stF64(out + 88, 0.0);
    stF64(out + 96, Infinity);
  }
  stF64(out + 104, nodes as f64);
  stF64(out + 112, rayed ? rayT() : 0.0);
  stF64(out + 120, rayed ? rayEdgeDistance(toX, toZ) : 0.0);
  if (anySlow()) stF64(out + 128, effort(ldF64(a + 48), ldF64(a + 56), ldF64(a + 64), a + 24, toPolygon));
  return status;
}

/**
 * Entry point. from, to: f64[3n]; polygon: u32[n] start hints or NONE; budget: f64[n]. Out: status u32[n], length f64[n]
 * (Infinity when there is none), bound u32[n], toPolygon u32[n] (NONE = off the mesh). below, above, tolerance, node cap
 * in IN 6, 7, 8, 10.
 */
export function batchReach(
  n: u32,
  from: u32,
  to: u32,
  polygon: u32,
  budget: u32,
  status: u32,
  length: u32,
  bounds: u32,
  toPolygon: u32,
): void {
  const a: u32 = frame() + IN;
  const below: f64 = ldF64(a + 48);
  const above: f64 = ldF64(a + 56);
  const tolerance: f64 = ldF64(a + 64);
  const maxNodes: u32 = nodeCap(ldF64(a + 80));
  for (let i: u32 = 0; i < n; i++) {
    const four: u32 = i << 2;
    const eight: u32 = i << 3;
    const s: u32 = reachBetween(
      from + i * 24,
      to + i * 24,
      below,
      above,
      tolerance,
      ldF64(budget + eight),
      maxNodes,
      ldU32(polygon + four),
      NONE,
    );
    stU32(status + four, s);
    stF64(length + eight, walk);
    stU32(bounds + four, bound);
    stU32(toPolygon + four, toPoly === 0 ? NONE : idOf(toPoly));
  }
}
