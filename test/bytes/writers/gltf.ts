// A writer of glTF 2.0: .glb or .gltf with a data URI, one mesh per area below transformed nodes, triangles, strips or fans,
// with or without indices.
import type { PolyGround } from './polyground.ts';

export interface GltfStyle {
  /** JSON with a data URI. */
  readonly text?: boolean;
  /** 'strip' and 'fan' write one primitive a polygon. */
  readonly mode?: 'triangles' | 'strip' | 'fan';
  readonly indices?: 'none' | 'u8' | 'u16' | 'u32';
  /** A parent that turns z up to y up and moves: positions are stored in its own space. */
  readonly nodes?: boolean;
}

/** Materials are "area<n>". */
export function writeGltf(ground: PolyGround, style: GltfStyle = {}): Uint8Array {
  const { mode = 'triangles', indices = 'u32' } = style;
  const chunks: Uint8Array[] = [];
  const views: object[] = [];
  const accessors: object[] = [];
  let size = 0;
  const store = (bytes: Uint8Array, accessor: object) => {
    views.push({ buffer: 0, byteOffset: size, byteLength: bytes.length });
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    chunks.push(padded);
    size += padded.length;
    return accessors.push({ bufferView: views.length - 1, ...accessor }) - 1;
  };
  const primitive = (points: readonly (readonly number[])[], order: readonly number[], how: number, area: number) => {
    const used = indices === 'none' ? order.map((i) => points[i]) : points;
    const floats = new Float32Array(used.flatMap((at) => stored(at, style.nodes)));
    const position = store(new Uint8Array(floats.buffer), { componentType: 5126, count: used.length, type: 'VEC3' });
    const found: Record<string, unknown> = { attributes: { POSITION: position }, mode: how, material: area };
    if (indices !== 'none') {
      const array = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array }[indices].from(order);
      const componentType = { u8: 5121, u16: 5123, u32: 5125 }[indices];
      found.indices = store(new Uint8Array(array.buffer), { componentType, count: order.length, type: 'SCALAR' });
    }
    return found;
  };
  const kinds = [...new Set(ground.areas)].sort((a, b) => a - b);
  const most = Math.max(...kinds);
  const meshes = kinds.map((area) => {
    const rings = ground.rings.filter((_, p) => ground.areas[p] === area);
    if (mode === 'triangles') {
      const points = rings.flat();
      const order: number[] = [];
      let base = 0;
      for (const ring of rings) {
        for (let i = 2; i < ring.length; i++) order.push(base, base + i - 1, base + i);
        base += ring.length;
      }
      return { name: `ground ${area}`, primitives: [primitive(points, order, 4, area)] };
    }
    const primitives = rings.map((ring) => {
      const order = ring.map((_, i) => i);
      // A strip zigzags: corners 0, 1, 3, 2 of a quad.
      const strip = ring.length === 4 ? [0, 1, 3, 2] : order;
      return primitive(ring, mode === 'fan' ? order : strip, mode === 'fan' ? 6 : 5, area);
    });
    return { name: `ground ${area}`, primitives };
  });
  const meshNodes = meshes.map((_, i) => ({ mesh: i, name: `node ${i}` }));
  const nodes = style.nodes
    ? [
        ...meshNodes,
        { children: meshNodes.map((_, i) => i), translation: [4, 0, -8] },
        // z up to y up: a quarter turn back about x.
        { children: [meshNodes.length], rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      ]
    : meshNodes;
  const buffer = new Uint8Array(Buffer.concat(chunks));
  const json: Record<string, unknown> = {
    asset: { version: '2.0', generator: 'test' },
    scene: 0,
    scenes: [{ nodes: style.nodes ? [nodes.length - 1] : nodes.map((_, i) => i) }],
    nodes,
    meshes,
    materials: Array.from({ length: most + 1 }, (_, i) => ({ name: `area${i}` })),
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: buffer.length }],
  };
  if (style.text) {
    const uri = `data:application/octet-stream;base64,${Buffer.from(buffer).toString('base64')}`;
    json.buffers = [{ byteLength: buffer.length, uri }];
    return new TextEncoder().encode(JSON.stringify(json, null, 1));
  }
  return glb(json, buffer);
}

/** Where a place is stored so that the nodes bring it back: Blender's z-up, moved. */
function stored([x, y, z]: readonly number[], nodes = false): number[] {
  // The turn takes (a, b, c) to (a, c, -b); the inner move adds (4, 0, -8) before it.
  return nodes ? [x - 4, -z, y + 8] : [x, y, z];
}

/** The two chunks with their headers. */
export function glb(json: unknown, buffer: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const size = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(12 + 8 + size + 8 + buffer.length);
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, size, 0x4e4f534a].forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  out.fill(32, 20, 20 + size);
  out.set(text, 20);
  view.setUint32(20 + size, buffer.length, true);
  view.setUint32(24 + size, 0x004e4942, true);
  out.set(buffer, 28 + size);
  return out;
}
