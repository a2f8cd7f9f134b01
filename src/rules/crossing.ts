// Entities from one map to another: what the guard knows of each goes on, only its place is found anew. Imported by guard.ts and
// pool/. Off the hot path: a comparison for who stands on a polygon that both maps have, else a search or two.
//
// Invariant: between two maps on which everything an entity's numbers speak of is the same, none of its numbers changes. What
// the numbers of a map name in an entity's state is its polygon, the polygon of the ledge it stepped off, the end of the link
// that it is on, and the corners of the path that it walks along: nothing else of it depends on a map.
import {
  FLOOR_ONLY,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_POLYGONS,
  H_TABLE,
  H_UNIT,
  MAP_BASE,
  NONE,
  P_COUNT,
  P_Y,
  POLY_STRIDE,
  S_CLEAR,
  S_WALK,
} from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { climbOf, takeOff } from './climb.ts';
import { displaceTo } from './facts.ts';
import * as L from './ledger.ts';
import { CORNER_ERROR, GRID_ERROR, placeAt, putAt, stopWalk } from './places.ts';
import { ask, corners, locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';
import { layPath, startWalk, walkedAt } from './timeline.ts';

/** Numbers of a polygon's record that say where it is: x and z of its corners, then their heights. */
const PLAN_WORDS = 16;
const HEIGHT_WORDS = 8;
const WORDS = POLY_STRIDE / 4;
/** Nodes of a search for the way along one leg of a path: it is straight but for the mesh's grid. */
const LEG_NODES = 256;
/** Not standing on the ground: whatever is there on another map, it is in the air over it. */
const IN_AIR = L.FLYING | L.AIRBORNE | L.OVER_LEDGE | L.OVER_GAP | L.ON_LINK;

/** Polygons of a map as words. */
interface Polygons {
  readonly count: number;
  readonly words: Uint32Array;
}

function polygonsOf(kernel: Kernel): Polygons {
  const count = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0];
  return { count, words: kernel.u32(MAP_BASE + kernel.u32(MAP_BASE + H_TABLE, 1)[0], count * WORDS) };
}

/** From one map to another, for any number of entities of rules that are the same. Make it anew for each change of maps. */
export class Crossing {
  readonly #old: Scene;
  readonly #scene: Scene;
  readonly #from: Polygons;
  readonly #to: Polygons;
  /** Whether both have their corners on one grid. */
  readonly #oneGrid: boolean;

  constructor(old: Scene, scene: Scene) {
    this.#old = old;
    this.#scene = scene;
    this.#from = polygonsOf(old.kernel);
    this.#to = polygonsOf(scene.kernel);
    this.#oneGrid = [H_ORIGIN_X, H_ORIGIN_Z, H_UNIT].every(
      (at) => old.kernel.f64(MAP_BASE + at, 1)[0] === scene.kernel.f64(MAP_BASE + at, 1)[0],
    );
  }

  /**
   * The entity, with the numbers at `o` that it had on the old map, is on the new one at t. True when it stood on the ground
   * and cannot stand there any more: then FLOOR and ANCHOR say the nearest place that can be stood on, and it is to be put
   * there; with ground far below it falls. A walk along a path goes on: along the same corners, or to its end by another way; where there is none it ends here.
   */
  bring(f: Float64Array, o: number, t: number): boolean {
    if ((f[o + L.FLAGS] & L.LEFT) !== 0) {
      // who comes back is placed anew; until then his numbers name nothing that may not be there
      if (!this.#isUnchanged(f, o)) {
        f[o + L.POLYGON] = NONE;
        f[o + L.FLAGS] = f[o + L.FLAGS] & ~(L.OVER_LEDGE | L.ON_LINK);
      }
      return false;
    }
    // on a carrier it belongs to no ground
    if ((f[o + L.FLAGS] & L.ATTACHED) !== 0) return false;
    if ((f[o + L.FLAGS] & L.WALKING) === 0) return this.#settle(f, o, t);
    if (this.#isWalkable(f, o, t)) {
      this.#keepStart(f, o);
      return false;
    }
    const path = this.#old.ledger.paths[o / L.STRIDE] as Float64Array;
    const last = (f[o + L.PATH_CORNERS] - 1) * L.CORNER;
    const goal = path.slice(last, last + 3);
    const stop = path[last + 3] - f[o + L.PATH_END];
    const rate = f[o + L.PATH_RATE];
    const done = walkedAt(f, o, t) >= f[o + L.PATH_END];
    stopWalk(this.#old, f, o, t);
    if (this.#settle(f, o, t)) return true;
    if (!done) this.#walkOn(f, o, t, goal, stop, rate);
    return false;
  }

  // ---- who stands, falls or flies ---------------------------------------------------------------------------------------

  #settle(f: Float64Array, o: number, t: number): boolean {
    const scene = this.#scene;
    const flags = f[o + L.FLAGS];
    if (this.#isUnchanged(f, o)) return false;
    const stood = (flags & IN_AIR) === 0 && f[o + L.POLYGON] !== NONE && f[o + L.OFF] <= this.#old.edge;
    const [x, y, z] = [f[o + L.X], f[o + L.Y], f[o + L.Z]];
    const end = (flags & L.ON_LINK) === 0 ? -1 : this.#linkEnd(f[o + L.LINK]);
    if (end >= 0) {
      const { links } = scene;
      f[o + L.LINK] = end;
      f[o + L.POLYGON] = links.polygon(end);
      f[o + L.FLOOR] = links.y(end);
      f[o + L.ANCHOR_X] = links.x(end);
      f[o + L.ANCHOR_Z] = links.z(end);
      return false;
    }
    // in the air over what is not there any more: its fall begins now
    if ((flags & (L.OVER_LEDGE | L.OVER_GAP | L.ON_LINK)) !== 0) putAt(scene, f, o, t, x, y, z);
    else {
      placeAt(scene, f, o, x, y, z);
      if (f[o + L.OFF] > scene.edge) f[o + L.FLAGS] = f[o + L.FLAGS] | L.PLACED_OFF;
      else if (f[o + L.OFF] === 0) f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.PLACED_OFF;
    }
    if (!stood || f[o + L.POLYGON] === NONE || isGround(scene, x, y, z)) return false;
    const falls = f[o + L.OFF] <= scene.edge && f[o + L.FLOOR] < scene.level(y);
    if (falls) putAt(scene, f, o, t, x, y, z);
    return !falls;
  }

  /** Whether all that the entity's numbers name is the same on both maps. */
  #isUnchanged(f: Float64Array, o: number): boolean {
    const flags = f[o + L.FLAGS];
    if (!this.#isSame(f[o + L.POLYGON])) return false;
    if ((flags & L.OVER_LEDGE) !== 0 && !this.#isSame(f[o + L.LEDGE + 3])) return false;
    return (flags & L.ON_LINK) === 0 || this.#linkEnd(f[o + L.LINK]) === f[o + L.LINK];
  }

  /** Whether a polygon has the same number and the same corners on both maps. */
  #isSame(polygon: number): boolean {
    const id = polygon >= FLOOR_ONLY ? polygon - FLOOR_ONLY : polygon;
    const [from, to] = [this.#from, this.#to];
    if (polygon === NONE || !this.#oneGrid || id >= from.count || id >= to.count) return false;
    const at = id * WORDS;
    const count = at + (P_COUNT >>> 2);
    if ((from.words[count] & 255) !== (to.words[count] & 255)) return false;
    for (let k = at; k < at + PLAN_WORDS; k++) if (from.words[k] !== to.words[k]) return false;
    const heights = at + (P_Y >>> 2);
    for (let k = heights; k < heights + HEIGHT_WORDS; k++) if (from.words[k] !== to.words[k]) return false;
    return true;
  }

  /** The new map's link end at the places of an old one, -1 = none. */
  #linkEnd(end: number): number {
    const from = this.#old.links;
    const to = this.#scene.links;
    if (
      end < 2 * to.count &&
      from.x(end) === to.x(end) &&
      from.z(end) === to.z(end) &&
      from.x(end ^ 1) === to.x(end ^ 1) &&
      from.z(end ^ 1) === to.z(end ^ 1)
    ) {
      return end;
    }
    return to.endOfLeg(from.x(end), from.z(end), from.x(end ^ 1), from.z(end ^ 1));
  }

  // ---- who walks along a path -----------------------------------------------------------------------------------------------

  /** Where the walk began: a hint for its first leg. */
  #keepStart(f: Float64Array, o: number): void {
    if (this.#isSame(f[o + L.POLYGON])) return;
    const { kernel } = this.#scene;
    f[o + L.POLYGON] = locate(kernel, f[o + L.X], f[o + L.FLOOR], f[o + L.Z], CORNER_ERROR, CORNER_ERROR, GRID_ERROR);
  }

  /** Whether what is left of a walk at t, from the beginning of its leg on, can be walked on the new map. */
  #isWalkable(f: Float64Array, o: number, t: number): boolean {
    const { ledger, links } = this.#old;
    const path = ledger.paths[o / L.STRIDE];
    if (path === undefined) return false;
    const walked = walkedAt(f, o, t);
    const count = f[o + L.PATH_CORNERS];
    if (count === 1) return isGround(this.#scene, path[0], path[1] + this.#scene.rules.yOffset, path[2]);
    let leg = 0;
    while (leg + 2 < count && path[(leg + 1) * L.CORNER + 3] <= walked) leg++;
    // the polygon at the corner that the leg before led to
    let polygon: number = NONE;
    for (; leg + 1 < count; leg++) {
      const a = leg * L.CORNER;
      const b = a + L.CORNER;
      const end = links.count > 0 ? links.endOfLeg(path[a], path[a + 2], path[b], path[b + 2]) : -1;
      if (end >= 0) {
        const now = this.#linkEnd(end);
        if (now < 0 || !this.#scene.links.isOpen(now)) return false;
        polygon = this.#scene.links.polygon(now ^ 1);
      } else {
        polygon = polygonAtEnd(this.#scene, polygon, path, a, b);
        if (polygon === NONE) return false;
      }
    }
    return true;
  }

  /** The entity stands on the new map: it walks on to where it was going, if there is a way. */
  #walkOn(f: Float64Array, o: number, t: number, goal: Float64Array, stop: number, rate: number): void {
    const scene = this.#scene;
    const { kernel, rules, below, above, edge } = scene;
    if ((f[o + L.FLAGS] & L.ON_LINK) !== 0) return;
    const cap = capAt(f, o, t, rules.searchNodesPerSecond, rules.nodeCap);
    const off = f[o + L.OFF] > 0;
    const [x, z] = [off ? f[o + L.ANCHOR_X] : f[o + L.X], off ? f[o + L.ANCHOR_Z] : f[o + L.Z]];
    const floor = f[o + L.FLOOR] + scene.middle;
    ask(kernel, x, floor, z, goal[0], goal[1] + scene.middle, goal[2], below, above, edge, Infinity, cap);
    const status = kernel.corridor(f[o + L.POLYGON]) >>> 0;
    spendNodes(f, o, t, rules.searchNodesPerSecond, kernel.output[2]);
    if (status !== S_WALK) return;
    const count = kernel.output[1];
    const laid = corners(kernel, count).slice();
    const path = scene.ledger.pathOf(o, count);
    const whole = layPath(path, laid, count) + climbOf(scene, laid, count, 1000 * rate, takeOff(scene, f, o), path);
    startWalk(f, o, t, count, rate, Math.max(0, whole - stop));
    f[o + L.FLAGS] = (f[o + L.FLAGS] & ~L.OVER_GAP) | L.WALKING;
  }
}

/** An entity that could not stay where it was. */
export interface Displaced {
  readonly id: string;
  /** Metres, y as clients measure it. */
  readonly from: [number, number, number];
  readonly to: [number, number, number];
  /** Number of the correction that its client is to be told. */
  readonly correction: number;
}

/** Brings all entities of a ledger that both scenes share to the new one's map, at t. */
export function crossAll(old: Scene, scene: Scene, t: number): Displaced[] {
  const crossing = new Crossing(old, scene);
  const displaced: Displaced[] = [];
  const { ledger, rules } = scene;
  const { f } = ledger;
  for (const [id, o] of ledger.kept()) {
    if (!crossing.bring(f, o, t)) continue;
    const from: [number, number, number] = [f[o + L.X], f[o + L.Y], f[o + L.Z]];
    const to: [number, number, number] = [f[o + L.ANCHOR_X], f[o + L.FLOOR] + rules.yOffset, f[o + L.ANCHOR_Z]];
    displaced.push({ id, from, to, correction: displaceTo(scene, f, o, t, ...to) });
  }
  return displaced;
}

/** Whether a body can stand at a place (y as clients measure it). */
function isGround(scene: Scene, x: number, y: number, z: number): boolean {
  return locate(scene.kernel, x, scene.level(y), z, scene.below, scene.above, scene.edge) !== NONE;
}

/**
 * The polygon that a leg of a path leads to (from the corner at `a` to that at `b`), straight or round a corner of a wall that it
 * grazes on the mesh's grid; NONE when it cannot be walked. `polygon` is what is known of its start.
 */
function polygonAtEnd(scene: Scene, polygon: number, path: Float64Array, a: number, b: number): number {
  const { kernel, below, above, middle } = scene;
  const [ax, ay, az] = [path[a], path[a + 1], path[a + 2]];
  const [bx, by, bz] = [path[b], path[b + 1], path[b + 2]];
  const out = kernel.output;
  const clear = (start: number): boolean => {
    ask(kernel, ax, ay + middle, az, bx, by + middle, bz, below, above, GRID_ERROR, 0, 0);
    return kernel.ray(start) >>> 0 === S_CLEAR;
  };
  if (polygon !== NONE && clear(polygon)) return out[5];
  const start = locate(kernel, ax, ay, az, CORNER_ERROR, CORNER_ERROR, GRID_ERROR);
  if (start === NONE) return NONE;
  if (clear(start)) return out[5];
  const walk = planDistance(ax, az, bx, bz) + 2 * scene.grain;
  ask(kernel, ax, ay + middle, az, bx, by + middle, bz, below, above, GRID_ERROR, walk, LEG_NODES);
  const status = kernel.reach(start, NONE) >>> 0;
  return status === S_CLEAR || status === S_WALK ? out[3] : NONE;
}
