// Small levels for the tests of bake/: solid boxes and ramps as triangles, written as OBJ and as GLB by hand.

/** One solid: corners x, y, z in metres, triangles counter-clockwise seen from outside, and what it is called. */
export interface Solid {
  readonly name: string;
  readonly corners: readonly (readonly [number, number, number])[];
  readonly triangles: readonly (readonly [number, number, number])[];
}

type Point = readonly [number, number, number];

const FACES = [
  [2, 6, 7, 3],
  [0, 1, 5, 4],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

/** A box; a `lift` raises its top at the far end of x: a ramp. */
export function box(name: string, [x0, y0, z0]: Point, [x1, y1, z1]: Point, lift = 0): Solid {
  const corners = Array.from({ length: 8 }, (_, n): Point => {
    const top = n & 2 ? y1 + (n & 1 ? lift : 0) : y0;
    return [n & 1 ? x1 : x0, top, n & 4 ? z1 : z0];
  });
  const triangles = FACES.flatMap(([a, b, c, d]): Point[] => [
    [a, b, c],
    [a, c, d],
  ]);
  return { name, corners, triangles };
}

/** A yard of 24 x 24 m: a wall with a gap, a step of 1 m, a ramp of 48 degrees up to a deck, a pool. */
export function yard(): Solid[] {
  return [
    // half a voxel off the lattice of heights, so that rounding has no say
    box('Floor', [0, -1.05, 0], [24, 0, 14]),
    box('Floor', [0, -1.05, 14], [8, 0, 24]),
    box('Floor', [16, -1.05, 14], [24, 0, 24]),
    box('Water', [8, -1.05, 14], [16, 0, 24]),
    box('Wall', [11.5, 0, 0], [12.5, 3, 5]),
    box('Wall', [11.5, 0, 7], [12.5, 3, 14]),
    box('Step', [2, 0, 2], [8, 1, 8]),
    box('Ramp', [16, -1, 2], [18, 0, 6], 2.221),
    box('Deck', [18, -1, 1], [23, 2.221, 7]),
  ];
}

export function objOf(solids: readonly Solid[]): string {
  const lines: string[] = ['# a level'];
  let base = 1;
  for (const { name, corners, triangles } of solids) {
    lines.push(`usemtl ${name}`);
    for (const corner of corners) lines.push(`v ${corner.join(' ')}`);
    for (const triangle of triangles) lines.push(`f ${triangle.map((n) => n + base).join(' ')}`);
    base += corners.length;
  }
  return `${lines.join('\n')}\n`;
}

/** Each solid is a mesh of its own under a node that is moved, turned a quarter about y and scaled; the file undoes that. */
export function glbOf(solids: readonly Solid[], shift: Point = [5, -3, 2], scale = 2): Uint8Array {
  const buffers: Uint8Array[] = [];
  const views: object[] = [];
  const accessors: object[] = [];
  let bytes = 0;
  const add = (data: Float32Array | Uint16Array, accessor: object): number => {
    const part = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
    part.set(new Uint8Array(data.buffer));
    views.push({ buffer: 0, byteOffset: bytes, byteLength: data.byteLength });
    accessors.push({ bufferView: views.length - 1, ...accessor });
    buffers.push(part);
    bytes += part.length;
    return accessors.length - 1;
  };
  const meshes = solids.map(({ corners, triangles }, material) => {
    // world = turn (x, y, z) -> (z, y, -x), times scale, plus shift
    const local = corners.map(([x, y, z]) => [(x - shift[0]) / scale, (y - shift[1]) / scale, (z - shift[2]) / scale]);
    const flat = Float32Array.from(local.flatMap(([x, y, z]) => [-z, y, x]));
    const at = { componentType: 5126, type: 'VEC3', count: corners.length };
    const position = add(flat, { ...at, min: [-99, -99, -99], max: [99, 99, 99] });
    const list = Uint16Array.from(triangles.flat());
    const indices = add(list, { componentType: 5123, type: 'SCALAR', count: list.length });
    return { primitives: [{ attributes: { POSITION: position }, indices, material }] };
  });
  const half = Math.SQRT1_2;
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'root', translation: shift, rotation: [0, half, 0, half], children: solids.map((_, n) => n + 1) },
      ...solids.map((_, mesh) => ({ name: `part${mesh}`, mesh, scale: [scale, scale, scale] })),
    ],
    meshes,
    materials: solids.map(({ name }) => ({ name })),
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: bytes }],
  };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const out = new Uint8Array(12 + 8 + padded.length + 8 + bytes);
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded.length, 0x4e4f534a].forEach((n, i) => {
    view.setUint32(4 * i, n, true);
  });
  out.set(padded, 20);
  view.setUint32(20 + padded.length, bytes, true);
  view.setUint32(24 + padded.length, 0x004e4942, true);
  let at = 28 + padded.length;
  for (const part of buffers) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
