// Round-trip times by ping frames, which browsers answer by themselves. Imported by moves.ts.

/** What is needed of a socket of `ws`. */
interface PingSocket {
  ping(data: Uint8Array): void;
  on(event: 'pong', listener: (data: Uint8Array) => void): unknown;
  off(event: 'pong', listener: (data: Uint8Array) => void): unknown;
  readonly readyState?: number;
}

const OPEN = 1;
const NONCE_BYTES = 8;

function canPing(ref: unknown): ref is PingSocket {
  const socket = ref as Partial<PingSocket> | null | undefined;
  return typeof socket?.ping === 'function' && typeof socket.on === 'function' && typeof socket.off === 'function';
}

/** One socket: at most one ping is under way, so a client that answers none costs none. */
export class RoundTrip {
  readonly #socket: PingSocket | null;
  readonly #told: (ms: number) => void;
  readonly #nonce = new Uint8Array(NONCE_BYTES);
  readonly #listener = (data: Uint8Array): void => this.#pong(data);
  #sent = Number.NaN;

  constructor(ref: unknown, told: (ms: number) => void) {
    this.#socket = canPing(ref) ? ref : null;
    this.#told = told;
    this.#socket?.on('pong', this.#listener);
  }

  ping(): void {
    const socket = this.#socket;
    if (socket === null || this.#sent === this.#sent || (socket.readyState ?? OPEN) !== OPEN) return;
    // a pong that was sent before the ping is none of it
    crypto.getRandomValues(this.#nonce);
    this.#sent = performance.now();
    socket.ping(this.#nonce.slice());
  }

  #pong(data: Uint8Array): void {
    if (!(this.#sent === this.#sent && data.length === NONCE_BYTES && this.#nonce.every((b, k) => b === data[k])))
      return;
    const ms = performance.now() - this.#sent;
    this.#sent = Number.NaN;
    this.#told(ms);
  }

  end(): void {
    this.#socket?.off('pong', this.#listener);
  }
}
