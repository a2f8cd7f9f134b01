// An audit's summary as text for a terminal: totals, reasons, the worst entities, mismatches, hints.
import type { AuditSummary, Mismatch } from '../log/tally.ts';
import { VERDICT_WORDS } from '../reasons.ts';
import { alignedTable, grouped, harmless, printable } from './table.ts';

const SHOWN_ENTITIES = 10;
const SHOWN_MISMATCHES = 20;
/** Fewer claims say nothing about speed. */
const TIMED_CLAIMS = 10_000;

export interface SummaryTextOptions {
  /** Whether verdicts were compared with `expect`. */
  check: boolean;
}

/** The whole report, newline at the end. */
export function summaryText(summary: AuditSummary, options: SummaryTextOptions): string {
  const { claims, accepted, refused, undecided } = summary;
  const logs = summary.logs.length === 1 ? summary.logs[0] : `${summary.logs.length} logs`;
  let text = `${logs}: ${counted(claims, 'claim')}, ${grouped(accepted)} accepted, ${grouped(refused)} refused`;
  if (undecided > 0) text += `, ${grouped(undecided)} undecided`;
  if (summary.skipped > 0) text += `; ${counted(summary.skipped, 'line')} skipped`;
  text += '\n';
  if (claims > 0) {
    text += `\nBy verdict\n${alignedTable(
      VERDICT_WORDS.flatMap((word) => {
        const count = summary.byVerdict[word] ?? 0;
        return count === 0 ? [] : [[word, count, share(count, claims)]];
      }),
    )}`;
    const reasons = Object.entries(summary.byReason).sort((a, b) => b[1] - a[1]);
    text += `\nBy reason\n${alignedTable(reasons.map(([reason, count]) => [reason, count, share(count, claims)]))}`;
    text += entitiesText(summary);
  }
  if (summary.hints.length > 0) text += `\nHints\n${summary.hints.map((hint) => `  ${harmless(hint)}\n`).join('')}`;
  if (options.check) text += checkText(summary);
  if (claims >= TIMED_CLAIMS && summary.claimsPerSecond > 0)
    text += `\n${grouped(summary.claimsPerSecond)} claims a second\n`;
  return text;
}

function entitiesText(summary: AuditSummary): string {
  const suspects = summary.byEntity.filter((entity) => entity.refused > 0 || entity.action !== 'none');
  const total = summary.byEntity.length;
  if (suspects.length === 0) return `\nBy entity\n  ${counted(total, 'entity', 'entities')}, none refused\n`;
  const several = summary.logs.length > 1;
  const heading = ['entity', 'claims', 'refused', 'score', 'action', 'most often', ...(several ? ['log'] : [])];
  const rows = suspects.slice(0, SHOWN_ENTITIES).map((entity) => {
    const worst = Object.entries(entity.byReason)
      .filter(([reason]) => reason !== 'Accept')
      .sort((a, b) => b[1] - a[1])[0];
    const often = worst === undefined ? '' : `${worst[0]} ${grouped(worst[1])}`;
    const score = entity.score.toFixed(2);
    return [
      printable(entity.id),
      entity.claims,
      entity.refused,
      score,
      entity.action,
      often,
      ...(several ? [entity.log] : []),
    ];
  });
  const more = suspects.length - SHOWN_ENTITIES;
  const rest = more > 0 ? `  and ${counted(more, 'more entity', 'more entities')} with refusals\n` : '';
  return `\nBy entity, worst first (${grouped(suspects.length)} of ${grouped(total)})\n${alignedTable([heading, ...rows])}${rest}`;
}

function checkText(summary: AuditSummary): string {
  if (summary.expected === 0) return '\nCheck: no claim carries "expect", nothing was compared\n';
  if (summary.mismatchCount === 0) return `\nCheck: all ${grouped(summary.expected)} expectations hold\n`;
  const shown = summary.mismatches
    .slice(0, SHOWN_MISMATCHES)
    .map((mismatch) => `  ${harmless(mismatchText(mismatch))}\n`);
  const more = summary.mismatchCount - shown.length;
  const rest = more > 0 ? `  and ${grouped(more)} more\n` : '';
  return `\nCheck: ${grouped(summary.mismatchCount)} of ${counted(summary.expected, 'expectation')} do not hold\n${shown.join('')}${rest}`;
}

/** One sentence for one mismatch. */
export function mismatchText({ file, line, id, seq, expected, got }: Mismatch): string {
  const measured =
    got.used === null || got.allowed === null ? '' : `, used ${metres(got.used)} of ${metres(got.allowed)}`;
  const at = got.pos === null ? '' : ` at [${got.pos.map((n) => Number(n.toFixed(3))).join(', ')}]`;
  const correction = got.correction > 0 ? `, correction ${got.correction}` : '';
  return (
    `${file}, line ${line}, ${printable(String(id))} seq ${printable(String(seq))}: expected ${JSON.stringify(expected)}, ` +
    `got ${got.verdict} ${got.reason}${at}${measured}, score ${got.score.toFixed(2)} ${got.action}${correction}`
  );
}

function metres(value: number): string {
  return `${Number(value.toFixed(3))} m`;
}

function share(count: number, total: number): string {
  return `${((100 * count) / total).toFixed(count === total ? 0 : 1)} %`.padStart(7);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
