// A plan picture of a packed map as SVG: polygons by component, walls, tile portals, links, findings. Reads the packed
// map by the offsets of assembly/layout.ts. x runs to the right, z downwards, as the rows of a grid map do.
import {
  H_LINKS,
  H_MAX_X,
  H_MAX_Z,
  H_MIN_X,
  H_MIN_Z,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_POLYGONS,
  H_TABLE,
  H_UNIT,
  L_AX,
  L_AZ,
  L_BX,
  L_BZ,
  L_FLAGS,
  L_POLY_A,
  L_POLY_B,
  LINK_STRIDE,
  P_COMPONENT,
  P_COUNT,
  P_NEI,
  P_SOURCE,
  P_X,
  P_YMAX,
  P_Z,
  POLY_STRIDE,
  SECTION_LINKS,
  SECTION_POLYGONS,
} from '../../assembly/layout.ts';

export interface PictureOptions {
  /** Shown above the plan. */
  title: string;
  /** Polygons of the export to mark, with what was found there. */
  findings?: readonly { readonly message: string; readonly polygons: readonly number[] }[];
  /** Tile of an export polygon: edges between tiles are drawn as portals. */
  tileOf?: ((sourcePolygon: number) => number) | undefined;
}

/** Longer side of the plan in pixels. */
const SIZE = 1600;
const MARGIN = 40;
const FOOT = 60;

interface Polygon {
  readonly source: number;
  readonly component: number;
  readonly height: number;
  /** x, z in pixels. */
  readonly points: readonly (readonly [number, number])[];
  /** Record number across each edge, or -1. */
  readonly across: readonly number[];
}

/** Draws the map. The text is a whole SVG file. */
export function planPicture(pack: ArrayBuffer, options: PictureOptions): string {
  const view = new DataView(pack);
  const unit = view.getFloat64(H_UNIT, true);
  const minX = view.getFloat64(H_MIN_X, true);
  const minZ = view.getFloat64(H_MIN_Z, true);
  const width = view.getFloat64(H_MAX_X, true) - minX;
  const depth = view.getFloat64(H_MAX_Z, true) - minZ;
  const scale = SIZE / Math.max(width, depth, 1e-9);
  const place = (x: number, z: number): [number, number] => [
    MARGIN + (x - minX) * scale,
    MARGIN + 30 + (z - minZ) * scale,
  ];
  const polygons = readPolygons(view, place);
  // lower floors first: what lies above covers what lies below
  const order = polygons.map((_, i) => i).sort((a, b) => polygons[a].height - polygons[b].height || a - b);
  const found = new Map<number, string>();
  for (const { message, polygons: numbers } of options.findings ?? []) {
    for (const number of numbers) found.set(number, message);
  }
  const body: string[] = [];
  for (const i of order) body.push(polygonElement(polygons[i]));
  body.push(edgePaths(polygons, options.tileOf));
  for (const polygon of polygons) {
    const message = found.get(polygon.source);
    if (message !== undefined) {
      body.push(`<path class="found" d="${ring(polygon)}"><title>${escaped(message)}</title></path>`);
    }
  }
  body.push(...linkElements(view, place));
  const pictureWidth = Math.max(round(width * scale), 700) + 2 * MARGIN;
  const pictureHeight = round(depth * scale) + 2 * MARGIN + 30 + FOOT;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${pictureHeight}" width="${pictureWidth}" height="${pictureHeight}">\n` +
    `<style>${STYLE}</style>\n<rect width="100%" height="100%" fill="#fbfaf7"/>\n` +
    `<text class="title" x="${MARGIN}" y="${MARGIN}">${escaped(options.title)}</text>\n` +
    `${body.filter((element) => element !== '').join('\n')}\n` +
    `${legend(pictureHeight - FOOT, unit, scale, view, options)}</svg>\n`
  );
}

const STYLE =
  'text{font:15px system-ui,sans-serif;fill:#333}.title{font-size:19px;font-weight:600}' +
  '.p{stroke:none}.inner{fill:none;stroke:#000;stroke-opacity:.26;stroke-width:.7}' +
  '.wall{fill:none;stroke:#22262e;stroke-width:2;stroke-linecap:round}' +
  '.portal{fill:none;stroke:#1769d1;stroke-width:1.8;stroke-dasharray:5 3}' +
  '.link{fill:none;stroke:#8b2fb8;stroke-width:2.2;stroke-dasharray:7 4}.end{fill:#8b2fb8}.lost{stroke:#d11a2a}' +
  '.found{fill:#d11a2a;fill-opacity:.28;stroke:#d11a2a;stroke-width:2.4}';

function readPolygons(view: DataView, place: (x: number, z: number) => [number, number]): Polygon[] {
  const base = view.getUint32(H_TABLE + 8 * SECTION_POLYGONS, true);
  const count = view.getUint32(H_POLYGONS, true);
  const polygons: Polygon[] = [];
  for (let i = 0; i < count; i++) {
    const at = base + i * POLY_STRIDE;
    const points: [number, number][] = [];
    const across: number[] = [];
    const corners = view.getUint8(at + P_COUNT);
    for (let c = 0; c < corners; c++) {
      points.push(place(view.getFloat32(at + P_X + 4 * c, true), view.getFloat32(at + P_Z + 4 * c, true)));
      const record = view.getUint32(at + P_NEI + 4 * c, true);
      across.push(record === 0 ? -1 : (record - base) / POLY_STRIDE);
    }
    polygons.push({
      source: view.getUint32(at + P_SOURCE, true),
      component: view.getUint32(at + P_COMPONENT, true),
      height: view.getFloat32(at + P_YMAX, true),
      points,
      across,
    });
  }
  return polygons;
}

function polygonElement(polygon: Polygon): string {
  // golden angle: neighbouring component numbers get colours far apart
  const hue = Math.round((polygon.component * 137.508 + 150) % 360);
  return `<path class="p" fill="hsl(${hue} 46% 76%)" d="${ring(polygon)}"/>`;
}

/** One path for each kind of edge; shared edges are drawn once. */
function edgePaths(polygons: readonly Polygon[], tileOf: PictureOptions['tileOf']): string {
  let inner = '';
  let walls = '';
  let portals = '';
  polygons.forEach((polygon, i) => {
    polygon.across.forEach((other, c) => {
      if (other > i) {
        if (tileOf !== undefined && tileOf(polygon.source) !== tileOf(polygons[other].source)) {
          portals += segment(polygon, c);
        } else inner += segment(polygon, c);
      } else if (other < 0) walls += segment(polygon, c);
    });
  });
  const path = (kind: string, d: string) => (d === '' ? '' : `<path class="${kind}" d="${d}"/>`);
  return [path('inner', inner), path('portal', portals), path('wall', walls)].filter((p) => p !== '').join('\n');
}

function linkElements(view: DataView, place: (x: number, z: number) => [number, number]): string[] {
  const base = view.getUint32(H_TABLE + 8 * SECTION_LINKS, true);
  const count = view.getUint32(H_LINKS, true);
  const elements: string[] = [];
  for (let i = 0; i < count; i++) {
    const at = base + i * LINK_STRIDE;
    const [ax, az] = place(view.getFloat32(at + L_AX, true), view.getFloat32(at + L_AZ, true));
    const [bx, bz] = place(view.getFloat32(at + L_BX, true), view.getFloat32(at + L_BZ, true));
    const both = (view.getUint32(at + L_FLAGS, true) & 1) === 1;
    const linked = view.getUint32(at + L_POLY_A, true) !== 0 && view.getUint32(at + L_POLY_B, true) !== 0;
    // a bow to one side keeps a link apart from the walls it crosses
    const bowX = (ax + bx) / 2 - (bz - az) * 0.15;
    const bowZ = (az + bz) / 2 + (bx - ax) * 0.15;
    const words = `link ${i}, ${both ? 'both ways' : 'one way'}${linked ? '' : ', an end is on no polygon'}`;
    elements.push(
      `<path class="link${linked ? '' : ' lost'}" d="M${round(ax)} ${round(az)}Q${round(bowX)} ${round(bowZ)} ${round(bx)} ${round(bz)}"><title>${words}</title></path>`,
      `<circle class="end" cx="${round(ax)}" cy="${round(az)}" r="${both ? 5 : 3}"/>`,
      `<circle class="end" cx="${round(bx)}" cy="${round(bz)}" r="5"/>`,
    );
  }
  return elements;
}

function legend(top: number, unit: number, scale: number, view: DataView, options: PictureOptions): string {
  const pixelsPerMetre = scale / unit;
  // a bar of 1, 2 or 5 times a power of ten metres, about 150 pixels long
  const target = 150 / pixelsPerMetre;
  const power = 10 ** Math.floor(Math.log10(target));
  const metres = power * (target / power >= 5 ? 5 : target / power >= 2 ? 2 : 1);
  const y = top + 10;
  const label = Number(metres.toPrecision(1));
  const x0 = view.getFloat64(H_ORIGIN_X, true) + view.getFloat64(H_MIN_X, true) * unit;
  const z0 = view.getFloat64(H_ORIGIN_Z, true) + view.getFloat64(H_MIN_Z, true) * unit;
  const bar = round(MARGIN + metres * pixelsPerMetre);
  let x = Math.max(bar + 70, 260);
  let text =
    `<path class="wall" d="M${MARGIN} ${y}H${bar}"/><text x="${bar + 8}" y="${y + 5}">${label} m</text>\n` +
    `<text x="${MARGIN}" y="${y + 30}">upper left: x ${Number(x0.toFixed(2))}, z ${Number(z0.toFixed(2))}; x to the right, z down; colours are components</text>\n`;
  const entries: [string, string][] = [['wall', 'wall']];
  if (options.tileOf !== undefined) entries.push(['portal', 'tile portal']);
  if (view.getUint32(H_LINKS, true) > 0) entries.push(['link', 'link']);
  if ((options.findings ?? []).some((finding) => finding.polygons.length > 0)) entries.push(['found', 'finding']);
  for (const [kind, word] of entries) {
    text += `<path class="${kind}" d="M${x} ${y}h30"/><text x="${x + 38}" y="${y + 5}">${word}</text>\n`;
    x += 60 + 9 * word.length;
  }
  return text;
}

function ring(polygon: Polygon): string {
  return `M${polygon.points.map(([x, z]) => `${round(x)} ${round(z)}`).join('L')}Z`;
}

function segment(polygon: Polygon, corner: number): string {
  const [ax, az] = polygon.points[corner];
  const [bx, bz] = polygon.points[(corner + 1) % polygon.points.length];
  return `M${round(ax)} ${round(az)}L${round(bx)} ${round(bz)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}]/gu, '?')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
