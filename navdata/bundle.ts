// Makes everything in navdata/: maps, logs and the manifest, in memory. Imported by make.ts and by the test that
// compares it with what is committed.
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { buildNavMesh } from '../src/build/index.ts';
import { CHEAT_KINDS, type SimulateOptions, Simulation, writeSimulation } from '../src/simulate/index.ts';
import { polygonsIn } from './large.ts';
import { RECIPES } from './maps.ts';

/** The dependency that shapes the bytes; a test holds it against package.json. */
export const GENERATOR = 'recast-navigation 0.43.1';

/** Three honest walkers and a cheater of each kind, twenty seconds. */
export const LOG_PLAY: SimulateOptions = { players: 3, seconds: 20, cheats: CHEAT_KINDS, hz: 12 };

/** File names relative to navdata/, with their bytes. The same bytes every time. */
export async function makeBundle(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const maps: Record<string, unknown> = {};
  const logs: Record<string, unknown> = {};
  for (const { name, about, spec } of RECIPES) {
    const map = await buildNavMesh(spec);
    files.set(`maps/${name}.bin`, map);
    maps[`maps/${name}.bin`] = {
      about,
      spec: `navdata/maps.ts, ${name}`,
      specSha256: sha256(JSON.stringify(spec)),
      polygons: polygonsIn(map),
      ...fingerprint(map),
    };
    const { play, log, counts } = await firstFullLog(name, about, map);
    files.set(`logs/${name}.ndjson`, log);
    logs[`logs/${name}.ndjson`] = { play: { ...play, cheats: CHEAT_KINDS.join() }, ...counts, ...fingerprint(log) };
  }
  const manifest = { generator: GENERATOR, made: 'npm run navdata', maps, logs };
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return files;
}

/** The first seed from 100 on whose log holds a claim to refuse of each kind of cheat. */
async function firstFullLog(name: string, about: string, map: Uint8Array) {
  for (let seed = 100; seed < 200; seed++) {
    const play = { ...LOG_PLAY, seed };
    const made = await makeLog(name, about, map, play);
    if (CHEAT_KINDS.every((kind) => made.counts.convicted[kind] > 0)) return { play, ...made };
  }
  throw new Error(`${name}: a hundred games, and never all three cheats caught`);
}

async function makeLog(name: string, about: string, map: Uint8Array, play: SimulateOptions) {
  const simulation = await Simulation.open(map, play);
  try {
    const chunks: Buffer[] = [];
    const out = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    const comment = `${about}: three honest walkers, and cheats: running too fast, blinking, hopping through walls`;
    await writeSimulation(out, { map: { file: `../maps/${name}.bin` }, comment }, simulation);
    const { moves, honest, convicted } = simulation.counts;
    return { log: Buffer.concat(chunks), counts: { moves, honest, convicted } };
  } finally {
    simulation.destroy();
  }
}

function fingerprint(bytes: Uint8Array): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

export function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
