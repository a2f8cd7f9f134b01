// The exact bounded shortest path in plan: the length that convicts. Interval search (Polyanya: Cui, Harabor, Grastien,
// IJCAI 2017), with each side of the visibility cone kept as an ordered pair of exact grid points, so that every decision
// is the sign of an exact determinant. Imported by reach.ts and index.ts.
//
// Invariants.
// 1. A node stands for all walks of length g to `root` that go on straight through the part [R, L] of the entry edge.
//    Every shortest walk is covered by some node on the heap until the goal is popped.
// 2. h never overstates what is left and f never falls from parent to child, so the smallest f on the heap is a lower
//    bound on the answer at every moment: a search cut short can only acquit.
// 3. Roots are vertex ids (one per walkable fan), never coordinates; a root reached with a strictly worse g is dropped,
//    ties are kept (they may carry other parts of the view).
// 4. An off-mesh link costs the plan length between its ends, so h stays a lower bound and |ST| the shortest there is. An
// end A from which a link leaves is a target like the goal for every node that enters its polygon; the other end B then
// is a root that sees its whole polygon. A landing is a whole state, not a part of a view, so it is taken only when its g
// is strictly the best known: a ring of links of no length ends.
// Bound: every step makes at most 3 nodes per polygon edge and one per link that leaves the polygon (<= MAX_POLY_LINKS),
// the number of nodes is capped by the caller (<= NODE_CAP), and every node is popped at most once.

import { ldF32, ldF64, ldU32, stF32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import { nextGeneration } from './generation.ts';
import { heapKey, heapPayload, heapPop, heapPush } from './heap.ts';
import {
  CORNER_STRIDE,
  F_CORNERS,
  F_HEAP,
  F_LIST_E,
  F_LIST_S,
  F_NODES,
  F_ROOTS,
  F_VISIT,
  H_VERTICES,
  MAP_BASE,
  NODE_CAP,
  NONE,
  P_CORNERS,
  ROOT_STRIDE,
  S_OVER,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
  SHORT_STRIDE,
} from './layout.ts';
import { endOpen, endPoly, endX, endY, endZ, firstEnd, nextEnd } from './links.ts';
import { count, heightAt, idOf, neighbour, toMetresX, toMetresZ, vid, x, y, z } from './mesh.ts';
import { orient } from './orient.ts';

// Node record.
const N_POLY: u32 = 0; // u32, polygon being entered
// u32, entry edge in it: corner edge = left end, corner edge + 1 = right end, as seen when entering; of a landing the link
// end that it left from.
const N_EDGE: u32 = 4;
const N_KIND: u32 = 8; // u32
const N_PARENT: u32 = 12; // u32
const N_ROOT_ID: u32 = 16; // u32 vertex id, or number of vertex ids + link end landed on; NONE = the start
const N_ROOT_X: u32 = 20; // f32
const N_ROOT_Z: u32 = 24; // f32
const N_ROOT_Y: u32 = 28; // f32, metres, for corners only
const N_LAX: u32 = 32; // f32 x 4: left side of the cone, a -> b
const N_LAZ: u32 = 36;
const N_LBX: u32 = 40;
const N_LBZ: u32 = 44;
const N_RAX: u32 = 48; // f32 x 4: right side
const N_RAZ: u32 = 52;
const N_RBX: u32 = 56;
const N_RBZ: u32 = 60;
const N_G: u32 = 64; // f64, units
// Only cones have sides. When a pivot's root, the goal or a link's first end was reached over a turn at an end of the
// parent's interval, that turn stands here instead.
const N_VIA_X: u32 = 32; // f32
const N_VIA_Z: u32 = 36; // f32
const N_VIA_Y: u32 = 40; // f32
const N_VIA: u32 = 44; // u32, 1 = there is such a turn

const KIND_CONE: u32 = 0;
const KIND_PIVOT: u32 = 1; // root is an end of the entry edge: everything in the polygon is visible
const KIND_LANDING: u32 = 2; // root is a link's far end, inside the polygon: everything in it is visible
const KIND_GOAL: u32 = 3;

/** A root is dropped only when its g is worse by more than rounding can explain. */
const WORSE: f64 = 1.000000000001;
/** What rounding may have added to a sum of square roots. */
const LOWER: f64 = 0.999999999999;

// State of the running search. One search runs at a time in an instance; the twin's searches do not nest either.
let tx: f64 = 0.0;
let tz: f64 = 0.0;
let limit: f64 = 0.0;
let cap: u32 = 0;
let nodes: u32 = 0;
let heapSize: u32 = 0;
let generation: u32 = 0;
let fullAt: f64 = 0.0; // smallest f that found no room, Infinity while there is room
let droppedAt: f64 = 0.0; // smallest f beyond the limit
let resultBound: f64 = 0.0;
let resultNode: u32 = 0;
// Answers of aim().
let aimLength: f64 = 0.0;
let aimTurn: u32 = 0; // corner of the node's polygon where the way turns, NONE = straight from the root

/** Lower bound (units) of the last search: the length itself when it returned S_WALK. */
export function shortestBound(): f64 {
  return resultBound * LOWER;
}
/** Polygon in which the last S_WALK ended; `shared` when start and target stood in one. */
export function shortestGoal(shared: u32): u32 {
  return resultNode === NONE ? shared : ldU32(nodeAt(ldU32(nodeAt(resultNode) + N_PARENT)) + N_POLY);
}
/** Nodes made by the last search. */
export function shortestNodes(): u32 {
  return nodes;
}

function nodeAt(i: u32): u32 {
  return ldU32(frame() + F_NODES) + i * SHORT_STRIDE;
}

function distance(ax: f64, az: f64, bx: f64, bz: f64): f64 {
  const dx: f64 = bx - ax;
  const dz: f64 = bz - az;
  return Math.sqrt(dx * dx + dz * dz);
}

/** Whether the vertex at corner i touches a wall: only there can a shortest walk turn. */
function isCorner(p: u32, i: u32): bool {
  return ((ldU32(p + P_CORNERS) >>> i) & 1) !== 0;
}

/** The edge of `n` that is edge j of `p`: its left end is p's corner j + 1. At most 8 steps. */
function entryEdge(n: u32, p: u32, j: u32, next: u32): u32 {
  const left: u32 = vid(p, next);
  const right: u32 = vid(p, j);
  const c: u32 = count(n);
  let last: u32 = c - 1;
  for (let k: u32 = 0; k < c; k++) {
    if (vid(n, last) === left && vid(n, k) === right) return last;
    last = k;
  }
  return 0; // not reached: conforming meshes share edges by id
}

function isGoal(p: u32): bool {
  return ldU32(ldU32(frame() + F_VISIT) + idOf(p) * 8) === generation;
}

/** Only one way in, and neither the target nor a link inside: nothing can come of it. */
function deadEnd(p: u32): bool {
  if (isGoal(p) || firstEnd(p) !== 0) return false;
  const c: u32 = count(p);
  let ways: u32 = 0;
  for (let i: u32 = 0; i < c; i++) {
    if (neighbour(p, i) !== 0) ways = ways + 1;
  }
  return ways < 2;
}

/**
 * min over p in [R, L] of |root p| + |p T|. The target is mirrored in the edge when it lies on the root's side. R and L
 * are floats here and nowhere else: an error of 1e-15 relative in h is what LOWER and WORSE stand for.
 */
function heuristic(
  lx: f64,
  lz: f64,
  rx: f64,
  rz: f64,
  rootX: f64,
  rootZ: f64,
  lax: f64,
  laz: f64,
  lbx: f64,
  lbz: f64,
  rax: f64,
  raz: f64,
  rbx: f64,
  rbz: f64,
): f64 {
  let Rx: f64 = rx;
  let Rz: f64 = rz;
  let Lx: f64 = lx;
  let Lz: f64 = lz;
  if (rbx !== rx || rbz !== rz) {
    const sl: f64 = orient(rax, raz, rbx, rbz, lx, lz);
    const sr: f64 = orient(rax, raz, rbx, rbz, rx, rz);
    if (sl !== sr) {
      const t: f64 = sl / (sl - sr);
      Rx = lx + t * (rx - lx);
      Rz = lz + t * (rz - lz);
    }
  }
  if (lbx !== lx || lbz !== lz) {
    const sl: f64 = orient(lax, laz, lbx, lbz, lx, lz);
    const sr: f64 = orient(lax, laz, lbx, lbz, rx, rz);
    if (sl !== sr) {
      const t: f64 = sl / (sl - sr);
      Lx = lx + t * (rx - lx);
      Lz = lz + t * (rz - lz);
    }
  }
  let gx: f64 = tx;
  let gz: f64 = tz;
  const side: f64 = orient(lx, lz, rx, rz, tx, tz);
  if (side < 0.0) {
    // Mirror in the line of the edge; the edge has positive length.
    const ex: f64 = rx - lx;
    const ez: f64 = rz - lz;
    const k: f64 = (2.0 * side) / (ex * ex + ez * ez);
    gx = tx + k * ez;
    gz = tz - k * ex;
  }
  const rightOf: f64 = orient(rootX, rootZ, Rx, Rz, gx, gz);
  const leftOf: f64 = orient(rootX, rootZ, Lx, Lz, gx, gz);
  if (rightOf >= 0.0 && leftOf <= 0.0) return distance(rootX, rootZ, gx, gz);
  return Math.min(
    distance(rootX, rootZ, Rx, Rz) + distance(Rx, Rz, gx, gz),
    distance(rootX, rootZ, Lx, Lz) + distance(Lx, Lz, gx, gz),
  );
}

/** Entry of a root in the table of the best g known: u32 generation, u32 0, f64 g. */
function rootEntry(rootId: u32): u32 {
  return ldU32(frame() + F_ROOTS) + rootId * ROOT_STRIDE;
}

/** Best g known for a root; notes a better one. False when this g is strictly worse. The start has no entry. */
function rootAdmits(rootId: u32, g: f64): bool {
  if (rootId === NONE) return true;
  const entry: u32 = rootEntry(rootId);
  if (ldU32(entry) !== generation) {
    stU32(entry, generation);
    stF64(entry + 8, g);
    return true;
  }
  const best: f64 = ldF64(entry + 8);
  if (g > best * WORSE) return false;
  if (g < best) stF64(entry + 8, g);
  return true;
}

/** Puts a node on the heap; returns its address, or 0 when it is beyond the limit or there is no room. */
function push(f: f64, kind: u32, parent: u32, rootId: u32, rootX: f64, rootZ: f64, rootY: f64, g: f64): u32 {
  if (f * LOWER > limit) {
    if (f < droppedAt) droppedAt = f;
    return 0;
  }
  if (nodes >= cap) {
    if (f < fullAt) fullAt = f;
    return 0;
  }
  const node: u32 = nodeAt(nodes);
  heapSize = heapPush(ldU32(frame() + F_HEAP), heapSize, NODE_CAP, f, nodes);
  nodes = nodes + 1;
  stU32(node + N_KIND, kind);
  stU32(node + N_PARENT, parent);
  stU32(node + N_ROOT_ID, rootId);
  stF32(node + N_ROOT_X, rootX);
  stF32(node + N_ROOT_Z, rootZ);
  stF32(node + N_ROOT_Y, rootY);
  stF64(node + N_G, g);
  return node;
}

/** A cone through edge j -> next of p into its neighbour. */
function pushCone(
  p: u32,
  j: u32,
  next: u32,
  parent: u32,
  rootId: u32,
  rootX: f64,
  rootZ: f64,
  rootY: f64,
  g: f64,
  lax: f64,
  laz: f64,
  lbx: f64,
  lbz: f64,
  rax: f64,
  raz: f64,
  rbx: f64,
  rbz: f64,
): void {
  const n: u32 = neighbour(p, j);
  if (n === 0 || deadEnd(n)) return;
  if (!rootAdmits(rootId, g)) return;
  // Seen when entering, the left end is p's corner next and the right end its corner j.
  const h: f64 = heuristic(
    x(p, next),
    z(p, next),
    x(p, j),
    z(p, j),
    rootX,
    rootZ,
    lax,
    laz,
    lbx,
    lbz,
    rax,
    raz,
    rbx,
    rbz,
  );
  const node: u32 = push(g + h, KIND_CONE, parent, rootId, rootX, rootZ, rootY, g);
  if (node === 0) return;
  stU32(node + N_POLY, n);
  stU32(node + N_EDGE, entryEdge(n, p, j, next));
  stF32(node + N_LAX, lax);
  stF32(node + N_LAZ, laz);
  stF32(node + N_LBX, lbx);
  stF32(node + N_LBZ, lbz);
  stF32(node + N_RAX, rax);
  stF32(node + N_RAZ, raz);
  stF32(node + N_RBX, rbx);
  stF32(node + N_RBZ, rbz);
}

/** A pivot through edge j -> next of p: the root is one of the edge's ends. Returns its address or 0. */
function pushPivot(
  p: u32,
  j: u32,
  next: u32,
  parent: u32,
  rootId: u32,
  rootX: f64,
  rootZ: f64,
  rootY: f64,
  g: f64,
): u32 {
  const n: u32 = neighbour(p, j);
  if (n === 0 || deadEnd(n)) return 0;
  if (!rootAdmits(rootId, g)) return 0;
  const f: f64 = g + distance(rootX, rootZ, tx, tz);
  const node: u32 = push(f, KIND_PIVOT, parent, rootId, rootX, rootZ, rootY, g);
  if (node === 0) return 0;
  stU32(node + N_POLY, n);
  stU32(node + N_EDGE, entryEdge(n, p, j, next));
  stU32(node + N_VIA, 0);
  return node;
}

/**
 * Edge j -> next lies on a line with the root: only its nearer end can be a turn, and only where it touches a wall.
 * Returns the pivot's address or 0.
 */
function pushCollinear(p: u32, j: u32, next: u32, parent: u32, rootX: f64, rootZ: f64, g: f64): u32 {
  const dj: f64 = distance(rootX, rootZ, x(p, j), z(p, j));
  const dn: f64 = distance(rootX, rootZ, x(p, next), z(p, next));
  const c: u32 = dj < dn ? j : next;
  if (!isCorner(p, c)) return 0;
  return pushPivot(p, j, next, parent, vid(p, c), x(p, c), z(p, c), y(p, c), g + Math.min(dj, dn));
}

/** The same behind a turn at corner v of p, which the pivot then remembers. */
function pushCollinearVia(p: u32, j: u32, next: u32, parent: u32, v: u32, g: f64): void {
  setTurn(pushCollinear(p, j, next, parent, x(p, v), z(p, v), g), p, v);
}

/**
 * The shortest way from a node's root to a point of the polygon that the node enters: straight, or round an end of the
 * interval. False when the point lies outside of the node's view: another node covers it. See aimLength and aimTurn.
 */
function aim(node: u32, px: f64, pz: f64): bool {
  const rootX: f64 = ldF32(node + N_ROOT_X);
  const rootZ: f64 = ldF32(node + N_ROOT_Z);
  aimTurn = NONE;
  if (ldU32(node + N_KIND) === KIND_CONE) {
    const rax: f64 = ldF32(node + N_RAX);
    const raz: f64 = ldF32(node + N_RAZ);
    const rbx: f64 = ldF32(node + N_RBX);
    const rbz: f64 = ldF32(node + N_RBZ);
    const lax: f64 = ldF32(node + N_LAX);
    const laz: f64 = ldF32(node + N_LAZ);
    const lbx: f64 = ldF32(node + N_LBX);
    const lbz: f64 = ldF32(node + N_LBZ);
    const sR: f64 = orient(rax, raz, rbx, rbz, px, pz);
    const sL: f64 = orient(lax, laz, lbx, lbz, px, pz);
    if (sR < 0.0 || sL > 0.0) {
      const p: u32 = ldU32(node + N_POLY);
      let v: u32 = ldU32(node + N_EDGE);
      if (sL <= 0.0) v = v + 1 === count(p) ? 0 : v + 1;
      const vx: f64 = x(p, v);
      const vz: f64 = z(p, v);
      // The interval must reach the end of the edge.
      if (sL > 0.0 ? lbx !== vx || lbz !== vz : rbx !== vx || rbz !== vz) return false;
      aimTurn = v;
      aimLength = ldF64(node + N_G) + distance(rootX, rootZ, vx, vz) + distance(vx, vz, px, pz);
      return true;
    }
  }
  aimLength = ldF64(node + N_G) + distance(rootX, rootZ, px, pz);
  return true;
}

function setTurn(node: u32, p: u32, corner: u32): void {
  if (node === 0) return;
  if (corner === NONE) {
    stU32(node + N_VIA, 0);
    return;
  }
  stF32(node + N_VIA_X, x(p, corner));
  stF32(node + N_VIA_Z, z(p, corner));
  stF32(node + N_VIA_Y, y(p, corner));
  stU32(node + N_VIA, 1);
}

/** The link that leaves from end e of polygon p, reached after `length` over a turn at `corner` of p or NONE. */
function pushLanding(p: u32, e: u32, parent: u32, length: f64, corner: u32): void {
  if (!endOpen(e)) return;
  const far: u32 = e ^ 1;
  const farX: f64 = endX(far);
  const farZ: f64 = endZ(far);
  const g: f64 = length + distance(endX(e), endZ(e), farX, farZ);
  const rootId: u32 = ldU32(MAP_BASE + H_VERTICES) + far;
  const entry: u32 = rootEntry(rootId);
  if (ldU32(entry) === generation && ldF64(entry + 8) <= g) return;
  stU32(entry, generation);
  stF64(entry + 8, g);
  const node: u32 = push(g + distance(farX, farZ, tx, tz), KIND_LANDING, parent, rootId, farX, farZ, endY(far), g);
  if (node === 0) return;
  stU32(node + N_POLY, endPoly(far));
  stU32(node + N_EDGE, e);
  setTurn(node, p, corner);
}

/** The goal, and the ends of links that leave from polygon p, as far as the node in p sees them. */
function pushTargets(node: u32, index: u32, p: u32): void {
  if (isGoal(p) && aim(node, tx, tz)) {
    const goal: u32 = push(
      aimLength,
      KIND_GOAL,
      index,
      ldU32(node + N_ROOT_ID),
      ldF32(node + N_ROOT_X),
      ldF32(node + N_ROOT_Z),
      ldF32(node + N_ROOT_Y),
      aimLength,
    );
    setTurn(goal, p, aimTurn);
  }
  let next: u32 = firstEnd(p);
  while (next !== 0) {
    const e: u32 = next - 1;
    if (aim(node, endX(e), endZ(e))) pushLanding(p, e, index, aimLength, aimTurn);
    next = nextEnd(e);
  }
}

/** Everything in a convex polygon is visible from its own vertex. */
function expandPivot(node: u32, index: u32): void {
  const p: u32 = ldU32(node + N_POLY);
  const entry: u32 = ldU32(node + N_EDGE);
  const rootId: u32 = ldU32(node + N_ROOT_ID);
  const rootX: f64 = ldF32(node + N_ROOT_X);
  const rootZ: f64 = ldF32(node + N_ROOT_Z);
  const rootY: f64 = ldF32(node + N_ROOT_Y);
  const g: f64 = ldF64(node + N_G);
  pushTargets(node, index, p);
  const c: u32 = count(p);
  for (let j: u32 = 0; j < c; j++) {
    if (j === entry || neighbour(p, j) === 0) continue;
    const next: u32 = j + 1 === c ? 0 : j + 1;
    if (vid(p, j) === rootId || vid(p, next) === rootId) {
      pushPivot(p, j, next, index, rootId, rootX, rootZ, rootY, g);
      continue;
    }
    const px: f64 = x(p, j);
    const pz: f64 = z(p, j);
    const qx: f64 = x(p, next);
    const qz: f64 = z(p, next);
    if (orient(rootX, rootZ, px, pz, qx, qz) === 0.0) {
      pushCollinear(p, j, next, index, rootX, rootZ, g);
      continue;
    }
    pushCone(p, j, next, index, rootId, rootX, rootZ, rootY, g, rootX, rootZ, qx, qz, rootX, rootZ, px, pz);
  }
}

/** Successors of a cone: what the root sees, and what opens behind the ends of the interval. */
function expandCone(node: u32, index: u32): void {
  const p: u32 = ldU32(node + N_POLY);
  const entry: u32 = ldU32(node + N_EDGE);
  const rootId: u32 = ldU32(node + N_ROOT_ID);
  const rootX: f64 = ldF32(node + N_ROOT_X);
  const rootZ: f64 = ldF32(node + N_ROOT_Z);
  const rootY: f64 = ldF32(node + N_ROOT_Y);
  const g: f64 = ldF64(node + N_G);
  const lax: f64 = ldF32(node + N_LAX);
  const laz: f64 = ldF32(node + N_LAZ);
  const lbx: f64 = ldF32(node + N_LBX);
  const lbz: f64 = ldF32(node + N_LBZ);
  const rax: f64 = ldF32(node + N_RAX);
  const raz: f64 = ldF32(node + N_RAZ);
  const rbx: f64 = ldF32(node + N_RBX);
  const rbz: f64 = ldF32(node + N_RBZ);
  const c: u32 = count(p);
  const left: u32 = entry;
  const right: u32 = entry + 1 === c ? 0 : entry + 1;
  const lx: f64 = x(p, left);
  const lz: f64 = z(p, left);
  const rx: f64 = x(p, right);
  const rz: f64 = z(p, right);
  const leftEnd: bool = lbx === lx && lbz === lz;
  const rightEnd: bool = rbx === rx && rbz === rz;

  pushTargets(node, index, p);

  const turnLeft: bool = leftEnd && isCorner(p, left);
  const turnRight: bool = rightEnd && isCorner(p, right);
  const gLeft: f64 = g + distance(rootX, rootZ, lx, lz);
  const gRight: f64 = g + distance(rootX, rootZ, rx, rz);

  // From the right end round to the left end.
  let j: u32 = right;
  let px: f64 = rx;
  let pz: f64 = rz;
  let sRp: f64 = orient(rax, raz, rbx, rbz, px, pz);
  let sLp: f64 = orient(lax, laz, lbx, lbz, px, pz);
  for (let steps: u32 = 1; steps < c; steps++) {
    const next: u32 = j + 1 === c ? 0 : j + 1;
    const qx: f64 = x(p, next);
    const qz: f64 = z(p, next);
    const sRq: f64 = orient(rax, raz, rbx, rbz, qx, qz);
    const sLq: f64 = orient(lax, laz, lbx, lbz, qx, qz);
    if (neighbour(p, j) !== 0) {
      if (orient(rootX, rootZ, px, pz, qx, qz) === 0.0) {
        if (sRp >= 0.0 && sLp <= 0.0 && sRq >= 0.0 && sLq <= 0.0) {
          pushCollinear(p, j, next, index, rootX, rootZ, g);
        }
      } else if (sRq > 0.0 && sLp < 0.0) {
        const cutRight: bool = sRp < 0.0;
        const cutLeft: bool = sLq > 0.0;
        pushCone(
          p,
          j,
          next,
          index,
          rootId,
          rootX,
          rootZ,
          rootY,
          g,
          cutLeft ? lax : rootX,
          cutLeft ? laz : rootZ,
          cutLeft ? lbx : qx,
          cutLeft ? lbz : qz,
          cutRight ? rax : rootX,
          cutRight ? raz : rootZ,
          cutRight ? rbx : px,
          cutRight ? rbz : pz,
        );
      }
      if (turnRight) {
        if (j === right) {
          if (sRq <= 0.0) pushPivot(p, j, next, index, vid(p, right), rx, rz, y(p, right), gRight);
        } else if (sRp < 0.0) {
          if (orient(rx, rz, px, pz, qx, qz) === 0.0) {
            pushCollinearVia(p, j, next, index, right, gRight);
          } else {
            const full: bool = sRq <= 0.0;
            pushCone(
              p,
              j,
              next,
              index,
              vid(p, right),
              rx,
              rz,
              y(p, right),
              gRight,
              full ? rx : rax,
              full ? rz : raz,
              full ? qx : rbx,
              full ? qz : rbz,
              rx,
              rz,
              px,
              pz,
            );
          }
        }
      }
      if (turnLeft) {
        if (next === left) {
          if (sLp >= 0.0) pushPivot(p, j, next, index, vid(p, left), lx, lz, y(p, left), gLeft);
        } else if (sLq > 0.0) {
          if (orient(lx, lz, px, pz, qx, qz) === 0.0) {
            pushCollinearVia(p, j, next, index, left, gLeft);
          } else {
            const full: bool = sLp >= 0.0;
            pushCone(
              p,
              j,
              next,
              index,
              vid(p, left),
              lx,
              lz,
              y(p, left),
              gLeft,
              lx,
              lz,
              qx,
              qz,
              full ? lx : lax,
              full ? lz : laz,
              full ? px : lbx,
              full ? pz : lbz,
            );
          }
        }
      }
    }
    j = next;
    px = qx;
    pz = qz;
    sRp = sRq;
    sLp = sLq;
  }
}

/** Every edge of polygon p that does not contain the root, a point of p, with full rays from it. */
function expandInside(p: u32, parent: u32, rootId: u32, rootX: f64, rootZ: f64, rootY: f64, g: f64): void {
  const c: u32 = count(p);
  for (let j: u32 = 0; j < c; j++) {
    if (neighbour(p, j) === 0) continue;
    const next: u32 = j + 1 === c ? 0 : j + 1;
    const px: f64 = x(p, j);
    const pz: f64 = z(p, j);
    const qx: f64 = x(p, next);
    const qz: f64 = z(p, next);
    if (orient(rootX, rootZ, px, pz, qx, qz) === 0.0) {
      // On the edge itself: the neighbour is a start polygon too (joinStarts); a landing is on no edge.
      const along: f64 = (px - rootX) * (qx - rootX) + (pz - rootZ) * (qz - rootZ);
      if (along > 0.0) pushCollinear(p, j, next, parent, rootX, rootZ, g);
      continue;
    }
    pushCone(p, j, next, parent, rootId, rootX, rootZ, rootY, g, rootX, rootZ, qx, qz, rootX, rootZ, px, pz);
  }
}

/** A start polygon: its edges, and the links that leave from it. */
function expandStart(p: u32, sx: f64, sz: f64, startY: f64): void {
  expandInside(p, NONE, NONE, sx, sz, startY, 0.0);
  let next: u32 = firstEnd(p);
  while (next !== 0) {
    const e: u32 = next - 1;
    pushLanding(p, e, NONE, distance(sx, sz, endX(e), endZ(e)), NONE);
    next = nextEnd(e);
  }
}

/** A landing is a whole state: only the best known goes on, and pushLanding takes each g once. */
function expandLanding(node: u32, index: u32): void {
  if (ldF64(node + N_G) > ldF64(rootEntry(ldU32(node + N_ROOT_ID)) + 8)) return;
  const p: u32 = ldU32(node + N_POLY);
  pushTargets(node, index, p);
  expandInside(
    p,
    index,
    ldU32(node + N_ROOT_ID),
    ldF32(node + N_ROOT_X),
    ldF32(node + N_ROOT_Z),
    ldF32(node + N_ROOT_Y),
    ldF64(node + N_G),
  );
}

/**
 * Adds to the start polygons every neighbour across an edge that holds the start, whatever its height there: detail
 * meshes of neighbours differ on their edge, so one of the two may be out of the band, and the walk crosses all the
 * same. Returns how many there are now. Bound: all of them hold the start, so they fit where its cell's list fits.
 */
function joinStarts(starts: u32, startCount: u32, sx: f64, sz: f64): u32 {
  let n: u32 = startCount;
  for (let i: u32 = 0; i < n; i++) {
    const p: u32 = ldU32(starts + i * 4);
    const c: u32 = count(p);
    for (let j: u32 = 0; j < c; j++) {
      const q: u32 = neighbour(p, j);
      if (q === 0) continue;
      const next: u32 = j + 1 === c ? 0 : j + 1;
      const ax: f64 = x(p, j) - sx;
      const az: f64 = z(p, j) - sz;
      const bx: f64 = x(p, next) - sx;
      const bz: f64 = z(p, next) - sz;
      if (ax * bz - az * bx !== 0.0 || ax * bx + az * bz > 0.0) continue;
      let known: bool = false;
      for (let k: u32 = 0; k < n; k++) {
        if (ldU32(starts + k * 4) === q) known = true;
      }
      if (known) continue;
      stU32(starts + n * 4, q);
      n = n + 1;
    }
  }
  return n;
}

/** The answer of `shortestSearch` where the straight line is known to be clear, without a search. */
export function straightWalk(sx: f64, sz: f64, gx: f64, gz: f64, maxLength: f64): u32 {
  tx = gx;
  tz = gz;
  nodes = 0;
  resultNode = NONE;
  resultBound = distance(sx, sz, gx, gz);
  return resultBound * LOWER <= maxLength ? S_WALK : S_OVER;
}

/**
 * Shortest plan walk from (sx, sz) in any polygon of F_LIST_S to (gx, gz) in any of F_LIST_E, all lengths in units.
 * S_WALK: shortestBound() is its length (less rounding). S_OVER: no walk within `maxLength`, proven; shortestBound() says
 * how long it is at least. S_UNREACHABLE: no walk at all, proven. S_UNDECIDED: `maxNodes` was reached; shortestBound() is
 * still a lower bound.
 */
export function shortestSearch(
  startCount: u32,
  endCount: u32,
  sx: f64,
  sz: f64,
  gx: f64,
  gz: f64,
  maxLength: f64,
  maxNodes: u32,
): u32 {
  const f: u32 = frame();
  const starts: u32 = ldU32(f + F_LIST_S);
  const ends: u32 = ldU32(f + F_LIST_E);
  const visit: u32 = ldU32(f + F_VISIT);
  const heap: u32 = ldU32(f + F_HEAP);
  generation = nextGeneration();
  tx = gx;
  tz = gz;
  limit = maxLength;
  cap = maxNodes < NODE_CAP ? maxNodes : NODE_CAP;
  nodes = 0;
  heapSize = 0;
  fullAt = Infinity;
  droppedAt = Infinity;
  resultNode = NONE;
  for (let i: u32 = 0; i < endCount; i++) stU32(visit + idOf(ldU32(ends + i * 4)) * 8, generation);
  const all: u32 = joinStarts(starts, startCount, sx, sz);
  for (let i: u32 = 0; i < all; i++) {
    if (isGoal(ldU32(starts + i * 4))) {
      resultBound = distance(sx, sz, tx, tz);
      return S_WALK;
    }
  }
  for (let i: u32 = 0; i < all; i++) {
    const p: u32 = ldU32(starts + i * 4);
    expandStart(p, sx, sz, heightAt(p, sx, sz));
  }
  while (heapSize > 0) {
    const key: f64 = heapKey(heap);
    // A node that found no room may have been the best: its f is as far as the proof goes.
    if (key >= fullAt) break;
    const index: u32 = heapPayload(heap);
    heapSize = heapPop(heap, heapSize);
    const node: u32 = nodeAt(index);
    const kind: u32 = ldU32(node + N_KIND);
    if (kind === KIND_GOAL) {
      resultBound = key;
      resultNode = index;
      return S_WALK;
    }
    if (!rootAdmits(ldU32(node + N_ROOT_ID), ldF64(node + N_G))) continue;
    if (kind === KIND_CONE) expandCone(node, index);
    else if (kind === KIND_PIVOT) expandPivot(node, index);
    else expandLanding(node, index);
  }
  if (fullAt < Infinity) {
    resultBound = fullAt;
    return S_UNDECIDED;
  }
  resultBound = droppedAt;
  // Nothing was left out: the search went everywhere.
  return droppedAt === Infinity ? S_UNREACHABLE : S_OVER;
}

/**
 * Corners of the last S_WALK answer at F_CORNERS (f64 x, y, z in metres each), start and target included; returns their
 * number, or 0 when there are more than `room`. Bound: twice the parent chain, no longer than the number of nodes.
 */
export function shortestCorners(sx: f64, sz: f64, startY: f64, endY: f64, room: u32): u32 {
  const total: u32 = traceTurns(0, false) + 2;
  if (total > room) return 0;
  const at: u32 = ldU32(frame() + F_CORNERS);
  writeCorner(at, sx, sz, startY);
  writeCorner(at + (total - 1) * CORNER_STRIDE, tx, tz, endY);
  traceTurns(at + (total - 2) * CORNER_STRIDE, true);
  return total;
}

/** Walks the parent chain from the goal back; counts the turns, and writes them downwards from `slot` when told to. */
function traceTurns(slot: u32, write: bool): u32 {
  let turns: u32 = 0;
  let at: u32 = slot;
  let index: u32 = resultNode;
  while (index !== NONE) {
    const node: u32 = nodeAt(index);
    const kind: u32 = ldU32(node + N_KIND);
    const parent: u32 = ldU32(node + N_PARENT);
    const root: u32 = ldU32(node + N_ROOT_ID);
    const before: u32 = parent === NONE ? NONE : ldU32(nodeAt(parent) + N_ROOT_ID);
    // The first node of this root tells where it came from.
    if (root !== before) {
      if (write) writeCorner(at, ldF32(node + N_ROOT_X), ldF32(node + N_ROOT_Z), ldF32(node + N_ROOT_Y));
      at = (at - CORNER_STRIDE) >>> 0;
      turns = turns + 1;
    }
    if (kind === KIND_LANDING) {
      const e: u32 = ldU32(node + N_EDGE);
      if (write) writeCorner(at, endX(e), endZ(e), endY(e));
      at = (at - CORNER_STRIDE) >>> 0;
      turns = turns + 1;
    }
    if (kind !== KIND_CONE && ldU32(node + N_VIA) === 1) {
      if (write) writeCorner(at, ldF32(node + N_VIA_X), ldF32(node + N_VIA_Z), ldF32(node + N_VIA_Y));
      at = (at - CORNER_STRIDE) >>> 0;
      turns = turns + 1;
    }
    index = parent;
  }
  return turns;
}

function writeCorner(to: u32, px: f64, pz: f64, py: f64): void {
  stF64(to, toMetresX(px));
  stF64(to + 8, py);
  stF64(to + 16, toMetresZ(pz));
}
