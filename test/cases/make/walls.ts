// C: walls and the mesh's edges. See test/cases/README.md.
import type { MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';
import { built, CLEAN, grid, held, Log, putBack, times } from './script.ts';

const GROUND = [0, -1, 0, 30, 0, 30];
/** 0.2 m thick, 20 m long, along z; the mesh ends at 14.4 and 15.6. */
export const WALL_Z: MapSource = built([GROUND, [14.9, 0, 5, 15.1, 3, 25]]);
const WALL_X: MapSource = built([GROUND, [5, 0, 14.9, 25, 3, 15.1]]);
const WALL_TILED: MapSource = built([GROUND, [14.9, 0, 5, 15.1, 3, 25]], { tile: 40 });

/** The same wall turned by 45 degrees: from (8, 8) to (22, 22), as triangles. */
function slantedWall(): MapSource {
  const e = 0.0707;
  const corners: [number, number][] = [
    [8 - e, 8 + e],
    [8 + e, 8 - e],
    [22 + e, 22 - e],
    [22 - e, 22 + e],
  ];
  const triangles: number[][] = [];
  for (let i = 0; i < 4; i++) {
    const [ax, az] = corners[i];
    const [bx, bz] = corners[(i + 1) % 4];
    triangles.push([ax, 0, az, bx, 0, bz, bx, 3, bz], [ax, 0, az, bx, 3, bz, ax, 3, az]);
  }
  const top = corners.map(([x, z]) => [x, 3, z]);
  triangles.push([...top[0], ...top[2], ...top[1]], [...top[0], ...top[3], ...top[2]]);
  return built([GROUND], { triangles });
}

function c1(name: string, map: MapSource, middle: Vec3, across: Vec3, half = 0.7): Log {
  const log = new Log(
    name,
    'C1: wall 0.2 m thick and 20 m long, hop of 1.4 m across in 100 ms with full credit banked: Wall',
    map,
  );
  for (const side of [1, -1]) {
    const here = times(across, -side * half);
    const start: Vec3 = [middle[0] + here[0], 0, middle[2] + here[2]];
    const over: Vec3 = [middle[0] - here[0], 0, middle[2] - here[2]];
    const p = log.enter(side === 1 ? 'there' : 'back', start);
    p.stand(40, 50, CLEAN);
    p.wait(100).try(over, putBack(start, 'Wall'));
    p.wait(50).stand(1, 50, 'accept');
    // banked as silence, it still does not pay for 20 m
    const q = log.enter(side === 1 ? 'there-after-silence' : 'back-after-silence', start);
    q.stand(1, 50, CLEAN).wait(1000).try(over, putBack(start, 'Wall'));
    q.wait(50).stand(1, 50, 'accept');
  }
  return log;
}

function c3Mesh(): Log {
  // the mesh's corners around a pillar of 1 x 1 m at (10, 10): as the generator makes them
  const ring: [number, number][] = [
    [9, 9.2],
    [10, 9],
    [10.8, 9],
    [11, 10],
    [10.8, 11],
    [10, 11],
    [9, 10.8],
    [9, 10],
  ];
  const log = new Log(
    'C3-corner-to-corner',
    'C3: moves whose ends lie exactly on the mesh corners around a pillar: accepted',
    built([
      [0, -1, 0, 20, 0, 20],
      [9.5, 0, 9.5, 10.5, 3, 10.5],
    ]),
  );
  for (const turn of [1, -1]) {
    const order = turn === 1 ? ring : [...ring].reverse();
    const p = log.enter(turn === 1 ? 'round' : 'round-the-other-way', [order[0][0], 0, order[0][1]]);
    for (let i = 1; i <= 16; i++) p.wait(250).go([order[i % 8][0], 0, order[i % 8][1]], CLEAN);
  }
  for (let i = 0; i < 8; i++) {
    // from far off onto a corner, along it, away from it
    const [x, z] = ring[i];
    const away = Math.hypot(x - 10, z - 10);
    const out: Vec3 = [x + (x - 10) / away, 0, z + (z - 10) / away];
    const p = log.enter(`corner-${i}`, out);
    p.wait(250).go([x, 0, z], CLEAN).wait(250).go(out, CLEAN);
  }
  return log;
}

function c3Grid(): Log {
  const log = new Log(
    'C3-corner-to-corner-on-a-grid',
    'C3: moves from corner to corner of a blocked cell, along its sides and round it: accepted',
    grid(6, 6, 1, [[2, 2, 3, 3]]),
  );
  const ring: Vec3[] = [
    [2, 0, 2],
    [3, 0, 2],
    [3, 0, 3],
    [2, 0, 3],
  ];
  for (let i = 0; i < 4; i++) {
    const p = log.enter(`from-${i}`, ring[i]);
    for (let k = 1; k <= 4; k++) p.wait(300).go(ring[(i + k) % 4], CLEAN);
    for (let k = 3; k >= 0; k--) p.wait(300).go(ring[(i + k) % 4], CLEAN);
    // opposite corners: the walk is 2 m
    const q = log.enter(`across-${i}`, ring[i]);
    for (let k = 1; k <= 4; k++) q.wait(400).go(ring[(i + 2 * k) % 4], CLEAN);
  }
  return log;
}

function c4(): Log {
  const log = new Log(
    'C4-put-outside-the-mesh',
    'C4: put by the server 0.35 m outside the mesh: away from the wall and along it is accepted, farther out or through is not',
    WALL_Z,
  );
  for (const [name, x, out] of [
    ['west', 14.75, 1],
    ['east', 15.25, -1],
  ] as const) {
    const at = (d: number, z: number): Vec3 => [x + out * d, 0, z];
    const walls = ['Wall', 'TargetNotOnNavMesh', 'PathPartial'];
    log.enter(`${name}-away`, at(0, 15)).wait(50).go(at(-0.3, 15), CLEAN).wait(50).go(at(-0.6, 15), CLEAN);
    log.enter(`${name}-along`, at(0, 15)).walk(10, 50, [0, 0, 0.3], CLEAN).walk(10, 50, [0, 0, -0.3], CLEAN);
    const slanted = log.enter(`${name}-away-and-along`, at(0, 15));
    slanted.wait(50).go(at(-0.1, 15.28), CLEAN).wait(50).go(at(-0.2, 15.56), CLEAN);
    const farther = log.enter(`${name}-farther-out`, at(0, 15));
    farther.wait(500).try(at(0.1, 15), putBack(at(0, 15), ...walls));
    farther.wait(50).try(at(0.12, 15.2), held(at(0, 15), ...walls));
    farther
      .wait(50)
      .go(at(-0.2, 15), 'accept')
      .wait(50)
      .try(at(0, 15), held(at(-0.2, 15), ...walls));
    const through = log.enter(`${name}-through`, at(0, 15));
    through
      .stand(20, 50, CLEAN)
      .wait(100)
      .try(at(0.5, 15), putBack(at(0, 15), ...walls));
    through.wait(100).try(at(0.85, 15), held(at(0, 15), ...walls));
    through.wait(100).try(at(1.2, 15), held(at(0, 15), ...walls));
  }
  return log;
}

const SQUEEZE = ['Wall', 'PathPartial'];

function c9(name: string, rules?: Record<string, unknown>): Log {
  const log = new Log(
    name,
    'C9: (0.5, 0.5) to (1.5, 1.5) with cells (1, 0) and (0, 1) blocked: Wall both ways, on either diagonal',
    // one pair of cells that shuts a corner off, and pairs in the open whose way round is short or long
    grid(24, 24, 1, [
      [1, 0, 2, 1],
      [0, 1, 1, 2],
      [22, 0, 23, 1],
      [23, 1, 24, 2],
      [6, 0, 7, 16],
      [5, 16, 6, 24],
    ]),
    rules,
  );
  for (const [where, a, b] of [
    ['shut-off', [0.5, 0, 0.5], [1.5, 0, 1.5]],
    ['shut-off-mirrored', [23.5, 0, 0.5], [22.5, 0, 1.5]],
    ['in-the-open', [5.5, 0, 15.5], [6.5, 0, 16.5]],
    ['at-the-corner', [5.9, 0, 15.9], [6.1, 0, 16.1]],
  ] as [string, Vec3, Vec3][]) {
    log
      .enter(`${where}-there`, a)
      .stand(4, 250, CLEAN)
      .wait(250)
      .try(b, putBack(a, ...SQUEEZE));
    log
      .enter(`${where}-back`, b)
      .stand(4, 250, CLEAN)
      .wait(250)
      .try(a, putBack(b, ...SQUEEZE));
  }
  return log;
}

function c11Sight(): Log {
  const log = new Log(
    'C11-wide-body-past-a-tile',
    'C11: a body of 2 x 2 cells diagonally past a blocked tile, under the strict grid rule: Wall',
    grid(12, 12, 1, [[5, 5, 6, 6]], 2),
    { wall: 'sight' },
  );
  // body centres: the tile takes part of the square that the body sweeps
  for (const [name, a, b] of [
    ['south-west', [4, 0, 6], [5, 0, 7]],
    ['north-east', [6, 0, 4], [7, 0, 5]],
    ['north-west', [4, 0, 5], [5, 0, 4]],
    ['south-east', [6, 0, 7], [7, 0, 6]],
  ] as [string, Vec3, Vec3][]) {
    log.enter(`${name}-there`, a).wait(500).try(b, putBack(a, 'Wall'));
    log.enter(`${name}-back`, b).wait(500).try(a, putBack(b, 'Wall'));
  }
  // one tile farther out it is free
  log.enter('clear', [3, 0, 6]).wait(500).go([5, 0, 8], CLEAN);
  return log;
}

function c11Reach(): Log {
  const log = new Log(
    'C11-wide-body-between-tiles',
    'C11: a body of 2 x 2 cells diagonally between two blocked tiles, and past the end of a long wall: Wall',
    grid(
      30,
      30,
      1,
      [
        [5, 3, 6, 4],
        [3, 5, 4, 6],
        [18, 4, 19, 16],
        [19, 15, 29, 16],
      ],
      2,
    ),
  );
  for (const [name, a, b] of [
    ['between', [4, 0, 4], [5, 0, 5]],
    ['inside-corner', [17.4, 0, 10], [19.6, 0, 10]],
  ] as [string, Vec3, Vec3][]) {
    log
      .enter(`${name}-there`, a)
      .stand(10, 50, CLEAN)
      .wait(50)
      .try(b, putBack(a, ...SQUEEZE));
    log
      .enter(`${name}-back`, b)
      .stand(10, 50, CLEAN)
      .wait(50)
      .try(a, putBack(b, ...SQUEEZE));
  }
  return log;
}

/** Small pillars on both sides of a lane along z = 10: the lane is free, and cut into many polygons. */
export const CLUTTER: MapSource = built(
  [
    [0, -1, 0, 40, 0, 20],
    ...Array.from({ length: 44 }, (_, i) => {
      const x = 2.2 + i * 0.8;
      const z = i % 2 === 0 ? 8.6 + ((i * 7) % 5) * 0.1 : 11 + ((i * 3) % 5) * 0.1;
      return [x, 0, z, x + 0.3, 3, z + 0.3];
    }),
  ],
  { tile: 8 },
);

function c20(): Log {
  const log = new Log(
    'C20-dash-through-clutter',
    'C20: 30 m straight legal dash through clutter (40 polygons and more) at speed 40: accepted',
    CLUTTER,
  );
  for (const [name, from, to] of [
    ['east', [4, 0, 10], [34, 0, 10]],
    ['west', [34, 0, 10], [4, 0, 10]],
    ['slanted', [4, 0, 9.8], [34, 0, 10.3]],
  ] as [string, Vec3, Vec3][]) {
    log.enter(name, from, { speed: 40 }).stand(4, 100, CLEAN).wait(750).go(to, CLEAN);
    log
      .enter(`${name}-in-steps`, from, { speed: 40 })
      .walk(15, 50, times([to[0] - from[0], 0, to[2] - from[2]], 1 / 15), CLEAN);
  }
  return log;
}

function c21(): Log {
  const log = new Log(
    'C21-half-second-steps',
    'C21: 500 ms steps: a chord of 3.0 m that clips a pillar is accepted (the walk is 3.2 m), one through a wall whose way round is 14 m is not',
    grid(40, 20, 0.5, [
      [10, 8, 12, 10],
      [26, 2, 27, 20],
    ]),
  );
  // the pillar: x 5 to 6, z 4 to 5
  for (const [name, from, to] of [
    ['clips-0.1-m', [4, 0, 4.1], [7, 0, 4.1]],
    ['clips-0.1-m-mirrored', [7, 0, 4.9], [4, 0, 4.9]],
    ['clips-0.1-m-across', [5.1, 0, 6], [5.1, 0, 3]],
    ['through-the-middle', [4, 0, 4.5], [7, 0, 4.5]],
    ['through-the-corner', [4.2, 0, 3.4], [6.4, 0, 5.4]],
  ] as [string, Vec3, Vec3][]) {
    const p = log.enter(name, from).stand(3, 500, CLEAN);
    p.wait(500).go(to, CLEAN).wait(500).go(from, CLEAN);
  }
  for (const [name, from, to] of [
    ['wall', [11.75, 0, 7.6], [14.75, 0, 7.6]],
    ['wall-back', [14.75, 0, 7.6], [11.75, 0, 7.6]],
  ] as [string, Vec3, Vec3][]) {
    const p = log.enter(name, from).stand(3, 500, CLEAN);
    p.wait(500).try(to, putBack(from, 'Wall'));
    p.wait(500).try(to, held(from, 'Wall'));
  }
  return log;
}

export const walls = (): Log[] => [
  c1('C1-hop-through-a-thin-wall', WALL_Z, [15, 0, 15], [1, 0, 0]),
  c1('C1-hop-through-a-thin-wall-turned', WALL_X, [15, 0, 15], [0, 0, 1]),
  c1('C1-hop-through-a-thin-wall-slanted', slantedWall(), [15, 0, 15], [Math.SQRT1_2, 0, -Math.SQRT1_2], 0.8),
  c1('C1-hop-through-a-thin-wall-in-tiles', WALL_TILED, [15, 0, 16], [1, 0, 0]),
  c3Mesh(),
  c3Grid(),
  c4(),
  c9('C9-squeeze-between-cells'),
  c9('C9-squeeze-between-cells-by-sight', { wall: 'sight' }),
  c11Sight(),
  c11Reach(),
  c20(),
  c21(),
];
