// What rooms and claims know of a socket, and what a socket knows of its server: the two sides meet in these shapes, so that
// nothing imports in a circle. A leaf of serve/ but for types.
import type { CloseReason, Counts } from './counts.ts';
import type { Entity } from './entity.ts';
import type { Judge } from './judge.ts';
import type { Settings } from './options.ts';
import type { Run, Snapshots } from './snapshots.ts';
import type { Message, Speech } from './speech.ts';

/** A socket, for its room. */
export interface Member {
  readonly entities: readonly Entity[];
  readonly speech: Speech;
  /** Its own entries in the tick at hand. */
  readonly run: Run;
  send(message: Message): void;
  snapshot(snapshots: Snapshots, tick: number, own: Run): void;
}

/** A socket, for those who judge what it says. */
export interface Sender extends Member {
  readonly room: { others(but: Member, say: (speech: Speech) => Message): void };
  end(reason: CloseReason): void;
}

/** The server, for a socket; `Who` is the socket itself. */
export interface House<Who> {
  readonly settings: Settings;
  readonly counts: Counts;
  readonly judge: Judge;
  /** Judges a message; false when it is none of the protocol's. */
  hear(who: Who, bytes: Buffer, isBinary: boolean, t: number): boolean;
  /** The socket has ended: what was its own goes. */
  gone(who: Who, reason: CloseReason): void;
}
