// glTF 2.0 (.glb, and .gltf with its buffers inside) whose triangles are the navmesh. Imported by bytes/ only. Our own check
// (gltfcheck.ts) looks at every length and count first and leaves nothing but geometry; @gltf-transform/core, loaded when the
// first model comes, then decodes accessors (sparse, interleaved, normalised) and holds the nodes.
import type { Node as GltfNode, Primitive } from '@gltf-transform/core';
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { badGltf, type CheckedGltf, checkGltf } from './gltfcheck.ts';
import type { Reading } from './options.ts';
import { PolygonSoup } from './polygons.ts';
import { soupToNavMesh } from './soup.ts';

/** Vertices and corners that a small file may unfold to, by nodes that show one mesh again and again. */
const ALWAYS_ALLOWED = 400_000;

const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/**
 * Reads a model. Areas by name of material, node or mesh: the `areas` option. Throws `BAD_FILE` for what does not hold
 * together, `UNSUPPORTED_FORMAT` for compressed or external data and for level geometry.
 */
export async function readGltfNavMesh(bytes: Uint8Array, reading: Reading): Promise<NavMesh> {
  return soupToNavMesh(await readGltfSoup(bytes), reading);
}

export async function readGltfSoup(bytes: Uint8Array): Promise<PolygonSoup> {
  const checked = checkGltf(bytes);
  const { NodeIO, Logger } = await import('@gltf-transform/core');
  const soup = new PolygonSoup(checked.binary ? 'glTF, binary' : 'glTF');
  const room = { vertices: ALWAYS_ALLOWED + bytes.length / 4, corners: ALWAYS_ALLOWED + bytes.length };
  try {
    const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const document = await io.readJSON(checked.document as unknown as Parameters<typeof io.readJSON>[0]);
    const root = document.getRoot();
    const nodes = root.listNodes();
    for (const n of checked.shown) addNode(soup, nodes[n], room);
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    throw badGltf(error instanceof Error ? error.message : String(error), 'a model that can be decoded');
  }
  if (soup.polygonCount === 0) throw badGltf('no triangles in the scene', 'a mesh of triangles');
  return soup;
}

function addNode(soup: PolygonSoup, node: GltfNode, room: { vertices: number; corners: number }): void {
  const mesh = node.getMesh();
  if (mesh === null) return;
  const world = node.getWorldMatrix();
  for (const primitive of mesh.listPrimitives()) {
    const mode = primitive.getMode();
    if (mode !== TRIANGLES && mode !== STRIP && mode !== FAN) continue;
    const names = [primitive.getMaterial()?.getName(), node.getName(), mesh.getName()];
    const named = [...new Set(names.filter((name): name is string => name !== undefined && name !== ''))];
    addPrimitive(soup, primitive, mode, world, soup.label({ names: named, area: 0, flags: 1 }), room);
  }
}

function addPrimitive(
  soup: PolygonSoup,
  primitive: Primitive,
  mode: number,
  world: readonly number[],
  label: number,
  room: { vertices: number; corners: number },
): void {
  const position = primitive.getAttribute('POSITION');
  if (position === null) return;
  const base = soup.vertexCount;
  const count = position.getCount();
  const indices = primitive.getIndices();
  const length = indices === null ? count : indices.getCount();
  room.vertices -= count;
  room.corners -= mode === TRIANGLES ? length : 3 * length;
  if (room.vertices < 0 || room.corners < 0) {
    throw badGltf('nodes that show meshes so often that the model outgrows the file many times', 'each place once');
  }
  const at: number[] = [];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = position.getElement(i, at);
    soup.vertex(
      world[0] * x + world[4] * y + world[8] * z + world[12],
      world[1] * x + world[5] * y + world[9] * z + world[13],
      world[2] * x + world[6] * y + world[10] * z + world[14],
    );
  }
  const corner = (i: number) => {
    const vertex = indices === null ? i : indices.getScalar(i);
    if (!(vertex < count)) throw badGltf(`index ${vertex} of a mesh with ${count} vertices`, `0..${count - 1}`);
    return base + vertex;
  };
  const triangle = (a: number, b: number, c: number) => {
    soup.corner(corner(a));
    soup.corner(corner(b));
    soup.corner(corner(c));
    soup.close(label);
  };
  if (mode === TRIANGLES) {
    if (length % 3 !== 0) throw badGltf(`${length} corners of triangles`, 'a multiple of three');
    for (let i = 0; i < length; i += 3) triangle(i, i + 1, i + 2);
  } else {
    for (let i = 2; i < length; i++) {
      if (mode === FAN) triangle(0, i - 1, i);
      else if (i % 2 === 0) triangle(i - 2, i - 1, i);
      else triangle(i - 1, i - 2, i);
    }
  }
}

export type { CheckedGltf };
