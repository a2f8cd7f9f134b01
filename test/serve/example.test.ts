// examples/ws, played as a reader would: the server and the player as processes of their own. Needs dist/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

test('it starts in a folder whose name is no URL', async () => {
  const root = mkdtempSync(join(tmpdir(), 'a folder, 100% '));
  try {
    const folder = join(root, 'examples/ws');
    cpSync(FOLDER, folder, { recursive: true });
    const repository = resolve(__dirname, '../..');
    // what it imports and reads, as an installed package has it
    for (const name of ['package.json', 'dist', 'navdata', 'node_modules']) {
      symlinkSync(join(repository, name), join(root, name));
    }
    const player = spawn(process.execPath, [join(folder, 'play.mjs'), 'ws://127.0.0.1:1']);
    let said = '';
    player.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(player, 'close');
    expect(said).toContain('ECONNREFUSED');
  } finally {
    rmSync(root, { recursive: true });
  }
});
