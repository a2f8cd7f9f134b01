// navguard pack: a map as a packed map, ready to load.
import { Command } from 'commander';
import { loadMapFile } from '../log/maps.ts';
import { grouped } from '../report/table.ts';
import { mapOptions, READ_HELP, type ReadFlags, readFlags } from './inputs.ts';
import { writeWhole } from './output.ts';

export function packCommand(): Command {
  return readFlags(
    new Command('pack')
      .summary('write a map as a packed map, ready to load')
      .description(
        'Checks a map, joins its tiles and writes one file that loads without a second parse: NavMap.fromPack(buffer).',
      )
      .argument('<map>', 'a navmesh export')
      .requiredOption('-o, --output <file>', 'the packed map (- is stdout)')
      .addHelpText(
        'after',
        `
Examples:
  navguard pack dungeon.bin -o dungeon.navpack
  navguard pack dungeon.bin -o - | sha256sum
${READ_HELP}`,
      )
      .action(async (path: string, flags: ReadFlags & { output: string }) => {
        const map = await loadMapFile(path, await mapOptions(flags));
        const pack = new Uint8Array(map.toPack());
        await writeWhole(flags.output, pack);
        const { polygons, hash } = map.info;
        process.stderr.write(
          `${flags.output === '-' ? 'stdout' : flags.output}: ${grouped(pack.length)} bytes, ${grouped(polygons)} polygons, hash ${hash}\n`,
        );
      }),
  );
}
