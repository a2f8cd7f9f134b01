// What the server says, in the form that a socket asked for: the binary frames of navguard/wire, or the same as JSON text
// for trying it by hand. Imported by serve/client.ts and room.ts.
//
// The text forms: {"op":"hello","entity":1,"id":"lobby/#1","map":"<hash>","t":12.5,"speed":6,"pos":[x,y,z]},
// {"op":"answer","seq","reason","pos"}, {"op":"correction","correction","seq","reason","pos"}, {"op":"fail","seq","entity",
// "reason","pos"}, {"op":"started","entity","t","from","to","speed","duration","stop"}, {"op":"snapshot","tick","entities":
// [[entity,x,y,z], ...]}, {"op":"left","entity"}, {"op":"entered","entity","id","pos"}.
import { REASON_NAMES, Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import {
  ANSWER_BYTES,
  blankCorrection,
  blankHello,
  blankLeft,
  blankMoveFail,
  blankMoveStarted,
  correctionOf,
  encodeAnswer,
  encodeCorrection,
  encodeHello,
  encodeLeft,
  encodeMoveFail,
  encodeMoveStarted,
  hashFromHex,
  type MoveBeginRequest,
  moveFailOf,
} from '../wire/index.ts';
import type { Entity } from './entity.ts';

/** A message as it goes to a socket. */
export type Message = Uint8Array | string;

/** A message for each thing there is to say. Each is new: sockets keep what they have not sent yet. */
export interface Speech {
  hello(entity: Entity, t: number, mapHash: string): Message;
  entered(entity: Entity): Message;
  answer(seq: number, verdict: Verdict): Message;
  correction(seq: number, verdict: Verdict): Message;
  /** A refused click; null = an entity that is not the sender's. */
  fail(seq: number, entity: number, verdict: Verdict | null): Message;
  started(t: number, claim: Readonly<MoveBeginRequest>): Message;
  left(entity: number): Message;
}

/** Bytes of the frames that are written here; see wire/commands.ts. */
const FAIL_BYTES = 35;
const HELLO_BYTES = 89;
const STARTED_BYTES = 126;
const LEFT_BYTES = 6;

const correction = blankCorrection();
const fail = blankMoveFail();
const hello = blankHello();
const left = blankLeft();
const started = blankMoveStarted();

function frame(bytes: number, encode: (view: DataView) => number): Uint8Array {
  const out = Buffer.allocUnsafe(bytes);
  encode(new DataView(out.buffer, out.byteOffset, bytes));
  return out;
}

/** Frames of navguard/wire. */
export const BINARY: Speech = {
  hello(entity, t, mapHash) {
    hello.entity = entity.number;
    hello.timeMs = t;
    hello.speed = entity.speed;
    hello.x = entity.x;
    hello.y = entity.y;
    hello.z = entity.z;
    hashFromHex(mapHash, hello.mapHash);
    return frame(HELLO_BYTES, (view) => encodeHello(view, 0, hello));
  },
  // there is no frame for it: rare, and said in text to everybody
  entered: (entity) => TEXT.entered(entity),
  answer: (seq, verdict) => frame(ANSWER_BYTES, (view) => encodeAnswer(view, 0, seq, verdict)),
  correction(seq, verdict) {
    correctionOf(correction, seq, verdict);
    return frame(FAIL_BYTES, (view) => encodeCorrection(view, 0, correction));
  },
  fail(seq, entity, verdict) {
    if (verdict !== null) moveFailOf(fail, entity, seq, verdict);
    else Object.assign(fail, { seq, entity, reason: Reason.UnknownEntity, x: 0, y: 0, z: 0 });
    return frame(FAIL_BYTES, (view) => encodeMoveFail(view, 0, fail));
  },
  started(t, claim) {
    const { seq: _, from, to, ...fields } = claim;
    Object.assign(started, fields, { startMs: t });
    started.from.set(from);
    started.to.set(to);
    // a broadcast holds finite numbers only, and these decide nothing
    for (const name of ['facing', 'chaseMs', 'timestampMs'] as const) {
      if (!Number.isFinite(started[name])) started[name] = 0;
    }
    return frame(STARTED_BYTES, (view) => encodeMoveStarted(view, 0, started));
  },
  left(entity) {
    left.entity = entity;
    return frame(LEFT_BYTES, (view) => encodeLeft(view, 0, left));
  },
};

function posOf(entity: Entity): number[] {
  return [entity.x, entity.y, entity.z];
}

/** The same as JSON. */
export const TEXT: Speech = {
  hello: (entity, t, map) => {
    const { number, id, speed } = entity;
    return JSON.stringify({ op: 'hello', entity: number, id, map, t, speed, pos: posOf(entity) });
  },
  entered: (entity) => JSON.stringify({ op: 'entered', entity: entity.number, id: entity.id, pos: posOf(entity) }),
  answer: (seq, { accepted, reason, pos }) =>
    JSON.stringify({ op: 'answer', seq, reason: accepted ? 'Accept' : reason, pos }),
  correction: (seq, { correction, reason, pos }) => JSON.stringify({ op: 'correction', correction, seq, reason, pos }),
  fail: (seq, entity, verdict) =>
    JSON.stringify({
      op: 'fail',
      seq,
      entity,
      reason: verdict === null ? REASON_NAMES[Reason.UnknownEntity] : verdict.reason,
      pos: verdict === null ? null : verdict.pos,
    }),
  started: (t, { entity, from, to, speed, durationMs, stop }) =>
    JSON.stringify({ op: 'started', entity, t, from: [...from], to: [...to], speed, duration: durationMs, stop }),
  left: (entity) => JSON.stringify({ op: 'left', entity }),
};
