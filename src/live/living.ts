// The changeable part of one map: areas and links that open and close, obstacles, speeds. Imported by map.ts and by those who
// judge. Kernels follow: each remembers how far it has read the log of changes, and `sync` copies only what changed since.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Kernel } from '../kernel/index.ts';
import { AREAS, areaNumber } from '../mesh/filter.ts';
import type { ObstacleShape } from '../types.ts';
import type { Closure, LiveFact } from './closure.ts';
import { LiveLinks } from './links.ts';
import { Obstacles } from './obstacles.ts';
import { Records, WORDS } from './records.ts';
import type { Outline } from './shape.ts';
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
  #obstacles: Obstacles | undefined;
  readonly #views = new WeakMap<Kernel, LiveView>();
  readonly #speeds = new Float64Array(AREAS).fill(1);
  /** By area: records of the pack. */
  readonly #areas = new Map<number, Int32Array>();
  readonly #closedAreas = new Map<number, Closure>();
  readonly #opened = new Set<Closure>();
  /** Obstacles as they were given, by their ids. */
  readonly #shapes = new Map<string, ObstacleShape>();
  #closures: Closure[] = [];
  /** The revision of that list. */
  #closuresOf = 0;
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
    if (this.#closuresOf === this.#revision) return this.#closures;
    const all = [...this.#closedAreas.values(), ...this.#links.closures()];
    for (const { closure } of this.#obstacles?.all() ?? []) all.push(closure);
    this.#closures = all.sort((a, b) => a.revision - b.revision);
    this.#closuresOf = this.#revision;
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

  /**
   * An obstacle: the ground under it, and within the radius of who walks around it, is closed. One that stands there already under
   * this id is moved. Throws `BAD_ARGUMENT`, or `OUT_OF_MEMORY` when there is no room for the pieces; then nothing has changed.
   */
  block(id: string | number, shape: ObstacleShape): void {
    const records = this.#live();
    const obstacles = this.#blocks();
    const name = blockName(id);
    const outline = obstacles.outline(name, shape);
    const before = obstacles.get(name);
    // told again where it stands already: it did not close anew
    if (before !== undefined && isSame(before.outline, outline)) return;
    records.begin();
    const closure: Closure = { key: `block ${name}`, kind: 'block', name, revision: this.#revision + 1 };
    const anew = obstacles.change(records, name, outline, closure, (p) => this.#areaShut(records, p));
    this.#shapes.set(name, copyOf(shape));
    this.#links.rehome(records, anew, obstacles);
    this.#changed();
  }

  /** Takes an obstacle away; false when there is none of that id. */
  unblock(id: string | number): boolean {
    const name = blockName(id);
    const obstacle = this.#obstacles?.get(name);
    if (this.#obstacles === undefined || obstacle === undefined) return false;
    const records = this.#live();
    records.begin();
    const anew = this.#obstacles.change(records, name, null, obstacle.closure, (p) => this.#areaShut(records, p));
    this.#shapes.delete(name);
    this.#links.rehome(records, anew, this.#obstacles);
    this.#changed();
    return true;
  }

  /** What the map has become, as the facts that make it of a fresh one, in any order. */
  facts(): LiveFact[] {
    const facts: LiveFact[] = [];
    for (let n = 0; n < AREAS; n++) {
      const [open, speed] = [!this.#closedAreas.has(n), this.#speeds[n]];
      if (open && speed === 1) continue;
      facts.push({ op: 'area', area: n, ...(open ? {} : { open }), ...(speed === 1 ? {} : { speed }) });
    }
    facts.push(...this.#links.facts());
    for (const [obstacle, shape] of this.#shapes) facts.push({ op: 'block', obstacle, ...shape });
    return facts;
  }

  /** What the map as it was loaded says of a link, `#` and its place in the export. */
  linkAsLoaded(link: string): boolean | 'forward' | 'backward' {
    return this.#links.asLoaded(Number(link.slice(1)));
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

  #follow(kernel: Kernel, { words: view, chains }: LiveView, records: Records, entry: number): void {
    if (entry >= 0) {
      const { words } = records;
      const { base } = this.#room;
      if (entry >= base) chains[entry - base] = records.next(entry);
      const at = entry * WORDS;
      for (let w = at; w < at + WORDS; w++) view[w] = words[w];
    } else if (entry > SPEED) this.#links.copy(kernel, -1 - entry);
    else kernel.areaSpeed(SPEED - entry, this.#speeds[SPEED - entry]);
  }

  #copyAll(kernel: Kernel): void {
    const records = this.#records;
    if (records === undefined) return;
    const view = this.#viewOf(kernel);
    view.words.set(records.words);
    for (let p = this.#room.base; p < this.#room.total; p++) view.chains[p - this.#room.base] = records.next(p);
    this.#links.copyAll(kernel);
    for (let n = 0; n < AREAS; n++) kernel.areaSpeed(n, this.#speeds[n]);
    kernel.live = records.written;
  }

  /** The kernel's polygon records. */
  #viewOf(kernel: Kernel): LiveView {
    let view = this.#views.get(kernel);
    if (view === undefined || view.buffer !== kernel.buffer) {
      const words = kernel.u32(L.MAP_BASE + this.#room.polysAt, this.#room.total * WORDS);
      const chains = kernel.u32(L.MAP_BASE + this.#room.chains, this.#room.total - this.#room.base);
      view = { buffer: kernel.buffer, words, chains };
      this.#views.set(kernel, view);
    }
    return view;
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
    const obstacles = this.#obstacles;
    if (obstacles === undefined) return into.length;
    // an id from before the polygon was cut: whatever covers a part of it
    const pieces = records.cut[polygon] === 1 ? obstacles.pieces(records, polygon) : [polygon];
    for (const piece of pieces) {
      for (const { closure } of obstacles.holders(piece)) if (!into.includes(closure)) into.push(closure);
    }
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
      if (open === this.#opened.has(closure) || this.#closureOf(closure) === undefined) continue;
      if (open) this.#opened.add(closure);
      else this.#opened.delete(closure);
      if (closure.kind === 'area') this.#shutArea(records, closure.name as number, open ? -1 : 1);
      else if (closure.kind === 'link') this.#links.toggle(records, closure.name as number, open);
      else this.#shutBlock(records, closure.name as string, open ? -1 : 1);
    }
    this.sync(kernel);
  }

  #closureOf({ kind, name }: Closure): Closure | undefined {
    if (kind === 'area') return this.#closedAreas.get(name as number);
    if (kind === 'link') return this.#links.closure(name as number);
    return this.#obstacles?.get(name as string)?.closure;
  }

  // ---- inside -----------------------------------------------------------------------------------------------------------

  #live(): Records {
    this.#records ??= new Records(this.#pack, this.#room);
    return this.#records;
  }

  #changed(): void {
    this.#revision++;
  }

  #shutArea(records: Records, n: number, by: number): void {
    const list = this.#areaOf(records, n);
    for (let k = 0; k < list.length; k++) records.shut[list[k]] += by;
    records.refresh(list);
    this.#links.settle(records, list);
    if (this.#obstacles === undefined) return;
    const pieces: number[] = [];
    for (let k = 0; k < list.length; k++) {
      if (records.cut[list[k]] === 1) pieces.push(...this.#obstacles.pieces(records, list[k]));
    }
    this.#shutPieces(records, pieces, by);
  }

  #shutBlock(records: Records, name: string, by: number): void {
    const obstacle = this.#obstacles?.get(name);
    if (obstacle !== undefined) this.#shutPieces(records, this.#obstacles!.groundOf(records, obstacle), by);
  }

  #shutPieces(records: Records, pieces: readonly number[], by: number): void {
    for (const p of pieces) records.shut[p] += by;
    records.refresh(pieces);
    this.#links.settle(records, pieces);
  }

  #areaShut(records: Records, p: number): number {
    return this.#closedAreas.has(records.area(p)) ? 1 : 0;
  }

  #blocks(): Obstacles {
    this.#obstacles ??= new Obstacles(this.#pack, this.#room);
    return this.#obstacles;
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

/** The same ground and heights. */
function isSame(a: Outline, b: Outline): boolean {
  return a.low === b.low && a.high === b.high && isEqual(a.x, b.x) && isEqual(a.z, b.z);
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** The caller's lists may change afterwards. */
function copyOf({ box, cylinder, grow }: ObstacleShape): ObstacleShape {
  return {
    ...(box === undefined ? {} : { box: [...box] }),
    ...(cylinder === undefined ? {} : { cylinder: [...cylinder] }),
    ...(grow === undefined ? {} : { grow }),
  };
}

function blockName(id: string | number): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw new NavguardError('BAD_ARGUMENT', `block: expected an id that is a text or a number, got ${String(id)}`);
}

interface LiveView {
  readonly buffer: ArrayBufferLike;
  readonly words: Uint32Array;
  readonly chains: Uint32Array;
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
