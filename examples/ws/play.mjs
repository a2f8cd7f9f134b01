// Plays against server.mjs: walks for a second, then claims to stand thirty metres away, and goes back where it is put.
import * as wire from 'navguard/wire';
import WebSocket from 'ws';

/** Resolves with what the server said: how many moves were accepted, and the correction. */
export function play(url) {
  const ws = new WebSocket(url);
  const [hello, answer, correction, move] = [
    wire.blankHello(),
    wire.blankAnswer(),
    wire.blankCorrection(),
    wire.blankMove(),
  ];
  const view = new DataView(new ArrayBuffer(wire.MAX_REQUEST_BYTES));
  const send = (bytes) => ws.send(new Uint8Array(view.buffer.slice(0, bytes)));
  let accepted = 0;

  const walk = () => {
    move.seq++;
    // 4 m/s at twenty claims a second; the twenty-first is a lie
    move.x += move.seq <= 20 ? 0.2 : 30;
    send(wire.encodeMove(view, 0, move));
    if (move.seq <= 20) setTimeout(walk, 50);
  };

  return new Promise((done, fail) => {
    ws.on('error', fail);
    ws.on('message', (data) => {
      const frame = new DataView(data.buffer, data.byteOffset, data.length);
      if (wire.decodeHello(frame, 0, hello) > 0) {
        Object.assign(move, { x: hello.x, y: hello.y, z: hello.z });
        walk();
      } else if (wire.decodeAnswer(frame, 0, answer) > 0) accepted += answer.reason === 0 ? 1 : 0;
      else if (wire.decodeCorrection(frame, 0, correction) > 0) {
        send(wire.encodeAck(view, 0, { correction: correction.correction }));
        ws.close();
        done({ accepted, correction });
      }
    });
  });
}

if (import.meta.filename === process.argv[1]) console.log(await play(process.argv[2] ?? 'ws://localhost:8080'));
