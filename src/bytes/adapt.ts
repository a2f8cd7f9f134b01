// Applies read options to a mesh that a reader has made: for formats that know their own neighbours (Detour's family).
// Imported by bytes/ only. Plan stays plan: the file's y must stay up, else its polygons would stand on edge.
import { NavguardError } from '../errors.ts';
import type { NavLink, NavMesh, NavTile } from '../mesh/navmesh.ts';
import { type AreaOption, keepsHeights, type Reading } from './options.ts';

/** The mesh in the map's metres, axes and areas. Throws `BAD_ARGUMENT` for options that such a file cannot take. */
export function adaptMesh(mesh: NavMesh, reading: Reading): NavMesh {
  if (reading.plain) return mesh;
  if (reading.weld !== undefined) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `read: weld is for triangles and polygons without neighbours; ${mesh.format} knows its neighbours, leave it out.`,
    );
  }
  if (!keepsHeights(reading)) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `read: the heights of ${mesh.format} are its y: axes may swap and mirror x and z only, such as 'z,y,x' or '-x,y,-z'.`,
    );
  }
  const areas = areasOf(mesh.areas, reading.areas);
  const flags = mesh.flags.slice();
  for (let p = 0; p < flags.length; p++) flags[p] = reading.areas.get(String(mesh.areas[p]))?.flags ?? flags[p];
  const { scale } = reading;
  const agent = reading.agent ?? {
    height: mesh.agent.height * scale,
    radius: mesh.agent.radius * scale,
    climb: mesh.agent.climb * scale,
  };
  const place = placer(reading);
  const [latticeX, , latticeZ] = place([mesh.lattice.x, 0, mesh.lattice.z]);
  return {
    ...mesh,
    tiles: mesh.tiles.map((tile) => ({ ...tile, bounds: placedBounds(tile.bounds, place) })),
    lattice: { x: latticeX, z: latticeZ, cell: mesh.lattice.cell * scale },
    agent,
    vertices: placed(mesh.vertices, place),
    detailVertices: placed(mesh.detailVertices, place),
    areas,
    flags,
    links: mesh.links.map((link) => placedLink(link, reading.areas, scale, place)),
  };
}

type Vector = readonly [number, number, number];
type Place = (v: Vector) => [number, number, number];

/** Takes a position of the file to one of the map. */
export function placer(reading: Reading): Place {
  const [x, y, z] = reading.axes;
  const sx = x.sign * reading.scale;
  const sy = y.sign * reading.scale;
  const sz = z.sign * reading.scale;
  // + 0 turns -0 into 0
  return (v) => [v[x.from] * sx + 0, v[y.from] * sy + 0, v[z.from] * sz + 0];
}

function placed(vertices: Float32Array, place: Place): Float32Array {
  const out = new Float32Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3) out.set(place([vertices[i], vertices[i + 1], vertices[i + 2]]), i);
  return out;
}

function placedBounds(bounds: NavTile['bounds'], place: Place): NavTile['bounds'] {
  const a = place([bounds[0], bounds[1], bounds[2]]);
  const b = place([bounds[3], bounds[4], bounds[5]]);
  const low = a.map((value, axis) => Math.min(value, b[axis]));
  const high = a.map((value, axis) => Math.max(value, b[axis]));
  return [...low, ...high] as unknown as NavTile['bounds'];
}

function placedLink(link: NavLink, areas: Reading['areas'], scale: number, place: Place): NavLink {
  const option = areas.get(String(link.area));
  return {
    ...link,
    from: place(link.from),
    to: place(link.to),
    radius: link.radius * scale,
    area: option?.area ?? link.area,
    flags: option?.flags ?? link.flags,
  };
}

function areasOf(areas: Uint8Array, options: ReadonlyMap<string, AreaOption>): Uint8Array {
  return areas.map((area) => options.get(String(area))?.area ?? area);
}
