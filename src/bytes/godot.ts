// Godot's NavigationMesh as a text resource (.tres), of Godot 4 and 3. Imported by bytes/ only. Only the section [resource] is
// read: vertices = PackedVector3Array(x, y, z, ..), polygons = [PackedInt32Array(..), ..] or Array[PackedInt32Array]([..]),
// and the agent, of which the file leaves out what is the engine's default. Polygons wind clockwise seen from above: either
// way is fine here. Positions are the resource's own: those of the NavigationRegion3D's node are not in it.
import type { NavMesh } from '../mesh/navmesh.ts';
import type { Reading } from './options.ts';
import { PolygonSoup } from './polygons.ts';
import { soupToNavMesh } from './soup.ts';
import { TextScan } from './textscan.ts';

const BRACKET = 0x5b;
const SEMICOLON = 0x3b;
/** Godot 4's own defaults, metres. Godot 3 changed its, so a file of Godot 3 names its agent or nobody. */
const GODOT_4_AGENT = { radius: 0.5, height: 1.5, climb: 0.25 };

/** Reads the resource. Throws `BAD_FILE` with the line. */
export function readGodotNavMesh(bytes: Uint8Array, reading: Reading): NavMesh {
  return soupToNavMesh(readGodotSoup(bytes), reading);
}

export function readGodotSoup(bytes: Uint8Array): PolygonSoup {
  const scan = new TextScan(bytes, 'Godot resource (.tres)');
  const soup = new PolygonSoup('Godot NavigationMesh');
  const agent: { radius?: number; height?: number; climb?: number } = {};
  let formatFour = false;
  let inside = false;
  const polygons: number[] = [];
  const seen = new Set<string>();
  for (; !scan.done; scan.nextLine()) {
    if (scan.lineEnds(SEMICOLON)) continue;
    if (scan.peek() === BRACKET) {
      const header = scan.rest();
      if (header.startsWith('[gd_resource')) formatFour = !header.includes('format=2');
      inside = header === '[resource]';
      continue;
    }
    if (!inside) continue;
    const key = scan.word();
    if (!Object.hasOwn(KEYS, key)) continue;
    if (seen.has(key)) throw scan.bad(`"${key}" a second time`, 'it once');
    seen.add(key);
    scan.blanks();
    scan.need('=', `after ${key}`);
    scan.blanks();
    const what = KEYS[key];
    if (what === 'vertices') readVertices(scan, soup);
    else if (what === 'polygons') readPolygons(scan, polygons);
    else agent[what] = scan.number(key);
  }
  for (const key of ['vertices', 'polygons']) {
    if (!seen.has(key)) throw scan.bad(`no ${key} in [resource]`, 'a NavigationMesh that was baked');
  }
  fill(scan, soup, polygons);
  const named = { ...(formatFour ? GODOT_4_AGENT : {}), ...agent };
  const { radius, height, climb } = named;
  if (radius !== undefined && height !== undefined && climb !== undefined) soup.agent = { radius, height, climb };
  return soup;
}

const KEYS: Readonly<Record<string, 'vertices' | 'polygons' | 'radius' | 'height' | 'climb'>> = {
  vertices: 'vertices',
  polygons: 'polygons',
  agent_radius: 'radius',
  agent_height: 'height',
  agent_max_climb: 'climb',
  'agent/radius': 'radius',
  'agent/height': 'height',
  'agent/max_climb': 'climb',
};

function readVertices(scan: TextScan, soup: PolygonSoup): void {
  if (!scan.takes('PackedVector3Array')) scan.need('PoolVector3Array', 'or "PackedVector3Array" as vertices');
  const xyz: number[] = [];
  readNumbers(scan, 'a coordinate', false, (n) => {
    xyz.push(n);
    if (xyz.length < 3) return;
    soup.vertex(xyz[0], xyz[1], xyz[2]);
    xyz.length = 0;
  });
  if (xyz.length > 0) throw scan.bad(`${3 * soup.vertexCount + xyz.length} numbers of vertices`, 'a multiple of three');
}

/** Corner numbers, each list preceded by its length: vertices may follow in the file. */
function readPolygons(scan: TextScan, polygons: number[]): void {
  const typed = scan.takes('Array[PackedInt32Array](');
  scan.space();
  scan.need('[', 'as the beginning of the polygons');
  scan.space();
  if (!scan.takes(']')) {
    for (;;) {
      scan.space();
      if (!scan.takes('PackedInt32Array')) scan.need('PoolIntArray', 'or "PackedInt32Array" as a polygon');
      const at = polygons.push(0) - 1;
      readNumbers(scan, 'a vertex number', true, (n) => polygons.push(n));
      polygons[at] = polygons.length - at - 1;
      scan.space();
      if (scan.takes(']')) break;
      scan.need(',', 'or "]" after a polygon');
    }
  }
  // Without the bracket the next line is the next key.
  if (!typed) return;
  scan.space();
  scan.need(')', 'after the polygons');
}

/** `(a, b, ..)`; may run over lines. */
function readNumbers(scan: TextScan, what: string, whole: boolean, take: (n: number) => void): void {
  scan.space();
  scan.need('(', 'before the numbers');
  scan.space();
  if (scan.takes(')')) return;
  for (;;) {
    scan.space();
    take(whole ? scan.whole(what) : scan.number(what));
    scan.space();
    if (scan.takes(')')) return;
    scan.need(',', 'or ")" after a number');
  }
}

function fill(scan: TextScan, soup: PolygonSoup, polygons: readonly number[]): void {
  const label = soup.label({ names: [], area: 0, flags: 1 });
  for (let at = 0; at < polygons.length; ) {
    const count = polygons[at++];
    if (count < 3) throw scan.bad(`polygon ${soup.polygonCount} of ${count} corners`, 'three or more');
    for (const end = at + count; at < end; at++) {
      const vertex = polygons[at];
      if (!(vertex >= 0 && vertex < soup.vertexCount)) {
        throw scan.bad(`vertex ${vertex} in polygon ${soup.polygonCount}`, `0..${soup.vertexCount - 1}`);
      }
      soup.corner(vertex);
    }
    soup.close(label);
  }
  if (soup.polygonCount === 0) throw scan.bad('no polygons', 'a NavigationMesh that was baked');
}
