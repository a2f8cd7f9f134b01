// Hand-made faults in the exact search, one at a time: the batteries must see each of them. And changes that are no
// faults, which must pass: what the search does there is speed, not correctness.
import { afterAll, expect, test } from 'vitest';
import type { Kernel } from '../../src/kernel/index.ts';
import { checkLinks, NO_LINKS_YET } from '../kernel/linkcheck.ts';
import { checkRange, checkShortest, NOTHING } from '../kernel/shortestcheck.ts';
import { checkHairpin, checkTower, NO_TOWERS } from '../kernel/towercheck.ts';
import { type Mutant, openWorkshop, type Patch } from './mutants.ts';

const SEED = 20251130;
const { compile, close } = openWorkshop();
afterAll(close);

/** What the batteries find wrong; with `all` every map is asked, else the first wrong answer ends it. */
function battery(make: () => Kernel, rounds: number, all = false): { queries: number; wrong: string[] } {
  const towers = NO_TOWERS();
  const lattices = NOTHING();
  const ranges = NOTHING();
  const links = NO_LINKS_YET();
  const sum = () => ({
    queries: towers.queries + lattices.queries + ranges.queries + links.queries,
    wrong: [...towers.wrong, ...lattices.wrong, ...ranges.wrong, ...links.wrong],
  });
  checkHairpin(make, towers);
  for (let seed = SEED; seed < SEED + rounds; seed++) {
    checkTower(make, seed, 12, towers);
    checkShortest(seed, 12, lattices, make);
    checkLinks(seed, 12, links, make, seed % 3 === 0);
    if (seed % 4 === 0) checkRange(seed, 12, ranges, make);
    if (!all && sum().wrong.length > 0) break;
  }
  return sum();
}

const SHORTEST = 'assembly/shortest.ts';
const LOCATE = 'assembly/locate.ts';
const patch = (from: string, to: string): Patch => [SHORTEST, from, to];

const ADMITS = 'if (g > best * WORSE) return false;';
const ADMITTED_AT_POP = 'if (!rootAdmits(ldU32(node + N_ROOT_ID), ldF64(node + N_G))) continue;';
const ENTRY = 'return ldU32(frame() + F_ROOTS) + rootId * ROOT_STRIDE;';

const AIM_ROUND = 'if (sL > 0.0 ? lbx !== vx || lbz !== vz : rbx !== vx || rbz !== vz) return false;';
const HOLDS = 'if (isGoal(p) || firstEnd(p) !== 0) return false;';
const LANDING_EDGES =
  'const c: u32 = count(p);\n  for (let j: u32 = 0; j < c; j++) {\n    if (neighbour(p, j) === 0) continue;\n    const next';

const FAULTS: readonly Mutant[] = [
  ['the target is mirrored to the wrong side', [patch('gx = tx + k * ez;', 'gx = tx - k * ez;')]],
  ['the target is not mirrored', [patch('if (side < 0.0) {\n    // Mirror', 'if (false) {\n    // Mirror')]],
  ['what is left is overstated by a hundredth', [patch('push(g + h, KIND_CONE', 'push(g + h * 1.01, KIND_CONE')]],
  [
    'a pivot overstates what is left',
    [
      patch(
        'const f: f64 = g + distance(rootX, rootZ, tx, tz);',
        'const f: f64 = g + 1.01 * distance(rootX, rootZ, tx, tz);',
      ),
    ],
  ],
  ['no left turn', [patch('const turnLeft: bool = leftEnd && isCorner(p, left);', 'const turnLeft: bool = false;')]],
  [
    'no right turn',
    [patch('const turnRight: bool = rightEnd && isCorner(p, right);', 'const turnRight: bool = false;')],
  ],
  [
    'turns left where the view is cut',
    [patch('const leftEnd: bool = lbx === lx && lbz === lz;', 'const leftEnd: bool = true;')],
  ],
  [
    'turns right where the view is cut',
    [patch('const rightEnd: bool = rbx === rx && rbz === rz;', 'const rightEnd: bool = true;')],
  ],
  ['ties close a root', [patch(ADMITS, 'if (g >= best) return false;'), patch(ADMITTED_AT_POP, '')]],
  [
    'roots are known by their position',
    [
      patch("} from './layout.ts';", "  H_POLYGONS,\n} from './layout.ts';"),
      patch('import { count, heightAt, idOf,', 'import { count, heightAt, idOf, polyAt,'),
      patch(
        ENTRY,
        `let first: u32 = rootId;
  for (let all: u32 = 0; all < 2; all++) {
    const [fx, fz] = all === 0 ? [NaN, NaN] : [foundX, foundZ];
    for (let id: u32 = 0; id < ldU32(MAP_BASE + H_POLYGONS); id++) {
      const q: u32 = polyAt(id);
      for (let k: u32 = 0; k < count(q); k++) {
        if (all === 0 && vid(q, k) === rootId) {
          foundX = x(q, k);
          foundZ = z(q, k);
        }
        if (all === 1 && x(q, k) === fx && z(q, k) === fz) first = Math.min(first, vid(q, k));
      }
    }
  }
  return ldU32(frame() + F_ROOTS) + first * ROOT_STRIDE;`,
      ),
      patch(
        'let resultBound: f64 = 0.0;',
        'let resultBound: f64 = 0.0;\nlet foundX: f64 = 0.0;\nlet foundZ: f64 = 0.0;',
      ),
    ],
  ],
  [
    'roots of the last search are remembered',
    [patch('if (ldU32(entry) !== generation) {', 'if (ldU32(entry) === 0) {')],
  ],
  [
    'edges on the side of the view are skipped',
    [patch('if (sRp >= 0.0 && sLp <= 0.0 && sRq >= 0.0 && sLq <= 0.0) {', 'if (false) {')],
  ],
  ['edges on a line with a right turn are skipped', [patch('pushCollinearVia(p, j, next, index, right, gRight);', '')]],
  ['edges on a line with a left turn are skipped', [patch('pushCollinearVia(p, j, next, index, left, gLeft);', '')]],
  [
    'edges on a line with a pivot are skipped',
    [patch('pushCollinear(p, j, next, index, rootX, rootZ, g);\n      continue;', 'continue;')],
  ],
  [
    'edges on a line with the start are skipped',
    [patch('if (along > 0.0) pushCollinear(p, j, next, parent, rootX, rootZ, g);', '')],
  ],
  [
    'the farther end of an edge on a line is the turn',
    [patch('const c: u32 = dj < dn ? j : next;', 'const c: u32 = dj < dn ? next : j;')],
  ],
  ['no rotation round a pivot', [patch('pushPivot(p, j, next, index, rootId, rootX, rootZ, rootY, g);', '')]],
  ['no pivot on a right turn', [patch('if (sRq <= 0.0) pushPivot(', 'if (false) pushPivot(')]],
  ['no pivot on a left turn', [patch('if (sLp >= 0.0) pushPivot(', 'if (false) pushPivot(')]],
  ['no target round the left end', [patch(AIM_ROUND, 'if (sL > 0.0 || rbx !== vx || rbz !== vz) return false;')]],
  ['no target round the right end', [patch(AIM_ROUND, 'if (sL <= 0.0 || lbx !== vx || lbz !== vz) return false;')]],
  ['no target in a pivot', [patch('pushTargets(node, index, p);\n  const c', 'const c')]],
  [
    'the right side of a view is not kept',
    [patch('const cutRight: bool = sRp < 0.0;', 'const cutRight: bool = false;')],
  ],
  ['the left side of a view is not kept', [patch('const cutLeft: bool = sLq > 0.0;', 'const cutLeft: bool = false;')]],
  ['a right turn never sees a whole edge', [patch('const full: bool = sRq <= 0.0;', 'const full: bool = false;')]],
  ['a left turn never sees a whole edge', [patch('const full: bool = sLp >= 0.0;', 'const full: bool = false;')]],
  ['polygons with two ways are dead ends', [patch('return ways < 2;', 'return ways < 3;')]],
  ['dead ends hold no target', [patch(HOLDS, 'if (firstEnd(p) !== 0) return false;')]],
  ['dead ends hold no link', [patch(HOLDS, 'if (isGoal(p)) return false;')]],
  ['links are not entered', [patch('if (!endOpen(e)) return;', 'if (e !== NONE) return;')]],
  ['links cost nothing', [patch('length + distance(endX(e), endZ(e), farX, farZ);', 'length;')]],
  ['links cost a thousandth more', [patch('length + distance(endX(e)', 'length + 1.001 * distance(endX(e)')]],
  ['landings take ties', [patch('ldF64(entry + 8) <= g) return;', 'ldF64(entry + 8) < g) return;')]],
  [
    'a landing is taken once and for all',
    [patch('=== generation && ldF64(entry + 8) <= g) return;', '=== generation) return;')],
  ],
  [
    'nothing is seen from a landing but edges',
    [patch('pushTargets(node, index, p);\n  expandInside(', 'expandInside(')],
  ],
  [
    'no edges are seen from a landing',
    [
      patch(
        LANDING_EDGES,
        'const c: u32 = parent !== NONE ? 0 : count(p);\n  for (let j: u32 = 0; j < c; j++) {\n    if (neighbour(p, j) === 0) continue;\n    const next',
      ),
    ],
  ],
  [
    'links in the start polygon are not seen',
    [
      patch(
        'let next: u32 = firstEnd(p);\n  while (next !== 0) {\n    const e: u32 = next - 1;\n    pushLanding',
        'let next: u32 = 0;\n  while (next !== 0) {\n    const e: u32 = next - 1;\n    pushLanding',
      ),
    ],
  ],
  [
    'only the first link of a polygon is seen',
    [patch('aimLength, aimTurn);\n    next = nextEnd(e);', 'aimLength, aimTurn);\n    next = 0;')],
  ],
  ['the first end of a link is not told', [patch('if (kind === KIND_LANDING) {', 'if (kind === NONE) {')]],
  ['the limit is no limit', [patch('if (f * LOWER > limit) {', 'if (false) {')]],
  ['what the limit dropped is no bound', [patch('if (f < droppedAt) droppedAt = f;', '')]],
  [
    'the limit drops and claims the last, not the least',
    [patch('if (f < droppedAt) droppedAt = f;', 'droppedAt = f;')],
  ],
  ['what found no room is forgotten', [patch('if (f < fullAt) fullAt = f;', '')]],
  ['the bound is rounded up', [patch('return resultBound * LOWER;', 'return resultBound * WORSE;')]],
  ['a turn before a collinear edge is not told', [patch('stU32(node + N_VIA, 1);', '')]],
  [
    'the wrong end is entered',
    [
      patch(
        'if (vid(n, last) === left && vid(n, k) === right) return last;',
        'if (vid(n, last) === left && vid(n, k) === right) return k;',
      ),
    ],
  ],
  ['the limit is taken too tight', [patch('if (f * LOWER > limit) {', 'if (f > limit * 0.999999999) {')]],
  [
    'every vertex may be a turn: inner ones are turned round for ever',
    [patch('return ((ldU32(p + P_CORNERS) >>> i) & 1) !== 0;', 'return true;')],
  ],
  [
    'float32 determinants',
    [
      [
        'assembly/orient.ts',
        'return (bx - ax) * (cz - az) - (bz - az) * (cx - ax);',
        'return Math.fround(Math.fround((bx - ax) * (cz - az)) - Math.fround((bz - az) * (cx - ax)));',
      ],
    ],
  ],
  [
    'determinants below two units count as zero',
    [
      [
        'assembly/orient.ts',
        'return (bx - ax) * (cz - az) - (bz - az) * (cx - ax);',
        'const det: f64 = (bx - ax) * (cz - az) - (bz - az) * (cx - ax);\n  return Math.abs(det) < 2.0 ? 0.0 : det;',
      ],
    ],
  ],
  ['the target is mirrored too far', [patch('const k: f64 = (2.0 * side)', 'const k: f64 = (3.0 * side)')]],
  [
    'a start at a corner of two fans is in both',
    [
      [
        LOCATE,
        'if (where === OUTSIDE || (where !== INSIDE && id !== hint)) return 0;',
        'if (where !== INSIDE) return 0;',
      ],
    ],
  ],
];

const HARMLESS: readonly Mutant[] = [
  ['no dead ends', [patch('return ways < 2;', 'return ways < 1;')]],
  ['roots have no history', [patch(ADMITS, '')]],
  ['the first length of a root is its best', [patch('if (g < best) stF64(entry + 8, g);', '')]],
  ['no heuristic for cones', [patch('push(g + h, KIND_CONE', 'push(g, KIND_CONE')]],
  [
    'the target is laid on the edge, not mirrored',
    [patch('const k: f64 = (2.0 * side)', 'const k: f64 = (1.0 * side)')],
  ],
  [
    'a target on the right side of the view is outside',
    [patch('if (sR < 0.0 || sL > 0.0) {', 'if (sR <= 0.0 || sL > 0.0) {')],
  ],
  [
    'the first target seen is taken: it is as near as the node that saw it',
    [
      patch('push(\n      aimLength,\n      KIND_GOAL,', 'push(\n      aimLength * 0.5,\n      KIND_GOAL,'),
      patch('resultBound = key;', 'resultBound = ldF64(node + N_G);'),
    ],
  ],
  [
    'a start at a corner is in all polygons that are joined there, not in one of them',
    [
      [
        LOCATE,
        'const n: u32 = locateAll(px, pz, my, below, above, list);',
        'const n: u32 = locateAll(px, pz, my, below, above, list);\n  if (hint < polygons() && stands(polyAt(hint), px, pz) === RIM) return fanOf(polyAt(hint), px, pz, list, n);',
      ],
      [
        LOCATE,
        'if (where === OUTSIDE || (where !== INSIDE && id !== hint)) return 0;',
        'if (where !== INSIDE) return 0;',
      ],
      [LOCATE, '  OUTSIDE,\n', '  OUTSIDE,\n  RIM,\n'],
      [
        LOCATE,
        'let held: u32 = 0;',
        `function fanOf(p: u32, px: f64, pz: f64, list: u32, n: u32): u32 {
          let kept: u32 = 0;
          for (let i: u32 = 0; i < n; i++) {
            const q: u32 = ldU32(list + (i << 2));
            if (q === p || joined(p, q, px, pz)) {
              stU32(list + (kept << 2), q);
              kept = kept + 1;
            }
          }
          return kept;
        }
        let held: u32 = 0;`,
      ],
    ],
  ],
  ['a full search goes on past what found no room', [patch('if (key >= fullAt) break;', '')]],
];

test('the sources as they are pass', async () => {
  const { queries, wrong } = battery(await compile('as is', []), 60, true);
  console.log(`shortest, twin of the workshop: ${queries} queries, ${wrong.length} wrong`);
  expect(wrong.slice(0, 10)).toEqual([]);
});

test.each(FAULTS)('dies: %s', async (name, patches) => {
  const { wrong } = battery(await compile(name, patches), 150);
  expect(wrong.length).toBeGreaterThan(0);
});

test.each(HARMLESS)('passes: %s', async (name, patches) => {
  expect(battery(await compile(name, patches), 25, true).wrong.slice(0, 10)).toEqual([]);
});
