// A comparison of two maps as text, JSON and a picture. Imported by cli/.
import { basename, dirname, join } from 'node:path';
import type { MapInfo } from '../pack/view.ts';
import type { Change, MapDiff, Regrouped } from './diff.ts';
import { m2 } from './noted.ts';
import type { Place } from './plan.ts';
import { escaped, Frame, STYLE, scaleLine } from './svgparts.ts';
import { alignedTable, grouped, printable } from './table.ts';

export interface Version {
  readonly name: string;
  readonly info: MapInfo;
}

/** Changes that are listed one by one. */
const LISTED = 8;

/** `navguard inspect <map> --diff <other>`: from the first to the second. */
export function diffText(old: Version, now: Version, diff: MapDiff): string {
  const both = (name: string, of: (info: MapInfo) => string) => [name, of(old.info), of(now.info)];
  const agent = ({ agent: { height, radius, climb } }: MapInfo) =>
    [height, radius, climb].map((v) => Number(v.toFixed(3))).join(' / ');
  let text = alignedTable([
    ['', old.name, now.name],
    both('polygons', ({ polygons }) => grouped(polygons)),
    both('components', ({ components }) => grouped(components)),
    both('links', ({ links }) => grouped(links)),
    both('area', ({ area }) => `${grouped(Math.round(area))} m2`),
    both('agent', agent),
    both('hash', ({ hash }) => hash.slice(0, 16)),
  ]);
  if (diff.same) {
    const exactly = old.info.hash === now.info.hash ? 'byte for byte' : 'the same ground, components and links';
    return `${text}\nThe two are the same: ${exactly}.\n`;
  }
  text += `\nGround gained: ${amount(diff.gainedArea, diff.gained)}${list(diff.gained)}`;
  text += `Ground lost: ${amount(diff.lostArea, diff.lost)}${list(diff.lost)}`;
  if (diff.remarked.length > 0) {
    text += `Ground of another area or with other flags: ${m2(diff.remarkedArea)}\n${list(diff.remarked)}`;
  }
  text += regroupedText('split', diff.split, 'became');
  text += regroupedText('merged', diff.merged, 'was');
  if (diff.links.length > 0) text += `Links: ${grouped(diff.links.length)} differ\n`;
  for (const { what, link } of diff.links.slice(0, LISTED)) {
    text += `  ${what}: link ${link.number}${link.name === undefined ? '' : ` (${printable(link.name)})`} from ${place(link.from)} to ${place(link.to)}, ${link.both ? 'both ways' : 'one way'}\n`;
  }
  if (diff.agent) text += 'The agent has other sizes.\n';
  return text;
}

function amount(area: number, changes: readonly Change[]): string {
  if (changes.length === 0) return 'none\n';
  return `${m2(area)} in ${grouped(changes.length)} ${changes.length === 1 ? 'piece' : 'pieces'} (cut out exactly)\n`;
}

function list(changes: readonly { readonly area: number; readonly at: Place }[]): string {
  const rows = changes.slice(0, LISTED).map(({ area, at }) => [m2(area), `at ${place(at)}`]);
  if (changes.length > LISTED) rows.push(['...', `${grouped(changes.length - LISTED)} more`]);
  return alignedTable(rows);
}

function regroupedText(word: string, found: readonly Regrouped[], verb: string): string {
  let text = '';
  for (const { area, at, into } of found.slice(0, LISTED)) {
    const parts = into.slice(0, LISTED).map((part) => m2(part.area));
    text += `Component ${word}: ${m2(area)} at ${place(at)} ${verb} ${grouped(into.length)}: ${parts.join(', ')}${into.length > LISTED ? ', ...' : ''}\n`;
  }
  return text;
}

function place(at: Place): string {
  return `(${at.map((v) => Number(v.toFixed(2)) + 0).join(', ')})`;
}

/** The same as one JSON object; the 100 largest pieces of each kind. */
export function diffJson(old: Version, now: Version, diff: MapDiff): Record<string, unknown> {
  const version = ({ name, info: { polygons, components, links, area, agent, hash } }: Version) => ({
    file: name,
    polygons,
    components,
    links,
    area,
    agent,
    hash,
  });
  const ground = (area: number, changes: readonly Change[]) => ({
    area,
    pieces: changes.length,
    largest: changes.slice(0, 100).map((change) => ({ area: change.area, at: change.at })),
  });
  return {
    same: diff.same,
    from: version(old),
    to: version(now),
    gained: ground(diff.gainedArea, diff.gained),
    lost: ground(diff.lostArea, diff.lost),
    remarked: { area: diff.remarkedArea, largest: diff.remarked },
    split: diff.split,
    merged: diff.merged,
    links: diff.links
      .slice(0, 100)
      .map(({ what, link: { number, from, to, both } }) => ({ what, link: number, from, to, both })),
    agent: diff.agent,
  };
}

/** File names for a title: whole paths would leave no room for the rest of the line. Folders where the names are one. */
function shortNames(a: string, b: string): [string, string] {
  if (basename(a) !== basename(b)) return [basename(a), basename(b)];
  return [join(basename(dirname(a)), basename(a)), join(basename(dirname(b)), basename(b))];
}

/** The newer map in grey, gained ground green, lost ground red, the largest changes with their areas. A whole SVG file. */
export function diffPicture(old: Version, now: Version, diff: MapDiff): string {
  const [before, after] = diff.plans;
  const frame = new Frame(after, 1, before);
  const [from, to] = shortNames(old.name, now.name);
  const title = `${from} -> ${to}: ${m2(diff.gainedArea)} gained, ${m2(diff.lostArea)} lost`;
  const kept: string[] = [];
  for (let p = 0; p < after.count; p++) kept.push(frame.ring(after, p));
  const paths = (kind: string, changes: readonly Change[]) =>
    changes.map(
      ({ area, parts }) =>
        `<path class="${kind}" d="${parts.map((part) => frame.path(part)).join('')}"><title>${m2(area)}</title></path>`,
    );
  const words = (changes: readonly Change[], sign: string) =>
    changes.slice(0, LISTED).map(({ area, at }) => {
      const [x, z] = frame.pixels(at[0], at[2]).map(Math.round);
      return `<text x="${x}" y="${z}">${sign}${m2(area)}</text>`;
    });
  const links = diff.links.map(({ what, link: { number, from, to } }) => {
    const [ax, az] = frame.pixels(from[0], from[2]).map(Math.round);
    const [bx, bz] = frame.pixels(to[0], to[2]).map(Math.round);
    return `<path class="link${what === 'removed' ? ' lost' : ''}" d="M${ax} ${az}L${bx} ${bz}"><title>link ${number} ${what}</title></path>`;
  });
  const entries: [string, string][] = [
    ['wall', 'scale'],
    ['link', 'link added or changed'],
    ['link lost', 'link removed'],
  ];
  const y = frame.bottom - 20;
  return `${[
    `${frame.open(title)}<style>${STYLE}</style>`,
    '<rect width="100%" height="100%" fill="#fbfaf7"/>',
    `<text class="title" x="40" y="40">${escaped(title)}</text>`,
    `<path class="p kept" d="${kept.join('')}"/>`,
    ...paths('lostground', diff.lost),
    ...paths('gained', diff.gained),
    ...links,
    ...words(diff.lost, '-'),
    ...words(diff.gained, '+'),
    scaleLine(frame, y, diff.links.length > 0 ? entries.slice(1) : []).trimEnd(),
    `<rect class="gained" x="40" y="${y + 42}" width="16" height="12"/><text x="62" y="${y + 53}">gained</text>`,
    `<rect class="lostground" x="140" y="${y + 42}" width="16" height="12"/><text x="162" y="${y + 53}">lost</text>`,
  ].join('\n')}\n</svg>\n`;
}
