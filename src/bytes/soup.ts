// Polygon soup -> NavMesh: the one builder behind every format whose triangles or polygons are the navmesh. Imported by the
// readers of such formats. Nothing foreign runs here: these formats need no recast-navigation.
//
// Order: the file's units and axes -> metres (f32) -> vertices welded -> polygons without area or given twice dropped -> is it
// a navmesh at all? -> whole edges paired -> T-junctions found. Heights are the polygons' own. Counts are ours, not Detour's:
// no 65,535 vertices, no six corners.
import { NavguardError } from '../errors.ts';
import type { Finding } from '../mesh/conforming.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { placer } from './adapt.ts';
import { Chains, hash3 } from './chains.ts';
import { addSurface, refuseGeometry, type SurfaceShares, shareOfOpenEdges } from './geometry.ts';
import { joinEdges } from './joinsoup.ts';
import type { AgentOption, Reading } from './options.ts';
import { pairEdges, type Rings } from './pairsoup.ts';
import { MOST_RING, type PolygonSoup } from './polygons.ts';
import { labelValues, placedLinks } from './soupareas.ts';
import { soupDetails } from './soupdetail.ts';
import { weldVertices } from './weldsoup.ts';

/** Unity's humanoid, for files that name nobody, metres. */
const DEFAULT_AGENT: AgentOption = { radius: 0.5, height: 2, climb: 0.4 };
/** The default weld is the unit of the map's grid, and four steps of f32 at the farthest coordinate where those are larger. */
const LEAST_WELD = 1 / 1024;
/** Metres: farther out f32 has steps of half a metre. */
const MOST_METRES = 2 ** 23;
/** Work of cutting polygons that are not convex: corners cubed, summed. */
const MOST_CUTTING = 2 ** 31;

/**
 * Builds the mesh. Throws `BAD_FILE` for what cannot be a mesh, `UNSUPPORTED_FORMAT` for level geometry. What was dropped,
 * welded or assumed is in the mesh's findings.
 */
export function soupToNavMesh(soup: PolygonSoup, reading: Reading): NavMesh {
  const findings: Finding[] = [];
  const positions = placedVertices(soup, reading);
  const weld = reading.weld ?? defaultWeld(positions);
  const welded = weldVertices(positions, weld);
  if (welded.moved > 0) {
    findings.push(finding('welded-vertex', welded.moved, `within ${shown(weld)} m of another joined to it`, 'vertex'));
  }
  const { agent, known } = agentOf(soup, reading);
  const kept = keepPolygons(soup, welded.vertexOf, welded.positions, agent.climb, findings);
  const rings = kept.rings;
  const { neighbours, crowded } = pairEdges(rings);
  if (crowded.length > 0) {
    const named = crowded.map((c) => rings.polygonOf[c]);
    findings.push(finding('ambiguous-portal', crowded.length, 'with more polygons than two left alone', 'edge', named));
  }
  const joined = joinEdges(rings, neighbours, weld, agent.climb);
  if (joined.moved > 0) findings.push(finding('welded-vertex', joined.moved, 'moved onto an edge beside it', 'vertex'));
  if (!known) {
    const { radius, height, climb } = agent;
    const message = `the file names no agent: radius ${radius}, height ${height} and climb ${climb} m are taken (give agent)`;
    findings.push({ kind: 'no-agent', message, count: 1, polygons: [] });
  }
  const { areas, flags } = labelValues(soup, kept.source, reading, findings);
  const polygons = kept.source.length;
  return {
    format: soup.format,
    tiles: [{ x: 0, y: 0, layer: 0, polyBase: 0, polyCount: polygons, bounds: boundsOf(rings.positions) }],
    lattice: latticeOf(soup, reading),
    agent,
    vertices: rings.positions,
    first: rings.first,
    corners: rings.corners,
    neighbours,
    portals: joined.portals,
    areas,
    flags,
    polyTile: new Uint32Array(polygons),
    ...soupDetails(soup, reading, kept.source, rings.first),
    links: placedLinks(soup, reading),
    findings,
  };
}

/** All vertices as metres in the map's axes, f32. A vertex that no polygon uses must be finite too. */
function placedVertices(soup: PolygonSoup, reading: Reading): Float32Array {
  const from = soup.positions.taken();
  const out = new Float32Array(from.length);
  const place = placer(reading);
  for (let i = 0; i < from.length; i += 3) {
    const at = place([from[i], from[i + 1], from[i + 2]]);
    for (let k = 0; k < 3; k++) {
      if (!(Math.abs(at[k]) <= MOST_METRES)) {
        throw new NavguardError(
          'BAD_FILE',
          `${soup.format}: vertex ${i / 3}: got ${'xyz'[k]} = ${at[k]} m, expected a finite number of at most ${MOST_METRES} m (give scale when the file is not in metres).`,
          { vertex: i / 3, got: at[k] },
        );
      }
      // + 0: what rounds to -0 is 0.
      out[i + k] = Math.fround(at[k]) + 0;
    }
  }
  return out;
}

function defaultWeld(positions: Float32Array): number {
  let far = 0;
  for (const value of positions) far = Math.max(far, Math.abs(value));
  return Math.max(LEAST_WELD, 4 * far * 2 ** -23);
}

interface Kept {
  readonly rings: Rings;
  /** The file's number of each kept polygon. */
  readonly source: Uint32Array;
}

/**
 * Polygons over welded vertices, without those that have no area, stand upright, or were there before; level geometry is
 * told by all of them.
 */
function keepPolygons(
  soup: PolygonSoup,
  vertexOf: Uint32Array,
  places: Float32Array,
  climb: number,
  findings: Finding[],
): Kept {
  const given = soup.polygonCount;
  const ends = soup.ends.taken();
  const from = soup.corners.taken();
  const corners = new Uint32Array(from.length);
  const first: number[] = [0];
  const source: number[] = [];
  const flat: number[] = [];
  const upright: number[] = [];
  const twice: number[] = [];
  const shares: SurfaceShares = { area: 0, steep: 0, left: 0, right: 0 };
  const chains = new Chains(given);
  const winding: number[] = [];
  let count = 0;
  let cutting = 0;
  for (let p = 0; p < given; p++) {
    const start = count;
    const begin = p === 0 ? 0 : ends[p - 1];
    for (let c = begin; c < ends[p]; c++) {
      const v = vertexOf[from[c]];
      if (count > start && corners[count - 1] === v) continue;
      corners[count++] = v;
    }
    while (count - start > 1 && corners[count - 1] === corners[start]) count--;
    const ring = corners.subarray(start, count);
    if (ring.length < 3) {
      flat.push(p);
      count = start;
      continue;
    }
    if (ring.length > 4) cutting += ring.length ** 3;
    if (ring.length > MOST_RING || cutting > MOST_CUTTING) {
      throw new NavguardError(
        'BAD_FILE',
        `${soup.format}: polygon ${p}: got ${ring.length} corners, expected at most ${MOST_RING}, and fewer where most have many.`,
        { polygon: p, got: ring.length, expected: MOST_RING },
      );
    }
    addSurface(shares, places, ring);
    const plan = planArea(places, ring);
    // What has no area in plan joins its two sides later, as a sliver should; a wall must not.
    if (plan === 0 && rise(places, ring) > climb) {
      upright.push(p);
      count = start;
      continue;
    }
    const hash = ringHash(ring);
    let same = false;
    for (let k = chains.first(hash); k >= 0 && !same; k = chains.after(k)) {
      same = sameRing(corners.subarray(first[k], first[k + 1]), ring);
    }
    if (same) {
      twice.push(p);
      count = start;
      continue;
    }
    chains.add(source.length, hash);
    source.push(p);
    winding.push(Math.sign(plan));
    first.push(count);
  }
  refuseGeometry(soup.format, shares, () => shareOfOpenEdges(ends, from, vertexOf));
  drop(findings, 'dropped-polygon', flat, 'of no area dropped');
  drop(findings, 'dropped-polygon', upright, 'standing upright, higher than the climb, dropped');
  drop(findings, 'duplicate-polygon', twice, 'given more than once dropped');
  const majority = winding.reduce((sum, w) => sum + w, 0) < 0 ? -1 : 1;
  const polygonOf = new Uint32Array(count);
  for (let p = 0; p < source.length; p++) polygonOf.fill(p, first[p], first[p + 1]);
  if (source.length === 0) {
    throw new NavguardError('BAD_FILE', `${soup.format}: got no polygon with an area, expected a navmesh.`);
  }
  return {
    rings: {
      positions: places,
      first: Uint32Array.from(first),
      corners: corners.slice(0, count),
      winding: Int8Array.from(winding, (w) => w || majority),
      polygonOf,
    },
    source: Uint32Array.from(source),
  };
}

/** Twice the area in plan, signed. */
function planArea(places: Float32Array, ring: Uint32Array): number {
  const ox = places[3 * ring[0]];
  const oz = places[3 * ring[0] + 2];
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    const a = 3 * ring[i];
    const b = 3 * ring[i + 1];
    sum += (places[a] - ox) * (places[b + 2] - oz) - (places[a + 2] - oz) * (places[b] - ox);
  }
  return sum;
}

function rise(places: Float32Array, ring: Uint32Array): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const v of ring) {
    low = Math.min(low, places[3 * v + 1]);
    high = Math.max(high, places[3 * v + 1]);
  }
  return high - low;
}

/** A ring's smallest vertex, and the direction in which its smaller neighbour follows: whatever its start and winding. */
function ringStart(ring: Uint32Array): { at: number; step: number } {
  let at = 0;
  for (let i = 1; i < ring.length; i++) if (ring[i] < ring[at]) at = i;
  const after = (at + 1) % ring.length;
  const before = (at + ring.length - 1) % ring.length;
  return { at, step: ring[after] < ring[before] ? 1 : ring.length - 1 };
}

function ringHash(ring: Uint32Array): number {
  const n = ring.length;
  const { at, step } = ringStart(ring);
  let hash = n;
  for (let i = 0; i < n; i++) hash = hash3(hash, ring[(at + i * step) % n], 0);
  return hash;
}

/** Whether two rings are the same, from their smallest vertex on in either direction. */
function sameRing(a: Uint32Array, b: Uint32Array): boolean {
  const n = a.length;
  if (b.length !== n) return false;
  const s = ringStart(a);
  const t = ringStart(b);
  for (let i = 0; i < n; i++) if (a[(s.at + i * s.step) % n] !== b[(t.at + i * t.step) % n]) return false;
  return true;
}

function agentOf(soup: PolygonSoup, reading: Reading): { agent: AgentOption; known: boolean } {
  if (reading.agent !== undefined) return { agent: reading.agent, known: true };
  if (soup.agent === null) return { agent: DEFAULT_AGENT, known: false };
  const { radius, height, climb } = soup.agent;
  const { scale } = reading;
  return { agent: { radius: radius * scale, height: height * scale, climb: climb * scale }, known: true };
}

function latticeOf(soup: PolygonSoup, reading: Reading): NavMesh['lattice'] {
  if (soup.lattice === null) return { x: 0, z: 0, cell: 0 };
  const [x, , z] = placer(reading)([soup.lattice.x, 0, soup.lattice.z]);
  return { x, z, cell: soup.lattice.cell * reading.scale };
}

function boundsOf(places: Float32Array): NavMesh['tiles'][0]['bounds'] {
  const low = [places[0], places[1], places[2]];
  const high = [...low];
  for (let i = 3; i < places.length; i++) {
    const axis = i % 3;
    if (places[i] < low[axis]) low[axis] = places[i];
    else if (places[i] > high[axis]) high[axis] = places[i];
  }
  return [...low, ...high] as unknown as NavMesh['tiles'][0]['bounds'];
}

function drop(findings: Finding[], kind: Finding['kind'], polygons: readonly number[], words: string): void {
  if (polygons.length === 0) return;
  // The file's numbers, which are not the mesh's: they stand in the sentence only.
  const numbers = `${polygons.slice(0, 8).join(', ')}${polygons.length > 8 ? ', ...' : ''}`;
  findings.push(finding(kind, polygons.length, `${words} (in the file: ${numbers})`, 'polygon'));
}

const PLURALS = { vertex: 'vertices', polygon: 'polygons', edge: 'edges' } as const;

function finding(
  kind: Finding['kind'],
  count: number,
  words: string,
  what: keyof typeof PLURALS,
  polygons: readonly number[] = [],
): Finding {
  const named = [...new Set(polygons.slice(0, 64))].slice(0, 8);
  return { kind, message: `${count} ${count === 1 ? what : PLURALS[what]} ${words}`, count, polygons: named };
}

function shown(metres: number): string {
  return String(Number(metres.toPrecision(3)));
}
