// The maps that judgement is tried on: all bundled ones, grids, a large one, and with NAVGUARD_SAMPLES the levels and exports
// that others published. Imported by worker.ts and judge.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { largeMap } from '../../navdata/large.ts';
import { RECIPES } from '../../navdata/maps.ts';
import { PUBLISHED } from '../../navdata/published.ts';
import { buildFromObj } from '../../src/build/index.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import { gridRows } from '../../src/simulate/cells.ts';
import { seeded } from '../../src/simulate/random.ts';
import { type OpenStage, openGridStage, openStage } from '../../src/simulate/stage.ts';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
/** Not committed: maps and logs of what went wrong. */
export const GENERATED = join(ROOT, 'navdata', 'generated', 'judge');

const SAMPLES = process.env.NAVGUARD_SAMPLES;

type Open = (seed: number) => Promise<OpenStage>;

function exported(name: string, bytes: () => Promise<Uint8Array>): [string, Open] {
  return [
    name,
    async (seed) => {
      const read = await bytes();
      // recast-navigation itself checks nothing
      await readNavMesh(read);
      const stage = await openStage(name, read, { seed });
      mkdirSync(GENERATED, { recursive: true });
      writeFileSync(join(GENERATED, `${name}.bin`), read);
      return { ...stage, source: { file: `${name}.bin` } };
    },
  ];
}

function grid(name: string, kind: 'rooms' | 'noise', size: number, cell: number): [string, Open] {
  const rows = gridRows(kind, size, seeded(size));
  return [name, async (seed) => openGridStage(name, { rows, cell, origin: [-7, 3] }, { seed })];
}

const file = (path: string) => async (): Promise<Uint8Array> => new Uint8Array(readFileSync(path));
const level = (name: string, tile: number) => async (): Promise<Uint8Array> =>
  buildFromObj(readFileSync(join(SAMPLES ?? '', 'recast-demo', `${name}.obj`), 'utf8'), { tile });

/** Every map: how it is opened. */
export const MAPS: ReadonlyMap<string, Open> = new Map<string, Open>([
  ...RECIPES.map(({ name }) => exported(name, file(join(ROOT, 'navdata', 'maps', `${name}.bin`)))),
  grid('grid-rooms', 'rooms', 49, 1),
  grid('grid-noise', 'noise', 40, 0.5),
  exported('large', () => largeMap(1500)),
  ...(SAMPLES === undefined
    ? []
    : [
        exported('dungeon-solo', level('dungeon', 0)),
        exported('dungeon-tiled', level('dungeon', 48)),
        exported('nav_test-solo', level('nav_test', 0)),
        exported('nav_test-tiled', level('nav_test', 48)),
        ...PUBLISHED.map((path) =>
          exported(path.replace(/^.*\//, '').replace(/\.bin$/, ''), file(join(SAMPLES, path))),
        ),
      ]),
]);
