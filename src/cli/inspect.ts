// navguard inspect: what was loaded, what loading and looking found, plan pictures, and what differs between two versions.
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { type ReadOptions, readNavMeshFiles } from '../bytes/index.ts';
import { loadMapFile, readMapFiles } from '../log/maps.ts';
import type { NavMap } from '../map.ts';
import { diffMaps } from '../report/diff.ts';
import { diffJson, diffPicture, diffText, type Version } from '../report/difftext.ts';
import { inspectJson, inspectText } from '../report/inspect.ts';
import { type Survey, surveyOf } from '../report/survey.ts';
import { COLOURS, type Colour, planPicture } from '../report/svg.ts';
import { grouped } from '../report/table.ts';
import { EXIT_MISMATCH } from './fail.ts';
import { mapOptions, READ_HELP, type ReadFlags, readFlags } from './inputs.ts';
import { writeWhole } from './output.ts';

interface InspectFlags extends ReadFlags {
  json?: true;
  svg?: string;
  colour: Colour;
  diff?: string;
}

export function inspectCommand(): Command {
  return readFlags(
    new Command('inspect')
      .summary('say what a map holds and what is odd about it, draw it, compare two')
      .description(
        'Loads a map as the guard does and prints format, sizes, components, area and hash, then its findings with their\n' +
          'places: what loading dropped, joined, cut or left unlinked, and what looks wrong.',
      )
      .argument('<map>', 'a navmesh export or a packed map')
      .option('--json', 'print one JSON object')
      .option(
        '--svg <file>',
        'write a plan picture (- is stdout): ground, walls, tile portals, links, numbered findings',
      )
      .addOption(
        new Option('--colour <what>', 'what the colours of the picture stand for; floor: floors side by side')
          .choices(COLOURS)
          .default('component'),
      )
      .option(
        '--diff <other>',
        'compare with another version: what <other> gained and lost; exit code 1 if they differ',
      )
      .addHelpText('after', `${HELP}${READ_HELP}`)
      .action(runInspect),
  );
}

const HELP = `
Findings, and what to do about them:
  dropped-polygon      no area in plan: upright or degenerate. Many of them: see suspicious-axes
  duplicate-polygon    given more than once: dropped, nothing to do
  triangulated-polygon, split-polygon
                       not convex, or with more than 8 corners: cut up, nothing to do
  reversed-winding     wound against the rest of the mesh: turned round, nothing to do
  off-lattice          vertices beside the cells that the file says: the file was moved or scaled after baking
  welded-vertex        vertices moved by a hair to meet their neighbours, nothing to do
  split-edge           T-junctions: edges of unequal length that meet. Joined, nothing to do
  cut-portal           a ledge at a tile border that Detour links though it is higher than the climb: players cannot
                       walk up there, and the guard agrees. A client that paths over it will be refused
  unlinked-portal      a border whose neighbour is missing: a tile was baked on other bounds or not at all
  recovered-portal     borders that meet exactly though the export lost their link: joined
  ambiguous-portal     edges with several partners: the nearest in height, or none, was joined. Look at the place
  broken-neighbour     neighbours that do not share their edge: a wall now. Bake again
  unlinked-link        an off-mesh connection or portal with an end off the mesh: move it or widen its radius
  far-link             one across tiles that are not neighbours: closed until guard.link opens it, or use guard.grant
  long-link            one longer than anyone jumps: who is put there at once needs guard.grant
  looped-link, doubled-link
                       both ends on one polygon, or the ends of another one: usually a slip of the level's tools
  island               ground that nothing leads to. Small ones are usually table tops and ledges: prune them
  closed-interior      ground shut in or covered: usually the inside of something solid (a guess)
  overlapping-floors   floors over each other, and the least clearance between them
  low-clearance        floors nearer to each other than the agent is tall: heights in claims must be good there
  suspicious-scale     centimetres or the like: --scale
  suspicious-axes      z up or the like: --axes
  no-agent             the file names no body sizes: --agent
  unknown-area         --areas names what the file does not have
  filtered-polygon, filtered-link
                       left out by the filter of the program that packed the map

Examples:
  navguard inspect dungeon.bin
  navguard inspect dungeon.bin --json --svg plan.svg
  navguard inspect tower.bin --svg floors.svg --colour floor
  navguard inspect monday.bin --diff friday.bin --svg changes.svg

Exit codes: 0 done (--diff: the two are the same), 1 the two differ, 2 trouble.
`;

async function runInspect(path: string, flags: InspectFlags): Promise<void> {
  const options = await mapOptions(flags);
  const map = await loadMapFile(path, options);
  if (flags.diff !== undefined) {
    const other = await loadMapFile(flags.diff, options);
    await compare({ path, map }, { path: flags.diff, map: other }, flags);
    return;
  }
  const survey = surveyOf(map.toPack(), map.info);
  if (flags.svg !== undefined) {
    await writeWhole(flags.svg, await picture(path, map, survey, flags.colour, options.read ?? {}));
  }
  // the picture on stdout leaves no room for text
  if (flags.svg === '-') return;
  const text = flags.json
    ? `${JSON.stringify(inspectJson(path, map.info, survey))}\n`
    : inspectText(path, map.info, survey);
  await writeWhole('-', text);
}

async function picture(path: string, map: NavMap, survey: Survey, colour: Colour, read: ReadOptions): Promise<string> {
  const { format, polygons, components } = map.info;
  return planPicture(survey, {
    title: `${basename(path)}: ${format}, ${grouped(polygons)} polygons, ${grouped(components)} ${components === 1 ? 'component' : 'components'}`,
    colour,
    tileOf: map.info.tiles > 1 ? await tilesOf(path, read) : undefined,
  });
}

/** A packed map has forgotten its tiles; the export still knows them. */
async function tilesOf(path: string, read: ReadOptions): Promise<((polygon: number) => number) | undefined> {
  const files = await readMapFiles(path);
  const [bytes] = files.values();
  if (Buffer.from(bytes.buffer, bytes.byteOffset, 4).toString('latin1') === 'NGPK') return undefined;
  const { polyTile } = await readNavMeshFiles(files, read);
  return (polygon) => polyTile[polygon];
}

interface Loaded {
  readonly path: string;
  readonly map: NavMap;
}

async function compare(old: Loaded, now: Loaded, flags: InspectFlags): Promise<void> {
  const version = ({ path, map }: Loaded): Version => ({ name: path, info: map.info });
  const diff = diffMaps({ pack: old.map.toPack(), info: old.map.info }, { pack: now.map.toPack(), info: now.map.info });
  if (flags.svg !== undefined) await writeWhole(flags.svg, diffPicture(version(old), version(now), diff));
  if (flags.svg !== '-') {
    const text = flags.json
      ? `${JSON.stringify(diffJson(version(old), version(now), diff))}\n`
      : diffText(version(old), version(now), diff);
    await writeWhole('-', text);
  }
  if (!diff.same) process.exitCode = EXIT_MISMATCH;
}
