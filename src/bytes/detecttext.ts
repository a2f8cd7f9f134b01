// Names what text files (and glTF, text in a box) look like, from their beginning. Imported by detect.ts only; a guess, never
// a check. `kind` 'other' has an advice: one sentence of what to do.

export type TextKind = 'obj' | 'gltf' | 'godot' | 'triangulation' | 'navcat';

export interface TextGuess {
  readonly kind: TextKind | 'other';
  readonly name: string;
  /** '' for what is read. */
  readonly advice: string;
}

/** For models that are not read at all. */
export const GEOMETRY =
  'export it as .glb or .obj: triangles that are a navmesh are read, of a level\'s geometry "navguard bake" makes one';
const EXPORT = 'give a navmesh export: MSET, OBJ, glTF, triangles as JSON or a Godot .tres';
/** For Godot's files that are no text of a NavigationMesh. */
export const GODOT = 'in the editor, save the NavigationMesh of its NavigationRegion3D as a text resource (.tres)';
const JSON_ADVICE =
  'JSON is read as a triangulation ({"vertices": [..], "indices": [..], "areas": [..]}), as a navcat navmesh and as glTF';

/** `text` is the first few kilobytes; no pattern here can go back and forth over it. */
export function detectText(text: string): TextGuess {
  const start = text.trimStart().replace(/^(\ufeff|\u00ef\u00bb\u00bf)/, '');
  if (start === '') return other('a file of white space', 'check the export');
  if (start.startsWith('[gd_')) return detectGodot(start);
  if (start.startsWith('{')) return detectJson(start);
  if (start.startsWith('[') && /^\[\s*[[{\]"\d-]/.test(start)) return other('a JSON document', JSON_ADVICE);
  if (/^(mtllib|usemtl|o|g|v|vn|vt)[ \t]/m.test(start) && /^v[ \t]+[-+]?[\d.]/m.test(start)) {
    return read('obj', 'a Wavefront OBJ model');
  }
  if (/^f[ \t]+[^ \t\r\n]+\.obj/m.test(start)) return other('a RecastDemo geometry set (.gset)', GEOMETRY);
  if (start.startsWith('; FBX')) return other('an FBX model (text)', GEOMETRY);
  return other('a text file', EXPORT);
}

function detectJson(text: string): TextGuess {
  const has = (...names: string[]) => names.some((name) => text.includes(`"${name}"`));
  if (has('tileWidth') && has('origin', 'tiles', 'nodes')) return read('navcat', 'a navcat navmesh (JSON)');
  if ((has('asset') && has('version', 'generator')) || has('bufferViews', 'accessors', 'extensionsUsed')) {
    return read('gltf', 'a glTF model (JSON)');
  }
  if (has('op', 'navguard') && /^\{[^\n]*"(op|navguard)"\s*:/.test(text)) {
    return other('a navguard move log', 'run navguard audit on it; a map is expected here');
  }
  const names = text.toLowerCase();
  if (/"(vertices|verts|indices|triangles|tris)"\s*:\s*\[/.test(names)) {
    return read('triangulation', 'a triangulation (JSON)');
  }
  return other('a JSON document', JSON_ADVICE);
}

function detectGodot(text: string): TextGuess {
  const header = text.slice(0, text.indexOf(']') + 1 || 200);
  if (header.startsWith('[gd_scene')) return other('a Godot scene (.tscn)', GODOT);
  const type = /type="(\w+)"/.exec(header)?.[1] ?? 'no type';
  if (type === 'NavigationMesh') return read('godot', 'a Godot NavigationMesh (.tres)');
  if (type === 'NavigationPolygon') {
    return other(
      'a Godot NavigationPolygon (2-D)',
      'GridMap takes flat maps as rows of cells; 3-D maps are NavigationMesh',
    );
  }
  if (type.endsWith('Mesh')) return other(`a Godot ${type}, level geometry and not a navmesh`, GODOT);
  return other(`a Godot resource of another kind (${type})`, GODOT);
}

function read(kind: TextKind, name: string): TextGuess {
  return { kind, name, advice: '' };
}

function other(name: string, advice: string): TextGuess {
  return { kind: 'other', name, advice };
}
