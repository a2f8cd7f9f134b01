// The reference server: admits sockets into rooms, gives them entities, keeps time, and ends in good order. `startServer`
// is all that the command line and the tests need. Imported by serve/index.ts.
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import type { Registry } from 'prom-client';
import type { WebSocketServer } from 'ws';
import type { NavMap } from '../map.ts';
import type { Vec3 } from '../types.ts';
import { Claims } from './claims.ts';
import { Client } from './client.ts';
import { type CloseReason, Counts, type Refusal } from './counts.ts';
import type { Entity } from './entity.ts';
import type { Placed, ServeOptions } from './given.ts';
import { type Asked, pages, readUrl, refuse } from './http.ts';
import { Judge } from './judge.ts';
import { Addresses } from './limits.ts';
import type { House } from './member.ts';
import { type Measured, registry } from './metrics.ts';
import { type Settings, settingsOf } from './options.ts';
import { Room } from './room.ts';
import { drain, listening } from './shutdown.ts';
import { Snapshots } from './snapshots.ts';
import { spawnPoints } from './spawn.ts';
import { BINARY, TEXT } from './speech.ts';

/** A tick is done in so many parts: rooms take turns, so that no moment has all the sending. */
const TURNS = 10;
/** The server looks at its own clock so often, and has stood still when it was so much later than that, ms. */
const BEAT_MS = 25;
const STOOD_STILL_MS = 100;

export class Server implements House<Client>, Measured {
  readonly map: NavMap;
  readonly settings: Settings;
  readonly judge: Judge;
  readonly counts = new Counts();
  readonly clients = new Set<Client>();
  readonly rooms = new Map<string, Room>();
  readonly kicks: boolean;
  entities = 0;
  readonly #options: ServeOptions;
  readonly #spawn: readonly Vec3[];
  readonly #addresses: Addresses;
  readonly #names = new Set<string>();
  readonly #claims: Claims;
  readonly #snapshots = new Snapshots();
  readonly #turns: Set<Room>[] = Array.from({ length: TURNS }, () => new Set<Room>());
  readonly #turnOf = new Map<Room, number>();
  readonly #timers: NodeJS.Timeout[] = [];
  #game: HttpServer | null = null;
  #admin: HttpServer | null = null;
  #sockets: WebSocketServer | null = null;
  #registry: Registry | null = null;
  #turn = 0;
  #looking: Iterator<Client> | null = null;
  #serial = 0;
  #roomSerial = 0;
  #beatAt = 0;
  #closing: Promise<void> | null = null;

  /** @internal Use `startServer`. */
  constructor(map: NavMap, options: ServeOptions) {
    this.map = map;
    this.#options = options;
    this.settings = settingsOf(options);
    this.kicks = options.kick !== false;
    this.#spawn = options.spawn?.length ? options.spawn : spawnPoints(map);
    const { hash } = map.info;
    this.judge = new Judge(map, {
      rules: options.rules ?? {},
      record: options.record,
      header: { map: options.mapFile === undefined ? { hash } : { file: options.mapFile, hash } },
      log: options.verdictLog,
      onVerdict: options.onVerdict,
    });
    this.#addresses = new Addresses(this.settings.perAddress, this.settings.joinsPerSecond);
    this.#claims = new Claims(this);
  }

  /** @internal */
  async listen(): Promise<void> {
    const { WebSocketServer: Sockets } = await import('ws');
    const { maxFrameBytes, maxSockets, tickMs, pingMs, graceMs } = this.settings;
    this.#registry = await registry(this);
    this.#sockets = new Sockets({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
      // nobody needs to cut such small frames
      maxFragments: 16,
      closeTimeout: Math.max(100, Math.min(2000, graceMs)),
    } as ConstructorParameters<typeof Sockets>[0]);
    const at = { metrics: () => this.metrics(), health: () => this.health() };
    const nothing = { metrics: () => Promise.reject(new Error('see the admin port')), health: () => ({ ok: true }) };
    const { host = '127.0.0.1', port = 0, adminPort } = this.#options;
    // those that are being refused need a moment too
    this.#game = pages(adminPort === undefined ? at : nothing, maxSockets + 256);
    this.#game.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    await listening(this.#game, port, host);
    if (adminPort !== undefined) {
      this.#admin = pages(at, 64);
      await listening(this.#admin, adminPort, host);
    }
    this.#beatAt = performance.now();
    this.#every(BEAT_MS, (t) => this.#beat(t));
    this.#every(tickMs / TURNS, (t) => this.#takeTurn(t));
    // everybody is looked at once in pingMs, a few at a time
    this.#every(pingMs / TURNS, (t) => this.#look(t));
    this.#every(1000, () => this.judge.log?.flush());
    this.#every(10_000, (t) => this.#addresses.sweep(t));
  }

  /** Port of the game, and of the pages. */
  get port(): number {
    return ((this.#game as HttpServer).address() as AddressInfo).port;
  }

  get adminPort(): number {
    return this.#admin === null ? this.port : (this.#admin.address() as AddressInfo).port;
  }

  get addresses(): number {
    return this.#addresses.size;
  }

  /** Bytes that wait to be sent. */
  unsent(): { all: number; fullest: number } {
    let all = 0;
    let fullest = 0;
    for (const { ws } of this.clients) {
      all += ws.bufferedAmount;
      fullest = Math.max(fullest, ws.bufferedAmount);
    }
    return { all, fullest };
  }

  async metrics(): Promise<{ type: string; text: string }> {
    const register = this.#registry as Registry;
    return { type: register.contentType, text: await register.metrics() };
  }

  health(): { ok: boolean } & Record<string, unknown> {
    const failure = this.judge.log?.failure ?? null;
    return {
      ok: this.#closing === null,
      closing: this.#closing !== null,
      sockets: this.clients.size,
      rooms: this.rooms.size,
      map: this.map.info.hash,
      uptimeSeconds: Math.round(process.uptime()),
      ...(failure === null ? {} : { record: failure.message }),
    };
  }

  // ---- coming and going ----------------------------------------------------------------------------------------------

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const asked = readUrl(request, this.#options.behindProxy === true);
    if (asked === null) {
      refuse(socket, 'url');
      return;
    }
    const t = performance.now();
    const why = this.#admit(asked, t);
    if (why !== null) {
      this.counts.refused[why]++;
      refuse(socket, why);
      return;
    }
    // from here on it counts; a handshake that fails gives its place back
    let open = false;
    socket.once('close', () => {
      if (!open) this.#addresses.leave(asked.address);
    });
    this.#sockets?.handleUpgrade(request, socket, head, (ws) => {
      open = true;
      this.#join(ws, asked, t);
    });
  }

  #admit({ room, name, address }: Asked, t: number): Refusal | null {
    const { maxSockets, maxRooms, roomSize } = this.settings;
    if (this.#closing !== null) return 'shutdown';
    if (this.clients.size >= maxSockets) return 'full';
    const there = this.rooms.get(room);
    if (there === undefined ? this.rooms.size >= maxRooms : there.members.size >= roomSize) return 'room';
    if (name !== undefined && this.#names.has(`${room}/${name}`)) return 'name';
    return this.#addresses.enter(address, t) ? null : 'address';
  }

  #join(ws: Client['ws'], { room: roomName, name, text, address }: Asked, t: number): void {
    const room = this.#room(roomName);
    const client = new Client(this, ws, room, address, text ? TEXT : BINARY, t);
    this.clients.add(client);
    this.counts.connections++;
    const entity = this.#enter(client, name, t);
    client.send(client.speech.hello(entity, t, this.map.info.hash));
    room.join(client);
    client.look(t);
  }

  #room(name: string): Room {
    let room = this.rooms.get(name);
    if (room === undefined) {
      room = new Room(name, this.judge, this.#snapshots);
      this.rooms.set(name, room);
      const turn = this.#roomSerial++ % TURNS;
      this.#turns[turn].add(room);
      this.#turnOf.set(room, turn);
    }
    return room;
  }

  #enter(client: Client, name: string | undefined, t: number): Entity {
    const number = ++this.#serial;
    const { pos, speed } = this.#place(client.room.name, name, number);
    // "#" is in nobody's name: whoever names itself after a number to come would share an entity, or leave it its score
    const id = `${client.room.name}/${name ?? `#${number}`}`;
    const [x, y, z] = pos;
    const entity: Entity = { number, id, knownIn: 0, speed, x, y, z, moved: true, walking: 0 };
    this.#names.add(id);
    this.judge.tell(entity, { op: 'enter', pos, speed }, t);
    client.entities.push(entity);
    this.entities++;
    return entity;
  }

  #place(room: string, name: string | undefined, number: number): Placed {
    const placed = this.#options.place?.(room, name);
    return placed ?? { pos: this.#spawn[number % this.#spawn.length], speed: this.settings.speed };
  }

  /** @internal One more entity for a socket, to be moved by clicks; beyond the cap nothing comes of it. */
  spawn(client: Client, t: number): void {
    if (client.entities.length < this.settings.maxEntities) {
      client.send(client.speech.entered(this.#enter(client, undefined, t)));
    } else this.counts.dropped.foreign++;
  }

  /** @internal */
  hear(client: Client, bytes: Buffer, isBinary: boolean, t: number): boolean {
    return isBinary ? this.#claims.binary(client, bytes, t) : this.#claims.text(client, bytes, t);
  }

  /** @internal A client has ended: what was its own goes. */
  gone(client: Client, reason: CloseReason): void {
    const t = performance.now();
    this.counts.closed[reason]++;
    this.clients.delete(client);
    this.#addresses.leave(client.address);
    const { room } = client;
    room.leave(client);
    for (const entity of client.entities) {
      this.judge.tell(entity, { op: 'leave' }, t);
      this.#names.delete(entity.id);
    }
    this.entities -= client.entities.length;
    if (room.members.size === 0) {
      this.rooms.delete(room.name);
      this.#turns[this.#turnOf.get(room) as number].delete(room);
      this.#turnOf.delete(room);
    }
    if (reason !== 'gone' && reason !== 'shutdown') {
      this.#options.logger?.info({ why: reason, address: client.address, entity: client.entities[0]?.id }, 'closed');
    }
  }

  // ---- time ----------------------------------------------------------------------------------------------------------

  #every(ms: number, act: (t: number) => void): void {
    this.#timers.push(setInterval(() => act(performance.now()), ms));
  }

  /** Claims that pile up while the server stands still are not their senders' fault. */
  #beat(t: number): void {
    const late = t - this.#beatAt - BEAT_MS;
    this.#beatAt = t;
    if (late < STOOD_STILL_MS) return;
    this.counts.pauses++;
    this.counts.pauseMs += late;
    this.judge.pause(t, late);
    this.#options.logger?.warn({ ms: Math.round(late) }, 'the server stood still');
  }

  #takeTurn(t: number): void {
    this.#turn = (this.#turn + 1) % TURNS;
    for (const room of this.#turns[this.#turn]) room.tick(t);
  }

  #look(t: number): void {
    for (let n = Math.ceil(this.clients.size / TURNS); n > 0; n--) {
      this.#looking ??= this.clients.values();
      const { done, value } = this.#looking.next();
      if (done) this.#looking = null;
      else value.look(t);
    }
  }

  /** Stops accepting, closes everybody, writes the log to its end. Once is enough. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const leaving = [...this.clients].map(({ ws }) => ws);
    const servers = [this.#game, this.#admin].filter((server) => server !== null);
    const drained = drain(servers, leaving, this.settings.graceMs);
    for (const client of [...this.clients]) client.end('shutdown');
    await drained;
    await this.judge.log?.close();
  }
}

/** A server that listens. Throws `BAD_ARGUMENT` for a wrong option or a port that is taken. */
export async function startServer(map: NavMap, options: ServeOptions = {}): Promise<Server> {
  const server = new Server(map, options);
  try {
    await server.listen();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}
