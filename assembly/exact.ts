// Entry points of the exact search: both ends placed on the mesh, then shortest.ts. Imported by index.ts only.
import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { nodeCap, sharedComponent } from './corridor.ts';
import { frame } from './frame.ts';
import {
  CORNER_CAP,
  F_LIST_E,
  F_LIST_S,
  H_INV_UNIT,
  IN,
  MAP_BASE,
  NONE,
  OUT,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_TO_OFF,
  S_UNREACHABLE,
  S_WALK,
} from './layout.ts';
import { closestFloor, place, placedX, placedZ } from './locate.ts';
import { heightAt, unit } from './mesh.ts';
import { raySegment } from './ray.ts';
import { shortestBound, shortestCorners, shortestNodes, shortestSearch, straightWalk } from './shortest.ts';
import { anySlow, slowEffort } from './slow.ts';

// Answers of the last call.
let bound: f64 = 0.0; // units; a lower bound, exact with S_WALK; Infinity when there is no walk at all
let nodes: u32 = 0;
let corners: u32 = 0;
let effort: f64 = 0.0; // units; only of single calls

/** `from`, `to`: addresses of f64 x, y, z (m). `limit` in metres. */
function shortestBetween(
  from: u32,
  to: u32,
  below: f64,
  above: f64,
  tolerance: f64,
  limit: f64,
  maxNodes: u32,
  hint: u32,
  single: bool,
): u32 {
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const ends: u32 = ldU32(f + F_LIST_E);
  bound = Infinity;
  nodes = 0;
  corners = 0;
  effort = Infinity;
  const ay: f64 = ldF64(from + 8);
  const by: f64 = ldF64(to + 8);
  const startCount: u32 = place(ldF64(from), ay, ldF64(from + 16), below, above, tolerance, hint, starts);
  if (startCount === NONE) return S_OUT_OF_RANGE;
  const sx: f64 = placedX();
  const sz: f64 = placedZ();
  const endCount: u32 = place(ldF64(to), by, ldF64(to + 16), below, above, tolerance, NONE, ends);
  if (endCount === NONE) return S_OUT_OF_RANGE;
  if (startCount === 0) return S_FROM_OFF;
  if (endCount === 0) return S_TO_OFF;
  const gx: f64 = placedX();
  const gz: f64 = placedZ();
  if (sharedComponent(starts, startCount, ends, endCount) === NONE) return S_UNREACHABLE;
  const most: f64 = limit * ldF64(MAP_BASE + H_INV_UNIT);
  // A clear ray is the shortest walk there is: two of three near pairs need no search.
  const status: u32 = raySegment(starts, startCount, sx, sz, gx, gz, by, below, above)
    ? straightWalk(sx, sz, gx, gz, most)
    : shortestSearch(startCount, endCount, sx, sz, gx, gz, most, maxNodes);
  bound = shortestBound();
  nodes = shortestNodes();
  if (status === S_WALK && single) {
    const sy: f64 = heightAt(closestFloor(starts, startCount, sx, sz, ay), sx, sz);
    const gy: f64 = heightAt(closestFloor(ends, endCount, gx, gz, by), gx, gz);
    corners = shortestCorners(sx, sz, sy, gy, CORNER_CAP);
  }
  if (single && anySlow()) effort = slowEffort(bound, starts, startCount, sx, sz, ends, endCount, gx, gz);
  return status;
}

/**
 * Entry point: see KernelExports.shortest. OUT 0 length (m): exact with S_WALK, else a lower bound; 1 number of corners
 * at F_CORNERS, 2 nodes made, 3 effort.
 */
export function shortest(fromPolygon: u32): u32 {
  const f: u32 = frame();
  const a: u32 = f + IN;
  const status: u32 = shortestBetween(
    a,
    a + 24,
    ldF64(a + 48),
    ldF64(a + 56),
    ldF64(a + 64),
    ldF64(a + 72),
    nodeCap(ldF64(a + 80)),
    fromPolygon,
    true,
  );
  const out: u32 = f + OUT;
  stF64(out, bound * unit());
  stF64(out + 8, corners as f64);
  stF64(out + 16, nodes as f64);
  if (anySlow()) stF64(out + 24, effort * unit());
  return status;
}

/** Entry point: as batchCorridor; `lengths` are lower bounds unless the status is S_WALK. */
export function batchShortest(n: u32, from: u32, to: u32, polygon: u32, limit: u32, status: u32, lengths: u32): void {
  const a: u32 = frame() + IN;
  const below: f64 = ldF64(a + 48);
  const above: f64 = ldF64(a + 56);
  const tolerance: f64 = ldF64(a + 64);
  const maxNodes: u32 = nodeCap(ldF64(a + 80));
  const scale: f64 = unit();
  for (let i: u32 = 0; i < n; i++) {
    const s: u32 = shortestBetween(
      from + i * 24,
      to + i * 24,
      below,
      above,
      tolerance,
      ldF64(limit + (i << 3)),
      maxNodes,
      ldU32(polygon + (i << 2)),
      false,
    );
    stU32(status + (i << 2), s);
    stF64(lengths + (i << 3), bound * scale);
  }
}
