// Level geometry: the triangles that players walk on and bump into, from OBJ or glTF, in the map's metres and axes.
// Imported by bake/ and cli/.
import { placer } from '../bytes/adapt.ts';
import { detectFormat } from '../bytes/detect.ts';
import { readGltfSoup } from '../bytes/gltf.ts';
import { readObjSoup } from '../bytes/obj.ts';
import { checkReadOptions, type Reading, type ReadOptions } from '../bytes/options.ts';
import type { PolygonSoup } from '../bytes/polygons.ts';
import { NavguardError } from '../errors.ts';

/** Recast's own area for ground that no option names. */
export const PLAIN_GROUND = 63;
/**
 * Ground that nobody walks on, as long as there are voxels: with Recast's area for that (0) a low slab would be ground again,
 * since what is lower than a step takes the area of what lies under it.
 */
export const FORBIDDEN = 62;

export interface Level {
  /** x, y, z in metres. */
  readonly positions: Float32Array;
  /** Three a triangle, counter-clockwise seen from its walkable side. */
  readonly triangles: Int32Array;
  /** Recast's area of each triangle. */
  readonly areas: Uint8Array;
  /** Flags of each of Recast's areas. */
  readonly flags: Uint16Array;
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** Metres from the origin: beyond it 32-bit floats are coarser than any voxel. */
const MOST_METRES = 1e6;

/**
 * Reads level geometry. Options as for a navmesh; `weld` and `agent` mean nothing here. `areas` names materials, groups,
 * objects or nodes: their ground gets that area and flags; flags 0 means that nobody walks on it.
 * Throws `UNSUPPORTED_FORMAT` for other files, `BAD_FILE` for what does not hold together.
 */
export async function readLevel(bytes: Uint8Array, options: ReadOptions = {}): Promise<Level> {
  const reading = checkReadOptions(options);
  const found = detectFormat(bytes);
  if (found.kind === 'obj' || found.kind === 'gltf') {
    return levelOf(
      await counted(async () => (found.kind === 'obj' ? readObjSoup(bytes) : readGltfSoup(bytes))),
      reading,
    );
  }
  const why = found.kind === 'other' ? found.name : `${found.name}, which is a map already`;
  throw new NavguardError(
    'UNSUPPORTED_FORMAT',
    `This looks like ${why}: expected level geometry as OBJ, glTF or GLB.`,
    { kind: found.kind, name: found.name },
  );
}

/** The readers of triangles speak of navmeshes when there are too many. */
async function counted(read: () => Promise<PolygonSoup>): Promise<PolygonSoup> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NavguardError) || !error.message.endsWith('expected a navmesh with fewer.')) throw error;
    const message = error.message.replace('expected a navmesh with fewer', 'expected fewer: bake the level in parts');
    throw new NavguardError(error.code, message, error.detail);
  }
}

function levelOf(soup: PolygonSoup, reading: Reading): Level {
  const from = soup.positions.taken();
  // bounds are of the numbers in the file, as recast-navigation's own are: in 32 bits tiles would lie a rounding beside theirs
  const placed = new Float64Array(from.length);
  const place = placer(reading);
  const min: [number, number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max: [number, number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < from.length; i += 3) placed.set(place([from[i], from[i + 1], from[i + 2]]), i);
  const positions = Float32Array.from(placed);
  const corners = soup.corners.taken();
  for (const vertex of corners) {
    for (let axis = 0; axis < 3; axis++) {
      const value = placed[3 * vertex + axis];
      if (!(Math.abs(value) <= MOST_METRES)) {
        throw new NavguardError(
          'BAD_FILE',
          `${soup.format}: vertex ${vertex}: got ${'xyz'[axis]} = ${value} m, expected a finite number of at most ${MOST_METRES} m (--scale when the file is not in metres).`,
          { vertex, got: value },
        );
      }
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  const { areas: labelAreas, flags } = labels(soup, reading);
  const ends = soup.ends.taken();
  const count = corners.length - 2 * ends.length;
  const triangles = new Int32Array(3 * count);
  const areas = new Uint8Array(count);
  const mirrored = isMirrored(reading);
  for (let p = 0, begin = 0, t = 0; p < ends.length; p++) {
    // a fan, the other way round in a mirror
    for (let c = begin + 1; c + 1 < ends[p]; c++, t++) {
      triangles[3 * t] = corners[begin];
      triangles[3 * t + 1] = corners[mirrored ? c + 1 : c];
      triangles[3 * t + 2] = corners[mirrored ? c : c + 1];
      areas[t] = labelAreas[soup.labelOf.array[p]];
    }
    begin = ends[p];
  }
  return { positions, triangles, areas, flags, min, max };
}

/** Recast's area of each label, and the flags of each area. */
function labels(soup: PolygonSoup, reading: Reading): { areas: number[]; flags: Uint16Array } {
  const flags = new Uint16Array(64).fill(1);
  const givenBy = new Map<number, string>();
  const used = new Set<string>();
  const areas = soup.labels.map(({ names }) => {
    const name = names.find((word) => reading.areas.has(word));
    if (name === undefined) return PLAIN_GROUND;
    used.add(name);
    const { area = 0, flags: own = 1 } = reading.areas.get(name) ?? {};
    if (own === 0) return FORBIDDEN;
    if (area >= FORBIDDEN) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `bake: areas: ${name}: got area ${area}, expected 0..61 (62 and 63 are taken while baking).`,
      );
    }
    const id = area === 0 ? PLAIN_GROUND : area;
    const before = givenBy.get(id);
    if (before !== undefined && flags[id] !== own) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `bake: areas: ${before} and ${name} are both area ${area} with flags ${flags[id]} and ${own}, expected one.`,
      );
    }
    givenBy.set(id, name);
    flags[id] = own;
    return id;
  });
  for (const name of reading.areas.keys()) {
    if (used.has(name)) continue;
    const known = [...new Set(soup.labels.flatMap((label) => label.names))].slice(0, 12).join(', ');
    throw new NavguardError(
      'BAD_ARGUMENT',
      `bake: areas: nothing in the file is named ${name}, expected a material, group, object or node of it${known === '' ? '' : `: ${known}`}.`,
    );
  }
  return { areas, flags };
}

/** Whether the options turn left hands into right ones: then a triangle's front is its back. */
function isMirrored({ axes: [x, y, z] }: Reading): boolean {
  const order = [x.from, y.from, z.from].join('');
  const even = order === '012' || order === '120' || order === '201';
  return x.sign * y.sign * z.sign * (even ? 1 : -1) < 0;
}
