// A Colyseus room whose moves are judged on a navmesh. `node server.mjs` serves on port 2567 (or PORT).
import { readFile } from 'node:fs/promises';
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
// in a project of its own: from 'navguard/colyseus' and 'navguard'
import { guardRoom } from '../../dist/src/colyseus/index.js';
import { MoveGuard, NavMap } from '../../dist/src/index.js';

const file = new URL('../../navdata/maps/maze.bin', import.meta.url);
const map = await NavMap.load(await readFile(file)); // one map for all rooms
const START = [12, 0.1, 1.2];

export class Arena extends Room {
  onCreate() {
    this.maxMessagesPerSecond = 60;
    this.moves = guardRoom(this, new MoveGuard(map, { speedTolerance: 1.15 }), {
      onVerdict: (client, verdict) => {
        if (!verdict.accepted)
          console.log(client.sessionId, verdict.verdict, verdict.reason, verdict.used, verdict.allowed);
        if (verdict.action === 'kick') client.leave(4003, 'cheating');
      },
    });
  }

  onJoin(client, options) {
    // a game takes the id from its own log-in (onAuth), never from what the client says
    this.moves.enter(client, { pos: START, speed: 6, player: String(options?.name ?? '') });
  }
}

export async function serve(port) {
  const server = new Server({ transport: new WebSocketTransport(), greet: false });
  server.define('arena', Arena);
  await server.listen(port);
  return server;
}

if (import.meta.filename === process.argv[1]) {
  const port = Number(process.env.PORT ?? 2567);
  await serve(port);
  console.log(`listening on ws://localhost:${port}`);
}
