// The changeable part of one map: areas and links that open and close, obstacles, speeds. Imported by map.ts and by those who
// judge. Kernels follow: each remembers how far it has read the log of changes, and `sync` copies only what changed since.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Kernel } from '../kernel/index.ts';
import { AREAS, areaNumber } from '../mesh/filter.ts';
import type { Closure } from './closure.ts';
import { LiveLinks } from './links.ts';
import { Records, WORDS } from './records.ts';
import { measureRoom, type Room, withSpare } from './spare.ts';

/** Pieces that obstacles may cut polygons into, all together, unless a map is loaded with another number. */
export const SPARE_PIECES = 1024;
/** In the log of changes: an area's speed; links stand below 0 above it. */
const SPEED = -(2 ** 24);

/** The changeable part of one map: what is open, what stands in the way. One per NavMap; kernels follow it. */
export class Living {
  readonly #pack: ArrayBuffer;
  readonly #room: Room;
  /** Made with the first change. */
  #records: Records | undefined;
  readonly #links: LiveLinks;
  readonly #views = new WeakMap<Kernel, { buffer: ArrayBufferLike; words: Uint32Array }>();
  readonly #speeds = new Float64Array(AREAS).fill(1);
  /** By area: records of the pack. */
  readonly #areas = new Map<number, Int32Array>();
  readonly #closedAreas = new Map<number, Closure>();
  readonly #opened = new Set<string>();
  #closures: Closure[] = [];
  #revision = 0;

  /** `pack`: checked. `pieces`: room for so many parts of cut polygons. */
  constructor(pack: ArrayBuffer, pieces: number = SPARE_PIECES) {
    this.#pack = pack;
    this.#room = measureRoom(pack, pieces);
    this.#links = new LiveLinks(pack, this.#room);
  }

  /** Grows by one with each change. */
  get revision(): number {
    return this.#revision;
  }

  /** What is closed now, the oldest first. Another array after each change. */
  get closures(): readonly Closure[] {
    return this.#closures;
  }

  /** Multiplier of each area. */
  get speeds(): Readonly<Float64Array> {
    return this.#speeds;
  }

  /** Loads a kernel with this map as it is now. */
  load(kernel: Kernel): void {
    kernel.load(withSpare(this.#pack, this.#room));
    kernel.live = 0;
    this.#copyAll(kernel);
  }

  // ---- changes --------------------------------------------------------------------------------------------------------

  /**
   * Opens or closes the ground of an area (0..63), and sets how fast it is walked: `speed` times full speed, over 0 and at
   * most 1. What is not named stays. Throws `BAD_ARGUMENT`; then nothing has changed.
   */
  area(n: number, change: { open?: boolean; speed?: number }): void {
    areaNumber('area', n);
    const { open, speed } = checkAreaChange(n, change);
    let changed = false;
    if (speed !== undefined && speed !== this.#speeds[n]) {
      this.#speeds[n] = speed;
      this.#live().tell(SPEED - n);
      changed = true;
    }
    if (open !== undefined && open !== !this.#closedAreas.has(n)) {
      const records = this.#live();
      records.begin();
      this.#shutArea(records, n, open ? -1 : 1);
      if (open) this.#closedAreas.delete(n);
      else this.#closedAreas.set(n, { key: `area ${n}`, kind: 'area', name: n, revision: this.#revision + 1 });
      changed = true;
    }
    if (changed) this.#changed();
  }

  /**
   * Opens a link in both directions, in one (`forward`: from its first end to its second), or closes it. A link that the
   * export lets through in one direction only is never open in the other. Throws `BAD_ARGUMENT` for an unknown name.
   */
  link(link: string | number, open: boolean | 'forward' | 'backward'): void {
    const records = this.#live();
    records.begin();
    if (this.#links.set(records, link, open, this.#revision + 1)) this.#changed();
  }

  // ---- kernels --------------------------------------------------------------------------------------------------------

  /** Brings a kernel that holds this map up to date: one compare when it is. */
  sync(kernel: Kernel): void {
    const records = this.#records;
    if (records === undefined || kernel.live === records.written) return;
    if (kernel.live < records.oldest) {
      this.#copyAll(kernel);
      return;
    }
    const view = this.#viewOf(kernel);
    for (let k = kernel.live; k < records.written; k++) this.#follow(kernel, view, records, records.entry(k));
    kernel.live = records.written;
  }

  #follow(kernel: Kernel, view: Uint32Array, records: Records, entry: number): void {
    if (entry >= 0) {
      const { words } = records;
      const at = entry * WORDS;
      for (let w = at; w < at + WORDS; w++) view[w] = words[w];
    } else if (entry > SPEED) this.#links.copy(kernel, -1 - entry);
    else kernel.areaSpeed(SPEED - entry, this.#speeds[SPEED - entry]);
  }

  #copyAll(kernel: Kernel): void {
    const records = this.#records;
    if (records === undefined) return;
    this.#viewOf(kernel).set(records.words);
    this.#links.copyAll(kernel);
    for (let n = 0; n < AREAS; n++) kernel.areaSpeed(n, this.#speeds[n]);
    kernel.live = records.written;
  }

  /** The kernel's polygon records. */
  #viewOf(kernel: Kernel): Uint32Array {
    let view = this.#views.get(kernel);
    if (view === undefined || view.buffer !== kernel.buffer) {
      const words = kernel.u32(L.MAP_BASE + this.#room.polysAt, this.#room.total * WORDS);
      view = { buffer: kernel.buffer, words };
      this.#views.set(kernel, view);
    }
    return view.words;
  }

  // ---- closures -------------------------------------------------------------------------------------------------------

  /**
   * What is closed at a polygon: for "a door that closes on a player never traps it". Writes the closures it belongs to and
   * returns how many; none for an open polygon.
   */
  closuresAt(_kernel: Kernel, polygon: number, into: Closure[]): number {
    into.length = 0;
    const records = this.#records;
    if (records === undefined || !(polygon >= 0 && polygon < this.#room.total) || records.home[polygon] < 0) return 0;
    const area = this.#closedAreas.get(records.area(polygon));
    if (area !== undefined) into.push(area);
    return into.length;
  }

  /**
   * For one question: opens these closures in this kernel. Nothing is cut or joined; `shut` with the same list before anything
   * else is changed or asked of other kernels. A closure that is open by now counts as opened already.
   */
  open(kernel: Kernel, closures: readonly Closure[]): void {
    this.#toggle(kernel, closures, true);
  }

  /** Shuts again what `open` opened. */
  shut(kernel: Kernel, closures: readonly Closure[]): void {
    this.#toggle(kernel, closures, false);
  }

  #toggle(kernel: Kernel, closures: readonly Closure[], open: boolean): void {
    const records = this.#records;
    if (records === undefined) return;
    this.sync(kernel);
    records.begin();
    for (let i = 0; i < closures.length; i++) {
      const closure = closures[i];
      if (open === this.#opened.has(closure.key) || this.#closureOf(closure) === undefined) continue;
      if (open) this.#opened.add(closure.key);
      else this.#opened.delete(closure.key);
      if (closure.kind === 'area') this.#shutArea(records, closure.name as number, open ? -1 : 1);
      else if (closure.kind === 'link') this.#links.toggle(records, closure.name as number, open);
    }
    this.sync(kernel);
  }

  #closureOf({ kind, name }: Closure): Closure | undefined {
    if (kind === 'area') return this.#closedAreas.get(name as number);
    return kind === 'link' ? this.#links.closure(name as number) : undefined;
  }

  // ---- inside -----------------------------------------------------------------------------------------------------------

  #live(): Records {
    this.#records ??= new Records(this.#pack, this.#room);
    return this.#records;
  }

  #changed(): void {
    this.#revision++;
    const all = [...this.#closedAreas.values(), ...this.#links.closures()];
    this.#closures = all.sort((a, b) => a.revision - b.revision);
  }

  #shutArea(records: Records, n: number, by: number): void {
    const list = this.#areaOf(records, n);
    for (let k = 0; k < list.length; k++) records.shut[list[k]] += by;
    records.refresh(list);
    this.#links.settle(records, list);
  }

  #areaOf(records: Records, n: number): Int32Array {
    let list = this.#areas.get(n);
    if (list === undefined) {
      const found: number[] = [];
      for (let p = 0; p < this.#room.base; p++) if (records.area(p) === n) found.push(p);
      list = Int32Array.from(found);
      this.#areas.set(n, list);
    }
    return list;
  }
}

function checkAreaChange(n: number, change: { open?: boolean; speed?: number }): { open?: boolean; speed?: number } {
  if (typeof change !== 'object' || change === null) {
    throw new NavguardError('BAD_ARGUMENT', `area: expected { open, speed }, got ${String(change)}`, { area: n });
  }
  for (const name of Object.keys(change)) {
    if (name === 'open' || name === 'speed') continue;
    throw new NavguardError('BAD_ARGUMENT', `area: expected open or speed, got ${JSON.stringify(name)}`, { area: n });
  }
  const { open, speed } = change;
  if (open !== undefined && typeof open !== 'boolean') {
    throw new NavguardError('BAD_ARGUMENT', `area ${n}: expected open to be true or false, got ${String(open)}`, {
      area: n,
    });
  }
  if (speed !== undefined && !(speed > 0 && speed <= 1)) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `area ${n}: expected a speed over 0 and at most 1 (ground that speeds walkers up is not supported), got ${speed}`,
      { area: n, got: speed },
    );
  }
  return change;
}
