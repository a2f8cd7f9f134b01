// Shared shapes of the public API. A leaf: imports only other leaves.
import type { Bound, ReasonCode, ReasonName, VerdictCode, VerdictWord } from './reasons.ts';

/** x, y (up), z in metres. */
export type Vec3 = readonly [number, number, number];

/** An obstacle on a map that changes: a box or a cylinder, metres, y upwards. */
export interface ObstacleShape {
  /** minX, minY, minZ, maxX, maxY, maxZ, and the turn about the y axis through its middle (radians, from x to z) when it has one. */
  readonly box?: readonly number[];
  /** x, y, z of the middle of the base, radius, height. */
  readonly cylinder?: readonly number[];
  /** By how much it is grown in plan, metres; without it, or true, by the agent's radius of the map; false: not at all. */
  readonly grow?: boolean | number;
}

/** Answer of `NavMap.locate`. */
export interface Located {
  /** Polygon id in the packed map. */
  polygon: number;
  /** The position put on the mesh: plan position on the map's grid, y of the floor. Metres. */
  point: [number, number, number];
  /** Plan distance from the asked position to the mesh, metres; 0 inside. */
  distance: number;
  /** Connected component. */
  component: number;
}

/** Answer of `NavMap.ray`. */
export interface RayHit {
  /** The straight segment is walkable all the way, and ends on the target's floor. */
  clear: boolean;
  /** Where it stopped, as a fraction of the segment; 1 when clear. For reports only: no decision uses it. */
  t: number;
  /** The point at t, metres. */
  point: [number, number, number];
  /** How far the target lies beyond the blocking edge, metres; 0 when clear. */
  edgeDistance: number;
}

/** Whether a walk exists. `over`: none within the limit was found; `undecided`: the search cap was reached. */
export type PathStatus = 'complete' | 'unreachable' | 'over' | 'undecided';

/** Answer of `NavMap.corridor` and `NavMap.shortest`. */
export interface PathAnswer {
  status: PathStatus;
  /** Plan length in metres; null when there is none. */
  length: number | null;
  /** From start to target, metres. */
  corners: [number, number, number][];
  /**
   * `shortest` only, when the map has slow areas (`setAreaSpeed`): no walk between the two points takes less effort than this, in metres
   * at full speed. Effort counts a metre on ground with multiplier m as 1 / m metres.
   */
  effort?: number;
}

/** Answer of `NavMap.reach`. `clear`: straight; `walk`: around something; the others as in PathStatus. */
export interface ReachAnswer {
  status: 'clear' | 'walk' | 'unreachable' | 'over' | 'undecided' | 'fromOff' | 'toOff' | 'outOfRange';
  /** Plan length in metres; null when none was computed. */
  length: number | null;
  bound: Bound | null;
  /**
   * Only when the map has slow areas (`setAreaSpeed`): no walk between the two points takes less effort than this, in metres
   * at full speed. Effort counts a metre on ground with multiplier m as 1 / m metres.
   */
  effort?: number;
}

/** Answer of `NavMap.surface`. */
export interface SurfaceAnswer {
  /**
   * `clear`: straight to the target; `slid`: the motion was used up along walls; `blocked`: walls stopped it (head-on or in
   * a corner); `capped`: more than 64 walls in one motion, ask again from the end with what is left; `fromOff`: the start is
   * not on the mesh; `outOfRange`: a number is not finite or far beyond any map.
   */
  status: 'clear' | 'slid' | 'blocked' | 'capped' | 'fromOff' | 'outOfRange';
  /** Where it ended: on the map's grid in plan, y of the floor, metres. With `fromOff` and `outOfRange` the start as asked. */
  point: [number, number, number];
  /** Polygon that holds the end: give it to the next call as `polygon`. Null with `fromOff` and `outOfRange`. */
  polygon: number | null;
  /** Plan length walked, metres: never longer than the motion. */
  length: number;
  /** Plan length of the motion that walls took away, metres. */
  lost: number;
  /** How many walls it slid along; walls in a row on one line count once. */
  slides: number;
  /** Inward unit normal of the last wall met, in x and z; null when it met none. */
  normal: [number, number] | null;
  /**
   * With `clear`: what of the motion is shorter than one step of the grid, in x and z, metres. Add it to the next motion and
   * no speed is lost, however short the motions are. Else 0, 0.
   */
  rest: [number, number];
}

/** One verdict with its numbers. The guard reuses one object: valid until its next call; `copy()` to keep. */
export interface Verdict {
  readonly verdict: VerdictWord;
  readonly verdictCode: VerdictCode;
  /** Accepted (also when undecided). */
  readonly accepted: boolean;
  readonly reason: ReasonName;
  readonly reasonCode: ReasonCode;
  /** For `Malformed` and the like: which field, in words; '' otherwise. */
  readonly detail: string;
  /** Authoritative position after the event, metres; null for an unknown entity. */
  readonly pos: readonly [number, number, number] | null;
  /** Straight plan distance from the authoritative position, metres; null when not computed. */
  readonly straight: number | null;
  /** Walk length, metres; null when not computed. */
  readonly length: number | null;
  readonly bound: Bound | null;
  /** Metres of the rule that decided: used of allowed; null when no rule measured. */
  readonly used: number | null;
  readonly allowed: number | null;
  /** Suspicion after the event. */
  readonly score: number;
  readonly action: 'none' | 'watch' | 'restrict' | 'kick';
  /** Number of the correction that this verdict sends, else 0. */
  readonly correction: number;
  /**
   * The position that the game's state should keep now, metres; null = leave it. Only an accepted `begin` with a strategy
   * gives one: hero the target, monster and bullet where it sets out, rotation none.
   */
  readonly snapshot: readonly [number, number, number] | null;
  copy(): Verdict;
}
