// The link section of a hostile packed map: places, chains, and the components that edges and links make. Imported by
// check.ts only.
import * as L from '../../assembly/layout.ts';
import { numbered } from '../mesh/assemble.ts';
import { turn } from '../mesh/ring.ts';
import { UnionFind } from '../mesh/unionfind.ts';
import { finiteAt, type Records, recordAt, type Sections, unitsAt } from './checkparts.ts';
import { expect, fail } from './limits.ts';
import { type ChainLink, linkChains, stateOf } from './links.ts';

/**
 * Linked ends stand strictly inside their polygon; each polygon's chain is exactly the ends that links leave from, so a
 * walk along it ends; links are open no way that they do not have; components are those of edges and links.
 */
export function checkLinks(view: DataView, sections: Sections, records: Records): void {
  const u32 = (at: number) => view.getUint32(at, true);
  const polygons = sections[L.SECTION_POLYGONS];
  const section = sections[L.SECTION_LINKS];
  const sets = new UnionFind(records.count);
  for (let c = 0; c < records.neighbour.length; c++) {
    if (records.neighbour[c] >= 0) sets.union(records.polygonOf[c], records.neighbour[c]);
  }
  const links: ChainLink[] = [];
  for (let i = 0; i < section.length / L.LINK_STRIDE; i++) {
    const at = section.offset + i * L.LINK_STRIDE;
    if (!(finiteAt(view, at + L.L_RADIUS, `link ${i} radius`) >= 0)) fail(`link ${i} radius`, 'at least 0', 'less');
    const flags = u32(at + L.L_FLAGS) & ((1 << L.LINK_FLAGS_SHIFT) - 1);
    if (flags > L.LINK_BOTH + L.LINK_STRIP) fail(`link ${i} flags`, '0 to 3 in the low half', `${flags}`);
    if (i === 0 && (flags & L.LINK_STRIP) !== 0) fail('link 0 flags', 'no link before it', `${flags}`);
    if (u32(at + L.L_AREA) > 255) fail(`link ${i} area`, '0 to 255', `${u32(at + L.L_AREA)}`);
    const [a, b] = [0, 1].map((side) => {
      const place = at + side * L.L_END_STRIDE;
      const x = unitsAt(view, place + L.L_AX, `link ${i} position`);
      const z = unitsAt(view, place + L.L_AZ, `link ${i} position`);
      finiteAt(view, place + L.L_AY, `link ${i} height`);
      const offset = u32(at + L.L_POLY_A + 4 * side);
      if (offset === 0) return -1;
      const p = recordAt(offset, polygons, L.POLY_STRIDE, `link ${i} polygon`);
      if (!strictlyInside(records, p, x, z)) fail(`link ${i} position`, `strictly inside polygon ${p}`, `${x}, ${z}`);
      return p;
    });
    const link: ChainLink = { a, b, both: (flags & L.LINK_BOTH) !== 0 };
    links.push(link);
    const state = u32(at + L.L_STATE);
    if (state !== 0) expect(state, stateOf(link), `link ${i} state`);
    const cost = finiteAt(view, at + L.L_COST, `link ${i} cost`);
    if (cost > 0 && cost <= 1) fail(`link ${i} cost`, '0, more than 1, or less than 0', `${cost}`);
    if (a >= 0 && b >= 0) sets.union(a, b);
  }
  const { head, next } = linkChains(records.count, links);
  next.forEach((end, e) => {
    const at = section.offset + (e >>> 1) * L.LINK_STRIDE + L.L_NEXT_A + 4 * (e & 1);
    expect(u32(at), end, `link ${e >>> 1} next end`);
  });
  const words = new Uint32Array(view.buffer, polygons.offset, polygons.length >>> 2);
  const stride = L.POLY_STRIDE >>> 2;
  for (let p = 0, at = L.P_CORNERS >>> 2; p < records.count; p++, at += stride) {
    const end = head.get(p) ?? 0;
    if (words[at] >>> L.CORNER_BITS !== end) expect(words[at] >>> L.CORNER_BITS, end, `polygon ${p} first link end`);
  }
  const { vertex: component, count } = numbered(sets, records.count);
  expect(u32(L.H_COMPONENTS), count, 'components');
  for (let p = 0, at = L.P_COMPONENT >>> 2; p < records.count; p++, at += stride) {
    if (words[at] !== component[p]) expect(words[at], component[p], `polygon ${p} component`);
  }
}

function strictlyInside(records: Records, p: number, x: number, z: number): boolean {
  const from = records.first[p];
  const to = records.first[p + 1];
  for (let c = from; c < to; c++) {
    const d = c + 1 === to ? from : c + 1;
    if (turn(records.x[c], records.z[c], records.x[d], records.z[d], x, z) <= 0) return false;
  }
  return true;
}
