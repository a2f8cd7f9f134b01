// The structural check of a glTF model before any foreign code sees it: chunks, the size of its JSON, buffers, views,
// accessors, nodes. Imported by gltf.ts only. What is left for the library is a document of geometry only: no images,
// animations, skins or extensions, every accessor inside its bytes, nodes in a forest.
// Layout: glTF 2.0 specification, sections 3 and 4 (Khronos).
import { NavguardError } from '../errors.ts';
import { JsonScan } from './jsonscan.ts';
import { oneLine } from './textscan.ts';

/** A document that holds together, as the library takes it. */
export interface CheckedGltf {
  readonly binary: boolean;
  readonly document: { readonly json: Json; readonly resources: Record<string, Uint8Array> };
  /** Nodes of the scene that is shown, parents before children. */
  readonly shown: readonly number[];
}

export type Json = Record<string, unknown>;

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;
/** Commas and brackets of the JSON: its values take some 40 bytes each once parsed. */
const MOST_VALUES = 500_000;
const MOST_NODES = 100_000;
const MOST_DEPTH = 256;
/** Extensions that change how the geometry is stored, and what to do about them. */
const COMPRESSED: Readonly<Record<string, string>> = {
  KHR_draco_mesh_compression: 'Draco',
  EXT_meshopt_compression: 'meshopt',
  KHR_meshopt_compression: 'meshopt',
};
const HARMLESS = ['KHR_mesh_quantization', 'KHR_materials', 'KHR_texture', 'EXT_texture', 'KHR_lights'];
const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

export function badGltf(got: string, expected: string): NavguardError {
  return new NavguardError('BAD_FILE', oneLine(`Bad glTF: got ${got}, expected ${expected}.`), { got, expected });
}

function unsupported(name: string, advice: string): NavguardError {
  return new NavguardError('UNSUPPORTED_FORMAT', oneLine(`This is ${name}: ${advice}.`), { kind: 'gltf', name });
}

/** Checks a .glb or a .gltf. Throws `BAD_FILE`, or `UNSUPPORTED_FORMAT` for what needs other files or decoders. */
export function checkGltf(bytes: Uint8Array): CheckedGltf {
  const binary = bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === GLB_MAGIC;
  const { text, bin } = binary ? chunks(bytes) : { text: bytes, bin: null };
  const json = parse(text);
  checkVersion(json);
  checkExtensions(json);
  const buffers = buffersOf(json, bin);
  const views = list(json, 'bufferViews').map((view, i) => checkView(view, i, buffers));
  const nodes = list(json, 'nodes');
  const shown = forest(json, nodes);
  const kept = new Kept(list(json, 'accessors'), views);
  const meshes = list(json, 'meshes').map((mesh, m) => ({
    name: nameOf(mesh),
    primitives: list(mesh, 'primitives', `mesh ${m}`).map((primitive) => kept.primitive(primitive, m)),
  }));
  const clean: Json = {
    asset: { version: '2.0' },
    scenes: [],
    nodes: nodes.map((node, n) => cleanNode(node, n, nodes.length, meshes.length)),
    meshes,
    materials: list(json, 'materials').map((material) => ({ name: nameOf(material) })),
    accessors: kept.accessors,
    bufferViews: views,
    buffers: buffers.map((buffer, i) => ({ uri: `${i}.bin`, byteLength: buffer.length })),
  };
  const materials = (clean.materials as unknown[]).length;
  for (const { primitives } of meshes) {
    for (const { material } of primitives) {
      if (material !== undefined && !(isCount(material) && (material as number) < materials)) {
        throw badGltf(`material ${String(material)}`, `one of the ${materials} materials`);
      }
    }
  }
  const resources = Object.fromEntries(buffers.map((buffer, i) => [`${i}.bin`, buffer]));
  return { binary, document: { json: clean, resources }, shown };
}

/** The JSON and the binary chunk of a .glb. */
function chunks(bytes: Uint8Array): { text: Uint8Array; bin: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20) throw badGltf(`a file of ${bytes.length} bytes`, 'the 20 bytes of its headers');
  const version = view.getUint32(4, true);
  if (version !== 2) throw badGltf(`GLB version ${version}`, '2');
  const total = view.getUint32(8, true);
  if (total !== bytes.length) throw badGltf(`${bytes.length} bytes`, `${total}, as the header says`);
  let text: Uint8Array | null = null;
  let bin: Uint8Array | null = null;
  for (let at = 12, i = 0; at < total; i++) {
    if (at + 8 > total) throw badGltf(`${total - at} bytes after the last chunk`, 'none, or a chunk');
    const size = view.getUint32(at, true);
    const kind = view.getUint32(at + 4, true);
    if (size > total - at - 8) throw badGltf(`a chunk of ${size} bytes at byte ${at}`, `at most ${total - at - 8}`);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (i === 0 && kind === CHUNK_JSON) text = chunk;
    else if (i === 1 && kind === CHUNK_BIN) bin = chunk;
    at += 8 + size;
  }
  if (text === null) throw badGltf('a first chunk that is not JSON', 'JSON');
  return { text, bin };
}

/** Parses the JSON; its commas and brackets are counted first, since a value takes many times its text. */
function parse(text: Uint8Array): Json {
  let values = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const b = text[i];
    if (quoted) {
      if (b === 0x5c) i++;
      else if (b === 0x22) quoted = false;
    } else if (b === 0x22) quoted = true;
    else if (b === 0x2c || b === 0x5b || b === 0x7b) values++;
  }
  if (values > MOST_VALUES) throw badGltf(`JSON of ${values} values`, `at most ${MOST_VALUES}`);
  // Ours names the line where it breaks off; what it lets pass is left to the strict one.
  new JsonScan(text, 'glTF').skip();
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(text));
  } catch {
    throw badGltf('JSON with a comma, a bracket or a quote out of place', 'JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw badGltf('no object', 'a JSON object');
  return json as Json;
}

function checkVersion(json: Json): void {
  const asset = json.asset;
  const version = typeof asset === 'object' && asset !== null ? (asset as Json).version : undefined;
  if (typeof version !== 'string' || !version.startsWith('2.')) {
    throw badGltf(`version ${JSON.stringify(version)?.slice(0, 20)}`, 'glTF 2.0; export the model as glTF 2.0');
  }
}

function checkExtensions(json: Json): void {
  const required = json.extensionsRequired ?? [];
  if (!Array.isArray(required)) throw badGltf('extensionsRequired that is no list', 'a list');
  for (const name of required) {
    const method = typeof name === 'string' && Object.hasOwn(COMPRESSED, name) ? COMPRESSED[name] : undefined;
    if (method !== undefined) {
      throw unsupported(`a glTF model with ${method} compression`, `export it without ${method}: navmeshes are small`);
    }
    if (typeof name !== 'string' || !HARMLESS.some((known) => name.startsWith(known))) {
      throw unsupported(`a glTF model that needs ${JSON.stringify(name)?.slice(0, 60)}`, 'export it without it');
    }
  }
}

function buffersOf(json: Json, bin: Uint8Array | null): Uint8Array[] {
  return list(json, 'buffers').map((buffer, i) => {
    const length = count(buffer.byteLength, `byteLength of buffer ${i}`);
    const { uri } = buffer;
    let data: Uint8Array;
    if (uri === undefined) {
      if (i !== 0 || bin === null) throw badGltf(`buffer ${i} without bytes`, 'a binary chunk or a data URI');
      data = bin;
    } else if (typeof uri === 'string' && uri.startsWith('data:')) {
      const comma = uri.indexOf(',');
      if (comma < 0 || !uri.slice(0, Math.min(comma, 200)).endsWith(';base64')) {
        throw badGltf(`a data URI of buffer ${i} that is not base64`, 'base64');
      }
      data = new Uint8Array(Buffer.from(uri.slice(comma + 1), 'base64'));
    } else {
      const name = JSON.stringify(uri)?.slice(0, 60);
      throw unsupported(
        `a glTF model whose buffer is another file (${name})`,
        'export it as .glb, one file with all in it',
      );
    }
    if (length > data.length) throw badGltf(`buffer ${i} of ${data.length} bytes`, `the ${length} that it declares`);
    return data.subarray(0, length);
  });
}

interface View {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride?: number;
}

function checkView(view: Json, i: number, buffers: readonly Uint8Array[]): View {
  const buffer = count(view.buffer, `buffer of view ${i}`);
  if (buffer >= buffers.length) throw badGltf(`buffer ${buffer} in view ${i}`, `one of ${buffers.length}`);
  const byteOffset = count(view.byteOffset ?? 0, `byteOffset of view ${i}`);
  const byteLength = count(view.byteLength, `byteLength of view ${i}`);
  if (byteOffset + byteLength > buffers[buffer].length) {
    throw badGltf(`view ${i} to byte ${byteOffset + byteLength}`, `at most ${buffers[buffer].length}`);
  }
  if (view.byteStride === undefined) return { buffer, byteOffset, byteLength };
  const byteStride = count(view.byteStride, `byteStride of view ${i}`);
  if (byteStride < 4 || byteStride > 252) throw badGltf(`byteStride ${byteStride} of view ${i}`, '4..252');
  return { buffer, byteOffset, byteLength, byteStride };
}

/** The accessors that geometry uses, checked and numbered anew. */
class Kept {
  readonly accessors: Json[] = [];
  readonly #all: readonly Json[];
  readonly #views: readonly View[];
  readonly #numbers = new Map<string, number>();

  constructor(all: readonly Json[], views: readonly View[]) {
    this.#all = all;
    this.#views = views;
  }

  primitive(primitive: Json, mesh: number): Json {
    const extensions = primitive.extensions;
    if (typeof extensions === 'object' && extensions !== null) {
      for (const name of Object.keys(COMPRESSED)) {
        if (Object.hasOwn(extensions, name)) {
          const method = COMPRESSED[name];
          throw unsupported(
            `a glTF model with ${method} compression`,
            `export it without ${method}: navmeshes are small`,
          );
        }
      }
    }
    const mode = primitive.mode ?? 4;
    if (!(isCount(mode) && (mode as number) <= 6)) throw badGltf(`mode ${String(mode)} in mesh ${mesh}`, '0..6');
    const attributes = primitive.attributes;
    if (typeof attributes !== 'object' || attributes === null) {
      throw badGltf(`mesh ${mesh} without attributes`, 'POSITION at least');
    }
    const { POSITION } = attributes as Json;
    if (POSITION === undefined || (mode as number) < 4) return { attributes: {}, mode };
    const clean: Json = { mode, attributes: { POSITION: this.#accessor(POSITION, 'VEC3') } };
    if (primitive.indices !== undefined) clean.indices = this.#accessor(primitive.indices, 'SCALAR');
    if (primitive.material !== undefined) clean.material = primitive.material;
    return clean;
  }

  #accessor(index: unknown, type: 'VEC3' | 'SCALAR'): number {
    const n = count(index, 'the number of an accessor');
    if (n >= this.#all.length) throw badGltf(`accessor ${n}`, `one of ${this.#all.length}`);
    const key = `${n} ${type}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const accessor = this.#all[n];
    if (accessor.type !== type) throw badGltf(`accessor ${n} of type ${String(accessor.type).slice(0, 20)}`, type);
    const componentType = count(accessor.componentType, `componentType of accessor ${n}`);
    const allowed = type === 'VEC3' ? [5120, 5121, 5122, 5123, 5126] : [5121, 5123, 5125];
    if (!allowed.includes(componentType)) {
      throw badGltf(`componentType ${componentType} of accessor ${n}`, `one of ${allowed.join(', ')}`);
    }
    const elements = count(accessor.count, `count of accessor ${n}`);
    if (elements === 0) throw badGltf(`accessor ${n} of no elements`, 'at least one');
    if (accessor.bufferView === undefined) {
      throw badGltf(`accessor ${n} without a view of bytes`, 'one (a navmesh of zeros is none)');
    }
    const size = COMPONENT_BYTES[componentType] * (type === 'VEC3' ? 3 : 1);
    const byteOffset = count(accessor.byteOffset ?? 0, `byteOffset of accessor ${n}`);
    this.#inside(accessor.bufferView, byteOffset, elements, size, `accessor ${n}`);
    const clean: Json = {
      bufferView: accessor.bufferView,
      byteOffset,
      componentType,
      count: elements,
      type,
      normalized: accessor.normalized === true,
    };
    if (accessor.sparse !== undefined) clean.sparse = this.#sparse(accessor.sparse, n, elements, size);
    this.#numbers.set(key, this.accessors.length);
    return this.accessors.push(clean) - 1;
  }

  #sparse(sparse: unknown, n: number, elements: number, size: number): Json {
    const what = `sparse part of accessor ${n}`;
    const { count: changed, indices, values } = object(sparse, what);
    const many = count(changed, `count of the ${what}`);
    if (many < 1 || many > elements) throw badGltf(`${many} values in the ${what}`, `1..${elements}`);
    const at = object(indices, `indices of the ${what}`);
    const to = object(values, `values of the ${what}`);
    const componentType = count(at.componentType, `componentType of the ${what}`);
    if (![5121, 5123, 5125].includes(componentType)) {
      throw badGltf(`componentType ${componentType} of the ${what}`, '5121, 5123 or 5125');
    }
    const atOffset = count(at.byteOffset ?? 0, `byteOffset of the ${what}`);
    const toOffset = count(to.byteOffset ?? 0, `byteOffset of the ${what}`);
    this.#inside(at.bufferView, atOffset, many, COMPONENT_BYTES[componentType], what);
    this.#inside(to.bufferView, toOffset, many, size, what);
    return {
      count: many,
      indices: { bufferView: at.bufferView, byteOffset: atOffset, componentType },
      values: { bufferView: to.bufferView, byteOffset: toOffset },
    };
  }

  #inside(viewNumber: unknown, offset: number, elements: number, size: number, what: string): void {
    const v = count(viewNumber, `view of ${what}`);
    if (v >= this.#views.length) throw badGltf(`view ${v} of ${what}`, `one of ${this.#views.length}`);
    const { byteLength, byteStride = size } = this.#views[v];
    if (byteStride < size) throw badGltf(`byteStride ${byteStride} of ${what}`, `at least ${size}`);
    const end = offset + byteStride * (elements - 1) + size;
    if (end > byteLength) throw badGltf(`${what} to byte ${end} of its view`, `at most ${byteLength}`);
    // The library makes typed arrays over the bytes: their start must suit them.
    const unit = size % 4 === 0 ? 4 : size % 2 === 0 ? 2 : 1;
    if ((this.#views[v].byteOffset + offset) % unit !== 0) {
      throw badGltf(`${what} at byte ${this.#views[v].byteOffset + offset}`, `a multiple of ${unit}`);
    }
  }
}

/** The nodes of the shown scene, parents first. Throws for a node with two parents or below itself. */
function forest(json: Json, nodes: readonly Json[]): number[] {
  if (nodes.length > MOST_NODES) throw badGltf(`${nodes.length} nodes`, `at most ${MOST_NODES}`);
  const parent = new Int32Array(nodes.length).fill(-1);
  const children = nodes.map((node, n) =>
    numbers(node.children, `children of node ${n}`).map((child) => {
      if (child >= nodes.length) throw badGltf(`child ${child} of node ${n}`, `one of ${nodes.length} nodes`);
      if (parent[child] >= 0) throw badGltf(`node ${child} below two nodes`, 'one parent');
      parent[child] = n;
      return child;
    }),
  );
  const scenes = list(json, 'scenes');
  const scene = json.scene === undefined ? 0 : count(json.scene, 'the number of the scene');
  if (scene > 0 && scene >= scenes.length) throw badGltf(`scene ${scene}`, `one of ${scenes.length}`);
  // Without scenes everything is shown.
  const roots =
    scenes.length === 0
      ? nodes.map((_, n) => n).filter((n) => parent[n] < 0)
      : [...new Set(numbers(scenes[scene].nodes, 'nodes of the scene'))];
  const shown: number[] = [];
  let level = roots;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) throw badGltf(`nodes more than ${MOST_DEPTH} deep`, 'fewer, and none below itself');
    for (const n of level) {
      if (n >= nodes.length) throw badGltf(`node ${n} in the scene`, `one of ${nodes.length}`);
      if (depth === 0 && parent[n] >= 0) throw badGltf(`node ${n} both in the scene and below a node`, 'one place');
    }
    shown.push(...level.slice(0, MOST_NODES));
    level = level.flatMap((n) => children[n]);
  }
  // What no root leads to is a loop.
  let reached = 0;
  level = nodes.map((_, n) => n).filter((n) => parent[n] < 0);
  for (; level.length > 0; level = level.flatMap((n) => children[n])) reached += level.length;
  if (reached !== nodes.length) throw badGltf('nodes below themselves', 'a tree of nodes');
  return shown;
}

function cleanNode(node: Json, n: number, nodes: number, meshes: number): Json {
  const clean: Json = { name: nameOf(node) };
  const children = numbers(node.children, `children of node ${n}`);
  if (children.length > 0) clean.children = children;
  if (node.mesh !== undefined) {
    const mesh = count(node.mesh, `mesh of node ${n}`);
    if (mesh >= meshes) throw badGltf(`mesh ${mesh} of node ${n}`, `one of ${meshes}`);
    clean.mesh = mesh;
  }
  const parts: [string, number][] = [
    ['matrix', 16],
    ['translation', 3],
    ['rotation', 4],
    ['scale', 3],
  ];
  for (const [name, length] of parts) {
    const value = node[name];
    if (value === undefined) continue;
    if (!(Array.isArray(value) && value.length === length && value.every((x) => Number.isFinite(x)))) {
      throw badGltf(`${name} of node ${n} that is not ${length} numbers`, `${length} finite numbers`);
    }
    clean[name] = value;
  }
  if (nodes === 0) throw badGltf('no nodes', 'at least one');
  return clean;
}

function list(json: Json, name: string, where = 'the document'): Json[] {
  const value = json[name] ?? [];
  if (!Array.isArray(value)) throw badGltf(`${name} of ${where} that is no list`, 'a list');
  return value.map((item, i) => object(item, `${name}[${i}] of ${where}`));
}

function object(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw badGltf(`${what} that is no object`, 'an object');
}

function numbers(value: unknown, what: string): number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badGltf(`${what} that are no list`, 'a list of numbers');
  return value.map((n) => count(n, what));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function count(value: unknown, what: string): number {
  if (isCount(value)) return value as number;
  throw badGltf(`${what}: ${JSON.stringify(value)?.slice(0, 40)}`, 'a whole number of at least 0');
}

function nameOf(json: Json): string {
  return typeof json.name === 'string' ? json.name.slice(0, 256) : '';
}
