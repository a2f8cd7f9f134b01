// A room: who is told of whom. Imported by serve/server.ts.
//
// Positions go out by tick, not by move: n players in a room who move f times a second would cost n (n - 1) f messages a
// second sent one by one, and cost n f by tick, each with up to n - 1 positions of 16 bytes. What is an event, not a state
// (an accepted click, somebody who leaves), goes out at once. Nobody is told of what is its own.
import { type Entity, place, STILL_TICKS } from './entity.ts';
import type { Judge } from './judge.ts';
import type { Member } from './member.ts';
import type { Snapshots } from './snapshots.ts';
import type { Message, Speech } from './speech.ts';

export class Room {
  readonly name: string;
  readonly members = new Set<Member>();
  readonly #judge: Judge;
  /** Shared by all rooms: ticks come one after the other. */
  readonly #snapshots: Snapshots;
  #tick = 0;

  constructor(name: string, judge: Judge, snapshots: Snapshots) {
    this.name = name;
    this.#judge = judge;
    this.#snapshots = snapshots;
  }

  /** Somebody is new here: it is told where everybody stands. */
  join(client: Member): void {
    const snapshots = this.#snapshots;
    snapshots.clear();
    for (const member of this.members) for (const entity of member.entities) snapshots.add(entity);
    this.members.add(client);
    client.snapshot(snapshots, this.#tick, { from: 0, to: 0 });
  }

  leave(client: Member): void {
    if (!this.members.delete(client)) return;
    for (const { number } of client.entities) this.others(client, (speech) => speech.left(number));
  }

  /** Tells everybody but one, each in its form; a message is made once for each form. */
  others(but: Member, say: (speech: Speech) => Message): void {
    const made = new Map<Speech, Message>();
    for (const member of this.members) {
      if (member === but) continue;
      let message = made.get(member.speech);
      if (message === undefined) {
        message = say(member.speech);
        made.set(member.speech, message);
      }
      member.send(message);
    }
  }

  /** Sends what has moved since the last tick. */
  tick(t: number): void {
    this.#tick = (this.#tick + 1) >>> 0;
    const snapshots = this.#snapshots;
    snapshots.clear();
    for (const member of this.members) {
      member.run.from = snapshots.count;
      for (const entity of member.entities) {
        if (entity.walking > 0) this.#walk(entity, t);
        if (!entity.moved) continue;
        entity.moved = false;
        snapshots.add(entity);
      }
      member.run.to = snapshots.count;
    }
    if (snapshots.count === 0) return;
    for (const member of this.members) member.snapshot(snapshots, this.#tick, member.run);
  }

  #walk(entity: Entity, t: number): void {
    const pos = this.#judge.positionAt(entity.id, t);
    if (pos === null) entity.walking = 0;
    else if (place(entity, pos)) entity.walking = STILL_TICKS;
    else entity.walking--;
  }
}
