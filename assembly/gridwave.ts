// Many rays on a walkability grid at once. Imported by grid.ts only.
//
// What costs in a walk of one ray is not arithmetic but branches that toss coins (which axis, blocked or not, how many
// rows) and, on large grids, cache misses. So rays go in waves (2.5 to 4 times as fast as one by one on short rays):
// 1. All are prepared without a branch, four per vector (1.4 to 1.9 times as fast, all in all, as one by one).
// 2. All are asked their first row, and listed by how many more rows there are, modulo GRID_BAND.
// 3. List by list, all rays of a list go through the same number of rows: a visit asks every one of them whatever comes
//    out, and then moves the ray to its next list by arithmetic. Rays that end there are answered.
// 4. The others go on by half a band twice (on crowded grids most are blocked by then), then by whole bands. When many
//    are left, the grid is open here, and each first asks the plane of bands: when nothing is blocked in the columns that
//    it passes within the next GRID_BAND rows, it takes them in one step (1.2 times as fast on long rays; with few rays
//    left the cache misses of one more plane cost a tenth instead). All cells of these rows that the ray touches are
//    among those asked, so the answer is the same.
// No branch depends on a ray except the end of a list, and the loads of many rays are in flight together. No answer
// depends on another ray: a list only says who is asked next.
//
// Exact corners. A visit asks the last cell of every run, which at a corner is only a side cell. So it may see a blocked
// cell that does not count, never miss one that does. Short rays that can meet a corner are asked like the others and
// walked alone when they seem blocked; long ones are walked alone at once, and so are rays with a row of more than 32 cells.
// Bound: each round of step 4 takes the same number of rows off every live ray; rows / GRID_BAND + 2 rounds.
import { prepareLanes } from '../src/kernel/twin/gridlanes.ts';
import { ldBits, ldF64, ldU32, stU8, stU32 } from '../src/kernel/twin/memory.ts';
import { gridPlane, pick, prepare, signed, upTo, walk } from './gridray.ts';
import {
  GRID_BAND,
  GRID_HEIGHT,
  GRID_WALL,
  GRID_WIDTH,
  LIST_ALONE,
  LIST_DONE,
  LIST_LAST,
  LIST_LIVE,
  LIST_LONG,
  LIST_NEAR,
  LISTS,
  MAP_BASE,
  R_BACK,
  R_BYTES,
  R_CELL,
  R_DIV,
  R_END,
  R_LEFT,
  R_LIST,
  R_NEXT,
  R_QUOT,
  R_REST,
  R_RUN,
  R_SEEN,
  R_START,
  R_STEP,
} from './layout.ts';

/** Many rays are left: at least one of 2^MANY. */
const MANY: u32 = 3;

/** -1 for 0, else 0. */
function isZero(v: i32): i32 {
  return ~((v | -v) >> 31);
}

function push(lists: u32, list: i32, r: u32): void {
  const head: u32 = lists + ((list as u32) << 2);
  stU32(r + R_NEXT, ldU32(head));
  stU32(head, r);
}

/** Empties a list and returns its first ray, or 0. */
function take(lists: u32, list: u32): u32 {
  const head: u32 = lists + (list << 2);
  const r: u32 = ldU32(head);
  stU32(head, 0);
  return r;
}

/** After a visit: where the ray at r goes. Returns 1 when nothing was hit. */
function settle(r: u32, p: i32, rest: i32, left: i32, hit: i32, lists: u32, answer: u32): u32 {
  stU32(r + R_CELL, p as u32);
  stU32(r + R_REST, rest as u32);
  stU32(r + R_LEFT, left as u32);
  const clear: i32 = isZero(hit);
  stU8(answer, (clear & 1) as u32);
  push(lists, pick(LIST_DONE as i32, pick(LIST_LIVE as i32, LIST_LAST as i32, isZero(left)), clear), r);
  return (clear & 1) as u32;
}

/** Takes the ray at r, with bands ahead, through `rows` rows that each end at a line of b. */
function visit(r: u32, rows: u32, lists: u32, answer: u32): void {
  const quot: i32 = signed(r + R_QUOT);
  const step: i32 = signed(r + R_STEP);
  const div: i32 = signed(r + R_DIV);
  const back: i32 = signed(r + R_BACK);
  // The cells of a run of quot + 1 lines, and the last of them, which a run of quot lines has not.
  const whole: i32 = upTo(quot + 1);
  const top: i32 = 2 << quot;
  let p: i32 = signed(r + R_CELL);
  let rest: i32 = signed(r + R_REST);
  let hit: i32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    rest = rest + back;
    const shorter: i32 = rest >> 31;
    rest = rest + (div & shorter);
    hit = hit | (ldBits(p as u32) & (whole ^ (top & shorter)));
    p = p + step + shorter;
  }
  settle(r, p, rest, signed(r + R_LEFT), hit, lists, answer);
}

/** The same for half bands, two rows a turn (7 % faster on long rays: V8 looks at the stack in every turn of a loop). */
function visitHalves(r: u32, halves: u32, lists: u32, answer: u32): u32 {
  const quot: i32 = signed(r + R_QUOT);
  const step: i32 = signed(r + R_STEP);
  const div: i32 = signed(r + R_DIV);
  const back: i32 = signed(r + R_BACK);
  const whole: i32 = upTo(quot + 1);
  const top: i32 = 2 << quot;
  let p: i32 = signed(r + R_CELL);
  let rest: i32 = signed(r + R_REST);
  let hit: i32 = 0;
  const pairs: u32 = halves << 1;
  for (let i: u32 = 0; i < pairs; i++) {
    rest = rest + back;
    const shorter: i32 = rest >> 31;
    rest = rest + (div & shorter);
    hit = hit | (ldBits(p as u32) & (whole ^ (top & shorter)));
    p = p + step + shorter;
    rest = rest + back;
    const second: i32 = rest >> 31;
    rest = rest + (div & second);
    hit = hit | (ldBits(p as u32) & (whole ^ (top & second)));
    p = p + step + second;
  }
  return settle(r, p, rest, signed(r + R_LEFT) - (halves as i32), hit, lists, answer);
}

/** Asks the ray at r that ends in the row after the next `rows`; returns 1 when nothing was hit. Leaves the ray as it is. */
function finish(r: u32, rows: u32, answer: u32): u32 {
  const quot: i32 = signed(r + R_QUOT);
  const step: i32 = signed(r + R_STEP);
  const div: i32 = signed(r + R_DIV);
  const back: i32 = signed(r + R_BACK);
  const whole: i32 = upTo(quot + 1);
  const top: i32 = 2 << quot;
  let p: i32 = signed(r + R_CELL);
  let rest: i32 = signed(r + R_REST);
  let hit: i32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    rest = rest + back;
    const shorter: i32 = rest >> 31;
    rest = rest + (div & shorter);
    hit = hit | (ldBits(p as u32) & (whole ^ (top & shorter)));
    p = p + step + shorter;
  }
  hit = hit | (ldBits(p as u32) & upTo(signed(r + R_END) - p));
  const clear: u32 = (isZero(hit) & 1) as u32;
  stU8(answer, clear);
  return clear;
}

/** Takes the ray at r, with bands ahead, through the next one if that is free in all columns that the ray passes in it. */
function skip(r: u32, bands: i32, lists: u32): void {
  const quot: i32 = signed(r + R_QUOT);
  const div: i32 = signed(r + R_DIV);
  const row: i32 = signed(r + R_STEP) - quot - 1;
  const p: i32 = signed(r + R_CELL);
  const rest: i32 = signed(r + R_REST);
  const left: i32 = signed(r + R_LEFT);
  // GRID_BAND lines of b at once: the rests add up to at most 9 divisors, below 2^29.
  const sum: i32 = rest + (signed(r + R_BACK) + div) * (GRID_BAND as i32);
  const more: i32 = ((sum as u32) / (div as u32)) | 0;
  const lines: i32 = quot * (GRID_BAND as i32) + more;
  // A band is named after its lowest row: going down, that is the last of the next ones.
  const band: i32 = p + bands + ((row * ((GRID_BAND as i32) - 1)) & (row >> 31));
  const free: i32 = isZero(ldBits(band as u32) & upTo(lines)) & ~((31 - lines) >> 31);
  stU32(r + R_CELL, (p + ((lines + row * (GRID_BAND as i32)) & free)) as u32);
  stU32(r + R_REST, pick(rest, sum - more * div, free) as u32);
  stU32(r + R_LEFT, (left - (2 & free)) as u32);
  push(lists, pick(LIST_NEAR as i32, pick(LIST_LIVE as i32, LIST_LAST as i32, isZero(left - 2)), free), r);
}

/** n rays, at most GRID_WAVE; see batchGridSight. `scratch`: R_BYTES + 4 * LISTS bytes. */
export function wave(n: u32, from: u32, to: u32, clear: u32, scratch: u32): void {
  const rays: u32 = scratch;
  const lists: u32 = scratch + R_BYTES;
  const byRows: u32 = gridPlane(0);
  const bands: i32 = (gridPlane(2) - byRows) as i32;
  const vectored: u32 = prepareLanes(
    n,
    from,
    to,
    rays,
    ldU32(MAP_BASE + GRID_WIDTH),
    ldU32(MAP_BASE + GRID_HEIGHT),
    byRows,
    gridPlane(1),
    (MAP_BASE + GRID_WALL) << 3,
  );
  for (let i: u32 = vectored; i < n; i++) {
    const a: u32 = from + (i << 4);
    const b: u32 = to + (i << 4);
    prepare(rays + (i << 2), ldF64(a), ldF64(a + 8), ldF64(b), ldF64(b + 8));
  }

  for (let list: u32 = 0; list < LISTS; list++) take(lists, list);
  for (let i: u32 = 0; i < n; i++) {
    const r: u32 = rays + (i << 2);
    const free: i32 = isZero(ldBits(ldU32(r + R_START)) & upTo(signed(r + R_RUN)));
    stU8(clear + i, (free & 1) as u32);
    push(lists, pick(signed(r + R_SEEN), signed(r + R_LIST), free), r);
  }

  let r: u32 = 0;
  for (let list: u32 = 0; list < LIST_LONG; list++) {
    const corners: bool = list >= GRID_BAND;
    r = take(lists, list);
    while (r !== 0) {
      const next: u32 = ldU32(r + R_NEXT);
      const free: u32 = finish(r, list & (GRID_BAND - 1), clear + ((r - rays) >>> 2));
      if (corners) push(lists, (LIST_ALONE + free) as i32, r);
      r = next;
    }
  }
  for (let rows: u32 = 0; rows < GRID_BAND; rows++) {
    r = take(lists, LIST_LONG + rows);
    while (r !== 0) {
      const next: u32 = ldU32(r + R_NEXT);
      visit(r, rows, lists, clear + ((r - rays) >>> 2));
      r = next;
    }
  }

  let live: u32 = 0;
  for (let half: u32 = 0; half < 2; half++) {
    live = 0;
    r = take(lists, LIST_LIVE);
    while (r !== 0) {
      const next: u32 = ldU32(r + R_NEXT);
      live = live + visitHalves(r, 1, lists, clear + ((r - rays) >>> 2));
      r = next;
    }
  }
  const open: bool = live << MANY >= n;
  r = take(lists, LIST_LIVE);
  while (r !== 0) {
    while (open && r !== 0) {
      const next: u32 = ldU32(r + R_NEXT);
      skip(r, bands, lists);
      r = next;
    }
    if (open) r = take(lists, LIST_NEAR);
    while (r !== 0) {
      const next: u32 = ldU32(r + R_NEXT);
      visitHalves(r, 2, lists, clear + ((r - rays) >>> 2));
      r = next;
    }
    r = take(lists, LIST_LIVE);
  }

  r = take(lists, LIST_LAST);
  while (r !== 0) {
    const p: i32 = signed(r + R_CELL);
    const free: i32 = isZero(ldBits(p as u32) & upTo(signed(r + R_END) - p));
    stU8(clear + ((r - rays) >>> 2), (free & 1) as u32);
    r = ldU32(r + R_NEXT);
  }
  r = take(lists, LIST_ALONE);
  while (r !== 0) {
    stU8(clear + ((r - rays) >>> 2), walk(r));
    r = ldU32(r + R_NEXT);
  }
}
