// A plan picture of a packed map as SVG: polygons by component, area or floor, walls, tile portals, links, and the findings
// as numbers. x runs to the right, z downwards, as the rows of a grid map do. One path per colour and floor, in whole tenths
// of a pixel and relative steps: a map of 8,400 polygons is some 500 kB.
import type { Place, Plan } from './plan.ts';
import type { Survey } from './survey.ts';
import { escaped, Frame, hue, legendHeight, legendOf, STYLE } from './svgparts.ts';

export const COLOURS = ['component', 'area', 'floor'] as const;
export type Colour = (typeof COLOURS)[number];

export interface PictureOptions {
  /** Shown above the plan. */
  title: string;
  /** What colours stand for (default component). With `floor`, floors stand side by side; else the upper ones lie over the lower ones. */
  colour?: Colour;
  /** Tile of an export polygon: edges between tiles are drawn as portals. */
  tileOf?: ((sourcePolygon: number) => number) | undefined;
}

/** Findings of many places get this many marks. */
const MARKS = 8;

/** Draws the map. The text is a whole SVG file. */
export function planPicture(survey: Survey, options: PictureOptions): string {
  const { plan, floor, floors } = survey;
  const colour = options.colour ?? 'component';
  const panels = colour === 'floor' && floors > 1 ? floors : 1;
  const frame = new Frame(plan, panels);
  frame.reserve(legendHeight(survey.findings.length));
  const body: string[] = [];
  for (let panel = 0; panel < panels; panel++) {
    const shown = panels === 1 ? null : panel;
    if (shown !== null) body.push(frame.caption(panel, `floor ${panel + 1} of ${panels}`));
    // Lower floors first: what lies above covers what lies below.
    for (let level = 0; level < floors; level++) {
      if (shown !== null && level !== shown) continue;
      body.push(...groundPaths(plan, floor, level, frame, panel, colour));
    }
    body.push(...edgePaths(plan, floor, shown, frame, panel, options.tileOf));
  }
  body.push(...linkElements(survey, frame, panels));
  body.push(...markElements(survey, frame, panels));
  return (
    `${frame.open(options.title)}<style>${STYLE}</style>\n<rect width="100%" height="100%" fill="#fbfaf7"/>\n` +
    `<text class="title" x="40" y="40">${escaped(options.title)}</text>\n` +
    `${body.filter((element) => element !== '').join('\n')}\n` +
    `${legendOf(survey, frame, { colour, portals: options.tileOf !== undefined })}</svg>\n`
  );
}

/** What a polygon's colour stands for. */
function keyOf(plan: Plan, floor: Uint8Array, colour: Colour, p: number): number {
  return colour === 'component' ? plan.component[p] : colour === 'area' ? plan.area[p] : floor[p];
}

function groundPaths(
  plan: Plan,
  floor: Uint8Array,
  level: number,
  frame: Frame,
  panel: number,
  colour: Colour,
): string[] {
  const paths = new Map<number, string[]>();
  for (let p = 0; p < plan.count; p++) {
    if (floor[p] !== level) continue;
    const key = keyOf(plan, floor, colour, p);
    const list = paths.get(key);
    const ring = frame.ring(plan, p, panel);
    if (list === undefined) paths.set(key, [ring]);
    else list.push(ring);
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(
      ([key, rings]) =>
        `<path class="p" fill="${hue(key)}" d="${rings.join('')}"><title>${colour} ${colour === 'floor' ? key + 1 : key}: ${rings.length} ${rings.length === 1 ? 'polygon' : 'polygons'}</title></path>`,
    );
}

/** One path for each kind of edge. */
function edgePaths(
  plan: Plan,
  floor: Uint8Array,
  shown: number | null,
  frame: Frame,
  panel: number,
  tileOf: PictureOptions['tileOf'],
): string[] {
  const walls: string[] = [];
  const portals: string[] = [];
  for (let p = 0; p < plan.count; p++) {
    if (shown !== null && floor[p] !== shown) continue;
    for (let c = plan.first[p]; c < plan.first[p + 1]; c++) {
      const q = plan.neighbour[c];
      const d = c + 1 === plan.first[p + 1] ? plan.first[p] : c + 1;
      const line = () => frame.line(plan.x[c], plan.z[c], plan.x[d], plan.z[d], panel);
      if (q < 0) walls.push(line());
      else if (q > p && tileOf !== undefined && tileOf(plan.source[p]) !== tileOf(plan.source[q])) portals.push(line());
    }
  }
  const path = (kind: string, lines: string[]) =>
    lines.length === 0 ? '' : `<path class="${kind}" d="${lines.join('')}"/>`;
  return [path('portal', portals), path('wall', walls)];
}

function linkElements({ plan, floor }: Survey, frame: Frame, panels: number): string[] {
  const elements: string[] = [];
  const panelOf = (polygon: number) => (panels === 1 || polygon < 0 ? 0 : floor[polygon]);
  for (const link of plan.links) {
    const { number, name, from, to, a, b, both } = link;
    const [ax, az] = frame.pixels(from[0], from[2], panelOf(a));
    const [bx, bz] = frame.pixels(to[0], to[2], panelOf(b));
    // A bow to one side keeps a link apart from the walls it crosses.
    const bowX = (ax + bx) / 2 - (bz - az) * 0.15;
    const bowZ = (az + bz) / 2 + (bx - ax) * 0.15;
    const lost = a < 0 || b < 0;
    const words = `link ${number}${name === undefined ? '' : ` (${name})`}, ${both ? 'both ways' : 'one way'}${lost ? ', an end is on no polygon' : ''}`;
    elements.push(
      `<path class="link${lost ? ' lost' : ''}" d="M${px(ax)} ${px(az)}Q${px(bowX)} ${px(bowZ)} ${px(bx)} ${px(bz)}"><title>${escaped(words)}</title></path>`,
      `<circle class="end" cx="${px(ax)}" cy="${px(az)}" r="${both ? 5 : 3}"/>`,
      `<circle class="end" cx="${px(bx)}" cy="${px(bz)}" r="5"/>`,
    );
  }
  return elements;
}

/** A numbered disc at each place of each finding. */
function markElements({ plan, floor, findings }: Survey, frame: Frame, panels: number): string[] {
  const elements: string[] = [];
  findings.forEach(({ kind, message, at }, i) => {
    for (const place of at.slice(0, MARKS)) {
      const panel = panels === 1 ? 0 : floorAt(plan, floor, place);
      const [x, z] = frame.pixels(place[0], place[2], panel);
      elements.push(
        `<g class="mark"><title>${escaped(`${kind}: ${message}`)}</title><circle cx="${px(x)}" cy="${px(z)}" r="9"/><text x="${px(x)}" y="${px(z + 4)}">${i + 1}</text></g>`,
      );
    }
  });
  return elements;
}

/** The floor whose polygon is nearest in height among those whose corners are nearest in plan: a picture needs no better. */
function floorAt(plan: Plan, floor: Uint8Array, [x, y, z]: Place): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < plan.count; p++) {
    for (let c = plan.first[p]; c < plan.first[p + 1]; c++) {
      const away = Math.hypot(plan.x[c] - x, 2 * (plan.y[c] - y), plan.z[c] - z);
      if (away >= least) continue;
      least = away;
      best = floor[p];
    }
  }
  return best;
}

function px(value: number): number {
  return Math.round(value * 10) / 10;
}
