// Reads a living map's records out of a kernel's memory and checks every promise a kernel relies on, with code of its own: shape,
// neighbours, one vertex id per walkable fan, wall corners, and that the ground of the pack is neither lost nor doubled.
import * as L from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import type { NavMap } from '../../src/map.ts';

export interface Live {
  readonly id: number;
  readonly x: number[];
  readonly z: number[];
  readonly y: number[];
  readonly across: number[];
  readonly vid: number[];
  readonly walled: boolean[];
  readonly area: number;
  readonly source: number;
  /** 1 + the first link end that leaves from it. */
  readonly links: number;
  /** Neither closed, nor in pieces, nor spare. */
  readonly open: boolean;
  /** Record offset of the first piece, 0 = not in pieces. */
  readonly first: number;
}

const SPARE: Live = {
  id: -1,
  x: [],
  z: [],
  y: [],
  across: [],
  vid: [],
  walled: [],
  area: 0,
  source: 0,
  links: 0,
  open: false,
  first: 0,
};

export function liveRecords(kernel: Kernel): Live[] {
  const u32 = (at: number): number => kernel.u32(L.MAP_BASE + at, 1)[0]!;
  const polys = u32(L.H_TABLE);
  const count = u32(L.H_POLYGONS);
  const words = kernel.u32(L.MAP_BASE + polys, (count * L.POLY_STRIDE) / 4);
  const floats = kernel.f32(L.MAP_BASE + polys, (count * L.POLY_STRIDE) / 4);
  const records: Live[] = [];
  for (let p = 0; p < count; p++) {
    const at = (p * L.POLY_STRIDE) / 4;
    const n = words[at + L.P_COUNT / 4]! & 0xff;
    // spare: of no size, and nobody is on it
    if (
      n === 3 &&
      floats[at + L.P_YMIN / 4] === Infinity &&
      floats[at] === floats[at + 1] &&
      floats[at + 8] === floats[at + 9]
    ) {
      records.push({ ...SPARE, id: p });
      continue;
    }
    const f32 = (field: number): number[] => [...floats.subarray(at + field / 4, at + field / 4 + n)];
    const nei = [...words.subarray(at + L.P_NEI / 4, at + L.P_NEI / 4 + 8)];
    const open = f32(L.P_YMIN)[0]! < Infinity;
    const corners = words[at + L.P_CORNERS / 4]!;
    records.push({
      id: p,
      x: f32(L.P_X),
      z: f32(L.P_Z),
      y: f32(L.P_Y),
      across: nei.slice(0, n).map((o) => (o === 0 ? -1 : (o - polys) / L.POLY_STRIDE)),
      vid: [...words.subarray(at + L.P_VID / 4, at + L.P_VID / 4 + n)],
      walled: Array.from({ length: n }, (_, i) => ((corners >>> i) & 1) === 1),
      area: (words[at + L.P_COUNT / 4]! >>> 8) & 0xff,
      source: words[at + L.P_SOURCE / 4]!,
      links: corners >>> L.CORNER_BITS,
      open,
      first: open ? 0 : nei[0]!,
    });
  }
  return records;
}

const cross = (r: Live, i: number, j: number, k: number): number =>
  (r.x[j]! - r.x[i]!) * (r.z[k]! - r.z[i]!) - (r.z[j]! - r.z[i]!) * (r.x[k]! - r.x[i]!);
export const doubled = (r: Live): number => {
  let sum = 0;
  for (let i = 1; i + 1 < r.x.length; i++) sum += cross(r, 0, i, i + 1);
  return sum;
};

/** What is wrong with the map as the kernel has it: nothing, one would hope. `bends`: edges of it may have too few grid points. */
export function faults(map: NavMap, kernel: Kernel, bends = false): string[] {
  const found: string[] = [];
  const records = liveRecords(kernel);
  const base = map.info.polygons;
  const u32 = (at: number): number => kernel.u32(L.MAP_BASE + at, 1)[0]!;
  const polys = u32(L.H_TABLE);
  const chains = u32(L.H_CHAINS);
  // pieces fill what they are cut from
  const listed = new Set<number>();
  for (let p = 0; p < base; p++) {
    let at = records[p]!.first;
    if (at === 0) continue;
    let sum = 0;
    while (at !== 0) {
      const q = (at - polys) / L.POLY_STRIDE;
      if (listed.has(q) || q < base) return [`piece ${q} twice`];
      listed.add(q);
      sum += doubled(records[q]!);
      at = u32(chains + 4 * q);
    }
    // where an edge has few grid points it bends by less than two units
    const rim = records[p]!.x.reduce((all, x, i, { length }) => {
      const j = (i + 1) % length;
      return all + 4 * Math.hypot(records[p]!.x[j]! - x, records[p]!.z[j]! - records[p]!.z[i]!);
    }, 0);
    if (Math.abs(sum - doubled(records[p]!)) > (bends ? rim : 0))
      found.push(`polygon ${p}: ${doubled(records[p]!)} in pieces of ${sum}`);
  }
  for (const r of records) {
    if (!r.open) {
      if (r.first === 0 && r.across.some((q) => q >= 0)) found.push(`closed ${r.id} leads somewhere`);
      continue;
    }
    if (r.id >= base && !listed.has(r.id)) found.push(`piece ${r.id} cannot be found`);
    const n = r.x.length;
    for (let i = 0; i < n; i++) {
      if (cross(r, i, (i + 1) % n, (i + 2) % n) < 0) found.push(`polygon ${r.id} is not convex`);
    }
    if (!(doubled(r) > 0)) found.push(`polygon ${r.id} has no area`);
    r.across.forEach((q, i) => {
      if (q < 0) return;
      const s = records[q]!;
      const j = (i + 1) % n;
      const back = s.across.findIndex((t, k) => {
        const l = (k + 1) % s.x.length;
        return t === r.id && s.x[k] === r.x[j] && s.z[k] === r.z[j] && s.x[l] === r.x[i] && s.z[l] === r.z[i];
      });
      if (!s.open || back < 0) found.push(`edge ${i} of ${r.id} and ${q}`);
    });
  }
  // fans, by joining corners over edges
  const set = new Map<string, string>();
  const root = (key: string): string => {
    let at = key;
    while (set.get(at) !== at) at = set.get(at)!;
    set.set(key, at);
    return at;
  };
  for (const r of records) {
    for (let i = 0; r.open && i < r.x.length; i++) set.set(`${r.id},${i}`, `${r.id},${i}`);
  }
  const walls = new Set<string>();
  for (const r of records) {
    if (!r.open) continue;
    r.across.forEach((q, i) => {
      if (q < 0) return;
      const s = records[q]!;
      const j = (i + 1) % r.x.length;
      s.x.forEach((_, k) => {
        for (const c of [i, j]) {
          if (s.x[k] === r.x[c] && s.z[k] === r.z[c]) set.set(root(`${q},${k}`), root(`${r.id},${c}`));
        }
      });
    });
  }
  for (const r of records) {
    if (!r.open) continue;
    r.across.forEach((q, i) => {
      if (q >= 0) return;
      walls.add(root(`${r.id},${i}`));
      walls.add(root(`${r.id},${(i + 1) % r.x.length}`));
    });
  }
  const named = new Map<number, string>();
  const names = new Map<string, number>();
  for (const r of records) {
    if (!r.open) continue;
    r.vid.forEach((v, i) => {
      const fan = root(`${r.id},${i}`);
      if ((named.get(v) ?? fan) !== fan || (names.get(fan) ?? v) !== v) found.push(`vertex id ${v} of ${r.id}`);
      if (v >= u32(L.H_VERTICES)) found.push(`vertex id ${v}`);
      named.set(v, fan);
      names.set(fan, v);
      if (r.walled[i] !== walls.has(fan)) found.push(`wall corner ${i} of ${r.id}`);
    });
  }
  found.push(...linkFaults(kernel, records));
  return found;
}

/** Every link that may be taken stands strictly inside of open ground, and its ends are in the chains of what holds them. */
function linkFaults(kernel: Kernel, records: readonly Live[]): string[] {
  const found: string[] = [];
  const u32 = (at: number): number => kernel.u32(L.MAP_BASE + at, 1)[0]!;
  const polys = u32(L.H_TABLE);
  const first = u32(L.H_TABLE + 8 * L.SECTION_LINKS);
  const chained = new Map<number, number>();
  for (const r of records) {
    if (r.first !== 0) continue;
    for (let e = r.links; e !== 0; e = u32(first + ((e - 1) >>> 1) * L.LINK_STRIDE + L.L_NEXT_A + 4 * ((e - 1) & 1))) {
      if (chained.has(e - 1)) return [`link end ${e - 1} in two chains`];
      chained.set(e - 1, r.id);
    }
  }
  for (let i = 0; i < u32(L.H_LINKS); i++) {
    const state = kernel.states[i]!;
    if (state === 0) continue;
    for (const side of [0, 1]) {
      const at = first + i * L.LINK_STRIDE;
      const r = records[(u32(at + L.L_POLY_A + 4 * side) - polys) / L.POLY_STRIDE]!;
      const f = kernel.f32(L.MAP_BASE + at + L.L_AX + side * L.L_END_STRIDE, 3);
      const n = r.x.length;
      const inside = r.x.every((x, k) => {
        const l = (k + 1) % n;
        return (r.x[l]! - x) * (f[2]! - r.z[k]!) - (r.z[l]! - r.z[k]!) * (f[0]! - x) > 0;
      });
      if (!inside || !r.open) found.push(`link end ${2 * i + side} in ${r.id}`);
      if (((state >>> side) & 1) === 1 && chained.get(2 * i + side) !== r.id)
        found.push(`link end ${2 * i + side} in no chain`);
    }
  }
  return found;
}
