// What is published: every file that the README links to, every entry of `exports`, the examples. Needs dist/.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(__dirname, '../..');

test('the package holds what it names', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const packed = new Set((JSON.parse(said) as { files: { path: string }[] }[])[0].files.map(({ path }) => path));
  const { exports } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const named = JSON.stringify(exports).match(/\.\/[\w./-]+\.(js|ts|json)(?=")/g) ?? [];
  const links = Array.from(
    readFileSync(resolve(ROOT, 'README.md'), 'utf8').matchAll(/\]\(([\w./-]+)\)/g),
    ([, to]) => to,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(links).toContain('docs/scale.md');
  const wanted = [...named.map((path) => path.slice(2)), ...links];
  const examples = ['examples/ws/server.mjs', 'examples/worker-pool/main.js', 'examples/colyseus/server.mjs'];
  const missing = [...wanted, ...examples].filter((path) => !packed.has(path));
  expect(missing).toEqual([]);
  // and nothing that was installed beside an example
  expect([...packed].filter((path) => path.includes('node_modules'))).toEqual([]);
});
