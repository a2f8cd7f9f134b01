// Random frames of every kind, for the tests: within what the wire may carry, with the odd extreme.
import type { Random } from '../../src/simulate/random.ts';

function u32(random: Random): number {
  return random.chance(0.1) ? [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1][random.below(5)] : random.below(2 ** 32);
}

function said(random: Random): number {
  return random.chance(0.5) ? -1 : u32(random);
}

function finite(random: Random): number {
  if (random.chance(0.1)) return [0, -0, 5e-324, -1e308, 1.7976931348623157e308, 0.1][random.below(6)];
  const size = 10 ** random.between(-4, 7);
  return random.between(-size, size);
}

/** What a client may claim: not a number too. */
function any(random: Random): number {
  return random.chance(0.05) ? [Number.NaN, Infinity, -Infinity][random.below(3)] : finite(random);
}

/** On the grid of the fixed-point positions. */
function fixed(random: Random): number {
  const steps = random.chance(0.1) ? [0, -(2 ** 31), 2 ** 31 - 1][random.below(3)] : random.below(2 ** 32) - 2 ** 31;
  return steps / 1024;
}

function body(random: Random, n: (random: Random) => number, data: boolean, strategies: number): object {
  const target = data && random.chance(0.8);
  const value = (): number => (data ? n(random) : 0);
  return {
    ...{ entity: u32(random), mapVersion: said(random), progress: said(random), hasData: data, hasTarget: target },
    ...{ strategy: data ? random.below(strategies) : 0, kind: data ? random.below(65536) : 0 },
    flags: data ? u32(random) : 0,
    from: Float64Array.of(value(), value(), value()),
    to: target ? Float64Array.of(n(random), n(random), n(random)) : new Float64Array(3),
    ...{ facing: value(), durationMs: value(), speed: value(), stop: value(), chaseMs: value(), timestampMs: value() },
  };
}

export function randomFrame(name: string, random: Random): object {
  const both = { mapVersion: said(random), progress: said(random) };
  const at = { x: finite(random), y: finite(random), z: finite(random) };
  switch (name) {
    case 'Move':
      return { seq: u32(random), ...both, x: any(random), y: any(random), z: any(random) };
    case 'MoveFixed':
      return { seq: u32(random), ...both, x: fixed(random), y: fixed(random), z: fixed(random) };
    case 'MoveBegin':
      return { seq: u32(random), ...body(random, any, random.chance(0.9), 256) };
    case 'Ack':
      return { correction: u32(random) };
    case 'Input':
      return { seq: u32(random), ...both, dirX: any(random), dirZ: any(random), ms: any(random) };
    case 'Hello': {
      const mapHash = Uint8Array.from({ length: 32 }, () => random.below(256));
      return { entity: u32(random), ...both, mapHash, timeMs: finite(random), speed: Math.abs(finite(random)), ...at };
    }
    case 'MoveAnswer':
      return { seq: u32(random), reason: random.below(21), x: fixed(random), y: fixed(random) };
    case 'MoveStarted':
      return { startMs: finite(random), ...body(random, finite, true, 5) };
    case 'MoveFail':
      return { seq: u32(random), entity: u32(random), reason: 1 + random.below(20), ...at };
    case 'Correction':
      return { correction: u32(random), seq: u32(random), reason: random.below(21), ...at };
    case 'Snapshot': {
      const count = random.chance(0.1) ? [0, 256][random.below(2)] : random.below(20);
      const entity = Uint32Array.from({ length: 256 }, (_, i) => (i < count ? u32(random) : 0));
      const pos = Float64Array.from({ length: 768 }, (_, i) => (i < 3 * count ? fixed(random) : 0));
      return { tick: u32(random), count, entity, pos };
    }
    case 'Left':
      return { entity: u32(random) };
    default:
      throw new Error(`randomFrame: no frame is called ${name}`);
  }
}
