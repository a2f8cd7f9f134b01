import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '../src/log/index.ts';
import { clock } from './cases/make/clock.ts';
import { floors } from './cases/make/floors.ts';
import { numbers } from './cases/make/numbers.ts';
import { walls } from './cases/make/walls.ts';

const FOLDER = join(__dirname, 'cases');
const LOGS = [...clock(), ...numbers(), ...walls(), ...floors()];

describe.each(LOGS.map((log) => [log.name, log] as const))('%s', (name, log) => {
  const file = join(FOLDER, `${name}.ndjson`);
  test('is what the story tells', async () => {
    await expect(log.text()).toMatchFileSnapshot(file);
  });
  test('is judged as it expects', async () => {
    const summary = await auditLog(file);
    const shown = summary.mismatches.slice(0, 5).map((m) => JSON.stringify(m));
    expect([summary.mismatchCount, shown.join('\n')]).toEqual([0, '']);
    expect(summary.expected).toBeGreaterThan(0);
  });
});
