// The README keeps its word: its example runs, its table of rules is the one in code, its commands exist.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as navguard from '../src/index.ts';
import { RULE_TABLE } from '../src/rules/table.ts';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the example is short, and does what it says', async () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThanOrEqual(10);
  const body = code.replace(/^import .*$/gm, '').replaceAll("'navdata/", `'${root}/navdata/`);
  const logged: unknown[] = [];
  const run = new Function(
    'readFile',
    'NavMap',
    'MoveGuard',
    'console',
    `return (async () => { ${body}; return { map, guard, verdict }; })()`,
  );
  const { map, verdict } = await run(readFile, navguard.NavMap, navguard.MoveGuard, {
    log: (...words: unknown[]) => logged.push(words),
  });
  expect(verdict.accepted).toBe(true);
  expect(map.info.polygons).toBeGreaterThan(50);
  // One line was printed: the length of a walk through the maze, longer than the straight line.
  expect(logged).toHaveLength(1);
  expect((logged[0] as number[])[0]).toBeGreaterThan(Math.hypot(21.2, 5.3));
});

test('the example of living maps runs as it stands, with the side file beside it', async () => {
  const [, portals] = /```json\n([\s\S]*?)```/.exec(readme)!;
  const [, code] = /## Maps that live\n\n```ts\n([\s\S]*?)```/.exec(readme)!;
  const load = async (name: string) => readFile(join(root, 'navdata/maps', name));
  const map = await navguard.NavMap.load(await load('pillars.bin'), { portals: portals! });
  expect(map.info.findings).toEqual([]);
  expect(new Set(map.links.map(({ name }) => name))).toEqual(new Set(['jump-1']));
  let now = 0;
  const guard = new navguard.MoveGuard(map, {}, { now: () => now });
  guard.enter('p1', { pos: [4, 0, 6], speed: 6 });
  now = 5000;
  const verdicts: navguard.Verdict[] = [];
  const move = guard.move.bind(guard);
  guard.move = (...claim) => {
    const verdict = move(...claim);
    verdicts.push(verdict);
    return verdict;
  };
  const nextMap = await navguard.NavMap.load(await load('maze.bin'));
  expect(new Function('guard', 'nextMap', `${code}; return moved;`)(guard, nextMap)).toEqual([]);
  expect(verdicts.map(({ reason }) => reason)).toEqual(['Accept']);
});

test('every command of the program stands in the table of commands', () => {
  const table = /## Command line\n([\s\S]*?)\n\n[^|\n]/.exec(readme)![1]!;
  const main = readFileSync(join(root, 'src/cli/main.ts'), 'utf8');
  const commands = [...main.matchAll(/from '\.\/(\w+)\.ts'/g)].map(([, name]) => name!);
  const named = commands.filter((name) => main.includes(`${name}Command`));
  expect(named).toHaveLength(10);
  for (const name of named) expect(table).toContain(`| \`navguard ${name} `);
});

test('every rule stands in the table with its default', () => {
  const table = /<!-- rules:begin -->([\s\S]*)<!-- rules:end -->/.exec(readme)![1]!;
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => /`(\w+)`/.exec(row)![1])).toEqual(Object.keys(RULE_TABLE));
  for (const [name, rule] of Object.entries(RULE_TABLE)) {
    const row = rows.find((line) => line.includes(`\`${name}\``))!;
    expect(row).toContain(rule.catches);
    expect(row).toContain(rule.spares);
  }
});

test('the commands of the README are the scripts of the package', () => {
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>;
  for (const [, name] of readme.matchAll(/npm run ([\w:]+)/g)) expect(scripts, name).toHaveProperty([name!]);
  expect(scripts).toHaveProperty('start');
  expect(scripts).toHaveProperty('test');
});
