// What observers of a guard know of a map that changes, so that a change made elsewhere can be told as facts. Imported by
// guard.ts.
import type { LiveFact } from '../live/closure.ts';
import type { Fact } from '../log/events.ts';

type Change = Extract<Fact, { op: 'area' | 'link' | 'block' | 'unblock' }>;
/** A change of the map without its time. */
export type MapNews = Change extends infer F ? (F extends unknown ? Omit<F, 't'> : never) : never;

/** What is asked of the map: src/live/living.ts. */
interface ChangingMap {
  facts(): readonly LiveFact[];
  linkAsLoaded(link: string): boolean | 'forward' | 'backward';
}

export class KnownMap {
  #known: Map<string, LiveFact>;
  readonly #map: ChangingMap | undefined;

  constructor(map: ChangingMap | undefined) {
    this.#known = byKey(map?.facts() ?? []);
    this.#map = map;
  }

  /** The facts that make of what is known what the map is now; it is known then. */
  news(facts: readonly LiveFact[]): MapNews[] {
    const now = byKey(facts);
    const news: MapNews[] = [];
    for (const [key, was] of this.#known) if (!now.has(key)) news.push(this.#undone(was));
    for (const [key, fact] of now) {
      const was = this.#known.get(key);
      if (was !== undefined && JSON.stringify(was) === JSON.stringify(fact)) continue;
      news.push((fact.op === 'area' ? { ...PLAIN, ...fact } : fact) as MapNews);
    }
    this.#known = now;
    return news;
  }

  #undone(fact: LiveFact): MapNews {
    if (fact.op === 'area') return { op: 'area', area: fact.area, ...PLAIN };
    if (fact.op === 'block') return { op: 'unblock', obstacle: fact.obstacle };
    // some are closed, or one-way, as they are loaded
    return { op: 'link', link: fact.link, open: this.#map?.linkAsLoaded(fact.link) ?? true };
  }
}

/** Ground as it is unless said otherwise. */
const PLAIN = { open: true, speed: 1 } as const;

function byKey(facts: readonly LiveFact[]): Map<string, LiveFact> {
  return new Map(facts.map((fact) => [keyOf(fact), fact]));
}

function keyOf(fact: LiveFact): string {
  if (fact.op === 'area') return `area ${fact.area}`;
  return fact.op === 'link' ? `link ${fact.link}` : `block ${fact.obstacle}`;
}
