// Plain aligned text, readable without colour. A leaf of report/.

/** Columns: text to the left, numbers to the right. The last column is not padded. */
export function alignedTable(rows: readonly (readonly (string | number)[])[], indent = '  '): string {
  const widths: number[] = [];
  const right: boolean[] = [];
  rows.forEach((row, r) => {
    row.forEach((cell, c) => {
      widths[c] = Math.max(widths[c] ?? 0, cellText(cell).length);
      // a heading (first row) does not decide the side
      if (r > 0 || rows.length === 1) right[c] = (right[c] ?? true) && typeof cell === 'number';
    });
  });
  return rows
    .map((row) => {
      const cells = row.map((cell, c) => {
        const text = cellText(cell);
        return right[c] ? text.padStart(widths[c]) : text.padEnd(widths[c]);
      });
      return `${indent}${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

function cellText(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? grouped(cell) : String(cell);
}

/** 1234567 -> 1,234,567. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Text from a log must not steer a terminal. */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

/** The same, at most 40 characters: a name in a table. */
export function printable(text: string): string {
  const safe = harmless(text);
  return safe.length > 40 ? `${safe.slice(0, 37)}...` : safe;
}
