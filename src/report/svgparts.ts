// Parts of plan pictures: where metres go on the page, paths in few bytes, legend, scale bar and north. Imported by svg.ts and
// difftext.ts.
import type { Ring } from './clip.ts';
import { boxOf } from './near.ts';
import { m2 } from './noted.ts';
import type { Plan } from './plan.ts';
import type { Survey } from './survey.ts';

/** Longer side of a single plan in pixels; panels share about twice that. */
const SIZE = 1600;
const MARGIN = 40;
const HEAD = 30;
const GAP = 60;

export const STYLE =
  'text{font:15px system-ui,sans-serif;fill:#333}.title{font-size:19px;font-weight:600}' +
  '.p{stroke:#000;stroke-opacity:.22;stroke-width:.6;vector-effect:non-scaling-stroke}' +
  '.wall{fill:none;stroke:#22262e;stroke-width:2;stroke-linecap:round}' +
  '.portal{fill:none;stroke:#1769d1;stroke-width:1.8;stroke-dasharray:5 3}' +
  '.link{fill:none;stroke:#8b2fb8;stroke-width:2.2;stroke-dasharray:7 4}.end{fill:#8b2fb8}.lost{stroke:#d11a2a}' +
  '.mark circle{fill:#d11a2a;fill-opacity:.88;stroke:#fff}.mark text{font-size:11px;fill:#fff;text-anchor:middle}' +
  '.gained{fill:#2e9e4f;fill-opacity:.75}.lostground{fill:#d11a2a;fill-opacity:.7}.kept{fill:#d9d7d0}';

/** A page with one plan, or with several of the same place side by side. */
export class Frame {
  /** Pixels per metre. */
  readonly scale: number;
  readonly minX: number;
  readonly minZ: number;
  readonly #wide: number;
  readonly #deep: number;
  readonly #columns: number;
  readonly #rows: number;
  #foot = 60;

  constructor(plan: Plan, panels: number, ...others: readonly Plan[]) {
    let [minX, minZ, maxX, maxZ] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const one of [plan, ...others]) {
      for (let p = 0; p < one.count; p++) {
        const box = boxOf(one, p);
        minX = Math.min(minX, box[0]);
        minZ = Math.min(minZ, box[1]);
        maxX = Math.max(maxX, box[2]);
        maxZ = Math.max(maxZ, box[3]);
      }
    }
    this.minX = minX;
    this.minZ = minZ;
    const longest = Math.max(maxX - minX, maxZ - minZ, 1e-9);
    this.#columns = Math.ceil(Math.sqrt((panels * (maxZ - minZ)) / Math.max(maxX - minX, 1e-9)) || 1);
    this.#columns = Math.min(Math.max(this.#columns, 1), panels);
    this.#rows = Math.ceil(panels / this.#columns);
    this.scale = (panels === 1 ? SIZE : Math.max(500, (2 * SIZE) / Math.max(this.#columns, this.#rows))) / longest;
    this.#wide = (maxX - minX) * this.scale;
    this.#deep = (maxZ - minZ) * this.scale;
  }

  get width(): number {
    return Math.ceil(Math.max(this.#columns * (this.#wide + GAP) - GAP, 700)) + 2 * MARGIN;
  }

  /** Where the plan ends and the legend begins. */
  get bottom(): number {
    return Math.ceil(this.#rows * (this.#deep + GAP) - GAP) + 2 * MARGIN + HEAD;
  }

  /** Room for so many pixels of legend; call before `open`. */
  reserve(pixels: number): void {
    this.#foot = pixels;
  }

  open(label: string): string {
    const height = this.bottom + this.#foot;
    return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(label)}" viewBox="0 0 ${this.width} ${height}" width="${this.width}" height="${height}">\n`;
  }

  pixels(x: number, z: number, panel = 0): [number, number] {
    const column = panel % this.#columns;
    const row = Math.floor(panel / this.#columns);
    return [
      MARGIN + column * (this.#wide + GAP) + (x - this.minX) * this.scale,
      MARGIN + HEAD + row * (this.#deep + GAP) + (z - this.minZ) * this.scale,
    ];
  }

  caption(panel: number, words: string): string {
    const [x, z] = this.pixels(this.minX, this.minZ, panel);
    return `<text x="${Math.round(x)}" y="${Math.round(z) - 8}">${escaped(words)}</text>`;
  }

  ring(plan: Plan, p: number, panel = 0): string {
    const flat: number[] = [];
    for (let c = plan.first[p]; c < plan.first[p + 1]; c++) flat.push(plan.x[c], plan.z[c]);
    return this.path(flat, panel);
  }

  /** A closed ring: one absolute move, then steps in tenths of a pixel. */
  path(ring: Ring, panel = 0): string {
    let [fromX, fromZ] = [0, 0];
    let text = '';
    for (let i = 0; i < ring.length; i += 2) {
      const [x, z] = this.pixels(ring[i], ring[i + 1], panel).map((v) => Math.round(10 * v));
      text += i === 0 ? `M${tenths(x)} ${tenths(z)}l` : pair(x - fromX, z - fromZ, i > 2);
      [fromX, fromZ] = [x, z];
    }
    return `${text}z`;
  }

  line(ax: number, az: number, bx: number, bz: number, panel = 0): string {
    const [x, z] = this.pixels(ax, az, panel).map((v) => Math.round(10 * v));
    const [u, w] = this.pixels(bx, bz, panel).map((v) => Math.round(10 * v));
    return `M${tenths(x)} ${tenths(z)}l${pair(u - x, w - z, false)}`;
  }
}

function tenths(value: number): string {
  const text = String(Math.abs(value) / 10).replace(/^0\./, '.');
  return value < 0 ? `-${text}` : text;
}

/** Numbers of a path need a space between them only where no sign parts them. */
function pair(x: number, z: number, after: boolean): string {
  return `${after && x >= 0 ? ' ' : ''}${tenths(x)}${z >= 0 ? ' ' : ''}${tenths(z)}`;
}

/** A scale bar, north and the place of the upper left corner; `entries` are drawn beside it. */
export function scaleLine(frame: Frame, y: number, entries: readonly (readonly [string, string])[]): string {
  // A bar of 1, 2 or 5 times a power of ten metres, about 150 pixels long.
  const target = 150 / frame.scale;
  const power = 10 ** Math.floor(Math.log10(target));
  const metres = power * (target / power >= 5 ? 5 : target / power >= 2 ? 2 : 1);
  const bar = Math.round(MARGIN + metres * frame.scale);
  const at = (v: number) => Number(v.toFixed(2)) + 0;
  let text =
    `<path class="wall" d="M${MARGIN} ${y}H${bar}"/><text x="${bar + 8}" y="${y + 5}">${Number(metres.toPrecision(1))} m</text>\n` +
    `<path class="wall" d="M${bar + 80} ${y + 8}v-20l-5 8m5-8l5 8"/><text x="${bar + 92}" y="${y + 5}">north (-z)</text>\n` +
    `<text x="${MARGIN}" y="${y + 30}">upper left: x ${at(frame.minX)}, z ${at(frame.minZ)}; x to the right, z down</text>\n`;
  let x = bar + 190;
  for (const [kind, word] of entries) {
    text += `<path class="${kind}" d="M${x} ${y}h30"/><text x="${x + 38}" y="${y + 5}">${escaped(word)}</text>\n`;
    x += 60 + 9 * word.length;
  }
  return text;
}

/** Colours that a legend explains one by one. */
const KEYS = 12;

/** Scale, kinds of lines, the largest colours and the findings by number. */
export function legendOf(survey: Survey, frame: Frame, shown: { colour: string; portals: boolean }): string {
  const y = frame.bottom - 20;
  const entries: [string, string][] = [['wall', 'wall']];
  if (shown.portals) entries.push(['portal', 'tile portal']);
  if (survey.plan.links.length > 0) entries.push(['link', 'link']);
  let text = scaleLine(frame, y, entries);
  let line = y + 56;
  text += `<text x="${MARGIN}" y="${line}">colours are ${shown.colour === 'area' ? 'areas' : `${shown.colour}s`}</text>\n`;
  let x = MARGIN + 190;
  for (const [key, size] of sizes(survey, shown.colour).slice(0, KEYS)) {
    const words = `${shown.colour === 'floor' ? key + 1 : key}: ${m2(size)}`;
    if (x + 40 + 9 * words.length > frame.width) break;
    text += `<rect x="${x}" y="${line - 12}" width="16" height="14" fill="${hue(key)}"/><text x="${x + 22}" y="${line}">${words}</text>\n`;
    x += 40 + 9 * words.length;
  }
  survey.findings.forEach(({ kind, message }, i) => {
    line += 22;
    const room = Math.floor((frame.width - 2 * MARGIN) / 7.2);
    const words = `${i + 1}  ${kind}: ${message}`;
    text += `<text x="${MARGIN}" y="${line}">${escaped(words.length > room ? `${words.slice(0, room - 3)}...` : words)}</text>\n`;
  });
  return text;
}

/** Pixels that the legend of so many findings takes. */
export function legendHeight(findings: number): number {
  return 70 + 22 * findings;
}

function sizes({ plan, floor }: Survey, colour: string): [number, number][] {
  const sums = new Map<number, number>();
  for (let p = 0; p < plan.count; p++) {
    const key = colour === 'component' ? plan.component[p] : colour === 'area' ? plan.area[p] : floor[p];
    sums.set(key, (sums.get(key) ?? 0) + plan.size[p]);
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

/** Golden angle: neighbouring numbers get colours far apart. */
export function hue(key: number): string {
  return `hsl(${Math.round((key * 137.508 + 150) % 360)} 46% 76%)`;
}

export function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}]/gu, '?')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
