// Level geometry from a Wavefront OBJ: `v` and `f` lines only. Imported by build/, tests and benches.
import { NavguardError } from '../errors.ts';
import type { TriangleSoup } from './solids.ts';

/** Reads vertices and faces (fans of triangles; `a/b/c` corners and negative indices allowed); other lines are skipped. */
export function readObj(text: string): TriangleSoup {
  const positions: number[] = [];
  const indices: number[] = [];
  let lineNumber = 0;
  for (const line of text.split('\n')) {
    lineNumber++;
    const words = line.trim().split(/\s+/);
    if (words[0] === 'v') {
      const xyz = words.slice(1, 4).map(Number);
      if (xyz.length < 3 || xyz.some((n) => !Number.isFinite(n))) {
        throw new NavguardError('BAD_FILE', `OBJ line ${lineNumber}: got "${line.trim()}", expected "v x y z".`);
      }
      positions.push(xyz[0], xyz[1], xyz[2]);
    } else if (words[0] === 'f') {
      const count = positions.length / 3;
      const corners = words.slice(1).map((word) => {
        const n = Number.parseInt(word, 10);
        return n < 0 ? count + n : n - 1;
      });
      if (corners.length < 3 || corners.some((c) => !(c >= 0 && c < count))) {
        throw new NavguardError(
          'BAD_FILE',
          `OBJ line ${lineNumber}: got "${line.trim()}", expected "f" with 3 or more of the ${count} vertices so far.`,
        );
      }
      for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
    }
  }
  if (indices.length === 0) throw new NavguardError('BAD_FILE', 'OBJ: got no faces, expected at least one "f" line.');
  return { positions, indices };
}
