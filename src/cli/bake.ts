// navguard bake: a navmesh from level geometry, permissive as a validator needs it, and what that changes.
import { Command, Option } from 'commander';
import type * as Baking from '../bake/index.ts';
import { MAX_FILE_BYTES } from '../bytes/check.ts';
import { readNavMesh } from '../bytes/index.ts';
import { NavguardError } from '../errors.ts';
import { fileTrouble } from '../log/reader.ts';
import { readAtMost } from '../log/wholefile.ts';
import { NavMap } from '../map.ts';
import { type BakedPreset, bakeReport, levelLine } from '../report/bake.ts';
import { grouped } from '../report/table.ts';
import { progressLine } from './bakeprogress.ts';
import { UsageError } from './fail.ts';
import { readOptions } from './inputs.ts';
import { writeWhole } from './output.ts';

type Flags = Record<string, string | boolean | undefined> & {
  output: string;
  kind?: string;
  permissive: boolean;
  compare: boolean;
  scale?: string;
  axes?: string;
  flip?: true;
  areas?: string;
};

type SettingName = keyof Baking.BakeSettings;

/** Flag, unit, default and words of each setting; the names are those of BakeSettings. */
const SETTINGS: readonly (readonly [name: SettingName, flag: string, words: string])[] = [
  ['cellSize', '--cell-size <metres>', 'side of a voxel in plan (default 0.3): half the agent radius is good'],
  ['cellHeight', '--cell-height <metres>', 'height of a voxel (default 0.2)'],
  ['agentRadius', '--agent-radius <metres>', 'radius of the body that walks (default 0.6)'],
  ['agentHeight', '--agent-height <metres>', 'its height (default 2)'],
  ['agentClimb', '--agent-climb <metres>', 'the highest step it climbs (default 0.9)'],
  ['agentSlope', '--agent-slope <degrees>', 'the steepest ground it walks on (default 45)'],
  ['tileSize', '--tile-size <cells>', 'side of a tile, for tiled and tilecache (default 48)'],
  ['maxEdge', '--max-edge <metres>', 'edges along walls are cut after this, 0 is never (default 12)'],
  ['edgeError', '--edge-error <cells>', "how far edges may leave the voxels' outline (default 1.3)"],
  ['minRegion', '--min-region <cells>', 'side of the smallest patch that is kept (default 8)'],
  ['mergeRegion', '--merge-region <cells>', 'side up to which patches are joined (default 20)'],
  ['polyVertices', '--poly-vertices <count>', 'most corners of a polygon, 3..6 (default 6)'],
  ['detailDistance', '--detail-distance <cells>', 'between samples of the height, 0 is none (default 6)'],
  ['detailError', '--detail-error <heights>', 'cell heights by which it may be wrong (default 1)'],
  ['partition', '--partition <way>', 'watershed, monotone or layers (default watershed)'],
  ['maxObstacles', '--max-obstacles <count>', 'that a tile cache has room for (default 128)'],
];

export function bakeCommand(): Command {
  const command = new Command('bake')
    .summary('make a navmesh of level geometry')
    .description(
      'Bakes the triangles of a level (OBJ, glTF, GLB) into a navmesh with recast-navigation, and writes it as MSET, as a tile cache (TSET), or as a packed map when the output ends in .navpack.\n\n' +
        "Give the sizes of your game's walker. They are made permissive unless told otherwise: a validator's ground must hold every place where an honest player can be, and the mesh that moves NPCs is cut back from walls and edges. " +
        'The permissive preset takes a cell and the edge error off the radius and a voxel off the height, adds a voxel to the climb and 5 degrees to the slope, and keeps small patches. Both are baked and compared: look at the places that only one has.',
    )
    .argument('<level>', 'level geometry: .obj, .glb, .gltf')
    .requiredOption('-o, --output <file>', 'the map (- is stdout)')
    .option('--kind <kind>', 'solo, tiled or tilecache (default: solo, tiled for levels over 1,024 cells wide)')
    .option('--no-permissive', 'the sizes as they are given')
    .option('--no-compare', 'bake once, without the other preset');
  for (const [, flag, words] of SETTINGS) command.addOption(new Option(flag, words).helpGroup('Sizes:'));
  const reading: readonly [string, string][] = [
    ['--scale <metres>', 'metres per unit of the file (centimetres: 0.01)'],
    ['--axes <axes>', "which of the file's axes become x, y (up), z: x,z,-y for a file with z up"],
    ['--flip', 'negate x: a file of the other handedness'],
    [
      '--areas <file>',
      'JSON: {"Water": {"area": 2, "flags": 4}, "Lava": {"flags": 0}} by material, group or node; flags 0: no ground',
    ],
  ];
  for (const [flag, words] of reading) command.addOption(new Option(flag, words).helpGroup('Reading the level:'));
  return command
    .addHelpText(
      'after',
      `
Examples:
  navguard bake dungeon.glb -o dungeon.bin --agent-radius 0.4 --agent-height 1.8 --agent-climb 0.4
  navguard bake city.obj -o city.navpack --kind tiled --scale 0.01 --axes x,z,y
  navguard bake arena.glb -o arena.bin --kind tilecache --no-permissive
  navguard inspect dungeon.bin --svg plan.svg      and look at it`,
    )
    .action(runBake);
}

async function runBake(path: string, flags: Flags): Promise<void> {
  // recast-navigation is loaded for this command only
  const baking = await import('../bake/index.ts');
  const given = settingsOf(flags, baking);
  const asked = kindOf(flags.kind);
  baking.checkSettings(given, asked ?? 'solo');
  if (flags.maxObstacles !== undefined && asked !== 'tilecache') {
    throw new UsageError('--max-obstacles is for tile caches: give --kind tilecache.');
  }
  const level = await named(path, async () => baking.readLevel(await levelBytes(path), await readOptions(flags)));
  const kind = asked ?? baking.defaultKind(level, given);
  if (flags.tileSize !== undefined && kind === 'solo') {
    throw new UsageError('--tile-size: a solo mesh has no tiles: give --kind tiled or tilecache.');
  }
  process.stderr.write(levelLine(path, level));
  const chosen = flags.permissive ? baking.permissive(given) : given;
  const bake = async (settings: Baking.BakeSettings, name: string): Promise<BakedPreset> => {
    const progress = progressLine(`${kind}, ${name}`);
    try {
      const bytes = await named(path, () => baking.bake(level, kind, settings, progress.update));
      const mesh = await readNavMesh(bytes);
      return { name, settings, bytes, mesh, map: NavMap.fromMesh(mesh), area: baking.planArea(mesh) };
    } finally {
      progress.stop();
    }
  };
  const mine = await bake(chosen, flags.permissive ? 'permissive' : 'as given');
  let report = bakeReport([mine], null);
  if (flags.compare) {
    const other = await bake(
      flags.permissive ? given : baking.permissive(given),
      flags.permissive ? 'as given' : 'permissive',
    );
    const pair: [BakedPreset, BakedPreset] = flags.permissive ? [other, mine] : [mine, other];
    const rise = Math.max(given.agentClimb, 2 * given.cellHeight);
    report = bakeReport(pair, baking.compareMaps(pair[0], pair[1], given.cellSize, rise));
  }
  const packed = /\.navpack$/i.test(flags.output);
  const bytes = packed ? new Uint8Array(mine.map.toPack()) : mine.bytes;
  await writeWhole(flags.output, bytes);
  const target = flags.output === '-' ? 'stdout' : flags.output;
  const format = packed ? 'packed map' : mine.mesh.format;
  process.stderr.write(
    `${report}${target}: ${mine.name}, ${format}, ${grouped(bytes.length)} bytes, hash ${mine.map.info.hash}\n`,
  );
}

function kindOf(word: string | undefined): Baking.BakeKind | undefined {
  if (word === undefined || word === 'solo' || word === 'tiled' || word === 'tilecache') return word;
  throw new UsageError(`--kind ${word}: expected solo, tiled or tilecache.`);
}

function settingsOf(flags: Flags, baking: typeof Baking): Baking.BakeSettings {
  const settings: Record<string, string | number> = { ...baking.BAKE_DEFAULTS };
  for (const [name, flag] of SETTINGS) {
    const text = flags[name];
    if (typeof text !== 'string') continue;
    const value = Number(text);
    if (name !== 'partition' && (text.trim() === '' || !Number.isFinite(value))) {
      throw new UsageError(`${flag.split(' ')[0]}: expected a number, got "${text}".`);
    }
    settings[name] = name === 'partition' ? text : value;
  }
  return settings as unknown as Baking.BakeSettings;
}

async function levelBytes(path: string): Promise<Uint8Array> {
  let bytes: Uint8Array | null;
  try {
    bytes = await readAtMost(path, () => MAX_FILE_BYTES);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}.`);
  }
  if (bytes === null) {
    throw new UsageError(
      `${path} is larger than ${MAX_FILE_BYTES / 2 ** 20} MiB, expected a smaller level: bake it in parts.`,
    );
  }
  return bytes;
}

/** Sentences about the level begin with its name. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NavguardError) throw new UsageError(`${path}: ${error.message.replace(/^bake: /, '')}`);
    throw error;
  }
}
