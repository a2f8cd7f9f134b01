// navguard with plain ws: `node examples/ws/server.mjs` serves on port 8080 (or PORT); `node examples/ws/play.mjs` plays.
// Rooms, limits, metrics and a log are in `navguard serve`; this is the least that judges and corrects.
import { readFile } from 'node:fs/promises';
import { MoveGuard, NavMap } from 'navguard';
import * as wire from 'navguard/wire';
import { WebSocketServer } from 'ws';

const file = new URL('../../navdata/maps/maze.bin', import.meta.url);
const map = await NavMap.load(await readFile(file));
const START = [12, 0.1, 1.2];
const SPEED = 6;

export function serve(port) {
  const guard = new MoveGuard(map, { speedTolerance: 1.15 });
  const sockets = new Map();
  const server = new WebSocketServer({ port, maxPayload: wire.MAX_REQUEST_BYTES });
  const [move, ack, hello, correction] = [wire.blankMove(), wire.blankAck(), wire.blankHello(), wire.blankCorrection()];
  wire.hashFromHex(map.info.hash, hello.mapHash);
  let number = 0;

  /** Sends a frame: one buffer each, ws keeps what it has not sent yet. */
  const send = (ws, bytes, encode) => {
    const frame = Buffer.allocUnsafe(bytes);
    encode(new DataView(frame.buffer, frame.byteOffset, bytes));
    ws.send(frame);
  };

  server.on('connection', (ws) => {
    const id = `player${++number}`;
    const [x, y, z] = START;
    guard.enter(id, { pos: START, speed: SPEED });
    sockets.set(id, { ws, number, pos: START });
    Object.assign(hello, { entity: number, timeMs: performance.now(), speed: SPEED, x, y, z });
    send(ws, 89, (view) => wire.encodeHello(view, 0, hello));

    ws.on('message', (data) => {
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      if (wire.decodeAck(view, 0, ack) === data.length) guard.ack(id, ack.correction);
      else if (wire.decodeMove(view, 0, move) === data.length) {
        const verdict = guard.move(id, move.seq, move.x, move.y, move.z);
        if (verdict.pos !== null) sockets.get(id).pos = [...verdict.pos];
        if (verdict.correction === 0) {
          send(ws, wire.ANSWER_BYTES, (out) => wire.encodeAnswer(out, 0, move.seq, verdict));
        } else {
          console.log(`${id}: ${verdict.reason}, ${verdict.used} m of ${verdict.allowed} m`);
          wire.correctionOf(correction, move.seq, verdict);
          send(ws, 35, (out) => wire.encodeCorrection(out, 0, correction));
        }
      } else ws.close(1003, 'no frame of navguard/wire');
    });
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      guard.leave(id);
      sockets.delete(id);
    });
  });

  // twenty times a second everybody hears of the others
  const tick = setInterval(() => {
    for (const me of sockets.values()) {
      const others = [...sockets.values()].filter((other) => other !== me).slice(0, wire.SNAPSHOT_MAX);
      const snapshot = {
        tick: 0,
        count: others.length,
        entity: others.map((o) => o.number),
        pos: others.flatMap((o) => o.pos),
      };
      const bytes = wire.SNAPSHOT_HEAD_BYTES + wire.SNAPSHOT_ENTRY_BYTES * others.length;
      send(me.ws, bytes, (view) => wire.encodeSnapshot(view, 0, snapshot));
    }
  }, 50);
  server.on('close', () => clearInterval(tick));
  return server;
}

if (import.meta.filename === process.argv[1]) {
  const port = Number(process.env.PORT ?? 8080);
  serve(port).on('listening', () => console.log(`listening on ws://localhost:${port}`));
}
