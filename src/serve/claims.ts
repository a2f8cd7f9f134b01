// From a frame to the guard and back: reads what a socket sent, has it judged, answers the sender and tells the others. One
// answer for each claim: MoveAnswer, or Correction (a refused move), or MoveFail (a refused click). Imported by server.ts.
import { performance } from 'node:perf_hooks';
import type { Verdict } from '../types.ts';
import {
  beginClaimOf,
  blankAck,
  blankInput,
  blankMove,
  blankMoveBegin,
  Command,
  decodeAck,
  decodeInput,
  decodeMove,
  decodeMoveBegin,
  frameKind,
  type InputRequest,
  type MoveBeginRequest,
  type MoveRequest,
  optionsOf,
} from '../wire/index.ts';
import type { Counts } from './counts.ts';
import { type Entity, place, STILL_TICKS } from './entity.ts';
import type { Judge } from './judge.ts';
import type { Sender } from './member.ts';
import { readText } from './text.ts';

/** Who sits in judgement, and what comes of it besides answers. */
export interface Bench {
  readonly judge: Judge;
  readonly counts: Counts;
  /** Who reaches `kick` is closed. */
  readonly kicks: boolean;
  /** One more entity for a socket. */
  spawn(client: Sender, t: number): void;
}

export class Claims {
  readonly #server: Bench;
  readonly #move = blankMove();
  readonly #begin = blankMoveBegin();
  readonly #input = blankInput();
  readonly #ack = blankAck();
  readonly #said = { mapVersion: undefined, progress: undefined };

  constructor(server: Bench) {
    this.#server = server;
  }

  /** A message of one frame. False for anything else. */
  binary(client: Sender, bytes: Buffer, t: number): boolean {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    switch (frameKind(view, 0)) {
      case Command.Move:
      case Command.MoveFixed:
        if (decodeMove(view, 0, this.#move) !== bytes.length) return false;
        this.#judgeMove(client, t, this.#move);
        return true;
      case Command.MoveBegin:
        if (decodeMoveBegin(view, 0, this.#begin) !== bytes.length) return false;
        this.#judgeBegin(client, t, this.#begin);
        return true;
      case Command.Input:
        if (decodeInput(view, 0, this.#input) !== bytes.length) return false;
        this.#judgeInput(client, t, this.#input);
        return true;
      case Command.Ack:
        if (decodeAck(view, 0, this.#ack) !== bytes.length) return false;
        this.#server.judge.tell(client.entities[0], { op: 'ack', correction: this.#ack.correction }, t);
        return true;
      default:
        return false;
    }
  }

  /** The same as JSON text: see text.ts. */
  text(client: Sender, bytes: Buffer, t: number): boolean {
    const request = readText(bytes.toString(), client.entities[0].number);
    switch (request?.op) {
      case 'move':
        this.#judgeMove(client, t, request.frame);
        return true;
      case 'begin':
        this.#judgeBegin(client, t, request.frame);
        return true;
      case 'input':
        this.#judgeInput(client, t, request.frame);
        return true;
      case 'ack':
        this.#server.judge.tell(client.entities[0], { op: 'ack', correction: request.frame.correction }, t);
        return true;
      case 'spawn':
        this.#server.spawn(client, t);
        return true;
      default:
        return false;
    }
  }

  #judgeMove(client: Sender, t: number, frame: MoveRequest): void {
    const entity = client.entities[0];
    const said = optionsOf(frame, this.#said);
    const verdict = this.#server.judge.move(entity, t, frame.seq, frame.x, frame.y, frame.z, said);
    this.#placed(client, entity, t, frame.seq, verdict);
  }

  #judgeInput(client: Sender, t: number, frame: InputRequest): void {
    const entity = client.entities[0];
    const said = optionsOf(frame, this.#said);
    const verdict = this.#server.judge.input(entity, t, frame.seq, [frame.dirX, frame.dirZ], frame.ms, said);
    this.#placed(client, entity, t, frame.seq, verdict);
  }

  /** What follows from a verdict on a move or an input. */
  #placed(client: Sender, entity: Entity, t: number, seq: number, verdict: Verdict): void {
    const { pos } = verdict;
    if (pos !== null) {
      place(entity, pos);
      // an accepted move ends a walk
      if (verdict.accepted) entity.walking = 0;
    }
    client.send(verdict.correction > 0 ? client.speech.correction(seq, verdict) : client.speech.answer(seq, verdict));
    this.#done(client, t, verdict);
  }

  #judgeBegin(client: Sender, t: number, frame: MoveBeginRequest): void {
    const { speech } = client;
    const entity = client.entities.find(({ number }) => number === frame.entity);
    if (entity === undefined) {
      // not the sender's: nobody's state changes by it, and the guard is not asked
      this.#server.counts.dropped.foreign++;
      client.send(speech.fail(frame.seq, frame.entity, null));
      return;
    }
    const verdict = this.#server.judge.begin(entity, t, beginClaimOf(frame));
    if (verdict.accepted) {
      entity.walking = STILL_TICKS;
      client.send(speech.answer(frame.seq, verdict));
      client.room.others(client, (form) => form.started(t, frame));
    } else client.send(speech.fail(frame.seq, frame.entity, verdict));
    this.#done(client, t, verdict);
  }

  #done(client: Sender, t: number, verdict: Verdict): void {
    const { counts } = this.#server;
    counts.verdict(verdict);
    counts.answer(performance.now() - t);
    if (verdict.action === 'kick' && this.#server.kicks) client.end('kick');
  }
}
