// examples/ws, played as a reader would: the server and the player as processes of their own. Needs dist/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = resolve(__dirname, '../../examples/ws');

test('a walk is accepted, a lie is corrected; both files are short', async () => {
  const free = createServer().listen(0);
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  free.close();
  await once(free, 'close');
  const server = spawn(
    process.execPath,
    ['server.mjs'].map((name) => resolve(FOLDER, name)),
    {
      env: { ...process.env, PORT: String(port) },
    },
  );
  try {
    await once(server.stdout, 'data');
    const player = spawn(process.execPath, [resolve(FOLDER, 'play.mjs'), `ws://127.0.0.1:${port}`]);
    let said = '';
    player.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code] = await once(player, 'close');
    expect(code).toBe(0);
    expect(said).toContain('accepted: 20');
    expect(said).toContain('correction: 1');
  } finally {
    server.kill();
  }
  for (const name of ['server.mjs', 'play.mjs']) {
    expect(readFileSync(resolve(FOLDER, name), 'utf8').trimEnd().split('\n').length).toBeLessThan(80);
  }
});
