// Read-only view of a checked packed map: what `map.info`, inspect and reports show. Imported by map.ts, report/, cli/.
import * as L from '../../assembly/layout.ts';
import type { Finding } from '../mesh/conforming.ts';
import { turn } from '../mesh/ring.ts';
import { storedHash } from './hash.ts';
import type { LinkNote } from './links.ts';

/** What the INFO section says, JSON. */
export interface PackNotes {
  readonly format: string;
  readonly tiles: number;
  /** Polygons of the export, before loading dropped or cut any. */
  readonly sourcePolygons: number;
  readonly findings: Finding[];
  /** What is known of some links beside their records: see LinkNote. */
  readonly links?: LinkNote[];
}

/** What a map is. Lengths in metres, areas in square metres. */
export interface MapInfo extends Omit<PackNotes, 'links'> {
  /** Convex polygons after loading. */
  readonly polygons: number;
  /** Vertex ids: one per walkable fan. */
  readonly vertices: number;
  readonly components: number;
  readonly links: number;
  /** Walkable plan area. */
  readonly area: number;
  readonly bounds: { readonly min: [number, number, number]; readonly max: [number, number, number] };
  /** Plan origin and metres per unit of the map's grid. */
  readonly origin: { readonly x: number; readonly z: number };
  readonly unit: number;
  /** Cell of the export's lattice, 0 = none. */
  readonly cellSize: number;
  readonly agent: { readonly height: number; readonly radius: number; readonly climb: number };
  /** How far a position may lie outside the mesh unless told otherwise: 1.25 cells, 0.1 without a lattice. */
  readonly defaultTolerance: number;
  /** Bytes of the packed map. */
  readonly bytes: number;
  /** sha-256 of the content, hex. */
  readonly hash: string;
}

/** One polygon of the packed map, in metres. */
export interface PolygonView {
  readonly id: number;
  readonly source: number;
  readonly area: number;
  readonly flags: number;
  readonly component: number;
  /** x, y, z, counter-clockwise in plan. */
  readonly corners: [number, number, number][];
  /** Polygon id across the edge that starts at each corner, -1 = wall. */
  readonly neighbours: number[];
  /** Vertex id of each corner. */
  readonly vertexIds: number[];
}

/** Describes a map. The buffer must have passed `checkPack`. */
export function packInfo(buffer: ArrayBuffer): MapInfo {
  const view = new DataView(buffer);
  const u32 = (at: number) => view.getUint32(at, true);
  const f64 = (at: number) => view.getFloat64(at, true);
  const unit = f64(L.H_UNIT);
  const x = f64(L.H_ORIGIN_X);
  const z = f64(L.H_ORIGIN_Z);
  const cellSize = f64(L.H_CELL_SIZE);
  const { links: _, ...notes } = readNotes(buffer);
  return {
    ...notes,
    polygons: u32(L.H_POLYGONS),
    vertices: u32(L.H_VERTICES),
    components: u32(L.H_COMPONENTS),
    links: u32(L.H_LINKS),
    area: planArea(buffer) * unit * unit,
    bounds: {
      min: [x + f64(L.H_MIN_X) * unit, f64(L.H_MIN_Y), z + f64(L.H_MIN_Z) * unit],
      max: [x + f64(L.H_MAX_X) * unit, f64(L.H_MAX_Y), z + f64(L.H_MAX_Z) * unit],
    },
    origin: { x, z },
    unit,
    cellSize,
    agent: { height: f64(L.H_AGENT_HEIGHT), radius: f64(L.H_AGENT_RADIUS), climb: f64(L.H_AGENT_CLIMB) },
    defaultTolerance: cellSize > 0 ? 1.25 * cellSize : 0.1,
    bytes: buffer.byteLength,
    hash: storedHash(buffer),
  };
}

/** The INFO section. */
export function readNotes(buffer: ArrayBuffer): PackNotes {
  const view = new DataView(buffer);
  const at = view.getUint32(L.H_TABLE + 8 * L.SECTION_INFO, true);
  const length = view.getUint32(L.H_TABLE + 8 * L.SECTION_INFO + 4, true);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(buffer, at, length))) as PackNotes;
}

/** Square units. Words of 4 bytes: a pack's records are aligned, and every machine that runs this is little-endian. */
function planArea(buffer: ArrayBuffer): number {
  const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
  const floats = new Float32Array(buffer, 0, buffer.byteLength >>> 2);
  const count = words[L.H_POLYGONS >>> 2];
  let sum = 0;
  for (let p = 0, at = words[L.H_TABLE >>> 2] >>> 2; p < count; p++, at += L.POLY_STRIDE >>> 2) {
    const corners = words[at + (L.P_COUNT >>> 2)] & 255;
    const x0 = floats[at];
    const z0 = floats[at + 8];
    for (let i = 1; i + 1 < corners; i++) {
      sum += turn(x0, z0, floats[at + i], floats[at + 8 + i], floats[at + i + 1], floats[at + 9 + i]);
    }
  }
  return sum / 2;
}

/** Polygon `id` of a checked pack. */
export function packPolygon(buffer: ArrayBuffer, id: number): PolygonView {
  const view = new DataView(buffer);
  const polysAt = view.getUint32(L.H_TABLE, true);
  const at = polysAt + id * L.POLY_STRIDE;
  const unit = view.getFloat64(L.H_UNIT, true);
  const x0 = view.getFloat64(L.H_ORIGIN_X, true);
  const z0 = view.getFloat64(L.H_ORIGIN_Z, true);
  const corners: [number, number, number][] = [];
  const neighbours: number[] = [];
  const vertexIds: number[] = [];
  for (let i = 0; i < view.getUint8(at + L.P_COUNT); i++) {
    corners.push([
      x0 + view.getFloat32(at + L.P_X + 4 * i, true) * unit,
      view.getFloat32(at + L.P_Y + 4 * i, true),
      z0 + view.getFloat32(at + L.P_Z + 4 * i, true) * unit,
    ]);
    const across = view.getUint32(at + L.P_NEI + 4 * i, true);
    neighbours.push(across === 0 ? -1 : (across - polysAt) / L.POLY_STRIDE);
    vertexIds.push(view.getUint32(at + L.P_VID + 4 * i, true));
  }
  return {
    id,
    source: view.getUint32(at + L.P_SOURCE, true),
    area: view.getUint8(at + L.P_AREA),
    flags: view.getUint16(at + L.P_FLAGS, true),
    component: view.getUint32(at + L.P_COMPONENT, true),
    corners,
    neighbours,
    vertexIds,
  };
}
