// Reports as text: aligned, complete, and harmless whatever a client called itself.
import { expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { auditLog, eventLine, headerLine, type MoveLogEvent } from '../../src/log/index.ts';
import { NavMap } from '../../src/map.ts';
import { inspectJson, inspectText } from '../../src/report/inspect.ts';
import { summaryText } from '../../src/report/summary.ts';
import { alignedTable, grouped } from '../../src/report/table.ts';

const ESC = '\u001b[2J\u009b31m\u202e\n';

test('tables: words to the left, numbers to the right', () => {
  expect(
    alignedTable([
      ['entity', 'claims'],
      ['p1', 5],
      ['someone', 12345],
    ]),
  ).toBe('  entity   claims\n  p1            5\n  someone  12,345\n');
  expect([grouped(0), grouped(999), grouped(1000), grouped(1234567)]).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('control characters from a log do not reach the terminal', async () => {
  const events: MoveLogEvent[] = [{ t: 0, op: 'enter', id: `a${ESC}`, pos: [1, 0, 1], speed: 6 }];
  for (let i = 1; i <= 9; i++) {
    events.push({ t: 50 * i, op: 'move', id: `a${ESC}`, seq: 3, pos: [1, 0, 1], expect: 'Wall' });
    events.push({ t: 50 * i, op: 'move', id: `b${ESC}`.repeat(30), seq: i, pos: [1, 0, 1], expect: 'accept' });
  }
  const log = headerLine({ map: { grid: ['...', '...', '...'] } }) + events.map(eventLine).join('');
  const source = (async function* () {
    yield Buffer.from(log);
  })();
  const text = summaryText(await auditLog(source, { name: 'x.ndjson' }), { check: true });
  expect(text).toContain('Hints');
  expect(text).toContain('do not hold');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(1000);
});

test('inspect counts polygons as the export does: an off-mesh connection takes one', async () => {
  const boxes = [
    [0, -1, 0, 10, 0, 8],
    [20, -1, 0, 26, 0, 8],
  ] as const;
  const links = [{ id: 'jump', from: [9, 0, 4] as const, to: [21, 0, 4] as const, radius: 0.5, bidirectional: true }];
  const plain = inspectJson('a', (await NavMap.load(await buildNavMesh({ boxes }))).info);
  const linked = await NavMap.load(await buildNavMesh({ boxes, links }));
  const { polygons, loadedPolygons } = inspectJson('a', linked.info);
  expect(polygons).toBe((plain.polygons as number) + 1);
  expect(loadedPolygons).toBe(plain.loadedPolygons);
  expect(inspectText('a', linked.info)).toContain(`  polygons    ${polygons} (1 of them off-mesh connections)\n`);
});
