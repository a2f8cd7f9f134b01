// navguard convert: a move log in its other form, NDJSON to binary and back.
import { Command } from 'commander';
import { isPlainMove } from '../log/binary/index.ts';
import type { MoveLogEvent } from '../log/events.ts';
import { MoveLog } from '../log/reader.ts';
import { MoveLogWriter } from '../log/record.ts';
import { grouped } from '../report/table.ts';
import { UsageError } from './fail.ts';
import { openOutput } from './output.ts';

interface ConvertFlags {
  output: string;
  to?: string;
  lenient?: true;
}

export function convertCommand(): Command {
  return new Command('convert')
    .summary('turn a move log from NDJSON into the binary form, or back')
    .description(
      'Writes a move log in its other form, without loss. The binary form takes about an eighth of the bytes; every command reads both. A log’s own map is found beside the log: convert into the same folder, or name the map when you use it.',
    )
    .argument('<log>', 'a move log in either form (- is stdin)')
    .requiredOption('-o, --output <file>', 'the converted log (- is stdout)')
    .option('--to <form>', 'binary or ndjson (default: the other one)')
    .option(
      '--lenient',
      'count and skip what cannot be read, instead of stopping; a log that is cut off is read to its end',
    )
    .addHelpText(
      'after',
      `
Examples:
  navguard convert monday.ngml -o - | grep '"id":"p7"'
  navguard convert monday.ndjson -o monday.ngml`,
    )
    .action(runConvert);
}

async function runConvert(path: string, flags: ConvertFlags): Promise<void> {
  const { to } = flags;
  if (to !== undefined && to !== 'binary' && to !== 'ndjson') {
    throw new UsageError(`--to ${to}: expected binary or ndjson.`);
  }
  const log =
    path === '-'
      ? await MoveLog.open(process.stdin, { name: 'stdin', lenient: flags.lenient })
      : await MoveLog.open(path, { lenient: flags.lenient });
  const output = await openOutput(flags.output).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  try {
    const form = to ?? (log.binary ? 'ndjson' : 'binary');
    const sink = { write: (bytes: Uint8Array) => output.keep(bytes) };
    const writer = new MoveLogWriter(sink, log.headerText, { form });
    do {
      for (let event = log.next(); event !== null; event = log.next()) copyEvent(log, event, writer, form);
      await output.drain();
    } while (await log.more());
    writer.close();
    await output.commit();
    const skipped = log.skipped === 0 ? '' : `, ${grouped(log.skipped)} skipped`;
    process.stderr.write(
      `${flags.output === '-' ? 'stdout' : flags.output}: ${form}, ${grouped(writer.events)} events, ${grouped(writer.bytes)} bytes of ${grouped(log.bytesRead)}${skipped}\n`,
    );
  } catch (error) {
    await output.abandon();
    throw error;
  } finally {
    await log.close();
  }
}

const NEWLINE = 10;
const RETURN = 13;

/** Short where that is the same event, else the line as it stands: fields and spellings that nothing knows survive. */
function copyEvent(log: MoveLog, event: MoveLogEvent, writer: MoveLogWriter, form: 'binary' | 'ndjson'): void {
  const { raw } = log;
  if (raw === null || (form === 'binary' && isPlainMove(event))) writer.event(event);
  // a line may not hold the end of another
  else if (raw.includes(NEWLINE) || raw.includes(RETURN)) writer.event(event);
  else writer.line(raw);
}
