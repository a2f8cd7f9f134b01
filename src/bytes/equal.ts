// Whether two NavMesh values are the same, and if not, the first difference in words.
// Imported by bytes/ and by tests.
import type { NavMesh } from '../mesh/navmesh.ts';

const ARRAYS = [
  'first',
  'corners',
  'vertices',
  'neighbours',
  'portals',
  'areas',
  'flags',
  'polyTile',
  'detailFirstVertex',
  'detailVertices',
  'detailFirstTriangle',
  'detailTriangles',
] as const;
const VALUES = ['format', 'tiles', 'lattice', 'agent', 'links'] as const;

/**
 * Null when the meshes are equal, else a sentence about the first difference. Floats are compared as numbers: NaN equals
 * NaN, and -0 differs from 0. `ignorePortals`: a file's own bytes hold no usable links, so they give no portals.
 */
export function equalNavMesh(a: NavMesh, b: NavMesh, options: { ignorePortals?: boolean } = {}): string | null {
  for (const name of VALUES) {
    const difference = differ(a[name], b[name], name);
    if (difference !== null) return difference;
  }
  for (const name of ARRAYS) {
    if (name === 'portals' && options.ignorePortals) continue;
    const x = a[name];
    const y = b[name];
    if (x.length !== y.length) return `${name} has ${x.length} entries in one and ${y.length} in the other.`;
    for (let i = 0; i < x.length; i++) {
      if (!Object.is(x[i], y[i])) return `${name}[${i}] is ${x[i]} in one and ${y[i]} in the other.`;
    }
  }
  return null;
}

function differ(a: unknown, b: unknown, path: string): string | null {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of keys) {
      const difference = differ(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        `${path}.${key}`,
      );
      if (difference !== null) return difference;
    }
    return null;
  }
  return Object.is(a, b) ? null : `${path} is ${String(a)} in one and ${String(b)} in the other.`;
}
