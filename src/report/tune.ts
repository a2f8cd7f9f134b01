// `navguard tune` for people: tables of what other rules would have refused, and the same as a picture. Imported by cli/.
import type { FirstRefused, Margin, SweepRow, Trial } from '../log/tune.ts';
import { alignedTable, grouped, printable } from './table.ts';

/** What the logs come to under their own rules. */
export function baseText(logs: number, base: Trial): string {
  const lines = [
    `${grouped(base.claims)} claims in ${grouped(logs)} log${logs === 1 ? '' : 's'} under their own rules: ${grouped(base.refused)} refused, ` +
      `${grouped(base.undecided)} undecided, ${grouped(base.watched)} honest watched, highest honest score ${short(base.highestScore)}.`,
  ];
  if (base.refused > 0) lines.push('A claim that they refuse already counts nowhere below.');
  return `${lines.join('\n')}\n`;
}

/** One row per rule: how far it is from refusing something. */
export function marginText(margins: readonly Margin[]): string {
  const idle = margins.filter((m) => m.idle);
  const rows: (string | number)[][] = [['rule', 'now', 'strictest', 'margin', 'unit', 'beyond it']];
  for (const m of margins) {
    if (m.idle) continue;
    rows.push([m.rule, short(m.value), short(m.strictest), short(m.margin), m.unit, beyondText(m)]);
  }
  const text =
    rows.length === 1
      ? ''
      : `The strictest value of each rule under which these logs fare no worse\n\n${alignedTable(rows)}`;
  if (idle.length === 0) return text;
  return `${text}\nNothing in these logs depends on: ${idle.map((m) => m.rule).join(', ')}.\n`;
}

function beyondText({ beyond, first }: Margin): string {
  if (beyond === 'undecided') return 'more is undecided';
  if (beyond === 'watched') return 'someone honest is watched';
  return first === null ? '' : firstText(first);
}

/** Where to look: file, line, entity, reason, numbers. */
export function firstText({ file, line, id, reason, used, allowed }: FirstRefused): string {
  const numbers = used === null || allowed === null ? '' : ` ${short(used)} of ${short(allowed)} m`;
  return `${reason}${numbers} (${printable(String(id))}, ${file}:${line})`;
}

/** One row per combination of values. */
export function sweepText(rows: readonly SweepRow[]): string {
  if (rows.length === 0) return '';
  const names = Object.keys(rows[0].values);
  const table: (string | number)[][] = [
    [...names, 'newly refused', 'refused', 'undecided', 'watched', 'highest score', 'the first one'],
  ];
  for (const row of rows) {
    table.push([
      ...names.map((name) => shownValue(row.values[name])),
      row.newlyRefused,
      row.refused,
      row.undecided,
      row.watched,
      short(row.highestScore),
      row.first === null ? '' : firstText(row.first),
    ]);
  }
  return alignedTable(table);
}

function shownValue(value: unknown): string {
  return typeof value === 'number' ? short(value) : typeof value === 'string' ? value : JSON.stringify(value);
}

/** At most four digits that count. */
function short(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  return String(Number(value.toPrecision(4)));
}

const WIDTH = 760;
const HEIGHT = 420;
const LEFT = 90;
const TOP = 60;
const RIGHT = 30;
const BOTTOM = 70;

/** Newly refused claims over one rule's values as bars, or over two rules' values as a map of shades. A whole SVG file. */
export function sweepPicture(rows: readonly SweepRow[], base: Trial): string {
  const names = Object.keys(rows[0]?.values ?? {});
  const body = names.length === 2 ? shades(rows, names[0], names[1]) : bars(rows, names[0] ?? '');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="24" font-size="15">Honest claims that other rules would refuse</text>`,
    `<text x="${LEFT}" y="42" fill="#666">of ${grouped(base.claims)} claims</text>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

/** The square root keeps one refused claim visible beside thousands. */
function share(count: number, most: number): number {
  return most > 0 ? Math.sqrt(count / most) : 0;
}

function bars(rows: readonly SweepRow[], name: string): string[] {
  const most = Math.max(...rows.map((row) => row.newlyRefused), 0);
  const step = (WIDTH - LEFT - RIGHT) / Math.max(rows.length, 1);
  const foot = HEIGHT - BOTTOM;
  const parts = rows.flatMap((row, i) => {
    const x = LEFT + i * step;
    const height = share(row.newlyRefused, most) * (foot - TOP - 16);
    const middle = (x + step / 2).toFixed(1);
    const fill = row.newlyRefused === 0 ? '#4a9' : '#c53';
    return [
      `<rect x="${(x + step * 0.1).toFixed(1)}" y="${(foot - Math.max(height, 2)).toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${Math.max(height, 2).toFixed(1)}" fill="${fill}"/>`,
      `<text x="${middle}" y="${(foot - Math.max(height, 2) - 4).toFixed(1)}" text-anchor="middle">${grouped(row.newlyRefused)}</text>`,
      `<text x="${middle}" y="${foot + 18}" text-anchor="middle">${escaped(shownValue(row.values[name]))}</text>`,
    ];
  });
  return [
    ...parts,
    `<line x1="${LEFT}" y1="${foot}" x2="${WIDTH - RIGHT}" y2="${foot}" stroke="#888"/>`,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 20}" text-anchor="middle">${escaped(name)}</text>`,
  ];
}

function shades(rows: readonly SweepRow[], across: string, down: string): string[] {
  const columns = [...new Set(rows.map((row) => shownValue(row.values[across])))];
  const lines = [...new Set(rows.map((row) => shownValue(row.values[down])))];
  const most = Math.max(...rows.map((row) => row.newlyRefused), 0);
  const w = (WIDTH - LEFT - RIGHT) / columns.length;
  const h = (HEIGHT - TOP - BOTTOM) / lines.length;
  const parts: string[] = [];
  for (const row of rows) {
    const x = LEFT + columns.indexOf(shownValue(row.values[across])) * w;
    const y = TOP + lines.indexOf(shownValue(row.values[down])) * h;
    const red = share(row.newlyRefused, most);
    const fill =
      row.newlyRefused === 0 ? '#cec' : `rgb(255,${Math.round(220 - 170 * red)},${Math.round(200 - 170 * red)})`;
    parts.push(
      `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" fill="${fill}" stroke="#fff"/>`,
      `<text x="${(x + w / 2).toFixed(1)}" y="${(y + h / 2 + 4).toFixed(1)}" text-anchor="middle">${grouped(row.newlyRefused)}</text>`,
    );
  }
  for (const [i, text] of columns.entries()) {
    parts.push(
      `<text x="${(LEFT + (i + 0.5) * w).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${escaped(text)}</text>`,
    );
  }
  for (const [i, text] of lines.entries()) {
    parts.push(
      `<text x="${LEFT - 8}" y="${(TOP + (i + 0.5) * h + 4).toFixed(1)}" text-anchor="end">${escaped(text)}</text>`,
    );
  }
  parts.push(
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 20}" text-anchor="middle">${escaped(across)}</text>`,
    `<text x="20" y="${(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 20 ${(TOP + HEIGHT - BOTTOM) / 2})">${escaped(down)}</text>`,
  );
  return parts;
}

function escaped(text: string): string {
  return printable(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
