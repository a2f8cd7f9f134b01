// `navguard simulate`: honest walkers and named cheats on a map, as a move log with expectations. Imported by cli/main.ts.
import { dirname, relative, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { detectFormat, readNavMesh } from '../bytes/index.ts';
import { NavguardError } from '../errors.ts';
import { readMapBytes } from '../log/maps.ts';
import { closestWord } from '../nearest.ts';
import {
  CHEAT_KINDS,
  type CheatKind,
  MODELS,
  ModelGame,
  Simulation,
  writeSimulation,
  ZOO,
  ZOO_NAMES,
  ZooGame,
} from '../simulate/index.ts';
import { openOutput } from './output.ts';

interface SimulateFlags {
  players: string;
  seconds: string;
  cheats?: string;
  model?: string;
  rtt?: string;
  jitter?: string;
  loss: string;
  seed: string;
  output: string;
}

/** Flags as they were typed. */
type Asked = Omit<SimulateFlags, 'output'> & { output?: string };

/** Adds the command to the program. */
export function simulateCommand(program: Command): void {
  program
    .command('simulate')
    .description('write a move log of honest walkers and named cheats on a map, with what to expect of each claim')
    .argument('[map]', 'navmesh export: MSET with 32-bit references, as navguard bake writes it')
    .option('--players <n>', 'honest walkers', '16')
    .option('--seconds <s>', 'seconds of play', '60')
    .option(
      '--cheats <kinds>',
      `comma-separated: ${CHEAT_KINDS.join(', ')}, or all of these, beside the walkers; or cheats of the zoo by name, ` +
        'each alone and --players times; "zoo" is all of them, "list" shows them',
    )
    .option(
      '--model <name>',
      'honest players of one client model, judged as they play; "list" shows all, and needs nothing else (default: walkers)',
    )
    .option('--rtt <ms>', 'round-trip time of every player (default: 20 to 300, each its own)')
    .option('--jitter <ms>', 'extra delay of a packet, up to (default: up to the round-trip time)')
    .option('--loss <p>', 'share of packets that must be sent again', '0.01')
    .option('--seed <n>', 'the same seed gives the same log', '1')
    .option('-o, --output <log>', 'move log to write, - for standard output')
    .action(runSimulate);
}

/** Runs the command; throws NavguardError for bad input, and then leaves no file behind. */
export async function runSimulate(mapPath: string | undefined, given: Asked): Promise<void> {
  if (given.model === 'list') {
    for (const { name, about } of MODELS) process.stdout.write(`${name.padEnd(14)} ${about}\n`);
    return;
  }
  if (given.cheats === 'list') {
    for (const [name, how] of ZOO) process.stdout.write(`${name.padEnd(28)} ${how}\n`);
    return;
  }
  const { output } = given;
  if (mapPath === undefined) throw new NavguardError('BAD_ARGUMENT', 'simulate needs a map (only a list does not).');
  if (output === undefined) throw new NavguardError('BAD_ARGUMENT', 'simulate needs -o, --output <log> (- is stdout).');
  const flags: SimulateFlags = { ...given, output };
  const zoo = zooNames(flags.cheats);
  const options = {
    players: number('--players', flags.players),
    seconds: number('--seconds', flags.seconds),
    cheats: zoo.length > 0 ? [] : cheatKinds(flags.cheats),
    rttMs: flags.rtt === undefined ? undefined : number('--rtt', flags.rtt),
    jitterMs: flags.jitter === undefined ? undefined : number('--jitter', flags.jitter),
    loss: number('--loss', flags.loss),
    seed: number('--seed', flags.seed),
  };
  const bytes = await readExport(mapPath);
  if (zoo.length > 0) {
    await playZoo(mapPath, bytes, zoo, options, flags);
    return;
  }
  if (flags.model !== undefined) {
    await playModel(mapPath, bytes, flags.model, options, flags);
    return;
  }
  const simulation = await Simulation.open(bytes, options).catch((error: unknown) => {
    throw flagNamed(error, flags);
  });
  const bar = process.stderr.isTTY
    ? new SingleBar({
        format: 'playing {bar} {percentage}% | {value}/{total} s',
        stream: process.stderr,
        hideCursor: true,
      })
    : null;
  try {
    for (const note of simulation.notes) process.stderr.write(`simulate: ${note}\n`);
    bar?.start(Math.round(simulation.seconds), 0);
    const progress = (timeMs: number): void => bar?.update(Math.round(timeMs / 1000));
    const comment = `simulate --players ${options.players} --seconds ${options.seconds} --cheats ${options.cheats.join(',') || 'none'} --seed ${options.seed}`;
    // a log on stdout names the map as it was given
    const file = flags.output === '-' ? mapPath : relative(dirname(resolve(flags.output)), resolve(mapPath));
    await writeWhole(flags.output, (out) => writeSimulation(out, { map: { file }, comment }, simulation, progress));
    bar?.stop();
    const { moves, convicted, runs } = simulation.counts;
    const cheats = options.cheats.map((kind) => `${kind} ${convicted[kind]} of ${runs[kind]}`).join(', ');
    process.stderr.write(`simulate: ${moves} moves${cheats ? `; runs with a claim to refuse: ${cheats}` : ''}\n`);
  } finally {
    bar?.stop();
    simulation.destroy();
  }
}

/** Players of one client model: they hear a guard's verdicts and obey. Lines and clients are the model's own. */
async function playModel(
  mapPath: string,
  bytes: Uint8Array,
  model: string,
  options: { players: number; seconds: number; seed: number; cheats: readonly CheatKind[] },
  flags: SimulateFlags,
): Promise<void> {
  const { players, seconds, seed } = options;
  const stray = options.cheats.length > 0 ? '--cheats' : flags.rtt !== undefined ? '--rtt' : flags.jitter && '--jitter';
  if (stray) throw new NavguardError('BAD_ARGUMENT', `${stray} goes with walkers, not with --model ${model}.`);
  inRange('--players', flags.players, players, 1, 1000);
  inRange('--seconds', flags.seconds, seconds, 0, 1e7);
  inRange('--seed', flags.seed, seed, 0, 2 ** 32 - 1);
  const game = await ModelGame.open(bytes, { model, players, seconds, seed });
  try {
    const file = flags.output === '-' ? mapPath : relative(dirname(resolve(flags.output)), resolve(mapPath));
    const comment = `simulate --model ${model} --players ${players} --seconds ${seconds} --seed ${seed}`;
    const header = { map: { file }, rules: { ...game.rules }, comment };
    await writeWhole(flags.output, (out) => writeSimulation(out, header, game));
    const { moves, refused } = game.counts;
    process.stderr.write(`simulate: ${moves} moves of ${model}, ${refused} refused\n`);
  } finally {
    game.destroy();
  }
}

/** Cheats of the zoo, each alone. */
async function playZoo(
  mapPath: string,
  bytes: Uint8Array,
  cheats: readonly string[],
  { players: runs, seed }: { players: number; seed: number },
  flags: SimulateFlags,
): Promise<void> {
  const stray = (['model', 'rtt', 'jitter'] as const).find((name) => flags[name] !== undefined);
  if (stray)
    throw new NavguardError('BAD_ARGUMENT', `--${stray} goes with honest players, not with cheats of the zoo.`);
  inRange('--players', flags.players, runs, 1, 1000);
  inRange('--seed', flags.seed, seed, 0, 2 ** 32 - 1);
  const game = await ZooGame.open(bytes, { cheats, runs, seed });
  try {
    const file = flags.output === '-' ? mapPath : relative(dirname(resolve(flags.output)), resolve(mapPath));
    const comment = `simulate --cheats ${cheats.join(',')} --players ${runs} --seed ${seed}`;
    await writeWhole(flags.output, (out) => writeSimulation(out, { map: { file }, comment }, game));
    for (const { cheat, runs: played, caught } of game.counts) {
      const what = played === 0 ? 'no place for it on this map' : `${caught} of ${played} refused or watched`;
      process.stderr.write(`simulate: ${cheat}: ${what}\n`);
    }
  } finally {
    game.destroy();
  }
}

function inRange(flag: string, text: string, value: number, low: number, high: number): void {
  if (value >= low && value <= high) return;
  throw new NavguardError('BAD_ARGUMENT', `${flag} is ${text}, expected a number from ${low} to ${high}.`);
}

/** The bytes of an export that the structural check has passed: recast-navigation itself checks nothing. */
async function readExport(path: string): Promise<Uint8Array> {
  const bytes = await readMapBytes(path);
  try {
    await readNavMesh(bytes);
    const { kind, name } = detectFormat(bytes);
    if (kind !== 'mset') throw new NavguardError('UNSUPPORTED_FORMAT', `This is ${name}.`);
  } catch (error) {
    if (!(error instanceof NavguardError)) throw error;
    const hint =
      error.code === 'UNSUPPORTED_FORMAT'
        ? ' Simulated players need an MSET export with 32-bit references, as recast-navigation and navguard bake write it.'
        : '';
    throw new NavguardError(error.code, `${path}: ${error.message}${hint}`, { ...error.detail, file: path });
  }
  return bytes;
}

/** Writes through an output as a stream; nothing half-written is left. */
async function writeWhole(path: string, write: (out: Writable) => Promise<void>): Promise<void> {
  const output = await openOutput(path);
  const out = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, next) {
      output.write(text);
      output.drain().then(() => next(), next);
    },
  });
  const done = finished(out);
  try {
    await Promise.race([write(out), done]);
    out.end();
    await done;
    await output.commit();
  } catch (error) {
    out.destroy();
    await done.catch(() => undefined);
    await output.abandon();
    throw error;
  }
}

/** The names when they are the zoo's, which has none of the walkers' kinds but "blink"; nothing when they are not. */
function zooNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (text === 'zoo') return ZOO_NAMES;
  const words = text.split(',').map((word) => word.trim());
  if (!words.some((word) => ZOO.has(word) && !CHEAT_KINDS.some((kind) => kind === word))) return [];
  const stray = words.find((word) => !ZOO.has(word));
  if (stray === undefined) return words;
  throw new NavguardError(
    'BAD_ARGUMENT',
    `--cheats has "${stray}" among cheats of the zoo; the nearest known is "${closestWord(stray, ZOO_NAMES)}", --cheats list shows all.`,
    { option: 'cheats', got: stray, expected: ZOO_NAMES },
  );
}

function cheatKinds(text: string | undefined): CheatKind[] {
  if (text === undefined || text === 'none') return [];
  if (text === 'all') return [...CHEAT_KINDS];
  return text.split(',').map((word) => {
    const kind = CHEAT_KINDS.find((k) => k === word.trim());
    if (kind === undefined) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `--cheats has "${word}", expected ${CHEAT_KINDS.join(', ')}, all or none.`,
      );
    }
    return kind;
  });
}

/** Flags whose options have other names. */
const FLAGS: Readonly<Record<string, keyof SimulateFlags>> = { rttMs: 'rtt', jitterMs: 'jitter' };

/** An option out of range, said as it was typed. */
function flagNamed(error: unknown, flags: SimulateFlags): unknown {
  if (!(error instanceof NavguardError) || typeof error.detail.option !== 'string') return error;
  const { option, expected } = error.detail;
  const flag = FLAGS[option as string] ?? (option as keyof SimulateFlags);
  return new NavguardError(error.code, `--${flag} is ${flags[flag]}, expected ${expected}.`, error.detail);
}

function number(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new NavguardError('BAD_ARGUMENT', `${flag} is "${text}", expected a number.`);
  }
  return value;
}
