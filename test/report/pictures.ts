// Reads what pictures hold: a strict little XML reader and the points of path data. Shares nothing with the writer.
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Throws on anything that is not well-formed: tags that do not close, attributes twice, stray < or &. */
export function parseXml(text: string): Element {
  const root: Element = { name: '#', attributes: {}, children: [], text: '' };
  const open = [root];
  let at = 0;
  while (at < text.length) {
    const here = open[open.length - 1];
    const next = text.indexOf('<', at);
    const words = text.slice(at, next < 0 ? text.length : next);
    if (/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(words) || words.includes('>')) throw new Error(`stray sign: ${words}`);
    if (here === root && words.trim() !== '') throw new Error(`text outside: ${words}`);
    here.text += words;
    if (next < 0) break;
    const end = text.indexOf('>', next);
    if (end < 0) throw new Error('a tag without an end');
    const tag = text.slice(next + 1, end);
    at = end + 1;
    if (tag.startsWith('/')) {
      if (open.length < 2 || here.name !== tag.slice(1)) throw new Error(`</${here.name}> expected, got <${tag}>`);
      open.pop();
      continue;
    }
    const parts = /^([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)$/i.exec(tag);
    if (parts === null) throw new Error(`not a tag: <${tag}>`);
    const attributes: Record<string, string> = {};
    for (const [, name, value] of parts[2].matchAll(/([\w:-]+)="([^"]*)"/g)) {
      if (name in attributes) throw new Error(`${name} twice in <${tag}>`);
      attributes[name] = value;
    }
    const element: Element = { name: parts[1], attributes, children: [], text: '' };
    here.children.push(element);
    if (parts[3] === '') open.push(element);
  }
  if (open.length !== 1) throw new Error(`<${open[open.length - 1].name}> is never closed`);
  return root.children[0];
}

export function all(element: Element, test: (e: Element) => boolean): Element[] {
  return [...(test(element) ? [element] : []), ...element.children.flatMap((child) => all(child, test))];
}

export function byClass(element: Element, name: string): Element[] {
  return all(element, (e) => (e.attributes.class ?? '').split(' ').includes(name));
}

/** Subpaths of M, l and z as absolute points. */
export function subpaths(d: string): [number, number][][] {
  return d
    .split(/(?=M)/)
    .filter((part) => part !== '')
    .map((part) => {
      const [move, steps = ''] = part.replace('z', '').slice(1).split('l');
      const numbers = (text: string) => [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(([n]) => Number(n));
      const points: [number, number][] = [numbers(move) as [number, number]];
      const flat = numbers(steps);
      if (flat.length % 2 !== 0) throw new Error(`an odd count of numbers in ${part}`);
      for (let i = 0; i < flat.length; i += 2) {
        const [x, z] = points[points.length - 1];
        points.push([x + flat[i], z + flat[i + 1]]);
      }
      return points;
    });
}
