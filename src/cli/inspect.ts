// navguard inspect: what was loaded, what loading found, and a plan picture.
import { basename } from 'node:path';
import { Command } from 'commander';
import { type ReadOptions, readNavMeshFiles } from '../bytes/index.ts';
import { loadMapFile, readMapFiles } from '../log/maps.ts';
import type { NavMap } from '../map.ts';
import { inspectJson, inspectText } from '../report/inspect.ts';
import { planPicture } from '../report/svg.ts';
import { grouped } from '../report/table.ts';
import { mapOptions, READ_HELP, type ReadFlags, readFlags } from './inputs.ts';
import { writeWhole } from './output.ts';

interface InspectFlags extends ReadFlags {
  json?: true;
  svg?: string;
}

export function inspectCommand(): Command {
  return readFlags(
    new Command('inspect')
      .summary('say what a map holds, and draw it')
      .description(
        'Loads a map as the guard does and prints format, tiles, polygons, vertices, components, area, links, hash and\n' +
          'findings: whatever loading dropped, joined or left unlinked.',
      )
      .argument('<map>', 'a navmesh export or a packed map')
      .option('--json', 'print one JSON object')
      .option('--svg <file>', 'write a plan picture: components, walls, tile portals, links, findings (- is stdout)')
      .addHelpText(
        'after',
        `
Examples:
  navguard inspect dungeon.bin
  navguard inspect dungeon.bin --json --svg plan.svg
${READ_HELP}`,
      )
      .action(runInspect),
  );
}

async function runInspect(path: string, flags: InspectFlags): Promise<void> {
  const options = await mapOptions(flags);
  const map = await loadMapFile(path, options);
  if (flags.svg !== undefined) await writeWhole(flags.svg, await picture(path, map, options.read ?? {}));
  // the picture on stdout leaves no room for text
  if (flags.svg === '-') return;
  process.stdout.write(flags.json ? `${JSON.stringify(inspectJson(path, map.info))}\n` : inspectText(path, map.info));
}

async function picture(path: string, map: NavMap, read: ReadOptions): Promise<string> {
  const { format, polygons, components, findings } = map.info;
  return planPicture(map.toPack(), {
    title: `${basename(path)}: ${format}, ${grouped(polygons)} polygons, ${grouped(components)} ${components === 1 ? 'component' : 'components'}`,
    findings,
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
