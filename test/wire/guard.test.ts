// Frames and the guard: what a client sends becomes a verdict, whatever it holds, and the verdict becomes the frame that
// answers it.
import { expect, test } from 'vitest';
import { type NavMap, Reason } from '../../src/index.ts';
import type { BeginClaim } from '../../src/rules/claim.ts';
import * as wire from '../../src/wire/index.ts';
import { field, World } from '../guard/world.ts';

const OPEN: NavMap = field();
const view = new DataView(new ArrayBuffer(wire.MAX_FRAME_BYTES));

function world(): World {
  const w = new World(OPEN, {});
  w.guard.enter('r/7', { pos: [5, 0, 30], speed: 6 });
  w.guard.version('3');
  w.t = 1000;
  return w;
}

const click = {
  ...{ ...wire.blankMoveBegin(), seq: 1, entity: 7, hasData: true, hasTarget: true, strategy: 1, kind: 2 },
  ...{ from: Float64Array.of(5, 0, 30), to: Float64Array.of(11, 0, 30), speed: 6, durationMs: 1000, mapVersion: 3 },
};

function begin(w: World, frame: wire.MoveBeginRequest): ReturnType<World['guard']['begin']> {
  const out = wire.blankMoveBegin();
  expect(wire.encodeMoveBegin(view, 0, frame)).toBe(122);
  expect(wire.decodeMoveBegin(view, 0, out)).toBe(122);
  const claim: BeginClaim | null = wire.beginClaimOf(out);
  return w.guard.begin('r/7', claim as BeginClaim);
}

test('a click-to-move is judged with all it says', () => {
  const w = world();
  const verdict = begin(w, click);
  expect([verdict.reason, verdict.snapshot]).toEqual(['Accept', [11, 0, 30]]);
  w.t += 500;
  expect(w.guard.positionAt('r/7')?.[0]).toBeCloseTo(8, 6);
});

test.each([
  ['no move data', { hasData: false }, 'NullMoveData'],
  ['no target', { hasTarget: false }, 'TargetPos'],
  ['a source that is no number', { from: Float64Array.of(5, Number.NaN, 30) }, 'Malformed'],
  ['an endless duration', { durationMs: Infinity }, 'Malformed'],
  ['a facing that is none', { facing: Number.NaN }, 'Malformed'],
  ['a chase below zero', { chaseMs: -1 }, 'Malformed'],
  ['too large a stop distance', { stop: 1e9 }, 'Malformed'],
  ['an unknown strategy', { strategy: 99 }, 'MoveStrategy'],
  ['another map', { mapVersion: 4 }, 'MapVersionMismatch'],
  ['too fast', { speed: 60, durationMs: 100 }, 'SpeedLimit'],
  ['too soon', { durationMs: 10 }, 'DurationMismatch'],
  ['a target that is nowhere', { to: Float64Array.of(11, 0, 3000) }, 'TargetNotOnNavMesh'],
] as const)('%s: %s', (_, change, reason) => {
  const w = world();
  const verdict = begin(w, { ...click, ...change });
  expect([verdict.reason, verdict.accepted]).toEqual([reason, false]);
  // the answer goes to the sender, with the position that the server knows
  const fail = wire.blankMoveFail();
  wire.encodeMoveFail(view, 0, wire.moveFailOf(fail, 7, 1, verdict));
  expect(wire.decodeMoveFail(view, 0, fail)).toBe(35);
  expect(fail).toEqual({ seq: 1, entity: 7, reason: Reason[reason], x: 5, y: 0, z: 30 });
});

test('who only turns needs no target', () => {
  expect(begin(world(), { ...click, hasTarget: false, strategy: 4, facing: 1 }).reason).toBe('Accept');
});

test('a move too far is corrected, and the correction acknowledged; a move of another map is refused', () => {
  const w = world();
  const options = { mapVersion: undefined, progress: undefined };
  const send = (move: wire.MoveRequest): ReturnType<World['guard']['move']> => {
    const out = wire.blankMove();
    expect(wire.encodeMove(view, 0, move)).toBe(39);
    expect(wire.decodeMove(view, 0, out)).toBe(39);
    return w.guard.move('r/7', out.seq, out.x, out.y, out.z, wire.optionsOf(out, options));
  };
  const at = { ...wire.blankMove(), x: 5.25, y: 0, z: 30 };
  expect(send({ ...at, seq: 1 }).reason).toBe('Accept');
  expect(send({ ...at, seq: 2, mapVersion: 3 }).reason).toBe('Accept');
  expect(send({ ...at, seq: 3, mapVersion: 4 }).reason).toBe('MapVersionMismatch');
  expect(send({ ...at, seq: 4, x: Number.NaN }).reason).toBe('Malformed');
  const far = send({ ...at, seq: 4, x: 40 });
  const correction = wire.blankCorrection();
  wire.encodeCorrection(view, 0, wire.correctionOf(correction, 4, far));
  expect(wire.decodeCorrection(view, 0, correction)).toBe(35);
  expect(correction).toEqual({ correction: 1, seq: 4, reason: Reason.SpeedLimit, x: 5.25, y: 0, z: 30 });
  const ack = wire.blankAck();
  wire.encodeAck(view, 0, { correction: correction.correction });
  expect(wire.decodeAck(view, 0, ack)).toBe(6);
  expect(w.guard.ack('r/7', ack.correction)).toBe(true);
});

test('an unknown entity stands nowhere: 0, 0, 0', () => {
  const verdict = world().guard.begin('r/8', wire.beginClaimOf(click) as BeginClaim);
  expect(wire.moveFailOf(wire.blankMoveFail(), 8, 1, verdict)).toMatchObject({ reason: 6, x: 0, y: 0, z: 0 });
});

test('the hello carries the hash of the map', () => {
  const hello = wire.blankHello();
  expect(wire.hashFromHex(OPEN.info.hash, hello.mapHash)).toBe(true);
  wire.encodeHello(view, 0, hello);
  const out = wire.blankHello();
  expect(wire.decodeHello(view, 0, out)).toBe(89);
  expect(wire.hashToHex(out.mapHash)).toBe(OPEN.info.hash);
});
