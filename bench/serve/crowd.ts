// Players of a load: each a socket that walks its route at 20 claims a second, counts its answers and times them. One process
// holds thousands. Imported by bench/serve.ts, bench/soak.ts and the server's tests.
import { performance } from 'node:perf_hooks';
import WebSocket from 'ws';
import {
  blankCorrection,
  blankHello,
  blankMove,
  Command,
  decodeCorrection,
  decodeHello,
  encodeAck,
  encodeMove,
  frameKind,
} from '../../src/wire/index.ts';
import { keyOf, type Route } from './routes.ts';

/** Claims of a socket that may be under way. */
const UNDER_WAY = 256;
/** Answers are timed in steps of so many ms, up to two seconds. */
const STEP_MS = 0.05;
const STEPS = 40_000;
/** A client that freezes goes on where it was: it walks no longer than this between two claims, ms. */
const FROZEN_MS = 250;
const MOVE_BYTES = 39;
const ACK_BYTES = 6;

/** What a crowd has seen since the last `take`. */
export interface Seen {
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly snapshots: number;
  readonly bytes: number;
  readonly closed: number;
  /** ms, by share: 0.5, 0.99, ... */
  quantile(share: number): number;
}

export class Crowd {
  readonly players: Player[] = [];
  readonly url: string;
  readonly routes: ReadonlyMap<string, Route>;
  readonly intervalMs: number;
  sent = 0;
  answered = 0;
  refused = 0;
  snapshots = 0;
  bytes = 0;
  closed = 0;
  #times = new Uint32Array(STEPS + 1);
  #timer: NodeJS.Timeout | undefined;
  #next = 0;
  #due = 0;
  #index = 0;

  constructor(url: string, routes: ReadonlyMap<string, Route>, hz = 20) {
    this.url = url;
    this.routes = routes;
    this.intervalMs = 1000 / hz;
    this.#due = performance.now();
    // claims are spread over the interval: a few players each millisecond
    this.#timer = setInterval(() => this.#play(), 1);
  }

  /** Opens sockets until there are `count`, `roomSize` in a room, so many at a time. */
  async grow(count: number, roomSize: number, atOnce = 32): Promise<void> {
    while (this.players.length < count) {
      const opening: Promise<void>[] = [];
      while (opening.length < atOnce && this.players.length < count) {
        const player = new Player(this, `${this.url}room${Math.floor(this.#index++ / roomSize)}`);
        this.players.push(player);
        opening.push(player.ready);
      }
      await Promise.all(opening);
    }
  }

  /** Sockets from the last back, closed. */
  shrink(count: number): void {
    for (const player of this.players.splice(count)) player.close();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.shrink(0);
  }

  timed(ms: number): void {
    this.answered++;
    this.#times[Math.min(STEPS, Math.max(0, Math.floor(ms / STEP_MS)))]++;
  }

  /** What has been seen; counting begins anew. */
  take(): Seen {
    const times = this.#times;
    this.#times = new Uint32Array(STEPS + 1);
    const { sent, answered, refused, snapshots, bytes, closed } = this;
    this.sent = this.answered = this.refused = this.snapshots = this.bytes = this.closed = 0;
    const total = times.reduce((sum, n) => sum + n, 0);
    const quantile = (share: number): number => {
      let left = share * total;
      for (let k = 0; k <= STEPS; k++) {
        left -= times[k];
        if (left <= 0) return (k + 1) * STEP_MS;
      }
      return Number.NaN;
    };
    return { sent, answered, refused, snapshots, bytes, closed, quantile };
  }

  /** Everybody has one turn in an interval; turns that were missed are lost, as a client that freezes loses frames. */
  #play(): void {
    const now = performance.now();
    const n = this.players.length;
    if (n === 0) {
      this.#due = now;
      return;
    }
    const each = this.intervalMs / n;
    if (now - this.#due > this.intervalMs) this.#due = now - this.intervalMs;
    while (this.#due <= now) {
      this.players[this.#next++ % n].step(now);
      this.#due += each;
    }
    this.#next %= n;
  }
}

const move = blankMove();
const hello = blankHello();
const correction = blankCorrection();

/** A socket, and who walks behind it. */
export class Player {
  readonly ready: Promise<void>;
  /** Claims that have no answer yet. */
  unanswered = 0;
  readonly ws: WebSocket;
  readonly #crowd: Crowd;
  readonly #sentAt = new Float64Array(UNDER_WAY);
  #route: Route | undefined;
  /** How far along its route it is, where it was at each claim under way, and at the last that was accepted, ms. */
  #walked = 0;
  readonly #walkedAt = new Float64Array(UNDER_WAY);
  #accepted = 0;
  #steppedAt = Number.NaN;
  #seq = 0;
  #closing = false;

  constructor(crowd: Crowd, url: string) {
    this.#crowd = crowd;
    // RFC 6455 wants a mask; one of zeros costs nothing, and is allowed
    this.ws = new WebSocket(url, { perMessageDeflate: false, generateMask: (mask) => void mask.fill(0) });
    this.ready = new Promise((done, fail) => {
      this.ws.once('error', fail);
      this.ws.on('message', (data: Buffer) => {
        this.#hear(data);
        done();
      });
    });
    this.ws.on('close', () => {
      if (!this.#closing) crowd.closed++;
    });
  }

  close(): void {
    this.#closing = true;
    this.ws.close();
  }

  step(now: number): void {
    if (this.#route === undefined || this.ws.readyState !== WebSocket.OPEN) return;
    if (this.#steppedAt === this.#steppedAt) this.#walked += Math.min(FROZEN_MS, now - this.#steppedAt);
    this.#steppedAt = now;
    this.#route.at(this.#walked, move);
    this.#seq = (this.#seq + 1) >>> 0;
    this.#walkedAt[this.#seq % UNDER_WAY] = this.#walked;
    move.seq = this.#seq;
    const frame = Buffer.allocUnsafe(MOVE_BYTES);
    encodeMove(new DataView(frame.buffer, frame.byteOffset, MOVE_BYTES), 0, move);
    this.#sentAt[this.#seq % UNDER_WAY] = performance.now();
    this.unanswered++;
    this.#crowd.sent++;
    this.ws.send(frame);
  }

  #hear(data: Buffer): void {
    const crowd = this.#crowd;
    crowd.bytes += data.length;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    switch (frameKind(view, 0)) {
      case Command.MoveAnswer:
        this.#answered(view.getUint32(2));
        if (view.getUint8(6) !== 0) crowd.refused++;
        else this.#accepted = this.#walkedAt[view.getUint32(2) % UNDER_WAY];
        break;
      case Command.Correction: {
        decodeCorrection(view, 0, correction);
        this.#answered(correction.seq);
        crowd.refused++;
        // it obeys: back to where it was accepted last
        this.#walked = this.#accepted;
        const frame = Buffer.allocUnsafe(ACK_BYTES);
        encodeAck(new DataView(frame.buffer, frame.byteOffset, ACK_BYTES), 0, correction);
        this.ws.send(frame);
        break;
      }
      case Command.Snapshot:
        crowd.snapshots++;
        break;
      case Command.Hello:
        decodeHello(view, 0, hello);
        this.#route = crowd.routes.get(keyOf([hello.x, hello.y, hello.z]));
        if (this.#route === undefined) throw new Error('the server puts newcomers elsewhere');
        break;
    }
  }

  #answered(seq: number): void {
    this.unanswered--;
    this.#crowd.timed(performance.now() - this.#sentAt[seq % UNDER_WAY]);
  }
}
