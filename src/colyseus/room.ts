// What is needed of a Colyseus room and its clients, by shape: no type and no code of Colyseus is imported, so whoever does
// not use it does not need it. Rooms of @colyseus/core 0.18 fit, whatever their own types of messages and clients are; a
// test compiles some against it. A leaf of colyseus/.

/** A client as the room sees it. */
export interface RoomClient {
  readonly sessionId: string;
  /** The socket; one with ping frames (ws) is asked for its round-trip time. */
  readonly ref?: unknown;
  /** (type, message) */
  send(...message: never[]): void;
}

/** A room: `this` in a class that extends Colyseus' Room. */
export interface GuardableRoom<C extends RoomClient> {
  readonly clients: Iterable<C>;
  readonly clock: { setInterval(tick: () => void, ms: number): unknown };
  /** (type, listener) */
  onMessage(...listener: never[]): unknown;
  /** (type, message, { except }) */
  broadcast(...message: never[]): void;
  /** (client, seconds) */
  allowReconnection(...who: never[]): unknown;
  onDrop?(client: C, code?: number): unknown;
  onReconnect?(client: C): unknown;
  onLeave?(client: C, code?: number): unknown;
}

/** The same room, as it is spoken to here: messages of any type. */
export interface OpenRoom<C extends RoomClient> {
  onMessage(type: string, listener: (client: C, message: unknown) => void): unknown;
  broadcast(type: string, message: unknown, options: { except: C }): void;
  allowReconnection(client: C, seconds: number): PromiseLike<unknown>;
}

export function send(client: RoomClient, type: string, message: unknown): void {
  (client as { send(type: string, message: unknown): void }).send(type, message);
}
