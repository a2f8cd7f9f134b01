// The memory map: the only source of any offset. Imported by every kernel and by src/pack and src/kernel (so that
// both sides of the boundary speak of the same bytes). Constants only.
//
// Linear memory:  [0, MAP_BASE) unused | packed map | frame (in, out, pointers) | scratch | batch areas
// The packed map is position-independent on disk; its offsets count from its own first byte. In kernel memory it always
// starts at MAP_BASE (asc assumes that addresses below 1024 are unused).

export const MAP_BASE: u32 = 1024;
export const NONE: u32 = 0xffffffff;
/**
 * Added to a polygon id given as a hint: only its floor is known, not on which side of a corner that two fans share the
 * entity stands. NONE has this bit, and names no polygon without it.
 */
export const FLOOR_ONLY: u32 = 0x80000000;

// ---- packed map: header (byte offsets from the map's start) ------------------------------------------------------
export const PACK_MAGIC: u32 = 0x4b50474e; // "NGPK", little-endian
export const PACK_VERSION: u32 = 1;
export const H_MAGIC: u32 = 0; // u32
export const H_VERSION: u32 = 4; // u32
export const H_BYTES: u32 = 8; // u32, length of the whole pack
export const H_SECTIONS: u32 = 12; // u32, number of sections in the table
export const H_HASH: u32 = 16; // 32 bytes, sha-256 of the pack with these 32 bytes zero
export const H_POLYGONS: u32 = 48; // u32
export const H_VERTICES: u32 = 52; // u32, number of vertex ids (one per walkable fan)
export const H_COMPONENTS: u32 = 56; // u32
export const H_LINKS: u32 = 60; // u32, off-mesh links
export const H_DETAILS: u32 = 64; // u32, detail meshes
export const H_GRID_W: u32 = 68; // u32, cells in x
export const H_GRID_H: u32 = 72; // u32, cells in z
export const H_MAX_LIST: u32 = 76; // u32, the longest list of any grid cell
export const H_ORIGIN_X: u32 = 80; // f64, metres
export const H_ORIGIN_Z: u32 = 88; // f64, metres
export const H_UNIT: u32 = 96; // f64, metres per unit
export const H_INV_UNIT: u32 = 104; // f64, 1 / unit
export const H_GRID_X: u32 = 112; // f64, units: the grid's lower corner
export const H_GRID_Z: u32 = 120; // f64, units
export const H_GRID_CELL: u32 = 128; // f64, units, a power of two
export const H_GRID_INV: u32 = 136; // f64, 1 / cell: exact
export const H_MIN_X: u32 = 144; // f64, units: bounds of all polygons
export const H_MIN_Z: u32 = 152;
export const H_MAX_X: u32 = 160;
export const H_MAX_Z: u32 = 168;
export const H_MIN_Y: u32 = 176; // f64, metres: bounds of all detail heights
export const H_MAX_Y: u32 = 184;
export const H_CELL_SIZE: u32 = 192; // f64, metres; 0 when the export has no lattice
export const H_CELL_HEIGHT: u32 = 200; // f64, metres; 0 when unknown
export const H_AGENT_HEIGHT: u32 = 208; // f64, metres
export const H_AGENT_RADIUS: u32 = 216; // f64, metres
export const H_AGENT_CLIMB: u32 = 224; // f64, metres
// Where each section begins: u32 offset, u32 byte length.
export const H_TABLE: u32 = 232;
export const SECTION_POLYGONS: u32 = 0;
export const SECTION_DETAIL_INDEX: u32 = 1;
export const SECTION_DETAIL_VERTS: u32 = 2;
export const SECTION_DETAIL_TRIS: u32 = 3;
// u32[width * height + 1]: cell (i, j), number j * width + i, owns the list entries start[n] .. start[n + 1] - 1.
export const SECTION_CELL_START: u32 = 4;
// u32: ids of the polygons that touch the closed cell, ascending.
export const SECTION_CELL_LIST: u32 = 5;
export const SECTION_LINKS: u32 = 6;
export const SECTION_INFO: u32 = 7; // UTF-8 JSON: format, tiles, source counts, findings
export const SECTIONS: u32 = 8;
// u32, in a kernel's memory only (0 on disk): where the chains of pieces stand, by record id; see src/live/spare.ts.
export const H_CHAINS: u32 = 296;
export const H_END: u32 = 320; // first section

// ---- polygon record: 192 bytes, three cache lines -------------------------------------------------------------------
// Counter-clockwise in plan (x to z: cross > 0), 3..8 corners, collinear corners allowed. Lanes past the count repeat
// corner 0 (position, height and id) and have neighbour 0, so they change no sign test.
export const POLY_STRIDE: u32 = 192;
export const MAX_CORNERS: u32 = 8;
export const P_X: u32 = 0; // f32[8], units, exact integers
export const P_Z: u32 = 32; // f32[8], units, exact integers
export const P_NEI: u32 = 64; // u32[8], byte offset from the map's start of the record across edge i -> i+1; 0 = wall
export const P_COUNT: u32 = 96; // u8
export const P_AREA: u32 = 97; // u8
export const P_FLAGS: u32 = 98; // u16
export const P_COMPONENT: u32 = 100; // u32
export const P_DETAIL: u32 = 104; // u32, byte offset from the map's start of its detail index entry
export const P_ID: u32 = 108; // u32, polygon id = its place in the section
export const P_YMIN: u32 = 112; // f32, metres, over the detail mesh
export const P_YMAX: u32 = 116; // f32
export const P_SOURCE: u32 = 120; // u32, the polygon's number in the export
// u32, bit i of the low byte: vertex i touches a wall somewhere in its fan (only there can a shortest walk turn); bits 8 and
// up: 1 + the first link end from which an off-mesh link leaves this polygon, 0 = none.
export const P_CORNERS: u32 = 124;
export const CORNER_BITS: u32 = 8;
export const P_VID: u32 = 128; // u32[8], vertex id: one per walkable fan
export const P_Y: u32 = 160; // f32[8], metres, corner heights

// ---- detail meshes -----------------------------------------------------------------------------------------------
// Index entry, 32 bytes: where its vertices and triangles begin (bytes from the map's start) and how many; then the plane
// it lies near: every height (m) at x, z (units) is within D_SPREAD of D_LEVEL + D_SLOPE_X * x + D_SLOPE_Z * z.
export const DETAIL_STRIDE: u32 = 32;
export const D_VERTS: u32 = 0; // u32
export const D_TRIS: u32 = 4; // u32
export const D_VERT_COUNT: u32 = 8; // u32
export const D_TRI_COUNT: u32 = 12; // u32, >= 1
export const D_SLOPE_X: u32 = 16; // f32, metres per unit
export const D_SLOPE_Z: u32 = 20; // f32, metres per unit
export const D_LEVEL: u32 = 24; // f32, metres
export const D_SPREAD: u32 = 28; // f32, metres, may be Infinity
export const DETAIL_VERT_STRIDE: u32 = 12; // f32 x (units), f32 y (metres), f32 z (units)
export const DETAIL_TRI_STRIDE: u32 = 4; // u8[3] vertex numbers, u8 0; counter-clockwise in plan or zero area

// ---- off-mesh links: 64 bytes -------------------------------------------------------------------------------------
// Link end e is end A (e even) or B (e odd) of link e / 2. A linked end stands on a grid point strictly inside its polygon:
// no other polygon of the sheet holds it. The ends that a polygon's links leave from form a chain, ascending, from P_CORNERS
// over L_NEXT_A and L_NEXT_B: A of every linked link, and B when it is bidirectional.
export const LINK_STRIDE: u32 = 64;
export const L_AX: u32 = 0; // f32 units
export const L_AY: u32 = 4; // f32 metres: the floor, or as exported when unlinked
export const L_AZ: u32 = 8; // f32 units
export const L_BX: u32 = 12;
export const L_BY: u32 = 16;
export const L_BZ: u32 = 20;
export const L_RADIUS: u32 = 24; // f32 metres
// u32: bit 0 = bidirectional, bit 1 = one wide portal with the link before it; bits 16 to 31 = the flags of the export's polygon
export const L_FLAGS: u32 = 28;
export const LINK_BOTH: u32 = 1;
export const LINK_STRIP: u32 = 2;
export const LINK_FLAGS_SHIFT: u32 = 16;
export const L_POLY_A: u32 = 32; // u32 record offset or 0 = unlinked
export const L_POLY_B: u32 = 36; // u32
export const L_AREA: u32 = 40; // u32
export const L_USER: u32 = 44; // u32, the export's user id
export const L_NEXT_A: u32 = 48; // u32: 1 + the next link end of A's polygon, 0 = last
export const L_NEXT_B: u32 = 52; // u32
// u32, bit 0 = open from A to B, bit 1 = open from B to A: at most the ways it has, 3 for a bidirectional link, else 1; 0 when
// unlinked or closed at the start.
// What is open now stands at F_STATES: a map in use never changes, so that threads may share it.
export const L_STATE: u32 = 56;
// f32, what a crossing costs: 0 = its plan length, c > 1 = c times that, -s < 0 = s seconds (never less than its plan length at
// the walker's speed). Searches count plan lengths: a lower bound.
export const L_COST: u32 = 60;
export const L_END_STRIDE: u32 = 12; // from A's place to B's
/** Link ends number at most 2^24 - 1 (P_CORNERS has 24 bits for them). */
export const MAX_LINKS: u32 = 8388607;
/** Links that leave from one polygon: a bound on one step of a search. */
export const MAX_POLY_LINKS: u32 = 1024;

// ---- frame: one per instance; byte offsets from frame() ---------------------------------------------------------------
export const IN: u32 = 0; // f64[32], arguments of single calls
export const OUT: u32 = 256; // f64[32], results of single calls
export const F_LIST_S: u32 = 512; // u32 address: start polygons (record addresses), capacity H_MAX_LIST
export const F_LIST_E: u32 = 516; // u32 address: end polygons
export const F_VISIT: u32 = 520; // u32 address: per polygon {u32 generation, u32 node}
export const F_NODES: u32 = 524; // u32 address: search nodes
export const F_HEAP: u32 = 528; // u32 address: heap entries
export const F_PATH: u32 = 532; // u32 address: polygon sequence of the last corridor
export const F_CORNERS: u32 = 536; // u32 address: corners of the last path: f64 x, z (units), y (metres) each
export const F_GENERATION: u32 = 540; // u32, stamps F_VISIT
export const F_BATCH: u32 = 544; // u32 address: first byte free for batch areas
// u32 address: per root {u32 generation, u32 0, f64 best g}: vertex ids, then link ends (as landings)
export const F_ROOTS: u32 = 548;
export const F_MOVES: u32 = 556; // u32 address: the moves of a wave, MOVE_STRIDE bytes each
export const F_STATES: u32 = 560; // u32 address: u32 per link, its state in this instance, as L_STATE at first
export const F_SLOW: u32 = 552; // u32, how many areas slow a walk down
export const F_AREAS: u32 = 1024; // f64[64], speed multiplier of each area, 0 < m <= 1; 1 after setup
export const F_END: u32 = 1536;
/** Areas of an export number 0 .. 63; polygons with another number are plain ground. */
export const AREA_COUNT: u32 = 64;

// ---- a wave of moves: question and answer in one cache line ----------------------------------------------------------
/** Moves of one wave at most. */
export const MOVES: u32 = 128;
export const MOVE_STRIDE: u32 = 64;
export const M_FROM: u32 = 0; // f64 x, y, z, metres
export const M_TO: u32 = 24; // f64 x, y, z, metres
export const M_POLYGON: u32 = 48; // f64: a polygon that holds the start, or NONE; then the target's, NONE = not clear
export const M_FLOOR: u32 = 56; // f64: then the height of the floor at the target, metres; only when clear

// ---- searches -----------------------------------------------------------------------------------------------------
/** Largest number of search nodes that one query may create; the default cap of the rules is the same. */
export const NODE_CAP: u32 = 4096;
export const NODE_STRIDE: u32 = 48;
export const SHORT_STRIDE: u32 = 72; // node of the exact search; shares the node area with the corridor
export const ROOT_STRIDE: u32 = 16;
/** Lazy deletions keep stale heap entries: room for every relaxation of a full search. */
export const HEAP_CAP: u32 = 32768;
export const HEAP_STRIDE: u32 = 16; // f64 key, u32 payload, u32 0
export const CORNER_STRIDE: u32 = 24;
/** Corners of one path: both ends, and per node one turn or the two ends of a link. */
export const CORNER_CAP: u32 = 8194; // 2 x NODE_CAP + 2

// ---- status words -------------------------------------------------------------------------------------------------
export const S_CLEAR: u32 = 0; // the straight segment is walkable: length is exact
export const S_WALK: u32 = 1; // a walk was found: length is an upper bound
export const S_UNREACHABLE: u32 = 2; // no walk at all: proven by components, or by a search that went everywhere
export const S_OVER: u32 = 3; // no walk within the limit was found
export const S_UNDECIDED: u32 = 4; // the node cap was reached
export const S_BLOCKED: u32 = 5; // ray only: a wall or the wrong floor
export const S_FROM_OFF: u32 = 6; // the start is on no polygon within the tolerance
export const S_TO_OFF: u32 = 7; // the target is on no polygon within the tolerance
export const S_OUT_OF_RANGE: u32 = 8; // a coordinate is not finite or beyond +-2^24 units

// ---- waves of rays over a navmesh, at F_NODES (no search runs meanwhile): see assembly/wave.ts --------------------------
export const W_SX: u32 = 0; // f32, units, exact: start
export const W_SZ: u32 = 4; // f32
export const W_DX: u32 = 8; // f32, units, rounded: target less start (W_DX to W_DOUBT in WASM only)
export const W_DZ: u32 = 12; // f32
export const W_DOUBT: u32 = 16; // f32, a float32 determinant that is farther from 0 has the right sign
export const W_POLY: u32 = 20; // u32, record address: last polygon entered
export const W_EX: u32 = 24; // f32, units, exact: target
export const W_EZ: u32 = 28; // f32
export const W_BEYOND: u32 = 32; // f64, side of the target to the last exit edge: >= 0 is reached
export const W_EDGE: u32 = 40; // u32, last exit edge, or NONE: ask the one-ray walk
export const W_ENTRY: u32 = 48; // u32, first polygon: edge over which the ray's line enters it
export const W_MOVE: u32 = 52; // u32, moves.ts: the address of the ray's question
export const W_BITS: u32 = 6; // 2^6 bytes a ray
/** What `rightOf` answers when it cannot tell for all corners. */
export const DOUBTFUL: u32 = 256;

// ---- grid maps (line of sight on a walkability grid): at MAP_BASE instead of a packed map ---------------------------
// A header as long as a packed map's, zero where that has counts (so that setup lays out scratch for no polygons), then
// 64 one bits and four planes of one bit per cell (1 = blocked; bit 0 of a byte first), each of cells / 64 + 2 words of
// 8 bytes, so that 64 bits can be read from any cell on:
// by rows: cell (x, z) at bit z * width + x; by columns: at bit x * height + z; and for each of these a plane of bands: a
// bit there is the OR of the cell's and those of the next GRID_BAND - 1 rows (columns), as far as they exist.
export const GRID_MAGIC: u32 = 0x4447474e; // "NGGD", little-endian, at H_MAGIC; version at H_VERSION, length at H_BYTES
export const GRID_VERSION: u32 = 2;
export const GRID_WIDTH: u32 = H_GRID_W; // u32, cells in x
export const GRID_HEIGHT: u32 = H_GRID_H; // u32, cells in z
export const GRID_WALL: u32 = H_END; // 8 bytes of ones: where a ray that cannot be placed starts
export const GRID_PLANES: u32 = GRID_WALL + 8;
export const GRID_BAND: u32 = 8;
/** Positions are taken down to this fraction of a cell, which never changes the cell. */
export const GRID_FRACTION: f64 = 1024.0;
/** Cells per side: 2^15 x 1024 = 2^25 units. */
export const GRID_MAX_SIDE: u32 = 32768;
/** Cells in all: bit addresses in the four planes stay below 2^31. */
export const GRID_MAX_CELLS: u32 = 268435456;

// The rays of a wave, at F_NODES: one array of GRID_WAVE u32 or i32 per field, so that lanes of four can be stored at once.
// The long axis is a, the other b; it is walked upwards; a line of b that is crossed ends a row. See assembly/gridray.ts.
export const GRID_WAVE: u32 = 256;
export const R_START: u32 = 0; // bit address of the first cell
export const R_RUN: u32 = 1024; // lines of a crossed in the first row
export const R_CELL: u32 = 2048; // bit address of the cell reached; at first the one after the first row
export const R_REST: u32 = 3072; // in 0 .. R_DIV - 1, see gridray.ts; at first that at the end of the first row
export const R_DIV: u32 = 4096; // |delta b|, units, or 1
export const R_BACK: u32 = 5120; // |delta a| mod R_DIV, less R_DIV
export const R_QUOT: u32 = 6144; // |delta a| / R_DIV
export const R_STEP: u32 = 7168; // bits to the next row, plus R_QUOT + 1
export const R_END: u32 = 8192; // bit address of the last cell
export const R_ROWS: u32 = 9216; // lines of b to cross, in all
export const R_LEFT: u32 = 10240; // half bands (GRID_BAND / 2 rows) ahead, without the odd rows
export const R_LOW: u32 = 11264; // 0 when the ray can meet an exact corner
export const R_LIST: u32 = 12288; // its first list
export const R_SEEN: u32 = 13312; // its list when the first row is not free: LIST_DONE, or LIST_ALONE to look closer
export const R_NEXT: u32 = 14336; // address of the next ray in its list, or 0
export const R_BYTES: u32 = 15360;
// Lists. 0 .. 7: that many whole rows and then the last one. 8 .. 15: 8 less, the same, maybe with exact corners.
// 16 .. 23: 16 less, then R_LEFT half bands. And:
export const LIST_LONG: u32 = 16;
export const LIST_CORNERS: u32 = 8;
export const LIST_LIVE: u32 = 24; // bands ahead
export const LIST_NEAR: u32 = 25; // something blocked in the next band
export const LIST_LAST: u32 = 26; // only the last row ahead
export const LIST_ALONE: u32 = 27; // left to the walk of one ray
export const LIST_DONE: u32 = 28; // answered
export const LISTS: u32 = 29;
