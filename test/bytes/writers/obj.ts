// A writer of OBJ files: shared or unshared vertices, negative numbers, groups by area, odd white space and line ends.
import { indexed, type PolyGround } from './polyground.ts';

export interface ObjStyle {
  readonly shared?: boolean;
  readonly negative?: boolean;
  /** Line ends, lines continued by a backslash, comments, normals and colours in between. */
  readonly odd?: boolean;
  readonly crlf?: boolean;
}

/** Material names are "area<n>". */
export function writeObj(ground: PolyGround, style: ObjStyle = {}): Uint8Array {
  const lines = ['# written by hand C:\\', 'mtllib level.mtl', 'o Ground'];
  const shared = style.shared ? indexed(ground) : null;
  const colour = style.odd ? ' 0.5 0.5 0.5' : '';
  const vertex = ([x, y, z]: readonly number[]) => lines.push(`v${style.odd ? '\t ' : ' '}${x} ${y} ${z}${colour}`);
  for (const v of shared?.vertices ?? []) vertex(v);
  let count = shared?.vertices.length ?? 0;
  let last = -1;
  ground.rings.forEach((ring, p) => {
    if (ground.areas[p] !== last) {
      last = ground.areas[p];
      lines.push(`g storey part${p}`, `usemtl area${last}`);
    }
    const numbers =
      shared?.rings[p] ??
      ring.map((corner) => {
        vertex(corner);
        return count++;
      });
    const words = numbers.map((n, k) => {
      const own = style.negative ? `${n - count}` : `${n + 1}`;
      return style.odd ? [`${own}/1/2`, `${own}//3`, `${own}/4`, own][k % 4] : own;
    });
    if (style.odd) {
      lines.push('vn 0 1 0', 's off', `f ${words[0]} \\`, `  ${words.slice(1).join('   ')} # a face`, '', 'l 1 2');
    } else lines.push(`f ${words.join(' ')}`);
  });
  return new TextEncoder().encode(`${style.odd ? '\ufeff' : ''}${lines.join(style.crlf ? '\r\n' : '\n')}\n`);
}
