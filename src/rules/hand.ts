// The claim at hand: places in `Scene.q`, a Float64Array. Numbers travel there, not as arguments and results: a call that is
// not inlined would put each of them into the heap. A leaf of rules/.

/** Time, ms. */
export const Q_T = 0;
/** Claimed position, metres; y as the client measures it. */
export const Q_X = 1;
export const Q_Y = 2;
export const Q_Z = 3;
/** Where the entity stands (x, floor y, z), metres: its position, or the point of its path. */
export const Q_FROM_X = 4;
export const Q_FLOOR = 5;
export const Q_FROM_Z = 6;
/** Where its walk starts on the mesh (x, z): the same, unless it stands off the mesh. */
export const Q_START_X = 7;
export const Q_START_Z = 8;
/** Metres that may be spent, and metres per ms. */
export const Q_CREDIT = 9;
export const Q_RATE = 10;
/** Plan distance from where it stands to the claimed position, metres. */
export const Q_STRAIGHT = 11;
/** How far outside the mesh ends may lie, metres. */
export const Q_TOLERANCE = 12;
/** Way-round budget, metres. */
export const Q_BUDGET = 13;
/** Search nodes that may be used. */
export const Q_NODES = 14;
/** Suspicion. */
export const Q_SCORE = 15;
/** Height where the entity stands as clients measure it, metres. */
export const Q_FROM_Y = 16;
/** What the claim costs of the credit if its straight way is clear, metres: see trail.ts. */
export const Q_COST = 17;

/** The latest reading of the clock, ms: time never runs backwards. */
export const Q_NOW = 18;
/** Sequence number of the claim. */
export const Q_SEQ = 19;
/** What an accepted move is charged, metres. */
export const Q_CHARGED = 20;
/** From the trailing point to the claimed position, metres. */
export const Q_DISTANCE = 21;
/** Polygon that the entity stands on, or NONE. */
export const Q_POLYGON = 22;

// Behind it what does not change for a guard: numbers of the rules and the map that the ordinary move reads.
/** m/s of limit -> metres of budget per ms. */
export const K_PER_MS = 23;
/** burstMs. */
export const K_BURST = 24;
/** What rounding may add to a walk, metres. */
export const K_ROUNDING = 25;
/** The string of trail.ts, metres. */
export const K_STRING = 26;
/** Edge tolerance, metres. */
export const K_EDGE = 27;
/** Height band, metres. */
export const K_BELOW = 28;
export const K_ABOVE = 29;
/** Its middle over a floor, metres. */
export const K_MIDDLE = 30;
/** A body this near to the floor stands on it, metres. */
export const K_GROUND = 31;
/** yOffset, metres. */
export const K_Y_OFFSET = 32;
/** Claims beyond these are out of the map or need a closer look, metres. */
export const K_MIN_X = 33;
export const K_MAX_X = 34;
export const K_MIN_Y = 35;
export const K_MAX_Y = 36;
export const K_MIN_Z = 37;
export const K_MAX_Z = 38;
/** From one mark of the way to the next, metres: see slice.ts. */
export const K_MARK = 39;
/** A leg of more than the limit's metres in this time, ms, and in the time since the last kept position is a jump. */
export const K_JUMP = 40;

/** What a slice does not explain, as client time, ms: see slice.ts. */
export const Q_BEYOND = 41;

/** 1 when nothing was heard of the entity's client before the claim at hand, else 0. */
export const Q_FIRST = 42;

/** Metres that a walk is taken back by: its client is behind on it. */
export const Q_BACK = 43;

/** How many there are. */
export const Q_COUNT = 44;
