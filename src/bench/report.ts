// Measured rows as a table for people, JSON for programs and CSV for the record. Imported by measure.ts, cli/bench.ts and
// bench/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Agreement } from './compare.ts';
import type { Level } from './level.ts';
import type { Timing } from './rounds.ts';

/** Where and when: without it a number means nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly date: string;
}

/** One case on one map. */
export interface Row {
  readonly case: string;
  readonly map: string;
  readonly subject: string;
  readonly nsPerOp: number;
  /** Peer to ns per query, and peer to (its time / navguard's time). */
  readonly peers: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
  /** Subject or peer to half the 95 % interval of its median, percent. */
  readonly margins: Readonly<Record<string, number>>;
  readonly queries: number;
  /** How many answers were compared: all, unless a peer takes too long. */
  readonly compared: number;
  /** Peer to the share of equal answers, and what differed. */
  readonly agreement: Readonly<Record<string, number>>;
  readonly differences: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly note?: string;
  /** Bytes on the garbage-collected heap per move, by path; only in the case `alloc`. */
  readonly bytesPerOp?: Readonly<Record<string, number>>;
  /** What else was measured, by name with its unit; only in the case `attack`. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Sizes of one map. */
export interface MapSize {
  readonly map: string;
  readonly polygons: number;
  readonly exportBytes: number;
  readonly packBytes: number;
}

export function sizeOf({ name, map, bytes }: Level): MapSize {
  return { map: name, polygons: map.info.polygons, exportBytes: bytes.length, packBytes: map.info.bytes };
}

export function machine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** A row from the timings of a case: navguard first, then its peers. `best` names the faster of several peers. */
export function makeRow(
  name: string,
  map: string,
  queries: number,
  timings: readonly Timing[],
  agreements: readonly Agreement[],
  compared: number,
  best: Readonly<Record<string, readonly string[]>> = {},
  note?: string,
): Row {
  const [mine, ...others] = timings;
  const peers: Record<string, number> = {};
  const margins: Record<string, number> = { [mine.name]: mine.margin };
  for (const [alias, names] of Object.entries(best)) {
    const fastest = others.filter((t) => names.includes(t.name)).sort((a, b) => a.p50 - b.p50)[0];
    peers[alias] = fastest.p50;
    margins[alias] = fastest.margin;
  }
  for (const timing of others) {
    peers[timing.name] = timing.p50;
    margins[timing.name] = timing.margin;
  }
  const ratios = Object.fromEntries(Object.entries(peers).map(([peer, ns]) => [peer, ns / mine.p50]));
  return {
    case: name,
    map,
    subject: mine.name,
    nsPerOp: mine.p50,
    peers,
    ratios,
    margins,
    queries,
    compared,
    agreement: Object.fromEntries(agreements.map((a) => [a.peer, a.share])),
    differences: Object.fromEntries(agreements.map((a) => [a.peer, a.differences])),
    ...(note ? { note } : {}),
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0.999 && share < 1 ? 3 : 1)} %`;

/** Three digits are enough, whole numbers from a hundred on. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** Lines for a terminal. */
export function rowLines(row: Row): string[] {
  const lines = [
    [
      row.case.padEnd(14),
      row.map.padEnd(15),
      row.subject.padEnd(18),
      row.nsPerOp.toFixed(1).padStart(10),
      `+-${(row.margins[row.subject] ?? 0).toFixed(1)} %`.padStart(9),
    ].join(' '),
  ];
  for (const [peer, ns] of Object.entries(row.peers)) {
    const share = row.agreement[peer];
    const kinds = Object.entries(row.differences[peer] ?? {}).map(([kind, n]) => `${n} ${kind}`);
    lines.push(
      [
        ''.padEnd(30),
        peer.padEnd(18),
        ns.toFixed(1).padStart(10),
        `+-${(row.margins[peer] ?? 0).toFixed(1)} %`.padStart(9),
        `${row.ratios[peer].toFixed(2)}x`.padStart(9),
        (share === undefined ? '' : percent(share)).padStart(9),
        kinds.length > 0 ? ` ${kinds.join(', ')}` : '',
      ]
        .join(' ')
        .trimEnd(),
    );
  }
  for (const [path, bytes] of Object.entries(row.bytesPerOp ?? {})) {
    lines.push(`${''.padEnd(30)} ${path.padEnd(18)} ${bytes.toFixed(4).padStart(10)} bytes per move`);
  }
  for (const [name, value] of Object.entries(row.figures ?? {})) {
    lines.push(`${''.padEnd(30)} ${figure(value).padStart(10)} ${name}`);
  }
  if (row.compared < row.queries) lines.push(`${''.padEnd(30)} (${row.compared} answers compared)`);
  if (row.note) lines.push(`${''.padEnd(30)} (${row.note})`);
  return lines;
}

export function header(): string {
  return `${'case'.padEnd(14)} ${'map'.padEnd(15)} ${'who'.padEnd(18)} ${'ns, p50'.padStart(10)} ${'margin'.padStart(9)} ${'ratio'.padStart(9)} ${'agree'.padStart(9)}`;
}

export function sizeLines(sizes: readonly MapSize[]): string[] {
  return sizes.map(
    (s) =>
      `${s.map.padEnd(15)} ${String(s.polygons).padStart(6)} polygons, export ${s.exportBytes} bytes, packed ${s.packBytes} bytes = ${(s.packBytes / s.exportBytes).toFixed(2)}x`,
  );
}

/** One line per case and map, for a README. */
export function markdown(rows: readonly Row[], on: Machine): string {
  const lines = [
    `${on.cpu}, ${on.cores} cores, Node ${on.node}, ${on.date}. Nanoseconds per query (median); in brackets how many times navguard's time, and the share of equal answers.`,
    '',
    '| case | map | navguard | peers |',
    '|---|---|--:|---|',
  ];
  for (const row of rows) {
    const peers = Object.entries(row.peers).map(([peer, ns]) => {
      const share = row.agreement[peer];
      return `${peer} ${ns.toFixed(0)} (${row.ratios[peer].toFixed(1)}x${share === undefined ? '' : `, ${percent(share)}`})`;
    });
    const bytes = Object.entries(row.bytesPerOp ?? {}).map(([path, b]) => `${path} ${b.toFixed(3)} bytes per move`);
    const figures = Object.entries(row.figures ?? {}).map(([name, value]) => `${figure(value)} ${name}`);
    lines.push(
      `| ${row.case} | ${row.map} | ${row.nsPerOp.toFixed(1)} | ${[...peers, ...bytes, ...figures].join('; ')} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** One file per case, one line per map and subject; a second file for a case that measured anything else. */
export function writeCsv(folder: string, rows: readonly Row[], on: Machine): string[] {
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  for (const name of new Set(rows.map((row) => row.case))) {
    const lines = ['date,cpu,node,case,map,who,queries,ns_p50,margin_percent,ratio,agreement'];
    for (const row of rows.filter((r) => r.case === name)) {
      const all: [string, number][] = [[row.subject, row.nsPerOp], ...Object.entries(row.peers)];
      for (const [who, ns] of all) {
        lines.push(
          [
            on.date,
            on.cpu.replaceAll(',', ' '),
            on.node,
            name,
            row.map,
            who,
            row.queries,
            ns.toFixed(2),
            (row.margins[who] ?? 0).toFixed(2),
            who === row.subject ? '' : row.ratios[who].toFixed(3),
            row.agreement[who] === undefined ? '' : row.agreement[who].toFixed(6),
          ].join(','),
        );
      }
    }
    const path = join(folder, `${name}.csv`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    written.push(path);
    const others = ['date,cpu,node,case,map,figure,value'];
    for (const row of rows.filter((r) => r.case === name)) {
      const bytes = Object.entries(row.bytesPerOp ?? {}).map(([what, b]): [string, number] => [`bytes: ${what}`, b]);
      for (const [figure, value] of [...bytes, ...Object.entries(row.figures ?? {})]) {
        const fields = [on.date, on.cpu, on.node, name, row.map, figure].map((field) => field.replaceAll(',', ' '));
        others.push(`${fields.join(',')},${value.toPrecision(6)}`);
      }
    }
    if (others.length === 1) continue;
    const second = join(folder, `${name}.figures.csv`);
    writeFileSync(second, `${others.join('\n')}\n`);
    written.push(second);
  }
  return written;
}
