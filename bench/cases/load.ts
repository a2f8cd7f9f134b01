// How long a map takes to load, from its export and as a packed map, beside recast-navigation's own import of the same
// bytes. Alternating in one run: a sample of everyone each round, in rotating order. Cold figures come from fresh
// processes: a server loads a map once.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importNavMesh, init } from 'recast-navigation';
import { QUICK, type Size } from '../../src/bench/measure.ts';
import { makeRow, type Row } from '../../src/bench/report.ts';
import { summary, type Timing } from '../../src/bench/rounds.ts';
import { NavMap } from '../../src/map.ts';
import { level } from '../levels.ts';
import type { OwnCase } from './case.ts';

/** Times recast-navigation's that loading may take: from the export, from a packed map. */
const BARS = { export: 10, pack: 0.5 } as const;
/** Samples that are thrown away first: the compilers are done after these. */
const WARM = 30;

type Source = keyof typeof BARS;

interface Loader {
  readonly name: string;
  /** A promise where loading is one. */
  load(): unknown;
}

async function loadRow(source: Source, size: Size): Promise<Row> {
  const { bytes, map } = await level('terrain');
  const packed = new Uint8Array(map.toPack());
  await init();
  const loaders: readonly Loader[] = [
    { name: 'navguard', load: () => NavMap.load(source === 'export' ? bytes : packed) },
    { name: 'recast-navigation', load: () => importNavMesh(bytes).navMesh.destroy() },
  ];
  const samples = loaders.map((): number[] => []);
  for (let round = -WARM; round < 2 * size.rounds; round++) {
    for (let k = 0; k < loaders.length; k++) {
      const at = (round + WARM + k) % loaders.length;
      const started = performance.now();
      await loaders[at].load();
      const ns = (performance.now() - started) * 1e6;
      if (round >= 0) samples[at].push(ns);
    }
  }
  const timings = loaders.map(({ name }, i): Timing => ({ name, ...summary(samples[i]), samples: samples[i] }));
  const row = makeRow(source === 'export' ? 'load' : 'load-pack', 'terrain', 1, timings, [], 1);
  const ratio = timings[0].p50 / timings[1].p50;
  const quick = size.queries <= QUICK.queries;
  return {
    ...row,
    figures: {
      [`times recast-navigation's import (bar ${BARS[source]})`]: ratio,
      ...(quick ? {} : coldFigures(source, bytes, packed)),
    },
    note: `${map.info.polygons} polygons; one query is one map loaded, check, hash and kernel included`,
  };
}

/** Medians of five fresh processes each, milliseconds: the first load in a process, whose code was loaded before. */
function coldFigures(source: Source, bytes: Uint8Array, packed: Uint8Array): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'navguard-load-'));
  try {
    writeFileSync(join(folder, 'export'), bytes);
    writeFileSync(join(folder, 'pack'), packed);
    const child = fileURLToPath(new URL('../loadchild.js', import.meta.url));
    const cold = (who: string, file: string) => {
      const times = Array.from({ length: 5 }, () => {
        const { stdout, stderr } = spawnSync(process.execPath, [child, who, join(folder, file)], { encoding: 'utf8' });
        const ms = Number(stdout);
        if (!(ms > 0)) throw new Error(`load: a cold load of ${file} said ${stdout}${stderr}`);
        return ms;
      });
      return summary(times).p50;
    };
    return {
      'ms for the first load of a process': cold('navguard', source),
      "ms for recast-navigation's first import, after its init": cold('recast', 'export'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const LOAD_CASES: readonly OwnCase[] = [
  { name: 'load', maps: ['terrain'], run: (size) => loadRow('export', size) },
  { name: 'load-pack', maps: ['terrain'], run: (size) => loadRow('pack', size) },
];
