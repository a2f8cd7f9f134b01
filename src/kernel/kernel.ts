// What a kernel offers, WASM or twin: the ABI of assembly/index.ts and the views on its memory. Arguments of single
// calls stand in `input` (IN), results in `output` (OUT); the numbers are the slots documented at each function.

/** Codes returned are layout.ts's S_* words (unsigned) unless said otherwise. */
export interface KernelExports {
  /** Lays out scratch memory from `frameAddress` for the map at MAP_BASE; returns the first free address after it. */
  setup(frameAddress: number): number;
  /**
   * IN 0..2 position (m), 3 below, 4 above, 5 tolerance (m). Returns a polygon id or NONE. OUT 0..2 point on the mesh
   * (plan on the grid, y of the floor), 3 plan distance to the mesh (m), 4 component, 5 number of polygons that hold it,
   * 6 whether one of these on its floor only touches it there (1: a corner of two fans; which side is not known).
   */
  locate(): number;
  /**
   * IN 0..2 from, 3..5 to (m), 6 below, 7 above, 8 tolerance (m). `fromPolygon` is a hint or NONE. Returns S_CLEAR,
   * S_BLOCKED, S_FROM_OFF or S_OUT_OF_RANGE. OUT 0 t, 1..3 point (m), 4 edge distance (m), 5 last polygon id.
   */
  ray(fromPolygon: number): number;
  /**
   * IN 0..8 as for ray, 9 limit (m, may be Infinity), 10 node cap. Returns S_WALK, S_UNREACHABLE, S_OVER, S_UNDECIDED,
   * S_FROM_OFF, S_TO_OFF or S_OUT_OF_RANGE. OUT 0 plan length (m), 1 number of corners (at F_CORNERS, f64 x, y, z in
   * metres each), 2 nodes used, 3 number of polygons (at F_PATH, u32 ids), 4 with S_OVER: 1 = no walk within the limit
   * exists (OUT 0 Infinity), 0 = only this corridor is longer (OUT 0 its length).
   */
  corridor(fromPolygon: number): number;
  /**
   * IN as for corridor. Returns the same words. OUT 0 plan length (m): exact with S_WALK, else a lower bound (with S_OVER
   * beyond the limit), 1 number of corners (at F_CORNERS), 2 nodes made, 3 while some area is slow: a lower bound of the
   * effort (m; see areaSpeed), Infinity without a walk.
   */
  shortest(fromPolygon: number): number;
  /**
   * The one question. IN as for corridor (9 = budget in metres). Returns S_CLEAR, S_WALK, S_UNREACHABLE, S_OVER,
   * S_UNDECIDED, S_FROM_OFF, S_TO_OFF, S_OUT_OF_RANGE. OUT 0 straight plan distance of the asked points (m), 1 walk
   * length (m), 2 bound (0 exact, 1 lower, 2 upper), 3 target polygon id, 4..6 target on the mesh (y = floor), 7 its plan
   * distance to the asked target, 8 start polygon id, 9..11 start on the mesh, 12 its distance, 13 nodes used,
   * 14 t of the ray, 15 edge distance, 16 while some area is slow: a lower bound of the effort (m; see areaSpeed) of every
   * walk between the two points on the grid, Infinity without one.
   */
  reach(fromPolygon: number, toPolygon: number): number;
  /**
   * The walk along the surface. IN 0..2 from (m), 3 and 5 the motion in x and z (m; 4 is not read), 6 below, 7 above,
   * 8 tolerance (m). `fromPolygon` is a hint or NONE. Returns S_CLEAR (straight all the way), S_WALK (used up along walls),
   * S_BLOCKED (stopped by walls), S_UNDECIDED (the cap of slides), S_FROM_OFF or S_OUT_OF_RANGE. OUT 0..2 end (plan on the
   * grid, y of the floor), 3 its polygon id, 4 plan length walked (m), 5 metres lost to walls, 6 slides, 7..8 inward unit
   * normal of the last wall in x and z (0 without), 9..10 with S_CLEAR what of the motion is below one unit (m), 11 plan
   * distance of the start to the mesh (m), 12 number of corners of the legs (at F_CORNERS, f64 x, y, z in metres each).
   */
  surface(fromPolygon: number): number;
  /**
   * Sets how fast ground of an area (0..63) is walked: 0 < multiplier <= 1, the caller checks. Effort of a walk: each metre of
   * its plan length divided by the multiplier of the ground it is on (links count once). `setup` makes all multipliers 1.
   */
  areaSpeed(area: number, multiplier: number): void;
  /** Batches: addresses of arrays in kernel memory; below, above, tolerance, node cap in IN 6, 7, 8, 10. */
  batchRay(n: number, from: number, to: number, polygon: number, status: number, t: number, last: number): void;
  batchLocate(n: number, pos: number, polygon: number, point: number, distance: number): void;
  batchCorridor(
    n: number,
    from: number,
    to: number,
    polygon: number,
    limit: number,
    status: number,
    length: number,
  ): void;
  batchShortest(
    n: number,
    from: number,
    to: number,
    polygon: number,
    limit: number,
    status: number,
    length: number,
  ): void;
  batchReach(
    n: number,
    from: number,
    to: number,
    polygon: number,
    budget: number,
    status: number,
    length: number,
    bound: number,
    toPolygon: number,
  ): void;
  batchSurface(
    n: number,
    from: number,
    delta: number,
    polygon: number,
    status: number,
    point: number,
    length: number,
    last: number,
  ): void;
  /**
   * A wave of moves, in `moves`: 8 numbers each: 0..2 from, 3..5 to (m), 6 a polygon hint or NONE. Below, above, tolerance
   * in IN 6, 7, 8; n is at most MOVES. For a move that is clear as `reach` says, 6 becomes its target polygon and 7 its floor
   * (OUT 3 and 5 of `reach`; OUT 7 would be 0); for every other one 6 becomes NONE.
   */
  clearMoves(n: number): void;
  /** Grid maps (a grid, not a navmesh, stands at MAP_BASE): positions in cells. Returns 1 = clear, 0 = blocked. */
  gridSight(x0: number, z0: number, x1: number, z1: number): number;
  batchGridSight(n: number, from: number, to: number, clear: number): void;
}

/** One instance: exports plus views that are remade whenever the memory grows. */
export interface Kernel extends KernelExports {
  readonly engine: 'wasm' | 'twin';
  /** IN, 32 slots. */
  readonly input: Float64Array;
  /** OUT, 32 slots. */
  readonly output: Float64Array;
  /** The moves of a wave, 8 numbers each: see clearMoves. */
  readonly moves: Float64Array;
  /** Which links are open in this instance: one word per link, bit 0 from end A to B, bit 1 from B to A. */
  readonly states: Uint32Array;
  /** How far this instance has followed the changes of its map: src/live counts them. 0 after a load. */
  live: number;
  /** Loads a packed map (one copy) and lays out scratch. */
  load(pack: ArrayBuffer): void;
  /** The memory's present buffer: another object after it grew, and then every older view is stale. */
  readonly buffer: ArrayBufferLike;
  /** Takes `bytes` of memory behind scratch for the life of the instance and returns the address (8-byte aligned). */
  reserve(bytes: number): number;
  /** Views by element count, never by byte count. */
  f64(address: number, count: number): Float64Array;
  f32(address: number, count: number): Float32Array;
  u32(address: number, count: number): Uint32Array;
  u8(address: number, count: number): Uint8Array;
}
