// One load in a fresh process, for the case `load`: prints its milliseconds. Started by cases/load.ts:
// node loadchild.js navguard|recast <file>
import { readFileSync } from 'node:fs';

const [who, path] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
let load: () => unknown;
if (who === 'recast') {
  const { importNavMesh, init } = await import('recast-navigation');
  await init();
  load = () => importNavMesh(bytes).navMesh;
} else {
  const { NavMap } = await import('../src/map.ts');
  load = () => NavMap.load(bytes);
}
const started = performance.now();
await load();
process.stdout.write(String(performance.now() - started));
