// The invariants of a conforming mesh, checked exactly. Imported by tests and tools; conform.ts is meant to make them true.
import { MOST_CORNERS } from './assemble.ts';
import type { ConformingMesh } from './conforming.ts';
import { isConvex } from './ring.ts';
import { RANGE_UNITS } from './snap.ts';

/**
 * Lists what is wrong, in words, empty when all holds: 3 to 8 corners, coordinates in range, convex with positive area,
 * every neighbour shares the whole edge with the same vertex ids in reverse and names this polygon back, one component
 * across every edge. Stops after `most` faults.
 */
export function checkConforming(mesh: ConformingMesh, most = 20): string[] {
  const faults: string[] = [];
  const count = mesh.first.length - 1;
  const fault = (text: string) => {
    if (faults.length < most) faults.push(text);
  };
  // Every directed edge between two vertex ids of one polygon pair, once.
  const edgeAt = new Map<string, number>();
  for (let p = 0; p < count; p++) {
    const a = mesh.first[p];
    const n = mesh.first[p + 1] - a;
    if (n < 3 || n > MOST_CORNERS) fault(`polygon ${p}: expected 3 to ${MOST_CORNERS} corners, got ${n}`);
    if (!isConvex(mesh.x, mesh.z, a, n)) fault(`polygon ${p}: expected a convex ring with positive area`);
    for (let i = 0; i < n; i++) {
      const c = a + i;
      const d = a + ((i + 1) % n);
      if (Math.abs(mesh.x[c]) > RANGE_UNITS || Math.abs(mesh.z[c]) > RANGE_UNITS) {
        fault(`polygon ${p} corner ${i}: expected at most ${RANGE_UNITS} units, got ${mesh.x[c]}, ${mesh.z[c]}`);
      }
      if (mesh.vertex[c] >= mesh.vertexCount)
        fault(`polygon ${p} corner ${i}: vertex id ${mesh.vertex[c]} out of range`);
      if (!Number.isFinite(mesh.y[c])) fault(`polygon ${p} corner ${i}: height ${mesh.y[c]}`);
      edgeAt.set(`${p},${mesh.vertex[c]},${mesh.vertex[d]}`, c);
    }
  }
  for (let p = 0; p < count; p++) {
    const a = mesh.first[p];
    const n = mesh.first[p + 1] - a;
    if (mesh.component[p] >= mesh.componentCount) fault(`polygon ${p}: component ${mesh.component[p]} out of range`);
    for (let i = 0; i < n; i++) {
      const c = a + i;
      const d = a + ((i + 1) % n);
      const q = mesh.neighbour[c];
      if (q === -1) continue;
      if (!(q >= 0 && q < count)) {
        fault(`polygon ${p} edge ${i}: neighbour ${q} out of range`);
        continue;
      }
      const back = edgeAt.get(`${q},${mesh.vertex[d]},${mesh.vertex[c]}`);
      if (back === undefined || mesh.neighbour[back] !== p) {
        fault(`polygon ${p} edge ${i}: polygon ${q} does not share it`);
        continue;
      }
      const e = back + 1 === mesh.first[q + 1] ? mesh.first[q] : back + 1;
      if (
        mesh.x[c] !== mesh.x[e] ||
        mesh.z[c] !== mesh.z[e] ||
        mesh.x[d] !== mesh.x[back] ||
        mesh.z[d] !== mesh.z[back]
      ) {
        fault(`polygon ${p} edge ${i}: polygon ${q} has the shared edge elsewhere`);
      }
      if (mesh.component[p] !== mesh.component[q]) fault(`polygon ${p} edge ${i}: component changes across it`);
    }
  }
  return faults;
}
