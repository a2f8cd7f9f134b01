// Whole games: the log reads back, repeats by seed, holds what it promises; and the command that writes it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateCommand } from '../../src/cli/simulate.ts';
import { NavguardError } from '../../src/errors.ts';
import { isClaim, type MoveLogEvent } from '../../src/log/events.ts';
import { MoveLog } from '../../src/log/reader.ts';
import { type SimulateOptions, Simulation } from '../../src/simulate/index.ts';

const maps = join(import.meta.dirname, '..', '..', 'navdata', 'maps');
const maze = readFileSync(join(maps, 'maze.bin'));

async function play(options: SimulateOptions): Promise<{ events: MoveLogEvent[]; simulation: Simulation }> {
  const simulation = await Simulation.open(maze, options);
  const events = [...simulation.events()];
  simulation.destroy();
  return { events, simulation };
}

describe('Simulation', () => {
  it('tells a well-formed story: in order, everyone enters, counts up and leaves or stays', async () => {
    const { events, simulation } = await play({ players: 8, seconds: 40, cheats: ['speed', 'blink', 'hop'], seed: 9 });
    const inside = new Map<string, { seq: number; told: boolean }>();
    const gone = new Set<string>();
    let last = 0;
    for (const event of events) {
      expect(event.t).toBeGreaterThanOrEqual(last);
      last = event.t;
      const id = (event as { id: string }).id;
      if (event.op === 'enter') {
        expect(inside.has(id) || gone.has(id)).toBe(false);
        inside.set(id, { seq: -1, told: false });
        continue;
      }
      const state = inside.get(id);
      if (state === undefined) expect.fail(`${event.op} of ${id}, who is not there`);
      if (event.op === 'rtt') state.told = true;
      else if (event.op === 'leave') {
        inside.delete(id);
        gone.add(id);
      } else if (event.op === 'move') {
        expect(state.told).toBe(true);
        expect(event.seq).toBe(++state.seq);
        if (id.startsWith('p')) expect(event.expect).toBe('accept');
      } else expect.fail(`unexpected ${event.op}`);
    }
    const { counts } = simulation;
    expect(counts.moves).toBe(events.filter(isClaim).length);
    expect(counts.honest).toBe(events.filter((e) => isClaim(e) && e.expect === 'accept').length);
    const refused = events.filter((e) => isClaim(e) && e.expect === 'refused').length;
    expect(refused).toBeGreaterThanOrEqual(counts.convicted.speed + counts.convicted.blink + counts.convicted.hop);
    for (const kind of ['speed', 'blink', 'hop'] as const) expect(counts.convicted[kind]).toBeGreaterThan(0);
  });

  it('never marks more than one claim of a run, and none before it began', async () => {
    const { events } = await play({ players: 0, seconds: 60, cheats: ['speed', 'blink', 'hop'], seed: 10 });
    const marks = new Map<string, string>();
    for (const event of events) {
      if (event.op !== 'move') continue;
      const mark = event.expect === 'refused' ? 'R' : event.expect === 'accept' ? 'a' : '.';
      marks.set(String(event.id), (marks.get(String(event.id)) ?? '') + mark);
    }
    expect(marks.size).toBeGreaterThan(10);
    for (const [id, text] of marks) expect(text, id).toMatch(/^a*\.*(R\.*)?$/);
  });

  it('plays the same game for the same seed, and another for another', async () => {
    const options: SimulateOptions = { players: 4, seconds: 20, cheats: ['hop'], seed: 77 };
    const one = await play(options);
    expect((await play(options)).events).toEqual(one.events);
    expect((await play({ ...options, seed: 78 })).events).not.toEqual(one.events);
  });

  it('holds in memory what is on its way, however long the game', async () => {
    const simulation = await Simulation.open(maze, { players: 20, seconds: 120, seed: 4, stallsPerMinute: 20 });
    let most = 0;
    let events = 0;
    for (const _ of simulation.events()) {
      events++;
      most = Math.max(most, simulation.waiting);
    }
    simulation.destroy();
    expect(events).toBeGreaterThan(40_000);
    // 30 a second, at most a burst and half a round trip under way.
    expect(most).toBeLessThan(20 * 30 * 1.2);
  });

  it('obeys wishes', async () => {
    const { events } = await play({
      players: 3,
      seconds: 20,
      hz: 20,
      rttMs: 80,
      jitterMs: 0,
      loss: 0,
      stallsPerMinute: 0,
    });
    const rtts = events.filter((e) => e.op === 'rtt');
    expect(rtts.map((e) => (e.op === 'rtt' ? e.ms : 0))).toEqual([80, 80, 80]);
    expect(Math.abs(events.filter(isClaim).length - 3 * 20 * 20)).toBeLessThan(30);
    const times = events.filter((e) => e.op === 'move' && e.id === 'p1').map((e) => e.t);
    for (let i = 1; i < times.length; i++) expect(times[i] - times[i - 1]).toBeLessThan(70);
  });

  it.each([
    [{ players: 1.5 }, /players is 1\.5, expected a whole number from 0 to 1000/],
    [{ seconds: Number.NaN }, /seconds is NaN/],
    [{ loss: 2 }, /loss is 2, expected a number from 0 to 0\.9/],
    [{ rttMs: -1 }, /rttMs is -1/],
  ])('refuses %j', async (options, says) => {
    await expect(Simulation.open(maze, options)).rejects.toThrow(says);
  });
});

describe('navguard simulate', () => {
  const dir = mkdtempSync(join(tmpdir(), 'navguard-simulate-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const run = async (...args: string[]): Promise<void> => {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    simulateCommand(program);
    await program.parseAsync(['simulate', ...args], { from: 'user' });
  };

  it('writes a log that reads back, with the map beside it', async () => {
    const out = join(dir, 'log.ndjson');
    await run(
      join(maps, 'maze.bin'),
      '--players',
      '2',
      '--seconds',
      '10',
      '--cheats',
      'speed,hop',
      '--seed',
      '3',
      '-o',
      out,
    );
    const log = await MoveLog.open(out);
    expect(join(dir, (log.header.map as { file: string }).file)).toBe(join(maps, 'maze.bin'));
    let moves = 0;
    do {
      for (let e = log.next(); e !== null; e = log.next()) if (e.op === 'move') moves++;
    } while (await log.more());
    expect(moves).toBeGreaterThan(200);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    ['no such map', ['nowhere.bin'], /Cannot read nowhere\.bin: there is no such file/],
    ['a directory', [maps], /is a directory, expected a navmesh export/],
    [
      'a log for a map',
      [join(maps, '..', 'logs', 'maze.ndjson')],
      /maze\.ndjson: This looks like .* need an MSET export/,
    ],
    ['an unknown cheat', [join(maps, 'maze.bin'), '--cheats', 'fly'], /--cheats has "fly", expected speed, blink, hop/],
    ['players of text', [join(maps, 'maze.bin'), '--players', 'many'], /--players is "many", expected a number/],
    ['a latency below 0', [join(maps, 'maze.bin'), '--rtt', '-5'], /^--rtt is -5, expected a number from 0 to 5000\.$/],
    [
      'jitter over 5 s',
      [join(maps, 'maze.bin'), '--jitter', '1e4'],
      /^--jitter is 1e4, expected a number from 0 to 5000\.$/,
    ],
    [
      'half a player',
      [join(maps, 'maze.bin'), '--players', '1.5'],
      /^--players is 1\.5, expected a whole number from 0 to/,
    ],
  ])('refuses %s and leaves nothing behind', async (_name, args, says) => {
    const out = join(dir, 'none.ndjson');
    const error = await run(...args, '-o', out).then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(NavguardError);
    expect((error as Error).message).toMatch(says);
    expect(readdirSync(dir).filter((name) => name.includes('none'))).toEqual([]);
  });

  it('refuses a truncated export before anybody walks on it', async () => {
    const cut = join(dir, 'cut.bin');
    writeFileSync(cut, maze.subarray(0, maze.length - 100));
    await expect(run(cut, '-o', join(dir, 'none.ndjson'))).rejects.toThrow(/cut\.bin: /);
  });

  it('refuses a target that cannot be written', async () => {
    await expect(run(join(maps, 'maze.bin'), '-o', join(dir, 'no', 'such', 'log'))).rejects.toThrow(
      /Cannot write .*: there is no folder /,
    );
  });
});
