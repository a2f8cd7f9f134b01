// Bytes that a move leaves on the garbage-collected heap once everything is compiled: measured in a child process, see
// allocchild.ts. Imported by run.ts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from '../src/bench/report.ts';

/** What the child prints. */
export interface AllocResult {
  readonly map: string;
  readonly moves: number;
  /** Moves on each path before the count. */
  readonly warm: number;
  /** Scavenges and collections during the measurement: any would hide garbage. */
  readonly collections: number;
  readonly bytesPerOp: Readonly<Record<string, number>>;
  readonly nsPerOp: number;
}

/** Runs the child with a young generation that holds the garbage of the whole measurement. */
export function measureAlloc(script: string, moves: number): AllocResult {
  const flags = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128'];
  const run = spawnSync(process.execPath, [...flags, script, String(moves)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`alloc: the child ended with ${run.status ?? run.signal}`);
  return JSON.parse(run.stdout) as AllocResult;
}

export function allocRow(quick: boolean): Row {
  const script = fileURLToPath(new URL('./allocchild.js', import.meta.url));
  const result = measureAlloc(script, quick ? 100_000 : 1_000_000);
  return {
    case: 'alloc',
    map: result.map,
    subject: 'navguard',
    nsPerOp: result.nsPerOp,
    peers: {},
    ratios: {},
    margins: {},
    queries: result.moves,
    compared: result.moves,
    agreement: {},
    differences: {},
    bytesPerOp: result.bytesPerOp,
    note: `${result.moves} moves after ${result.warm} to warm up, ${result.collections} collections meanwhile`,
  };
}
