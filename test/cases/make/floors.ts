// C: floors over each other, ledges, stairs, heights. See test/cases/README.md.
import type { Expect, MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';
import { built, CLEAN, held, Log, putBack } from './script.ts';

const GRAVITY = 9.81;

function balcony(more: Record<string, unknown> = {}): MapSource {
  return built(
    [
      [-15, -0.5, -5, 15, 0, 5],
      [5, 2.8, -5, 15, 3, 5],
    ],
    more,
  );
}

/** Ground, and over its eastern half a floor at 3 m that nothing leads to. */
export const BALCONY: MapSource = balcony();

function c6(name: string, map: MapSource): Log {
  const log = new Log(
    name,
    'C6: ground (-10, 0, 0) to balcony (10, 3, 0) without stairs, as a click: PathPartial, although a plan raycast is clear',
    map,
  );
  const walk = { duration: 3400 };
  const up = log.enter('up', [-10, 0, 0]);
  up.wait(500).begin([10, 3, 0], walk, putBack(up.pos, 'PathPartial'));
  up.wait(500).begin([10, 2.9, 0], walk, putBack(up.pos, 'PathPartial'));
  up.wait(500).begin([10, 0, 0], walk, 'accept'); // the ground below it
  const below = log.enter('from-below', [10, 0, 2]);
  below.wait(500).begin([10, 3, 2], { duration: 600 }, putBack(below.pos, 'PathPartial'));
  const down = log.enter('down', [10, 3, 0]);
  down.wait(500).begin([-10, 0, 0], walk, { verdict: 'correct', reason: 'PathPartial', pos: [10, 3, 0], within: 0.15 });
  down.wait(500).begin([6, 3, 0], { duration: 800 }, 'accept');
  const hops = log.enter('by-moves', [4, 0, 0]);
  hops.stand(4, 250, CLEAN).wait(500).try([7, 3, 0], held(hops.pos));
  return log;
}

function c7(): Log {
  const log = new Log(
    'C7-jump-under-a-floor',
    'C7: jumps to y = 1.7 to 2.6 under a floor at 3.0: the player stays on floor 0',
    BALCONY,
  );
  for (const apex of [1.7, 2.1, 2.35, 2.6]) {
    for (const side of [1, -1]) {
      const p = log.enter(`${apex}-${side === 1 ? 'in' : 'out'}`, [side === 1 ? 3 : 10, 0, 0]);
      p.stand(2, 50, CLEAN);
      const rise = Math.sqrt((2 * apex) / GRAVITY) * 1000;
      for (let ms = 50; ms < 2 * rise; ms += 50) {
        const s = (rise - ms) / 1000;
        p.wait(50).go([p.pos[0] + side * 0.25, apex - (GRAVITY * s * s) / 2, 0], 'accept');
      }
      p.wait(50).go([p.pos[0] + side * 0.25, 0, 0], CLEAN);
      // still downstairs: the floor above is another place
      p.wait(300).try([9, 3, 0], held(p.pos));
      p.wait(300).go([p.pos[0] - side * 0.5, 0, 1], 'accept');
    }
  }
  // one claim at the very top, from standing
  const top = log.enter('one-claim', [10, 0, 3]);
  top.stand(4, 100, CLEAN).wait(500).go([10, 2.55, 3], 'accept').wait(500).go([10, 0, 3], CLEAN);
  return log;
}

function ledge(height: number, more: Record<string, unknown> = {}): MapSource {
  return built(
    [
      [0, -1, 0, 9.6, 0, 12],
      [9.6, -1, 0, 19.2, height, 12],
    ],
    more,
  );
}

function c12(name: string, height: number, more: Record<string, unknown> = {}): Log {
  const log = new Log(
    `C12-ledge-${name}`,
    `C12: a ledge of ${height} m, climb 0.4: ${height > 0.4 ? 'not walkable' : 'walkable'}`,
    ledge(height, more),
    { falls: 'off' },
  );
  const steep = height > 0.4;
  for (const [way, from, to] of [
    ['up', [8.9, 0, 6], [10.5, height, 6]],
    ['down', [10.5, height, 6], [8.9, 0, 6]],
    ['up-slanted', [8.9, 0, 5], [10.5, height, 6.5]],
  ] as [string, Vec3, Vec3][]) {
    const verdict = (pos: Vec3): Expect => (steep ? putBack(pos, 'Wall', 'PathPartial') : CLEAN);
    const p = log.enter(way, from).stand(4, 100, CLEAN).wait(400);
    if (steep) p.try(to, verdict(from));
    else p.go(to, verdict(from));
    const click = log.enter(`${way}-click`, from).wait(400);
    const partial = { verdict: 'correct', reason: 'PathPartial', pos: from, within: 0.15 } as const;
    click.begin(to, { duration: 400 }, steep ? partial : 'accept');
    // in small steps, as one walks
    const small = log.enter(`${way}-steps`, from).stand(4, 100, CLEAN);
    for (let i = 1; i <= 8; i++) {
      const x = from[0] + ((to[0] - from[0]) * i) / 8;
      const y = x < 9.6 ? 0 : height;
      small.wait(50).try([x, y, from[2]], i === 8 ? (steep ? 'refused' : CLEAN) : steep ? undefined : 'accept');
    }
  }
  return log;
}

/** What the rules allow that the mesh does not have: a step off the ledge, down. */
function c12Fall(height: number): Log {
  const log = new Log(
    `C12-ledge-${height}-stepped-off`,
    `C12: a ledge of ${height} m, climb 0.4, falls off edges allowed: down is accepted, up is not`,
    ledge(height, { tile: 48 }),
  );
  for (const z of [3, 6, 9]) {
    const p = log.enter(`z-${z}`, [10.5, height, z]);
    p.walk(2, 50, [-0.3, 0, 0], CLEAN).wait(250).go([8.9, 0, z], 'accept').walk(5, 50, [-0.3, 0, 0], 'accept');
    p.walk(5, 50, [0.3, 0, 0], 'accept')
      .wait(250)
      .try([10.4, height, z], putBack(p.pos, 'Wall', 'PathPartial'));
  }
  return log;
}

/** Twelve steps of 0.3 m up, from x = 10 to 13.6, and level ground on both sides. */
const STAIRS: MapSource = built(
  [
    [0, -1, 0, 10, 0, 6],
    ...Array.from({ length: 12 }, (_, i) => [10 + 0.3 * i, -1, 0, 10 + 0.3 * (i + 1), 0.3 * (i + 1), 6]),
    [13.6, -1, 0, 24, 3.6, 6],
  ],
  // cells that divide a tread: else the generator takes the treads for ledges
  { cell: 0.1 },
);

/** Height of the stairs, metres. */
function stairs(x: number): number {
  return x < 10 ? 0 : 0.3 * Math.min(12, Math.floor((x - 10) / 0.3 + 1e-6) + 1);
}

function c23(name: string, metric: 'plan' | 'surface'): Log {
  const log = new Log(
    name,
    `C23: stairs, 3.6 m rise over 3.6 m run at 6 m/s, metric "${metric}": 3-D length (5.1 m) is not held against a 2-D allowance`,
    STAIRS,
    metric === 'plan' ? undefined : { speedMetric: metric },
  );
  // what it enters with is spent before: nothing but time pays for the stairs
  for (const [way, from, to] of [
    ['up', 9.9, 13.5],
    ['down', 13.65, 10.05],
  ]) {
    const dir = Math.sign((to as number) - (from as number));
    const at = (x: number): Vec3 => [x, stairs(x), 3];
    const start = (from as number) - dir * 1.7;
    const ready = (id: string) => log.enter(`${way}-${id}`, at(start)).go(at(from as number), 'accept');
    if (metric === 'plan') {
      const steps = ready('at-20-Hz');
      for (let i = 1; i <= 12; i++) steps.wait(50).go(at(steps.pos[0] + dir * 0.3), CLEAN);
      ready('in-one')
        .wait(600)
        .go(at(to as number), CLEAN);
      const half = ready('in-two');
      half
        .wait(300)
        .go(at(half.pos[0] + dir * 1.8), CLEAN)
        .wait(300)
        .go(at(to as number), CLEAN);
      const fast = ready('too-fast-in-plan');
      fast.wait(500).try(at(to as number), held(fast.pos, 'SpeedLimit'));
    } else {
      ready('in-one')
        .wait(800)
        .go(at(to as number), CLEAN);
      const fast = ready('too-fast-on-the-surface');
      fast.wait(600).try(at(to as number), held(fast.pos, 'SpeedLimit'));
    }
  }
  return log;
}

/** All heights are those of the pelvis, 0.9 m above the mesh (which lies 0.1 m above the boxes). */
function c24(): Log {
  const log = new Log(
    'C24-heights-of-the-pelvis',
    'C24: y reported as pelvis height, 0.9 m above the mesh, yOffset 0.9: accepted',
    BALCONY,
    { yOffset: 0.9 },
  );
  const ground = log.enter('ground', [-10, 1, 0]);
  ground.walk(40, 50, [0.3, 0, 0.05], CLEAN);
  const upstairs = log.enter('upstairs', [7, 4, 0]);
  upstairs.walk(20, 50, [0.3, 0, 0.05], CLEAN);
  const click = log.enter('click', [-10, 1, 2]);
  click.wait(500).begin([10, 1, 2], { duration: 3400 }, 'accept');
  click
    .wait(500)
    .begin(
      [10, 4, 2],
      { from: [-7, 1, 2], duration: 3400 },
      { verdict: 'correct', reason: 'PathPartial', pos: [-7, 1, 2], within: 0.01 },
    );
  return log;
}

/** The same in the air, and from one floor to the other. */
function c24Jump(): Log {
  const log = new Log(
    'C24-heights-of-the-pelvis-in-a-jump',
    'C24: y reported as pelvis height with yOffset 0.9: a jump is accepted, the floor above is another place',
    BALCONY,
    { yOffset: 0.9 },
  );
  const jump = log.enter('jump', [10, 1, 0]);
  for (let ms = 50; ms < 1300; ms += 50)
    jump
      .wait(50)
      .go([10 - ms / 200, 1 + Math.max(0, 6.3 * (ms / 1000) - (GRAVITY * (ms / 1000) ** 2) / 2), 0], 'accept');
  const wrong = log.enter('up-from-below', [10, 1, -3]);
  wrong.stand(4, 250, CLEAN).try([10, 4, -3], held(wrong.pos));
  return log;
}

export const floors = (): Log[] => [
  c6('C6-balcony-without-stairs', BALCONY),
  c6('C6-balcony-without-stairs-in-tiles', balcony({ tile: 32 })),
  c7(),
  c12('0.5', 0.5),
  c12('0.7', 0.7),
  c12('0.5-on-a-tile-border', 0.5, { tile: 48 }),
  c12('0.7-on-a-tile-border', 0.7, { tile: 48 }),
  c12('0.5-on-a-tile-border-radius-0', 0.5, { tile: 48, agent: { radius: 0, height: 2, climb: 0.4, slope: 45 } }),
  c12('0.7-on-a-tile-border-radius-0', 0.7, { tile: 48, agent: { radius: 0, height: 2, climb: 0.4, slope: 45 } }),
  c12('0.3-on-a-tile-border', 0.3, { tile: 48 }),
  c12Fall(0.5),
  c12Fall(0.7),
  c23('C23-stairs', 'plan'),
  c23('C23-stairs-by-surface', 'surface'),
  c24(),
  c24Jump(),
];
