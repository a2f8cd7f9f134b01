// A log whose header names an export that needs options: the header has them, and the map is the one that was recorded on.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { checkHeader } from '../../src/log/header.ts';
import { mapOfHeader } from '../../src/log/maps.ts';
import { NavMap } from '../../src/map.ts';

const OBJ = 'v 0 0 0\nv 800 0 0\nv 800 -400 0\nv 0 -400 0\nf 1 2 3 4\n';
const READ = { axes: 'x,z,-y', scale: 0.01, agent: { radius: 0.5, height: 2, climb: 0.4 } };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navguard-'));
  await writeFile(join(folder, 'level.obj'), OBJ);
});
afterAll(() => rm(folder, { recursive: true }));

const open = (map: object) => mapOfHeader(checkHeader({ movelog: 1, map }, 'a.ndjson', 1), join(folder, 'a.ndjson'));

it('read in the header is what NavMap.load takes', async () => {
  const map = await NavMap.load(new TextEncoder().encode(OBJ), { read: READ });
  expect(map.info.area).toBeCloseTo(32, 6);
  const again = await open({ file: 'level.obj', read: READ, hash: map.info.hash });
  expect(again.info).toEqual(map.info);
});

it('wrong options are the first line’s fault', async () => {
  await expect(open({ file: 'level.obj', read: { ...READ, scale: -1 } })).rejects.toMatchObject({
    code: 'BAD_LOG',
    message: expect.stringContaining('expected scale to be metres per unit of the file'),
  });
  expect(() => checkHeader({ movelog: 1, map: { file: 'level.obj', read: 3 } }, 'a.ndjson', 1)).toThrow(NavguardError);
});
