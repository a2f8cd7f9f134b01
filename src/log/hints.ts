// Plain sentences about a log that does not fit its map or its format: one cause instead of thousands of refusals.
// Looks at a sample of claimed positions and at the tally, once, after the log has run. Decides nothing.
import type { NavMap, QueryOptions } from '../map.ts';
import { Reason } from '../reasons.ts';
import type { EntityTally } from './tally.ts';

/** Positions kept of a log: every one until there are this many, then every second, fourth, ... */
const SAMPLE = 512;
const FEWEST = 8;
/** Height band that holds every floor of a level, metres. */
const ANY_HEIGHT = 100_000;
/** Height offsets below this are footing (meshes cut ledges and stairs short), not a convention, metres. */
const LEAST_OFFSET = 0.4;
/** Targets at one offset: the half of them that lie this close together, metres. A jump never lasts that long that high. */
const SAME_OFFSET = 0.15;
/** Nearer to the mesh than this, a target belongs to the map and stands outside it for other reasons, metres. */
const NEAR = 2;
/** A whole log in less room than this may have lost its scale, metres. */
const TINY = 1;

/** An evenly spread, repeatable sample of positions and the times around them. */
export class PositionSample {
  readonly positions: number[] = [];
  #stride = 1;
  #wait = 1;

  add(x: unknown, y: unknown, z: unknown): void {
    if (--this.#wait > 0) return;
    this.#wait = this.#stride;
    if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) return;
    this.positions.push(x as number, y as number, z as number);
    if (this.positions.length < 3 * SAMPLE) return;
    for (let i = 0; i < SAMPLE / 2; i++) {
      for (let k = 0; k < 3; k++) this.positions[3 * i + k] = this.positions[6 * i + k];
    }
    this.positions.length = (3 * SAMPLE) / 2;
    this.#stride *= 2;
  }
}

type Turn = (x: number, y: number, z: number) => [number, number, number];

interface Change {
  readonly words: string;
  readonly apply: Turn;
}

/** Conventions that logs and maps are mixed up in, the simplest first: up axis, mirrored axes, units. */
const CHANGES: readonly Change[] = makeChanges();

function makeChanges(): Change[] {
  const axes: readonly [string, Turn][] = [
    ['', (x, y, z) => [x, y, z]],
    ['y and z swapped', (x, y, z) => [x, z, y]],
    ['x and z swapped', (x, y, z) => [z, y, x]],
    ['x, y, z read as z, x, y', (x, y, z) => [y, z, x]],
  ];
  const scales: readonly [string, number][] = [
    ['', 1],
    ['divided by 100 (centimetres)', 0.01],
    ['multiplied by 100 (the map is in centimetres)', 100],
  ];
  const mirrors: readonly [string, number, number][] = [
    ['', 1, 1],
    ['z mirrored', 1, -1],
    ['x mirrored', -1, 1],
    ['x and z mirrored', -1, -1],
  ];
  const changes: Change[] = [];
  for (const [mirrorWords, mx, mz] of mirrors) {
    for (const [scaleWords, scale] of scales) {
      for (const [axesWords, turn] of axes) {
        const words = [axesWords, mirrorWords, scaleWords].filter((w) => w !== '').join(', ');
        const apply: Turn = (x, y, z) => {
          const turned = turn(x, y, z);
          return [turned[0] * scale * mx, turned[1] * scale, turned[2] * scale * mz];
        };
        if (words !== '') changes.push({ words, apply });
      }
    }
  }
  // fewest changes first, so that the simplest explanation wins
  return changes.sort((a, b) => a.words.split(', ').length - b.words.split(', ').length);
}

/** What the positions say about the map. `ignoreHeight` for grids, where y means nothing. */
export function positionHints(
  map: NavMap,
  sample: readonly number[],
  yOffset: number,
  ignoreHeight: boolean,
): string[] {
  const count = sample.length / 3;
  if (count < FEWEST) return [];
  const asWritten: Turn = (x, y, z) => [x, ignoreHeight ? 0 : y - yOffset, z];
  if (!ignoreHeight) {
    const hint = heightHint(map, sample, yOffset);
    if (hint !== null) return [hint];
  }
  if (share(map, sample, asWritten) > 0.2) return [];
  const near = share(map, sample, asWritten, { tolerance: NEAR, below: NEAR });
  if (near > 0.2 && planExtent(sample, asWritten) >= TINY) return [];
  for (const wanted of [0.95, 0.8]) {
    for (const { words, apply } of CHANGES) {
      if (planExtent(sample, apply) < 1) continue;
      const on = share(map, sample, (x, y, z) => {
        const p = apply(x, y, z);
        return ignoreHeight ? [p[0], 0, p[2]] : p;
      });
      if (on >= wanted) {
        return [
          `${nearlyAll(1 - share(map, sample, asWritten))} targets lie off the mesh, but ${percent(on)} of them lie on it with ${words}: ` +
            'the log and the map use different axes or units.',
        ];
      }
    }
  }
  if (near > 0.2) return [];
  return [
    `${nearlyAll(1 - near)} targets lie off the mesh by more than ${NEAR} m: they span ${span(sample)}, the map spans ${mapSpan(map)}; ` +
      'check that the log belongs to this map, and its axes and scale.',
  ];
}

/**
 * Most targets the same height off the floor below or above them: a convention (pelvis, eyes, feet), not cheating. The
 * shortest interval that holds half of the offsets says where they agree, whatever jumps, falls and cheats the others are.
 */
function heightHint(map: NavMap, sample: readonly number[], yOffset: number): string | null {
  const offsets: number[] = [];
  for (let i = 0; i < sample.length; i += 3) {
    const floor = map.locate([sample[i], sample[i + 1], sample[i + 2]], { below: ANY_HEIGHT, above: ANY_HEIGHT });
    if (floor !== null) offsets.push(sample[i + 1] - floor.point[1]);
  }
  const count = sample.length / 3;
  const half = Math.ceil(count / 2);
  if (offsets.length < Math.max(FEWEST, half)) return null;
  offsets.sort((a, b) => a - b);
  let first = 0;
  for (let i = 1; i + half <= offsets.length; i++) {
    if (offsets[i + half - 1] - offsets[i] < offsets[first + half - 1] - offsets[first]) first = i;
  }
  const middle = offsets[first + (half >> 1)];
  if (offsets[first + half - 1] - offsets[first] > SAME_OFFSET || Math.abs(middle - yOffset) < LEAST_OFFSET)
    return null;
  const agreeing = offsets.filter((offset) => Math.abs(offset - middle) <= SAME_OFFSET).length;
  const metres = Math.round(middle * 20) / 20;
  const side = metres > 0 ? 'above' : 'below';
  const now = yOffset === 0 ? '' : ` (it is ${yOffset} now)`;
  return `${nearlyAll(agreeing / count)} targets are ${Math.abs(metres)} m ${side} the mesh: set yOffset to ${metres}${now}.`;
}

/** What the counts say: sequence numbers, entities, time units. */
export function tallyHints(
  entities: Iterable<EntityTally>,
  spanMs: number,
  backwards: number,
  strangers: ReadonlyMap<string, number> = new Map(),
): string[] {
  const hints: string[] = [];
  let stuck = 0;
  let stuckId = '';
  let unknown = 0;
  let unknownClaims = 0;
  let unknownId = '';
  let busiest = 0;
  let claims = 0;
  let tooFast = 0;
  for (const { id, reasons, verdicts } of entities) {
    const total = verdicts.reduce((sum, n) => sum + n, 0);
    claims += total;
    busiest = Math.max(busiest, total);
    tooFast += reasons[Reason.SpeedLimit] + reasons[Reason.Teleport];
    if (total >= 5 && reasons[Reason.Replay] >= total - 1) {
      stuck++;
      if (stuckId === '') stuckId = id;
    }
    if (reasons[Reason.UnknownEntity] === total) {
      unknown++;
      unknownClaims += total;
      if (unknownId === '') unknownId = id;
    }
  }
  if (stuck > 0) {
    hints.push(
      `The sequence numbers of ${stuck === 1 ? `"${stuckId}"` : `${stuck} entities (first "${stuckId}")`} never increase: ` +
        'a claim needs a higher seq than the one before it.',
    );
  }
  if (unknown > 0) {
    hints.push(
      `${unknownClaims} claim${unknownClaims === 1 ? '' : 's'} by ${unknown === 1 ? `"${unknownId}"` : `${unknown} entities (first "${unknownId}")`} ` +
        'came without an "enter" before: the recording began late, or the ids differ.',
    );
  }
  for (const [id, line] of strangers) {
    const count = strangers.size;
    hints.push(
      `Facts for ${count === 1 ? 'an unknown entity' : `${count} unknown entities`} (${count === 1 ? '' : 'first '}"${id}", line ${line}) ` +
        'changed nothing: no "enter" came before them.',
    );
    break;
  }
  if (busiest >= 20 && spanMs > 0 && spanMs / busiest < 1 && tooFast * 2 > claims) {
    hints.push(
      `One entity sent ${busiest} claims within ${Number(spanMs.toPrecision(3))} ms and most are too fast: t looks like seconds, expected milliseconds.`,
    );
  }
  if (backwards > 0) {
    hints.push(
      `On ${backwards} line${backwards === 1 ? '' : 's'} t is smaller than before and counted as equal: t must come from a monotonic clock.`,
    );
  }
  return hints;
}

function share(map: NavMap, sample: readonly number[], apply: Turn, options: QueryOptions = {}): number {
  let on = 0;
  for (let i = 0; i < sample.length; i += 3) {
    if (map.locate(apply(sample[i], sample[i + 1], sample[i + 2]), options) !== null) on++;
  }
  return (3 * on) / sample.length;
}

/** Larger side in plan: a scale that squeezes everything into one point explains nothing. */
function planExtent(sample: readonly number[], apply: Turn): number {
  let [minX, maxX, minZ, maxZ] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < sample.length; i += 3) {
    const [x, , z] = apply(sample[i], sample[i + 1], sample[i + 2]);
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minZ = Math.min(minZ, z);
    maxZ = Math.max(maxZ, z);
  }
  return Math.max(maxX - minX, maxZ - minZ);
}

function span(sample: readonly number[]): string {
  const words: string[] = [];
  for (let axis = 0; axis < 3; axis++) {
    let [min, max] = [Infinity, -Infinity];
    for (let i = axis; i < sample.length; i += 3) {
      min = Math.min(min, sample[i]);
      max = Math.max(max, sample[i]);
    }
    words.push(range('xyz'[axis], min, max));
  }
  return words.join(', ');
}

function mapSpan(map: NavMap): string {
  const { min, max } = map.info.bounds;
  return [0, 1, 2].map((axis) => range('xyz'[axis], min[axis], max[axis])).join(', ');
}

function range(name: string, min: number, max: number): string {
  return `${name} ${Number(min.toPrecision(4))} to ${Number(max.toPrecision(4))}`;
}

function percent(part: number): string {
  return `${Math.floor(part * 100)} %`;
}

function nearlyAll(part: number): string {
  return part >= 0.995 ? 'All' : `${percent(part)} of all`;
}
