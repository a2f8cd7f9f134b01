// navguard query: questions to a map, one JSON object a line in, one a line out.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { NavguardError } from '../errors.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../log/lines.ts';
import { loadMapFile } from '../log/maps.ts';
import { badLine, shown } from '../log/problem.ts';
import { fileTrouble } from '../log/reader.ts';
import type { NavMap } from '../map.ts';
import { nearestWord } from '../nearest.ts';
import type { Vec3 } from '../types.ts';
import { mapOptions, READ_HELP, type ReadFlags, readFlags } from './inputs.ts';
import { openOutput } from './output.ts';

const OPS = ['locate', 'ray', 'shortest', 'corridor', 'reach'];

export function queryCommand(): Command {
  return readFlags(
    new Command('query')
      .summary('ask a map: locate, ray, shortest, corridor, reach')
      .description('Answers questions about a map, one JSON object a line. Positions are [x, y, z] in metres.')
      .argument('<map>', 'a navmesh export or a packed map')
      .argument('[file]', 'questions as NDJSON', '-')
      .addHelpText(
        'after',
        `
Questions and their answers (limit is optional, metres):
  {"op":"locate","pos":[x,y,z]}                     {"polygon","point","distance","component"} or {"polygon":null}
  {"op":"ray","from":[..],"to":[..]}                {"clear","t","point","edgeDistance"}
  {"op":"shortest","from":[..],"to":[..],"limit"}   {"status","length","corners"}, exact
  {"op":"corridor","from":[..],"to":[..],"limit"}   the same, as a Detour-style client would walk
  {"op":"reach","from":[..],"to":[..],"budget"}     {"status","length","bound"}

Examples:
  echo '{"op":"reach","from":[0,0,0],"to":[9,0,4],"budget":12}' | navguard query dungeon.bin
  navguard query dungeon.bin questions.ndjson > answers.ndjson
${READ_HELP}`,
      )
      .action(runQuery),
  );
}

async function runQuery(mapPath: string, file: string, flags: ReadFlags): Promise<void> {
  const chunks = file === '-' ? process.stdin : await questions(file);
  const name = file === '-' ? 'stdin' : file;
  const map = await loadMapFile(mapPath, await mapOptions(flags));
  const output = await openOutput('-');
  const lines = new LineSplitter();
  let line = 0;
  const answerLines = () => {
    for (let end = lines.lineEnd(); end >= 0; end = lines.lineEnd()) {
      const text = lines.bytes.toString('utf8', lines.start, end);
      lines.take(end);
      line++;
      // String.trim takes a byte order mark for white space, JSON.parse does not
      if (text.trim() !== '') output.write(`${JSON.stringify(answer(map, text.trim(), name, line))}\n`);
    }
  };
  try {
    for await (const chunk of chunks) {
      lines.feed(chunk as Uint8Array);
      if (lines.end > MAX_LINE_BYTES) throw badLine(name, line + 1, 'the line is too long, expected one question.');
      answerLines();
      await output.drain(true);
    }
    lines.feed(Buffer.from('\n'));
    answerLines();
  } finally {
    // answers to the lines before a wrong one stand
    await output.commit();
  }
}

async function questions(path: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    if ((await stat(path)).isDirectory()) {
      throw new NavguardError('BAD_ARGUMENT', `${path} is a directory, expected questions as NDJSON.`);
    }
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    throw new NavguardError('BAD_ARGUMENT', `Cannot read ${path}: ${fileTrouble(error)}.`);
  }
  return createReadStream(path, { highWaterMark: 1 << 18 });
}

/** Throws BAD_LOG with the line's number. */
function answer(map: NavMap, text: string, file: string, line: number): unknown {
  let query: Record<string, unknown>;
  try {
    query = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw badLine(file, line, `the line is not valid JSON, expected one question, got ${shown(text)}.`);
  }
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw badLine(file, line, `expected an object such as {"op":"locate","pos":[0,0,0]}, got ${shown(query)}.`);
  }
  const vector = (field: string): Vec3 => {
    const value = query[field];
    if (Array.isArray(value) && value.length === 3 && value.every((n) => Number.isFinite(n))) return value as never;
    const expected = '[x, y, z] with three finite numbers';
    throw badLine(file, line, `"${query.op}" needs ${field} to be ${expected}, got ${shown(value)}.`);
  };
  const metres = (field: string): number => {
    const value = query[field] === 'Infinity' ? Infinity : query[field];
    if (typeof value === 'number' && value >= 0) return value;
    throw badLine(file, line, `"${query.op}" needs ${field} to be metres of at least 0, got ${shown(value)}.`);
  };
  const limit = () => (query.limit === undefined ? {} : { limit: metres('limit') });
  switch (query.op) {
    case 'locate':
      return map.locate(vector('pos')) ?? { polygon: null };
    case 'ray':
      return map.ray(vector('from'), vector('to'));
    case 'corridor':
      return map.corridor(vector('from'), vector('to'), limit());
    case 'shortest':
      return map.shortest(vector('from'), vector('to'), limit());
    case 'reach':
      return map.reach(vector('from'), vector('to'), metres('budget'));
    default: {
      const near = typeof query.op === 'string' ? nearestWord(query.op, OPS) : null;
      const expected = near === null ? `one of ${OPS.join(', ')}` : `"${near}" perhaps`;
      throw badLine(file, line, `unknown op ${shown(query.op)}, expected ${expected}.`);
    }
  }
}
