// Writes the table of rules into README.md from the one table in code (dist must be built). test/readme.test.ts checks it.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { RULE_TABLE } = await import('../dist/src/rules/table.js');

/** Markdown rows of the rules. */
export function rulesTable() {
  const rows = Object.entries(RULE_TABLE).map(([name, rule]) => {
    const value = rule.auto ? 'auto' : Array.isArray(rule.fallback) ? '[]' : String(rule.fallback);
    const unit = rule.unit === 'x' ? 'x' : rule.unit;
    return `| \`${name}\` | ${value}${unit ? ` ${unit}` : ''} | ${rule.catches} | ${rule.spares} |`;
  });
  return ['| rule | default | catches | must not touch |', '|---|---|---|---|', ...rows].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'README.md');
  const text = readFileSync(path, 'utf8');
  const filled = text.replace(
    /<!-- rules:begin -->[\s\S]*<!-- rules:end -->/,
    `<!-- rules:begin -->\n${rulesTable()}\n<!-- rules:end -->`,
  );
  writeFileSync(path, filled);
}
