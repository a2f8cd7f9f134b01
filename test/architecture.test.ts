// Data flows one way: bytes -> mesh -> packed map -> kernel -> facts -> verdict -> report. Reads the import lines of every
// source file and fails on an import from a later stage or on a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(__dirname, '..');

/** Stages from first to last; a file may import from its own stage and from earlier ones. */
const STAGES: readonly (readonly [RegExp, number, string])[] = [
  [/^src\/(asked|errors|nearest|reasons|types|version)\.ts$/, 0, 'leaves'],
  [/^src\/kernel\/twin\//, 0, 'leaves'],
  [/^src\/client\//, 0, 'client'],
  [/^src\/wire\//, 1, 'wire'],
  [/^assembly\//, 1, 'kernels'],
  [/^src\/mesh\/(navmesh|conforming)\.ts$/, 1, 'values'],
  [/^src\/bytes\//, 2, 'bytes'],
  [/^src\/build\//, 2, 'bytes'],
  [/^src\/mesh\//, 3, 'mesh'],
  [/^src\/pack\//, 4, 'pack'],
  [/^src\/kernel\//, 5, 'kernel'],
  [/^src\/live\//, 6, 'live'],
  [/^src\/(map|cachemap|gridmap|batch)\.ts$/, 6, 'map'],
  [/^src\/log\/(events|special|writer|binary\/(form|encode))\.ts$/, 7, 'log form'],
  [/^src\/rules\//, 7, 'rules'],
  [/^src\/record\//, 8, 'record'],
  [/^src\/guard\.ts$/, 8, 'guard'],
  [/^src\/pool\//, 9, 'pool'],
  [/^src\/simulate\//, 9, 'log'],
  [/^src\/log\//, 9, 'log'],
  [/^src\/bake\//, 9, 'bake'],
  [/^src\/report\//, 10, 'report'],
  [/^src\/bench\//, 10, 'bench'],
  [/^src\/index\.ts$/, 11, 'front'],
  [/^src\/serve\//, 11, 'front'],
  [/^src\/colyseus\//, 12, 'adapters'],
  [/^src\/cli\//, 12, 'cli'],
  [/^navdata\//, 13, 'data'],
  [/^bench\//, 14, 'benches'],
];

/** Where the optional peers may be imported. */
const PEERS: Readonly<Record<string, RegExp>> = { '@bufbuild/protobuf': /^src\/wire\/proto\// };

function stage(path: string): readonly [number, string] {
  const found = STAGES.find(([pattern]) => pattern.test(path));
  if (!found) throw new Error(`no stage for ${path}: put it into the table`);
  return [found[1], found[2]];
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function imports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found: string[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)[^'";]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
  )) {
    const target = match[1] ?? match[2];
    if (target.startsWith('.')) found.push(relative(root, resolve(root, dirname(path), target)).replaceAll('\\', '/'));
  }
  return found;
}

const files = ['assembly', 'src', 'navdata', 'bench'].flatMap(sources);
const graph = new Map(files.map((file) => [file, imports(file)] as const));

test('every source file belongs to a stage and every import exists', () => {
  expect(files.length).toBeGreaterThan(30);
  for (const [file, targets] of graph) {
    stage(file);
    for (const target of targets) expect(graph.has(target), `${file} imports ${target}`).toBe(true);
  }
});

test('no file imports from a later stage', () => {
  const upward: string[] = [];
  for (const [file, targets] of graph) {
    const [own, ownName] = stage(file);
    for (const target of targets) {
      const [other, otherName] = stage(target);
      if (other > own) upward.push(`${file} (${ownName}) imports ${target} (${otherName})`);
    }
  }
  expect(upward).toEqual([]);
});

test('kernels import only kernels and the twin leaves', () => {
  const strays: string[] = [];
  for (const [file, targets] of graph) {
    if (!file.startsWith('assembly/')) continue;
    for (const target of targets) {
      if (!target.startsWith('assembly/') && !target.startsWith('src/kernel/twin/'))
        strays.push(`${file} -> ${target}`);
    }
  }
  expect(strays).toEqual([]);
});

test('the client imports nothing but itself', () => {
  const strays: string[] = [];
  for (const file of files) {
    if (!file.startsWith('src/client/')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, target] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      if (!/^\.\/[a-z]+\.ts$/.test(target)) strays.push(`${file} imports ${target}`);
    }
  }
  expect(strays).toEqual([]);
});

test('what is published imports only what is installed with it', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const strays: string[] = [];
  for (const file of files) {
    if (!file.startsWith('src/') && !file.startsWith('assembly/')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const match of text.matchAll(
      /^(?:import [^'\n]*|export [^'\n]* from |\} from )'([^.'][^']*)';$|import\(\s*'([^.'][^']*)'\s*\)/gm,
    )) {
      const target = match[1] ?? match[2];
      const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
      if (name.startsWith('node:') || name in manifest.dependencies) continue;
      // an optional peer is asked for by its own entry only
      if (name in manifest.peerDependencies && PEERS[name]?.test(file)) continue;
      strays.push(`${file} imports ${target}`);
    }
  }
  expect(strays).toEqual([]);
});

test('no circle', () => {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});
