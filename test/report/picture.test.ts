// Pictures are well-formed and hold what they should: all ground, all walls, links, and a numbered mark for each finding.
import { expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { surveyOf } from '../../src/report/survey.ts';
import { type Colour, planPicture } from '../../src/report/svg.ts';
import { box, meshOf } from '../mesh/handmade.ts';
import { byClass, type Element, parseXml, subpaths } from './pictures.ts';

const metre = { cell: 1 };
const link = { radius: 0.5, bidirectional: false, area: 0, flags: 1, userId: 1, tile: 0 };
/** Two floors, an island, a T-junction and links, one of them with an end off the mesh. */
const MESH: NavMesh = {
  ...meshOf(
    [box(0, 0, 10, 10), box(10, 0, 20, 4, 1), box(10, 4, 20, 10, 1), box(2, 2, 8, 8, 2, 3), box(30, 0, 32, 2, 2)],
    {
      ...metre,
      portals: [
        [0, 1],
        [0, 2],
      ],
      links: [
        { ...link, from: [5, 3, 5], to: [15, 0, 2] },
        { ...link, from: [1, 0, 1], to: [60, 0, 1] },
      ],
    },
  ),
  areas: Uint8Array.from([0, 5, 5, 0, 7]),
};

function draw(mesh: NavMesh, colour: Colour, tiles = false): { root: Element; text: string } {
  const map = NavMap.fromMesh(mesh);
  const survey = surveyOf(map.toPack(), map.info);
  const tileOf = tiles ? (p: number) => mesh.polyTile[p] : undefined;
  const text = planPicture(survey, { title: 'a <b> & "c"', colour, tileOf });
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  return { root: parseXml(text), text };
}

/** Plan area of closed subpaths, square pixels. */
function pixels(d: string): number {
  let sum = 0;
  for (const ring of subpaths(d)) {
    ring.forEach(([x, z], i) => {
      const [u, w] = ring[(i + 1) % ring.length];
      sum += (x * w - u * z) / 2;
    });
  }
  return Math.abs(sum);
}

test.each<[Colour, readonly (readonly [string, number])[]]>([
  [
    'component',
    [
      ['component 0', 236],
      ['component 1', 4],
    ],
  ],
  [
    'area',
    [
      ['area 0', 136],
      ['area 5', 100],
      ['area 7', 4],
    ],
  ],
  [
    'floor',
    [
      ['floor 1', 204],
      ['floor 2', 36],
    ],
  ],
])('by %s: every polygon once, in its colour, in its size', (colour, wanted) => {
  const { root } = draw(MESH, colour);
  const paths = byClass(root, 'p');
  const panels = colour === 'floor' ? 2 : 1;
  // the bar of the scale says how many pixels a metre has
  const scale = pixelsPerMetre(root);
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const name = (path.children[0].text.split(':')[0] ?? '').trim();
    sizes.set(name, (sizes.get(name) ?? 0) + pixels(path.attributes.d) / (scale * scale));
  }
  expect([...sizes].map(([name, size]) => [name, Math.round(size)]).sort()).toEqual(wanted);
  expect(paths.flatMap((path) => subpaths(path.attributes.d))).toHaveLength(5);
  const captions = root.children.filter((e) => e.name === 'text' && /^floor \d of \d$/.test(e.text));
  expect(captions).toHaveLength(panels === 1 ? 0 : panels);
});

function pixelsPerMetre(root: Element): number {
  const bar = byClass(root, 'wall').find((e) => /^M\d+ \d+H\d+$/.test(e.attributes.d));
  const [, from, to] = /^M(\d+) \d+H(\d+)$/.exec(bar?.attributes.d ?? '') ?? [];
  const label = root.children[root.children.indexOf(bar as Element) + 1].text;
  return (Number(to) - Number(from)) / Number.parseFloat(label);
}

test('walls, tile portals, links, numbered findings, legend, north and title', () => {
  const { root, text } = draw(MESH, 'component', true);
  const scale = pixelsPerMetre(root);
  const length = (kind: string) => {
    let sum = 0;
    for (const path of byClass(root, kind).slice(0, 1)) {
      for (const [[x, z], [u, w]] of subpaths(path.attributes.d)) sum += Math.hypot(u - x, w - z);
    }
    return sum / scale;
  };
  // 20 x 10 around, without the shared borders; 6 x 6; 2 x 2
  expect(length('wall')).toBeCloseTo(60 + 24 + 8, 0);
  expect(length('portal')).toBeCloseTo(10, 0);
  expect(byClass(root, 'link')).toHaveLength(3);
  expect(byClass(root, 'lost')).toHaveLength(1);
  const marks = byClass(root, 'mark');
  const numbers = marks.map((mark) => mark.children[2].text);
  // split-edge, unlinked-link, island, overlapping-floors
  expect([...new Set(numbers)]).toEqual(['1', '2', '3', '4']);
  const [x, z] = ['cx', 'cy'].map((name) => Number(marks[0].children[1].attributes[name]));
  // the T-junction is at (10, 0, 4) and the upper left corner at (40, 70)
  expect([(x - 40) / scale, (z - 70) / scale].map(Math.round)).toEqual([10, 4]);
  for (const words of [
    '1  split-edge: ',
    '3  island: ',
    'north (-z)',
    'upper left: x 0, z 0',
    'a &lt;b&gt; &amp; &quot;c&quot;',
  ]) {
    expect(text).toContain(words);
  }
});

test('8,400 polygons are drawn in less than a megabyte', () => {
  const rings = Array.from({ length: 8400 }, (_, i) => {
    const [x, z] = [(i % 100) * 3, Math.floor(i / 100) * 3];
    return box(x, z, x + 3, z + 3);
  });
  const { root, text } = draw(meshOf(rings, metre), 'component');
  expect(byClass(root, 'p').flatMap((path) => subpaths(path.attributes.d))).toHaveLength(8400);
  expect(text.length).toBeLessThan(1e6);
});
