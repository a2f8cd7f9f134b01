// Obstacles on a living map: which polygons they cut, and the records of the pieces. Imported by living.ts only.
//
// Invariant: what a polygon of the pack is cut into depends on the obstacles over it and over its neighbours now, in the order
// of their names, and on nothing that was there before. So a change makes anew the polygons under the obstacle and those across
// their edges, and taking the last obstacle away gives the pack's own records back, byte for byte.
// Cost: the touched polygons, each with all its obstacles.
import { NavguardError } from '../errors.ts';
import type { ObstacleShape } from '../types.ts';
import type { Closure } from './closure.ts';
import { cutPolygon, edgePoints, overlap, type Piece, type Plan } from './cut.ts';
import { Ground } from './ground.ts';
import type { Records } from './records.ts';
import { type Outline, outlineOf } from './shape.ts';
import type { Room } from './spare.ts';
import { NoCut } from './triangles.ts';

export interface Obstacle {
  readonly key: string;
  readonly outline: Outline;
  readonly closure: Closure;
  /** Polygons of the pack that it covers a part of. */
  readonly over: readonly number[];
}

export class Obstacles {
  readonly #room: Room;
  readonly #ground: Ground;
  readonly #all = new Map<string, Obstacle>();
  /** By polygon of the pack, in the order of names. */
  readonly #over = new Map<number, readonly Obstacle[]>();
  /** By record of a piece: the obstacles whose ground it is. */
  readonly #holders = new Map<number, readonly Obstacle[]>();
  /** By record and edge of a piece: the edge of the pack's polygon that it is a part of, or -1. */
  readonly #rim: Int8Array;
  readonly #free: number[] = [];

  constructor(pack: ArrayBuffer, room: Room) {
    this.#room = room;
    this.#ground = new Ground(pack, room);
    this.#rim = new Int8Array((room.total - room.base) * 8).fill(-1);
    for (let p = room.total - 1; p >= room.base; p--) this.#free.push(p);
  }

  get(key: string): Obstacle | undefined {
    return this.#all.get(key);
  }
  all(): Iterable<Obstacle> {
    return this.#all.values();
  }
  /** The obstacles whose ground a record is. */
  holders(p: number): readonly Obstacle[] {
    return this.#holders.get(p) ?? NOTHING;
  }
  /** The pieces of a polygon of the pack. */
  pieces(records: Records, base: number): number[] {
    const list: number[] = [];
    for (let p = records.first(base); p !== 0; p = records.chain[p]) list.push(p);
    return list;
  }
  /** The pieces that are an obstacle's ground. */
  groundOf(records: Records, obstacle: Obstacle): number[] {
    const list: number[] = [];
    for (const base of obstacle.over) {
      for (const p of this.pieces(records, base)) if (this.holders(p).includes(obstacle)) list.push(p);
    }
    return list;
  }

  outline(id: string | number, shape: ObstacleShape): Outline {
    return outlineOf(id, shape, this.#ground.frame);
  }

  /**
   * Puts an obstacle in, or takes away the one of that name (`outline` null); returns the polygons of the pack that were made
   * anew. Throws `OUT_OF_MEMORY` when there are not enough spare records; then nothing has changed.
   */
  change(
    records: Records,
    key: string,
    outline: Outline | null,
    closure: Closure,
    areaShut: (p: number) => number,
  ): number[] {
    const before = this.#all.get(key);
    const over =
      outline === null
        ? []
        : this.#ground
            .near(outline)
            .filter((p) => this.#ground.meets(p, outline) && overlap(this.#ground.plan(p), outline));
    const now = outline === null ? undefined : { key, outline, closure, over };
    const lists = new Map<number, readonly Obstacle[]>();
    for (const p of new Set([...(before?.over ?? []), ...over])) {
      const list = (this.#over.get(p) ?? NOTHING).filter((o) => o !== before);
      if (now !== undefined && over.includes(p)) list.push(now);
      lists.set(
        p,
        list.sort((a, b) => (a.key < b.key ? -1 : 1)),
      );
    }
    const anew = new Set(lists.keys());
    for (const changed of [before, now]) if (changed !== undefined) this.#addNeighbours(changed, anew);
    const overOf = (p: number): readonly Obstacle[] => lists.get(p) ?? this.#over.get(p) ?? NOTHING;
    const plans = new Map<number, { pieces: Piece[]; obstacles: readonly Obstacle[] } | null>();
    let needed = 0;
    for (const p of [...anew].sort((a, b) => a - b)) {
      const pieces = this.#plan(p, overOf);
      plans.set(p, pieces === null ? null : { pieces, obstacles: overOf(p) });
      needed += pieces?.length ?? 0;
    }
    let room = this.#free.length;
    for (const p of anew) room += this.pieces(records, p).length;
    if (needed > room) {
      const all = this.#room.total - this.#room.base;
      throw new NavguardError(
        'OUT_OF_MEMORY',
        `${closure.key}: expected room for ${needed} pieces of polygons, ${room} of ${all} are left: load the map with more \`pieces\``,
        { needed, left: room, pieces: all },
      );
    }
    // From here on nothing fails.
    if (now === undefined) this.#all.delete(key);
    else this.#all.set(key, now);
    for (const [p, list] of lists) {
      if (list.length > 0) this.#over.set(p, list);
      else this.#over.delete(p);
    }
    for (const p of plans.keys()) this.#dissolve(records, p);
    for (const [p, plan] of plans) if (plan !== null) this.#build(records, p, plan.pieces, plan.obstacles, areaShut(p));
    for (const p of plans.keys()) this.#link(records, p);
    const list: number[] = [];
    for (const p of plans.keys()) {
      if (records.cut[p] === 0) list.push(p);
      else list.push(...this.pieces(records, p));
    }
    records.refresh(list);
    return [...plans.keys()];
  }

  /** Polygons across an edge into which the obstacle puts corners. */
  #addNeighbours({ over, outline }: Obstacle, into: Set<number>): void {
    for (const p of over) {
      const { x, z } = this.#ground.plan(p);
      for (let i = 0; i < x.length; i++) {
        const q = this.#ground.across(p, i);
        if (q < 0 || into.has(q)) continue;
        const j = i + 1 < x.length ? i + 1 : 0;
        // whether, not where: the polygons beside the edge do not matter
        if (edgePoints(x[i], z[i], x[j], z[j], outline, null, null) !== null) into.add(q);
      }
    }
  }

  #plan(p: number, overOf: (p: number) => readonly Obstacle[]): Piece[] | null {
    const own = overOf(p);
    const outlines = own.map((o) => o.outline);
    const plan = this.#ground.plan(p);
    const edges = Array.from(plan.x, (_, i) => {
      const q = this.#ground.across(p, i);
      const there = q < 0 ? NOTHING : overOf(q);
      return [...outlines, ...there.filter((o) => !own.includes(o)).map((o) => o.outline)];
    });
    const beside = Array.from(plan.x, (_, i) => {
      const q = this.#ground.across(p, i);
      return q < 0 ? null : this.#ground.plan(q);
    });
    try {
      return cutPolygon(plan, outlines, edges, beside, true);
    } catch (error) {
      if (!(error instanceof NoCut)) throw error;
      // Only where corners lie within a unit or two of each other: closed whole rather than open where it should not be.
      return this.#whole(p, plan, edges, beside, own.length);
    }
  }

  #whole(
    p: number,
    plan: Plan,
    edges: readonly (readonly Outline[])[],
    beside: readonly (Plan | null)[],
    obstacles: number,
  ): Piece[] {
    const inside = Array.from({ length: obstacles }, (_, k) => k);
    try {
      return (cutPolygon(plan, [], edges, beside, false) ?? []).map((piece) => ({ ...piece, inside }));
    } catch (error) {
      if (!(error instanceof NoCut)) throw error;
      const why = `polygon ${p} cannot be cut there (${error.message}): move the obstacle by a centimetre`;
      throw new NavguardError('BAD_ARGUMENT', `block: ${why}`, { polygon: p });
    }
  }

  /** Gives the records of p's pieces back; p is what the pack says. */
  #dissolve(records: Records, p: number): void {
    if (records.cut[p] === 1) {
      // the lowest numbers are taken first again
      for (const piece of this.pieces(records, p).reverse()) {
        records.release(piece);
        this.#holders.delete(piece);
        this.#free.push(piece);
      }
    }
    records.restore(p);
  }

  #build(
    records: Records,
    p: number,
    pieces: readonly Piece[],
    obstacles: readonly Obstacle[],
    areaShut: number,
  ): void {
    const made: number[] = [];
    for (const { x, z, rim, inside } of pieces) {
      const piece = this.#free.pop()!;
      const heights = x.map((px, i) => {
        const edge = rim[i] >= 0 ? rim[i] : rim[i === 0 ? x.length - 1 : i - 1];
        return this.#ground.height(p, edge, px, z[i]);
      });
      records.write(piece, p, x, z, heights);
      records.shut[piece] = areaShut + inside.length;
      if (inside.length > 0) {
        this.#holders.set(
          piece,
          inside.map((k) => obstacles[k]),
        );
      }
      const at = (piece - this.#room.base) * 8;
      for (let i = 0; i < 8; i++) this.#rim[at + i] = i < rim.length ? rim[i] : -1;
      made.push(piece);
    }
    records.split(p, made);
    this.#linkInside(records, made);
  }

  /** Joins the pieces of one polygon over their inner edges. */
  #linkInside(records: Records, made: readonly number[]): void {
    const open = new Map<string, number>();
    const { words } = records;
    for (const piece of made) {
      const n = records.count(piece);
      const at = piece * 48;
      for (let i = 0; i < n; i++) {
        if (this.#rim[(piece - this.#room.base) * 8 + i] >= 0) continue;
        const j = i + 1 < n ? i + 1 : 0;
        const a = `${words[at + i]},${words[at + 8 + i]}`;
        const b = `${words[at + j]},${words[at + 8 + j]}`;
        const there = open.get(`${b};${a}`);
        if (there === undefined) open.set(`${a};${b}`, piece * 8 + i);
        else records.join(piece, i, there >>> 3, there & 7);
      }
    }
  }

  /** Joins p, or its pieces, with what lies across the edges of p now. */
  #link(records: Records, p: number): void {
    const { words } = records;
    for (let i = 0; i < this.#ground.count(p); i++) {
      const q = this.#ground.across(p, i);
      if (q < 0) continue;
      let t = -1;
      for (let k = 0; k < this.#ground.count(q) && t < 0; k++) {
        if (this.#ground.across(q, k) === p && this.#ground.meet(p, i, q, k)) t = k;
      }
      const there = this.#parts(records, q, t);
      for (const c of this.#parts(records, p, i)) {
        const [a, k] = [(c >>> 3) * 48, c & 7];
        const j = k + 1 < records.count(c >>> 3) ? k + 1 : 0;
        for (const d of there) {
          const [b, m] = [(d >>> 3) * 48, d & 7];
          if (words[b + m] === words[a + j] && words[b + 8 + m] === words[a + 8 + j])
            records.join(c >>> 3, k, d >>> 3, m);
        }
      }
    }
  }

  /** Record * 8 + edge of everything that is a part of edge i of polygon p. */
  #parts(records: Records, p: number, i: number): number[] {
    if (records.cut[p] === 0) return [p * 8 + i];
    const parts: number[] = [];
    for (const piece of this.pieces(records, p)) {
      const at = (piece - this.#room.base) * 8;
      for (let k = 0; k < records.count(piece); k++) if (this.#rim[at + k] === i) parts.push(piece * 8 + k);
    }
    return parts;
  }
}

const NOTHING: readonly never[] = [];
