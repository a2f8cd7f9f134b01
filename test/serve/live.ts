// Actors of simulate/ on real sockets in real time: what they send goes through the server's front door, and what the game
// does to them is told to its judge. Lines have no delay of their own: the loopback is the line.
import { performance } from 'node:perf_hooks';
import WebSocket from 'ws';
import type { Claim } from '../../src/log/events.ts';
import { REASON_NAMES } from '../../src/reasons.ts';
import type { Entity } from '../../src/serve/entity.ts';
import type { Placed } from '../../src/serve/given.ts';
import type { Server } from '../../src/serve/server.ts';
import type { Actor, ActorClaim, ActorFact, Answer, Wire } from '../../src/simulate/actor.ts';
import { type Random, seeded } from '../../src/simulate/random.ts';
import {
  blankAnswer,
  blankCorrection,
  blankHello,
  blankMove,
  blankMoveBegin,
  blankMoveFail,
  Command,
  decodeAnswer,
  decodeCorrection,
  decodeHello,
  decodeMoveFail,
  encodeAck,
  encodeMove,
  encodeMoveBegin,
  frameKind,
  WIRE_STRATEGIES,
} from '../../src/wire/index.ts';

const move = blankMove();
const begin = blankMoveBegin();
const view = new DataView(new ArrayBuffer(128));

/** The frame of a claim as an actor words it; null for what no frame can hold (then it goes as JSON text). */
function frameOf(claim: ActorClaim, entity: number): Buffer | null {
  const { seq } = claim as { seq?: unknown };
  if (!(Number.isInteger(seq) && (seq as number) >= 0 && (seq as number) <= 0xffffffff)) return null;
  const vector = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === 3 && value.every((n) => typeof n === 'number');
  if (claim.op === 'move') {
    if (!vector(claim.pos)) return null;
    [move.x, move.y, move.z] = claim.pos;
    move.seq = seq as number;
    return copy(encodeMove(view, 0, move));
  }
  if (claim.op === 'begin') {
    if (!vector(claim.from) || !vector(claim.to)) return null;
    if (typeof claim.speed !== 'number' || typeof claim.duration !== 'number') return null;
    Object.assign(begin, {
      entity,
      seq,
      hasData: true,
      hasTarget: true,
      speed: claim.speed,
      durationMs: claim.duration,
    });
    begin.stop = typeof claim.stop === 'number' ? claim.stop : 0;
    begin.strategy = Math.max(0, WIRE_STRATEGIES.indexOf(claim.strategy as string | undefined));
    begin.from.set(claim.from);
    begin.to.set(claim.to);
    return copy(encodeMoveBegin(view, 0, begin));
  }
  return null;
}

function copy(bytes: number): Buffer {
  return Buffer.from(new Uint8Array(view.buffer, 0, bytes));
}

export class Live implements Wire {
  readonly random: Random;
  readonly rttMs = 0;
  readonly jitterMs = 0;
  /** Claims sent, and answered. */
  sent = 0;
  answered = 0;
  readonly #actor: Actor;
  readonly #server: Server;
  readonly #places: Map<string, Placed>;
  #ws: WebSocket | null = null;
  #entity = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #later = new Set<NodeJS.Timeout>();
  readonly #waiting: (Buffer | string)[] = [];

  constructor(server: Server, actor: Actor, places: Map<string, Placed>, seed: number) {
    this.random = seeded(seed);
    this.#server = server;
    this.#actor = actor;
    this.#places = places;
    this.#plan();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const timer of this.#later) clearTimeout(timer);
    this.#ws?.close();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const { wakeAt } = this.#actor;
    if (this.#stopped || wakeAt === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => {
      this.#actor.wake(Math.max(performance.now(), wakeAt), this);
      this.#plan();
    }, wakeAt - performance.now());
  }

  #after(t: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      act();
    }, t - performance.now());
    this.#later.add(timer);
  }

  #give(message: Buffer | string, isClaim = true): void {
    if (isClaim) this.sent++;
    if (this.#entity === 0) this.#waiting.push(message);
    else this.#ws?.send(message);
  }

  move(seq: number, x: number, y: number, z: number): void {
    this.send({ op: 'move', seq, pos: [x, y, z] });
  }

  send(claim: ActorClaim): void {
    const frame = frameOf(claim, this.#entity);
    this.#give(frame ?? JSON.stringify(claim, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  }

  sendAt(arrivalMs: number, claim: ActorClaim): void {
    this.#after(arrivalMs, () => this.send(claim));
  }

  ack(correction: number): void {
    encodeAck(view, 0, { correction });
    this.#give(copy(6), false);
  }

  server(fact: ActorFact): void {
    if (fact.op === 'enter') this.#enter(fact);
    else if (fact.op === 'leave') {
      this.#ws?.close();
      this.#entity = 0;
    } else if (fact.op !== 'rtt') {
      // what the server measures by itself it is not told
      const entity = this.#own();
      if (entity === undefined) return;
      this.#server.judge.tell(entity, fact as never, performance.now());
    }
    this.#told(fact);
  }

  serverAt(t: number, fact: ActorFact): void {
    this.#after(t, () => this.server(fact));
  }

  authority(): readonly [number, number, number] | null {
    return this.#server.judge.guard.positionAt(`lobby/${this.#actor.id}`);
  }

  #own(): Entity | undefined {
    for (const client of this.#server.clients) {
      const own = client.entities.find(({ id }) => id === `lobby/${this.#actor.id}`);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  #told(fact: ActorFact): void {
    if (fact.op === 'enter') return;
    this.#actor.told?.(performance.now(), fact, this.authority(), this);
    this.#plan();
  }

  #enter(fact: Extract<ActorFact, { op: 'enter' }>): void {
    this.#places.set(this.#actor.id, { pos: fact.pos, speed: fact.speed });
    const ws = new WebSocket(`ws://127.0.0.1:${this.#server.port}/?name=${this.#actor.id}`);
    this.#ws = ws;
    ws.on('error', () => undefined);
    // the name may be taken for a moment yet: the socket before is closing
    ws.on('unexpected-response', () => this.#after(performance.now() + 20, () => this.#enter(fact)));
    ws.on('message', (data: Buffer) => this.#hear(data, fact));
  }

  #hear(data: Buffer, fact: ActorFact): void {
    if (this.#stopped) return;
    const bytes = new DataView(data.buffer, data.byteOffset, data.length);
    switch (frameKind(bytes, 0)) {
      case Command.Hello: {
        const hello = blankHello();
        decodeHello(bytes, 0, hello);
        this.#entity = hello.entity;
        for (const message of this.#waiting.splice(0)) this.#ws?.send(message);
        this.#actor.told?.(performance.now(), fact, this.authority(), this);
        break;
      }
      case Command.MoveAnswer: {
        const answer = blankAnswer();
        decodeAnswer(bytes, 0, answer);
        this.#answer('move', answer.seq, answer.reason === 0, answer.reason, null, 0);
        break;
      }
      case Command.Correction: {
        const frame = blankCorrection();
        decodeCorrection(bytes, 0, frame);
        this.#answer('move', frame.seq, false, frame.reason, [frame.x, frame.y, frame.z], frame.correction);
        break;
      }
      case Command.MoveFail: {
        const frame = blankMoveFail();
        decodeMoveFail(bytes, 0, frame);
        this.#answer('begin', frame.seq, false, frame.reason, [frame.x, frame.y, frame.z], 0);
        break;
      }
    }
    this.#plan();
  }

  #answer(
    op: Claim['op'],
    seq: number,
    accepted: boolean,
    reason: number,
    pos: [number, number, number] | null,
    correction: number,
  ): void {
    this.answered++;
    const { listens } = this.#actor;
    if (listens === 'none' || (listens === 'refusals' && accepted)) return;
    const verdict = accepted ? 'accept' : pos === null ? 'reject' : 'correct';
    const answer: Answer = {
      op,
      seq,
      verdict,
      reason: REASON_NAMES[reason],
      pos,
      correction,
      action: 'none',
      score: 0,
    };
    this.#actor.hear(performance.now(), answer, this);
  }
}
