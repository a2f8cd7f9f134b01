// A packed map as flat arrays in metres: what inspect's questions, pictures and comparisons are asked of. Imported by
// report/ only; the pack has passed its check.
import * as L from '../../assembly/layout.ts';
import { packInfo, readNotes } from '../pack/view.ts';

/** x, y, z in metres. */
export type Place = readonly [number, number, number];

export interface PlanLink {
  readonly number: number;
  /** Of a side file or a format that has names. */
  readonly name: string | undefined;
  readonly from: Place;
  readonly to: Place;
  /** Polygons of the two ends, -1 = on none. */
  readonly a: number;
  readonly b: number;
  readonly both: boolean;
  readonly area: number;
  readonly flags: number;
  readonly user: number;
}

export interface Plan {
  readonly count: number;
  /** count + 1 entries into the corner arrays; polygons are convex, counter-clockwise from x to z. */
  readonly first: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Polygon across the edge that starts at each corner, -1 = wall. */
  readonly neighbour: Int32Array;
  readonly component: Uint32Array;
  readonly components: number;
  /** Area number and flags of the export. */
  readonly area: Uint8Array;
  readonly flags: Uint16Array;
  readonly source: Uint32Array;
  /** Plan area of each polygon, m2. */
  readonly size: Float64Array;
  /** Highest point of each polygon's surface. */
  readonly high: Float64Array;
  readonly links: readonly PlanLink[];
  readonly agent: { readonly height: number; readonly radius: number; readonly climb: number };
}

export function readPlan(pack: ArrayBuffer): Plan {
  const view = new DataView(pack);
  const { unit, origin, agent, components } = packInfo(pack);
  const polysAt = view.getUint32(L.H_TABLE + 8 * L.SECTION_POLYGONS, true);
  const count = view.getUint32(L.H_POLYGONS, true);
  const first = new Uint32Array(count + 1);
  for (let p = 0; p < count; p++) first[p + 1] = first[p] + view.getUint8(polysAt + p * L.POLY_STRIDE + L.P_COUNT);
  const corners = first[count];
  const plan: Plan = {
    count,
    first,
    x: new Float64Array(corners),
    y: new Float64Array(corners),
    z: new Float64Array(corners),
    neighbour: new Int32Array(corners).fill(-1),
    component: new Uint32Array(count),
    components,
    area: new Uint8Array(count),
    flags: new Uint16Array(count),
    source: new Uint32Array(count),
    size: new Float64Array(count),
    high: new Float64Array(count),
    links: linksOf(view, polysAt, (units, from) => from + units * unit, origin, namesOf(pack)),
    agent,
  };
  for (let p = 0; p < count; p++) {
    const at = polysAt + p * L.POLY_STRIDE;
    for (let c = first[p]; c < first[p + 1]; c++) {
      const i = 4 * (c - first[p]);
      plan.x[c] = origin.x + view.getFloat32(at + L.P_X + i, true) * unit;
      plan.y[c] = view.getFloat32(at + L.P_Y + i, true);
      plan.z[c] = origin.z + view.getFloat32(at + L.P_Z + i, true) * unit;
      const across = view.getUint32(at + L.P_NEI + i, true);
      if (across !== 0) plan.neighbour[c] = (across - polysAt) / L.POLY_STRIDE;
    }
    plan.component[p] = view.getUint32(at + L.P_COMPONENT, true);
    plan.area[p] = view.getUint8(at + L.P_AREA);
    plan.flags[p] = view.getUint16(at + L.P_FLAGS, true);
    plan.source[p] = view.getUint32(at + L.P_SOURCE, true);
    plan.high[p] = view.getFloat32(at + L.P_YMAX, true);
    plan.size[p] = ringSize(plan, p);
  }
  return plan;
}

function linksOf(
  view: DataView,
  polysAt: number,
  metres: (units: number, from: number) => number,
  origin: { readonly x: number; readonly z: number },
  names: ReadonlyMap<number, string>,
): PlanLink[] {
  const base = view.getUint32(L.H_TABLE + 8 * L.SECTION_LINKS, true);
  const links: PlanLink[] = [];
  for (let number = 0; number < view.getUint32(L.H_LINKS, true); number++) {
    const at = base + number * L.LINK_STRIDE;
    const place = (end: number): Place => [
      metres(view.getFloat32(at + end * L.L_END_STRIDE + L.L_AX, true), origin.x),
      view.getFloat32(at + end * L.L_END_STRIDE + L.L_AY, true),
      metres(view.getFloat32(at + end * L.L_END_STRIDE + L.L_AZ, true), origin.z),
    ];
    const polygon = (field: number) => {
      const offset = view.getUint32(at + field, true);
      return offset === 0 ? -1 : (offset - polysAt) / L.POLY_STRIDE;
    };
    const flags = view.getUint32(at + L.L_FLAGS, true);
    links.push({
      number,
      name: names.get(number),
      from: place(0),
      to: place(1),
      a: polygon(L.L_POLY_A),
      b: polygon(L.L_POLY_B),
      both: (flags & 1) === 1,
      area: view.getUint32(at + L.L_AREA, true),
      flags: flags >>> L.LINK_FLAGS_SHIFT,
      user: view.getUint32(at + L.L_USER, true),
    });
  }
  return links;
}

function namesOf(pack: ArrayBuffer): Map<number, string> {
  const names = new Map<number, string>();
  for (const { first, count, name } of readNotes(pack).links ?? []) {
    if (name !== undefined) for (let i = 0; i < count; i++) names.set(first + i, name);
  }
  return names;
}

function ringSize({ first, x, z }: Plan, p: number): number {
  const a = first[p];
  let sum = 0;
  for (let c = a + 1; c + 1 < first[p + 1]; c++) {
    sum += (x[c] - x[a]) * (z[c + 1] - z[a]) - (z[c] - z[a]) * (x[c + 1] - x[a]);
  }
  return sum / 2;
}

/** Height of a polygon at a plan point, from its corners (no detail): linear in the fan triangle nearest to the point. */
export function heightAt({ first, x, y, z }: Plan, p: number, px: number, pz: number): number {
  const a = first[p];
  let height = y[a];
  let least = Number.POSITIVE_INFINITY;
  for (let b = a + 1; b + 1 < first[p + 1]; b++) {
    const c = b + 1;
    const whole = (x[b] - x[a]) * (z[c] - z[a]) - (z[b] - z[a]) * (x[c] - x[a]);
    if (!(whole > 0)) continue;
    const wb = ((px - x[a]) * (z[c] - z[a]) - (pz - z[a]) * (x[c] - x[a])) / whole;
    const wc = ((x[b] - x[a]) * (pz - z[a]) - (z[b] - z[a]) * (px - x[a])) / whole;
    const outside = -Math.min(wb, wc, 1 - wb - wc, 0);
    if (outside >= least) continue;
    least = outside;
    height = y[a] + wb * (y[b] - y[a]) + wc * (y[c] - y[a]);
  }
  return height;
}

/** The middle of a polygon: always on it, as it is convex. */
export function middleOf({ first, x, y, z }: Plan, p: number): Place {
  const n = first[p + 1] - first[p];
  const at: [number, number, number] = [0, 0, 0];
  for (let c = first[p]; c < first[p + 1]; c++) {
    at[0] += x[c] / n;
    at[1] += y[c] / n;
    at[2] += z[c] / n;
  }
  return at;
}

/** Millimetres are enough for people; -0 is 0. */
export function rounded([x, y, z]: Place): Place {
  return [x, y, z].map((v) => Number(v.toFixed(3)) + 0) as unknown as Place;
}
