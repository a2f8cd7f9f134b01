// Every real map at hand: the bundled ones, levels built by recast-navigation, published exports when NAVGUARD_SAMPLES is
// set. Imported by the long tests of the exact search.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED } from '../../navdata/published.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { LEVELS } from './levels.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;
const file = (path: string) => async () => new Uint8Array(readFileSync(path));
const bundled = (name: string) => join(import.meta.dirname, '../../navdata/maps', `${name}.bin`);

/** Name and mesh. Off-mesh links are left out: what is asked here are walks. */
export const REAL_MAPS: readonly (readonly [name: string, mesh: () => Promise<NavMesh>])[] = [
  ...['floors', 'islands', 'maze', 'pillars', 'terrain', 'thin-walls'].map((n) => [n, file(bundled(n))] as const),
  ...LEVELS,
  ...(SAMPLES === undefined ? [] : PUBLISHED.map((path) => [path, file(join(SAMPLES, path))] as const)),
].map(([name, bytes]) => [name, async () => ({ ...(await readNavMesh(await bytes())), links: [] })] as const);
