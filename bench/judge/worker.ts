// One map at a time: plays every model on it and says what came of each. Runs in a worker of judge.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { CHEATS } from '../../src/simulate/cheats/index.ts';
import { modelNamed } from '../../src/simulate/models.ts';
import { type HonestRow, logOf, playHonest } from '../../src/simulate/play.ts';
import { type CheatRow, judgeCheat } from './cheats.ts';
import { GENERATED, MAPS } from './maps.ts';

export interface Task {
  readonly map: string;
  readonly models: readonly string[];
  readonly claims: number;
  readonly cheats: readonly string[];
  /** Of each cheat. */
  readonly runs: number;
  readonly seed: number;
}

export type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'claims'; readonly claims: number }
  | { readonly kind: 'honest'; readonly row: HonestRow; readonly logs: readonly string[] }
  | { readonly kind: 'cheat'; readonly row: CheatRow }
  | { readonly kind: 'done' };

/** Reproducers of one row at most. */
const LOGS = 2;

const port = parentPort;
if (port === null) throw new Error('judge/worker.js runs in a worker');
const say = (message: Message): void => port.postMessage(message);

port.on('message', (task: Task) => {
  void play(task);
});
say({ kind: 'ready' });

async function play({ map, models, claims, cheats, runs, seed }: Task): Promise<void> {
  const open = MAPS.get(map);
  if (open === undefined) throw new Error(`no map ${map}`);
  const stage = await open(seed);
  for (const [i, name] of models.entries()) {
    const client = modelNamed(name);
    if (client === undefined) throw new Error(`no client model ${name}`);
    let said = 0;
    const onClaims = (judged: number): void => {
      say({ kind: 'claims', claims: judged - said });
      said = judged;
    };
    const row = playHonest(stage, client, { seed: seed * 1000 + i, claims, onClaims });
    const logs = row.suspects.slice(0, LOGS).map((who) => {
      mkdirSync(GENERATED, { recursive: true });
      const path = join(GENERATED, `${map}-${name}-${row.seed}-${who.id}.ndjson`);
      writeFileSync(path, logOf(stage, client, row, who));
      return path;
    });
    say({ kind: 'honest', row, logs });
  }
  for (const name of cheats) {
    const cheat = CHEATS.get(name);
    if (cheat === undefined) throw new Error(`no cheat ${name}`);
    say({ kind: 'cheat', row: judgeCheat(stage, cheat, runs, seed * 1000) });
  }
  stage.destroy();
  say({ kind: 'done' });
}
