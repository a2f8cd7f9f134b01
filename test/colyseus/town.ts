// A real Colyseus server with guarded rooms, and real clients, under a clock of the test's own. Colyseus 0.18 needs
// Node >= 22 and is no dependency of this package: it is taken from the example's folder, or from NAVGUARD_COLYSEUS.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { guardRoom, type RoomMoves } from '../../src/colyseus/index.ts';
import { MoveGuard, type Vec3 } from '../../src/index.ts';
import { NavMap } from '../../src/map.ts';

export const root = join(import.meta.dirname, '../..');
const given = process.env.NAVGUARD_COLYSEUS;
const folder = given ?? join(root, 'examples/colyseus');
const modern = Number(process.versions.node.split('.')[0]) >= 22;

/** Where Colyseus is, or null: then there is nothing to test against. One that was named and is not there is a failure. */
export const COLYSEUS =
  modern && (given !== undefined || existsSync(join(folder, 'node_modules/@colyseus/core')))
    ? join(folder, 'node_modules')
    : null;

// biome-ignore lint/suspicious/noExplicitAny: Colyseus' types are not installed here; a test of its own compiles against them
type Any = any;

async function load(name: string): Promise<Any> {
  return import(pathToFileURL(join(COLYSEUS as string, '@colyseus', name, 'build/index.mjs')).href);
}

/** In the maze: a corridor along x, with a wall behind z = 2.6. */
export const START: Vec3 = [12, 0.1, 1.2];

/** What a client was told, in order. */
export class Player {
  readonly room: Any;
  readonly told: { type: string; message: Any }[] = [];
  #wake: () => void = () => undefined;

  constructor(room: Any) {
    this.room = room;
    for (const type of ['accept', 'correct', 'refuse', 'place', 'moved', 'began', 'left']) {
      room.onMessage(type, (message: Any) => {
        this.told.push({ type, message });
        this.#wake();
      });
    }
  }

  of(type: string): Any[] {
    return this.told.filter((one) => one.type === type).map((one) => one.message);
  }

  /** Waits until `count` messages of these types were told (ever). */
  async heard(count: number, ...types: string[]): Promise<{ type: string; message: Any }> {
    for (;;) {
      const all = this.told.filter(({ type }) => types.includes(type));
      if (all.length >= count) return all[count - 1];
      await new Promise<void>((done) => {
        this.#wake = done;
      });
    }
  }

  /** Claims something and waits for the answer. */
  async say(type: string, message: unknown): Promise<{ type: string; message: Any }> {
    const answers = ['accept', 'correct', 'refuse'];
    const before = this.told.filter((one) => answers.includes(one.type)).length;
    this.room.send(type, message);
    return this.heard(before + 1, ...answers);
  }

  /** Waits until everything that was sent has been dealt with: an answer that comes after all others. */
  async settled(): Promise<void> {
    await this.say('move', null);
  }
}

export interface Town {
  readonly port: number;
  /** Ms; the clock of all guards. */
  t: number;
  /** By room id. */
  readonly rooms: Map<string, Any>;
  /** What the room's own hooks saw. */
  readonly seen: string[];
  join(options?: { id?: string; room?: string }): Promise<Player>;
  create(options?: { id?: string; hooks?: string }): Promise<Player>;
  /** A seat for an entity from elsewhere: reserved by the server, so what moves never passes through the client. */
  handOver(roomId: string, moved: Uint8Array): Promise<Player>;
  reconnect(token: string): Promise<Player>;
  movesOf(player: Player): RoomMoves<Any>;
  clientOf(player: Player): Any;
  /** Cuts a client's connection; the server has seen it when this is over. */
  drop(player: Player): Promise<void>;
  close(): Promise<void>;
}

export async function openTown(): Promise<Town> {
  const [core, ws, sdk] = await Promise.all(['core', 'ws-transport', 'sdk'].map(load));
  const map = await NavMap.load(readFileSync(join(root, 'navdata/maps/maze.bin')));
  const rooms = new Map<string, Any>();
  const seen: string[] = [];

  class Street extends core.Room {
    moves: Any;
    onCreate(options: Any): void {
      const self = this as Any;
      self.autoDispose = false;
      rooms.set(self.roomId, this);
      if (options.hooks === 'own') {
        self.onDrop = (client: Any) => {
          seen.push(`drop ${client.sessionId}`);
          self.allowReconnection(client, 0.05).catch(() => undefined);
        };
        self.onReconnect = (client: Any) => void seen.push(`back ${client.sessionId}`);
        self.onLeave = (client: Any) => void seen.push(`leave ${client.sessionId} ${self.moves.idOf(client)}`);
      }
      const guard = new MoveGuard(map, {}, { now: () => town.t });
      this.moves = guardRoom(self, guard, { rttEveryMs: 100 });
    }
    async onJoin(client: Any, options: Any): Promise<void> {
      if (options.key !== undefined) {
        const { presence } = this as Any;
        const moved = await presence.get(options.key);
        if (!moved) throw new core.ServerError(4000, 'nothing moved under this key');
        await presence.del(options.key);
        this.moves.adopt(client, Buffer.from(moved, 'base64'));
      } else
        this.moves.enter(client, { ...(options.id === undefined ? {} : { id: options.id }), pos: START, speed: 6 });
    }
  }

  const transport = new ws.WebSocketTransport();
  const server = new core.Server({ transport, greet: false, gracefullyShutdown: false });
  server.define('street', Street);
  await server.listen(0, '127.0.0.1');
  const { port } = transport.server.address();
  const client = new sdk.Client(`ws://127.0.0.1:${port}`);
  const player = (room: Any): Player => {
    // tests come back by themselves
    room.reconnection.enabled = false;
    return new Player(room);
  };
  const town: Town = {
    port,
    t: 100_000,
    rooms,
    seen,
    join: async ({ room, ...options } = {}) =>
      player(await (room === undefined ? client.create('street', options) : client.joinById(room, options))),
    create: async (options = {}) => player(await client.create('street', options)),
    handOver: async (roomId, moved) => {
      // as docs/scale.md says
      const key = `moved:${randomUUID()}`;
      await core.matchMaker.presence.setex(key, Buffer.from(moved).toString('base64'), 30);
      const seat = await core.matchMaker.joinById(roomId, { key });
      expect(JSON.stringify(seat)).not.toContain(key);
      return player(await client.consumeSeatReservation(JSON.parse(JSON.stringify(seat))));
    },
    reconnect: async (token) => player(await client.reconnect(token)),
    movesOf: ({ room }) => rooms.get(room.roomId).moves,
    clientOf: ({ room }) => rooms.get(room.roomId).clients.get(room.sessionId),
    drop: async ({ room }) => {
      room.connection.close(4010);
      while (rooms.get(room.roomId).clients.get(room.sessionId) !== undefined) {
        await new Promise((done) => setTimeout(done, 2));
      }
    },
    close: () => server.gracefullyShutdown(false),
  };
  return town;
}
