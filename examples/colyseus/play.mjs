// Two clients for the server, one honest and one three times too fast: prints what each was told, and ends.
import { Client } from '@colyseus/sdk';
import { serve } from './server.mjs';

const port = Number(process.env.PORT ?? 2567);
const server = await serve(port);
const client = new Client(`ws://localhost:${port}`);

async function play(name, metresPerSecond) {
  const room = await client.joinOrCreate('arena', { name });
  const told = { accept: 0, correct: 0, refuse: 0, moved: 0 };
  const at = { x: 12, y: 0.1, z: 1.2 };
  for (const type of ['accept', 'refuse', 'moved', 'left']) room.onMessage(type, () => told[type]++);
  room.onMessage('correct', ({ correction, x, y, z }) => {
    told.correct++;
    Object.assign(at, { x, y, z }); // obey, confirm, go on from there
    room.send('ack', correction);
  });
  for (let seq = 1; seq <= 60; seq++) {
    await new Promise((done) => setTimeout(done, 50));
    at.x += (seq % 20 < 10 ? 0.05 : -0.05) * metresPerSecond; // to and fro
    room.send('move', { seq, ...at });
  }
  await new Promise((done) => setTimeout(done, 200));
  return { name, ...told };
}

console.table(await Promise.all([play('honest', 4), play('three times too fast', 18)]));
await server.gracefullyShutdown(true);
