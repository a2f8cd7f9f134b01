// One socket: what it may use up, what it is sent, whether it is still there, and which entities are its own. Imported by
// serve/server.ts and room.ts; claims.ts judges what it sends.
import { performance } from 'node:perf_hooks';
import type { RawData, WebSocket } from 'ws';
import type { CloseReason } from './counts.ts';
import type { Entity } from './entity.ts';
import { Bucket } from './limits.ts';
import type { House, Sender } from './member.ts';
import type { Room } from './room.ts';
import type { Run, Snapshots } from './snapshots.ts';
import type { Message, Speech } from './speech.ts';
import { TEXT } from './speech.ts';

/** Codes of the closing frame: RFC 6455 section 7.4.1, and 4xxx of our own. */
const CODES: Record<CloseReason, number> = {
  gone: 1000,
  rate: 1008,
  slow: 1013,
  dead: 1001,
  idle: 4000,
  kick: 4003,
  protocol: 1003,
  shutdown: 1001,
};

/** Frames that are none of the protocol's, before the socket is closed. */
const MOST_MALFORMED = 16;
/** Round trips of which the shortest counts: a client can only delay its pongs, and a busy moment is no distance. */
const ROUND_TRIPS = 5;
/** A round trip that differs by less is not told, ms. */
const RTT_STEP = 1;

export class Client implements Sender {
  readonly ws: WebSocket;
  readonly room: Room;
  readonly address: string;
  readonly speech: Speech;
  readonly entities: Entity[] = [];
  /** Its own entries in the tick at hand. */
  readonly run: Run = { from: 0, to: 0 };
  closed = false;
  /** Snapshots that it was not sent for its unsent bytes. */
  droppedSnapshots = 0;
  readonly #server: House<Client>;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  #malformed = 0;
  #heardAt: number;
  #claimedAt: number;
  #pingAt = Number.NaN;
  #pingNumber = 0;
  readonly #trips: number[] = [];
  #told = Number.NaN;

  constructor(server: House<Client>, ws: WebSocket, room: Room, address: string, speech: Speech, t: number) {
    this.#server = server;
    this.ws = ws;
    this.room = room;
    this.address = address;
    this.speech = speech;
    this.#heardAt = t;
    this.#claimedAt = t;
    const { messagesPerSecond, bytesPerSecond, burstSeconds, maxFrameBytes } = server.settings;
    this.#messages = new Bucket(messagesPerSecond, Math.max(1, messagesPerSecond * burstSeconds), t);
    // a frame of the largest size fits at least
    this.#bytes = new Bucket(bytesPerSecond, Math.max(maxFrameBytes, bytesPerSecond * burstSeconds), t);
    ws.on('message', (data, isBinary) => this.#hear(data, isBinary));
    ws.on('pong', (payload) => this.#pong(payload));
    ws.on('ping', () => this.#control());
    // a frame that is too long, or none of RFC 6455: ws closes it with the right code
    ws.on('error', () => this.end('protocol', true));
    ws.on('close', () => this.end('gone', true));
  }

  /** Pays for a frame; false = it is not looked at. */
  #pay(bytes: number, t: number): boolean {
    const messages = this.#messages.take(1, t);
    const size = this.#bytes.take(bytes, t);
    if (messages === 'yes' && size === 'yes') return true;
    this.#server.counts.dropped.rate++;
    if (messages === 'close' || size === 'close') this.end('rate');
    return false;
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.closed) return;
    const t = performance.now();
    this.#heardAt = t;
    // one Buffer: binaryType is nodebuffer
    const bytes = data as Buffer;
    const { counts } = this.#server;
    counts.frames++;
    counts.bytes += bytes.length;
    if (!this.#pay(bytes.length, t)) return;
    if (this.#server.hear(this, bytes, isBinary, t)) {
      this.#claimedAt = t;
      return;
    }
    counts.dropped.malformed++;
    if (++this.#malformed >= MOST_MALFORMED) this.end('protocol');
  }

  /** A ping of the client's own: answered by ws, and paid for like any frame. */
  #control(): void {
    if (this.closed) return;
    this.#heardAt = performance.now();
    this.#pay(8, this.#heardAt);
  }

  #pong(payload: Buffer): void {
    if (this.closed) return;
    const t = performance.now();
    this.#heardAt = t;
    // pongs that nobody asked for measure nothing, and are paid for
    if (payload.length !== 4 || payload.readUInt32BE() !== this.#pingNumber || this.#pingAt !== this.#pingAt) {
      this.#pay(payload.length, t);
      return;
    }
    this.#trips.push(t - this.#pingAt);
    this.#pingAt = Number.NaN;
    if (this.#trips.length > ROUND_TRIPS) this.#trips.shift();
    const rtt = Math.min(...this.#trips);
    if (Math.abs(rtt - this.#told) < RTT_STEP) return;
    this.#told = rtt;
    for (const entity of this.entities) this.#server.judge.tell(entity, { op: 'rtt', ms: rtt }, t);
  }

  /** Once in pingMs: is it still there, does it still play, how far away is it. */
  look(t: number): void {
    const { deadMs, idleMs } = this.#server.settings;
    if (t - this.#heardAt > deadMs) this.end('dead');
    else if (t - this.#claimedAt > idleMs) this.end('idle');
    else if (this.#pingAt !== this.#pingAt) {
      const payload = Buffer.allocUnsafe(4);
      this.#pingNumber = (this.#pingNumber + 1) >>> 0;
      payload.writeUInt32BE(this.#pingNumber);
      this.#pingAt = t;
      this.ws.ping(payload);
    }
  }

  /** Sends what must arrive. Who does not read is closed. */
  send(message: Message): void {
    if (this.closed) return;
    if (this.ws.bufferedAmount > this.#server.settings.queueLimitBytes) {
      this.end('slow');
      return;
    }
    this.#server.counts.sent++;
    this.ws.send(message);
  }

  /** Sends a snapshot, unless it has enough to read: the next one says more. */
  snapshot(snapshots: Snapshots, tick: number, own: Run): void {
    if (this.closed) return;
    if (this.ws.bufferedAmount > this.#server.settings.queueBytes) {
      this.droppedSnapshots++;
      this.#server.counts.dropped.snapshot++;
      // one that never reads and never claims is only ever looked at here
      if (this.ws.bufferedAmount > this.#server.settings.queueLimitBytes) this.end('slow');
      return;
    }
    const message = this.speech === TEXT ? snapshots.text(tick, own) : snapshots.binary(tick, own);
    if (message !== null) this.send(message);
  }

  /** Closes it; everything that is its own is gone at once. `lost`: the other end has closed already. */
  end(reason: CloseReason, lost = false): void {
    if (this.closed) return;
    this.closed = true;
    this.#server.gone(this, reason);
    if (lost) return;
    // what does not read or does not answer gets no handshake
    if (reason === 'slow' || reason === 'dead') this.ws.terminate();
    else {
      this.ws.close(CODES[reason], reason);
      // the rest of a flood stays in the kernel; ws cuts the connection after its time for closing
      if (reason === 'rate' || reason === 'protocol') this.ws.pause();
    }
  }
}
