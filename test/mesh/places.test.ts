// Findings of loading say where: each fault planted at a known place.
import { expect, test } from 'vitest';
import { conform } from '../../src/mesh/conform.ts';
import type { Finding } from '../../src/mesh/conforming.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { packInfo } from '../../src/pack/view.ts';
import { box, meshOf, type Ring } from './handmade.ts';

/** The finding of a kind after loading, as the packed map keeps it. */
function find(mesh: NavMesh, kind: Finding['kind']): Finding | undefined {
  const packed = pack(mesh, conform(mesh));
  checkPack(packed);
  return packInfo(packed).findings.find((finding) => finding.kind === kind);
}

const metre = { cell: 1 };
const portal = { portals: [[0, 1]] as const };

test.each<[string, NavMesh, Finding['kind'], number, readonly (readonly [number, number, number])[]]>([
  [
    'a T-junction at the corner of the smaller neighbour',
    meshOf([box(0, 0, 10, 10), box(10, 0, 20, 4, 1), box(10, 4, 20, 10, 1)], {
      ...metre,
      portals: [
        [0, 1],
        [0, 2],
      ],
    }),
    'split-edge',
    1,
    [[10, 0, 4]],
  ],
  [
    'a ledge at a tile border, in the middle of what the two share',
    meshOf([box(0, 0, 10, 10), box(10, 2, 20, 8, 1, 0.7)], { ...metre, ...portal }),
    'cut-portal',
    1,
    [[10, 0, 5]],
  ],
  [
    'a border without a partner',
    meshOf([box(0, 0, 10, 10), box(12, 0, 20, 10, 1)], { ...metre, ...portal }),
    'unlinked-portal',
    8,
    [],
  ],
  [
    'a polygon without an area',
    meshOf(
      [
        box(0, 0, 10, 10),
        {
          corners: [
            [20, 1, 4],
            [22, 2, 4],
            [24, 3, 4],
          ],
        },
      ],
      metre,
    ),
    'dropped-polygon',
    1,
    [[22, 2, 4]],
  ],
  [
    'a polygon that is not convex',
    meshOf(
      [
        {
          corners: [
            [0, 0, 0],
            [0, 0, 8],
            [2, 0, 2],
            [8, 0, 0],
          ],
        } as Ring,
      ],
      metre,
    ),
    'triangulated-polygon',
    1,
    [[2.5, 0, 2.5]],
  ],
  [
    'a polygon wound the other way',
    meshOf([box(0, 0, 10, 10), box(20, 0, 22, 2), { corners: [...box(30, 0, 32, 4).corners].reverse() }], metre),
    'reversed-winding',
    1,
    [[31, 0, 2]],
  ],
  [
    'an end of a link off the mesh',
    meshOf([box(0, 0, 10, 10)], {
      ...metre,
      links: [
        { from: [5, 0, 5], to: [40, 3, 5], radius: 0.5, bidirectional: true, area: 0, flags: 1, userId: 1, tile: 0 },
      ],
    }),
    'unlinked-link',
    1,
    [[40, 3, 5]],
  ],
])('%s', (_, mesh, kind, count, at) => {
  const finding = find(mesh, kind);
  expect(finding).toMatchObject({ kind, count });
  if (at.length > 0) expect(finding?.at).toEqual(at);
});

test('border edges that met nobody are marked in their middles', () => {
  const mesh = meshOf([box(0, 0, 10, 10), box(12, 0, 20, 10, 1)], { ...metre, ...portal });
  expect(find(mesh, 'unlinked-portal')?.at).toContainEqual([10, 0, 5]);
  expect(find(mesh, 'unlinked-portal')?.at).toContainEqual([12, 0, 5]);
});

test('at most eight places are kept, however many faults there are', () => {
  const flat = (x: number): Ring => ({
    corners: [
      [x, 0, 20],
      [x + 1, 0, 20],
      [x + 2, 0, 20],
    ],
  });
  const finding = find(
    meshOf([box(0, 0, 10, 10), ...Array.from({ length: 30 }, (_, i) => flat(3 * i))], metre),
    'dropped-polygon',
  );
  expect(finding?.count).toBe(30);
  expect(finding?.at).toHaveLength(8);
  expect(finding?.at?.[7]).toEqual([22, 0, 20]);
});

test('a pack without places, as older versions wrote it, still loads', () => {
  const mesh = meshOf([box(0, 0, 10, 10), box(10, 0, 20, 4, 1), box(10, 4, 20, 10, 1)], {
    ...metre,
    portals: [
      [0, 1],
      [0, 2],
    ],
  });
  const conforming = conform(mesh);
  const packed = pack(mesh, { ...conforming, findings: conforming.findings.map(({ at: _, ...finding }) => finding) });
  checkPack(packed);
  expect(packInfo(packed).findings.map((finding) => finding.at)).toEqual([undefined]);
});
