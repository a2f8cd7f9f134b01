// Read options: what is refused, and that a map read with scale, axes and flip, and put back by hand, is the map itself.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ReadOptions, readNavMesh } from '../../src/bytes/index.ts';
import { checkReadOptions } from '../../src/bytes/options.ts';
import { NavMap } from '../../src/map.ts';
import { random } from '../oracle/random.ts';
import { smallMset } from './small.ts';

let file: Uint8Array;
beforeAll(async () => {
  file = await smallMset();
});

describe('options are checked', () => {
  const wrong: [string, unknown, string][] = [
    ['an unknown name', { scales: 2 }, 'no option "scales", expected "scale" perhaps'],
    ['no object', 3, 'expected the options to be an object, got 3'],
    ['scale 0', { scale: 0 }, 'expected scale to be metres per unit of the file, 0.000001..1000000, got 0'],
    ['scale as text', { scale: '2' }, 'got "2"'],
    ['scale NaN', { scale: Number.NaN }, 'got NaN'],
    ['an axis twice', { axes: 'x,x,z' }, 'such as \'x,z,-y\', got "x,x,z"'],
    ['two axes', { axes: 'xy' }, 'got "xy"'],
    ['a long text', { axes: 'x'.repeat(1e6) }, 'expected axes'],
    ['flip as a number', { flip: 1 }, 'expected flip to be true or false, got 1'],
    ['weld below 0', { weld: -1 }, 'expected weld to be metres, 0..10, got -1'],
    ['areas as a list', { areas: [] }, 'expected areas to be an object such as'],
    [
      'an area of 64',
      { areas: { water: { area: 64 } } },
      'expected areas["water"].area to be an area of 0..63, got 64',
    ],
    ['an area with a misspelt key', { areas: { 3: { flag: 1 } } }, 'areas["3"] has no option "flag", expected "flags"'],
    ['an agent without a height', { agent: { radius: 1, climb: 1 } }, 'expected agent.height to be metres'],
  ];
  it.each(wrong)('%s', async (_name, options, message) => {
    await expect(readNavMesh(file, options as ReadOptions)).rejects.toMatchObject({
      code: 'BAD_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  it('axes are written with commas, without, and with signs', () => {
    const axes = checkReadOptions({ axes: 'x,z,-y' }).axes;
    expect(checkReadOptions({ axes: 'xz-y' }).axes).toEqual(axes);
    expect(checkReadOptions({ axes: '+X, Z, -Y' }).axes).toEqual(axes);
    expect(axes.map(({ from, sign }) => from * sign)).toEqual([0, 2, -1]);
    expect(checkReadOptions({ axes: 'x,z,-y', flip: true }).axes[0]).toEqual({ from: 0, sign: -1 });
  });

  it('a packed map takes none', async () => {
    const pack = (await NavMap.load(file)).toPack();
    await expect(NavMap.load(pack, { read: { scale: 2 } })).rejects.toThrow('a packed map was read already');
    expect((await NavMap.load(pack, { read: {} })).info.polygons).toBeGreaterThan(10);
  });

  it('MSET knows its neighbours and its heights: no weld, no other y', async () => {
    await expect(readNavMesh(file, { weld: 0.1 })).rejects.toThrow('leave it out');
    await expect(readNavMesh(file, { axes: 'x,z,y' })).rejects.toThrow('may swap and mirror x and z only');
  });
});

describe('MSET with options', () => {
  const cases: ReadOptions[] = [
    { scale: 0.5 },
    { flip: true },
    { axes: 'z,y,x' },
    { axes: '-x,y,-z', scale: 2 },
    { axes: '-z,y,x', flip: true, scale: 4 },
  ];
  it.each(cases)('%j: the same map elsewhere: walks, rays and components agree (seed 5)', async (options) => {
    const plain = await NavMap.load(file);
    const other = await NavMap.load(file, { read: options });
    const { axes, scale } = checkReadOptions(options);
    const place = (p: readonly number[]) =>
      axes.map(({ from, sign }) => p[from] * sign * scale) as [number, number, number];
    expect(other.info.polygons).toBe(plain.info.polygons);
    expect(other.info.components).toBe(plain.info.components);
    expect(other.info.area / plain.info.area).toBeCloseTo(scale * scale, 6);
    expect(other.info.agent.radius).toBeCloseTo(plain.info.agent.radius * scale, 6);
    const next = random(5);
    let walked = 0;
    for (let i = 0; i < 200; i++) {
      const [from, to] = [0, 1].map((): [number, number, number] => [next() * 10, 0, next() * 10]);
      const band = { below: 2, above: 2 };
      const scaled = { below: 2 * scale, above: 2 * scale, tolerance: plain.info.defaultTolerance * scale };
      const a = plain.reach(from, to, 30, band);
      const b = other.reach(place(from), place(to), 30 * scale, scaled);
      expect(b.status, `${from} -> ${to}`).toBe(a.status);
      if (a.length === null || b.length === null) continue;
      expect(b.length / scale).toBeCloseTo(a.length, 2);
      walked++;
    }
    expect(walked).toBeGreaterThan(30);
  });

  it('areas and agent are set', async () => {
    const plain = await readNavMesh(file);
    const area = plain.areas[0];
    const mesh = await readNavMesh(file, {
      areas: { [area]: { area: 9, flags: 48 }, 5: { flags: 3 } },
      agent: { radius: 0.3, height: 1.5, climb: 0.4 },
    });
    expect(mesh.agent).toEqual({ radius: 0.3, height: 1.5, climb: 0.4 });
    plain.areas.forEach((was, p) => {
      expect([mesh.areas[p], mesh.flags[p]]).toEqual(was === area ? [9, 48] : [was, plain.flags[p]]);
    });
    expect(mesh.links.map((link) => link.flags)).toContain(3);
  });
});
