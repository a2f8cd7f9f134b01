// Rays and walks on maps with links, closed areas and obstacles against brute force on the ground that is left, map by map: used by
// the quick slice and by the long run. The ground is read out of the kernel's memory; that it is the right ground, other tests say.
import * as L from '../../assembly/layout.ts';
import { NavMap } from '../../src/map.ts';
import { innerPoint, navLink } from '../kernel/linkcheck.ts';
import { fanGraph } from '../oracle/fangraph.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { type GraphLink, linkGraph, shortestWithLinks } from '../oracle/linkgraph.ts';
import { between, random } from '../oracle/random.ts';
import { type Point, type SightScene, sees, type Triangle, type Wall } from '../oracle/sight.ts';
import { faults, type Live, liveRecords } from './check.ts';
import { randomShape } from './shapes.ts';

export interface ExactCount {
  maps: number;
  rays: number;
  clear: number;
  walks: number;
  linked: number;
  unreachable: number;
  worst: number;
  wrong: string[];
}
export const NONE_YET = (): ExactCount => ({
  maps: 0,
  rays: 0,
  clear: 0,
  walks: 0,
  linked: 0,
  unreachable: 0,
  worst: 0,
  wrong: [],
});

const UNIT = 1 / 1024;
const side = (r: Live, a: number, b: number, c: number): number =>
  (r.x[b]! - r.x[a]!) * (r.z[c]! - r.z[a]!) - (r.z[b]! - r.z[a]!) * (r.x[c]! - r.x[a]!);

/** Triangles of a convex ring with corners on lines, each corner used: ears, one after the other. */
function trianglesOf(r: Live): Triangle[] {
  const left = r.x.map((_, i) => i);
  const triangles: Triangle[] = [];
  while (left.length > 2) {
    const n = left.length;
    const ear = left.findIndex((b, i) => {
      const [a, c] = [left[(i + n - 1) % n]!, left[(i + 1) % n]!];
      if (!(side(r, a, b, c) > 0)) return false;
      // what is left must still hold its corners: none of them on the cut
      return left.every((p) => p === a || p === b || p === c || side(r, a, c, p) !== 0);
    });
    if (ear < 0) break;
    const [a, b, c] = [left[(ear + n - 1) % n]!, left[ear]!, left[(ear + 1) % n]!];
    triangles.push([r.x[a]!, r.z[a]!, r.x[b]!, r.z[b]!, r.x[c]!, r.z[c]!]);
    left.splice(ear, 1);
  }
  return triangles;
}

/** The ground that is open now, as plain walls and triangles, and the corners at walls. */
export function sceneOf(records: readonly Live[]): { scene: SightScene; corners: Point[] } {
  const walls: Wall[] = [];
  const corners = new Map<string, Point>();
  const open = records.filter((r) => r.open);
  for (const r of open) {
    r.across.forEach((q, i) => {
      if (q >= 0) return;
      const j = (i + 1) % r.x.length;
      walls.push([r.x[i]!, r.z[i]!, r.x[j]!, r.z[j]!]);
      for (const c of [i, j]) corners.set(`${r.x[c]},${r.z[c]}`, [r.x[c]!, r.z[c]!]);
    });
  }
  return { scene: { walls, triangles: open.flatMap(trianglesOf) }, corners: [...corners.values()] };
}

/** One map, changed at random a few times; `n` rays and walks after each change. */
export function checkLiving(seed: number, n: number, count: ExactCount): void {
  const next = random(seed);
  const off = next() < 0.5;
  const map = latticeMesh({
    w: 3 + Math.floor(next() * 2),
    h: 3 + Math.floor(next() * 2),
    seed,
    blocked: 0.15,
    scale: off ? 1009 : 1024,
    ...(off ? { fine: 150 } : {}),
    ...(next() < 0.3 ? {} : { merge: 4 + (seed % 5) }),
  });
  const links: GraphLink[] = Array.from({ length: between(next, 0, 3) }, () => ({
    from: { floor: 0, at: innerPoint(map, next) },
    to: { floor: 0, at: innerPoint(map, next) },
    both: next() < 0.5,
  }));
  const mesh = { ...map.mesh, links: links.map(navLink) };
  for (let p = 0; p < mesh.areas.length; p++) mesh.areas[p] = next() < 0.85 ? 0 : between(next, 1, 3);
  const living = NavMap.fromMesh(mesh, { engine: seed % 4 === 0 ? 'twin' : 'wasm' });
  const view = new DataView(living.toPack());
  const [ox, oz] = [view.getFloat64(L.H_ORIGIN_X, true), view.getFloat64(L.H_ORIGIN_Z, true)];
  const [dx, dz] = [Math.round(ox / UNIT), Math.round(oz / UNIT)];
  count.maps++;
  for (let change = 0; change < 3; change++) {
    living.area(between(next, 1, 3), { open: next() < 0.4 });
    if (links.length > 0 && next() < 0.5) living.link(`#${between(next, 0, links.length - 1)}`, next() < 0.5);
    const [x, z] = innerPoint(map, next);
    living.block(between(next, 0, 2), { ...randomShape(next, x * UNIT, 0, z * UNIT), grow: next() * 0.4 });
    const { kernel } = living;
    const records = liveRecords(kernel);
    for (const fault of faults(living, kernel, true)) count.wrong.push(`seed ${seed}, change ${change}: ${fault}`);
    const { scene, corners } = sceneOf(records);
    if (scene.triangles.length === 0) continue;
    const graph = linkGraph([fanGraph(scene, corners)], linksOf(living, links.length));
    const spot = (): Point => {
      const t = scene.triangles[between(next, 0, scene.triangles.length - 1)]!;
      const [u, v] = [next(), next()].sort((a, b) => a - b) as [number, number];
      return [0, 1].map((k) => Math.round(u * t[k]! + (v - u) * t[2 + k]! + (1 - v) * t[4 + k]!)) as never;
    };
    for (let q = 0; q < n; q++) {
      const [a, b] = [spot(), spot()];
      // strictly inside: who stands at a corner of two fans is in one of them
      if (!records.some((r) => inside(r, a)) || !records.some((r) => inside(r, b))) continue;
      const [from, to] = [a, b].map(([px, pz]) => [(px + dx) * UNIT, 0, (pz + dz) * UNIT] as const) as never as [
        [number, number, number],
        [number, number, number],
      ];
      const hint = `seed ${seed}, change ${change}: ${a} to ${b}`;
      const clear = sees(scene, a, b);
      count.rays++;
      if (clear) count.clear++;
      if (living.ray(from, to, { tolerance: 0 }).clear !== clear) count.wrong.push(`${hint}: ray ${!clear}`);
      const want = shortestWithLinks(graph, { floor: 0, at: a }, { floor: 0, at: b }) * UNIT;
      const got = living.shortest(from, to, { tolerance: 0 });
      if (got.status === 'undecided') continue;
      if (got.status !== (want < Infinity ? 'complete' : 'unreachable')) count.wrong.push(`${hint}: ${got.status}`);
      if (!(want < Infinity)) count.unreachable++;
      if (got.status !== 'complete' || !(want < Infinity)) continue;
      const error = want === 0 ? got.length! : Math.abs(got.length! / want - 1);
      count.worst = Math.max(count.worst, error);
      if (error > 1e-9) count.wrong.push(`${hint}: length ${got.length}, not ${want}`);
      count.walks++;
      if (got.length! < want * (1 + 1e-9) && links.length > 0) count.linked++;
    }
  }
}

/** The links as they stand now. */
function linksOf({ kernel }: NavMap, links: number): GraphLink[] {
  const first = L.MAP_BASE + kernel.u32(L.MAP_BASE + L.H_TABLE + 8 * L.SECTION_LINKS, 1)[0]!;
  return Array.from({ length: links }, (_, i): GraphLink[] => {
    const f = kernel.f32(first + i * L.LINK_STRIDE, 6);
    const a = { floor: 0, at: [f[0]!, f[2]!] as const };
    const b = { floor: 0, at: [f[3]!, f[5]!] as const };
    const state = kernel.states[i]!;
    if (state === 0) return [];
    return [state === 2 ? { from: b, to: a, both: false } : { from: a, to: b, both: state === 3 }];
  }).flat();
}

function inside(r: Live, [px, pz]: Point): boolean {
  if (!r.open) return false;
  return r.x.every((x, k) => {
    const l = (k + 1) % r.x.length;
    return (r.x[l]! - x) * (pz - r.z[k]!) - (r.z[l]! - r.z[k]!) * (px - x) > 0;
  });
}
