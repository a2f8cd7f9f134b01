// A triangulation of one convex polygon on the integer grid with edges that must be there: how an obstacle is cut out. Imported
// by cut.ts only. All decisions are exact signs; new points are taken only strictly inside, so the rim stays as it was given.
//
// Invariant: the triangles tile the polygon, each of positive area. Points are put in by splitting, edges by flipping what
// crosses them (Sloan 1993: a crossing edge whose four-sided surroundings are convex is flipped, the others wait; it ends).
// Where two such edges cross, the grid point nearest to the crossing becomes a corner of both: they bend by less than a unit.
// Half-edge h belongs to triangle h / 3 and runs from corner[h] to the next corner of its triangle.
import { clipEars, turn } from '../mesh/ring.ts';

/** Crossings of edges in one polygon, and steps of one walk: more is no map but an accident. */
const MOST_CROSSINGS = 4096;

/** Thrown when the cut does not come out; the polygon is then closed whole. */
export class NoCut extends Error {}

export function next(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}
export function previous(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

export class Triangles {
  readonly x: number[];
  readonly z: number[];
  /** Point at which a half-edge begins. */
  readonly corner: number[] = [];
  /** The same edge seen from the other triangle, -1 = the rim. */
  readonly twin: number[] = [];
  readonly fixed: boolean[] = [];
  /** A half-edge that begins at the point. */
  readonly #out: number[] = [];
  readonly #places = new Map<number, number>();
  #crossings = 0;
  #last = 0;

  /** `x`, `z`: the rim, counter-clockwise, convex, positive area; corners may lie on one line. */
  constructor(x: readonly number[], z: readonly number[]) {
    this.x = x.slice();
    this.z = z.slice();
    for (let i = 0; i < x.length; i++) this.#places.set(keyOf(x[i], z[i]), i);
    const { ears, rest } = clipEars(x, z);
    if (rest > 0) throw new NoCut('a rim that crosses itself');
    const edges = new Map<number, number>();
    for (let h = 0; h < ears.length; h++) {
      const t = h - (h % 3);
      if (
        h === t &&
        turn(x[ears[t]], z[ears[t]], x[ears[t + 1]], z[ears[t + 1]], x[ears[t + 2]], z[ears[t + 2]]) <= 0
      ) {
        throw new NoCut('a rim without area');
      }
      this.corner.push(ears[h]);
      this.fixed.push(false);
      this.#out[ears[h]] = h;
      const end = ears[next(h)];
      const other = edges.get(end * 65536 + ears[h]);
      this.twin.push(other ?? -1);
      if (other !== undefined) this.twin[other] = h;
      edges.set(ears[h] * 65536 + end, h);
    }
  }

  side(a: number, b: number, p: number): number {
    const { x, z } = this;
    return turn(x[a], z[a], x[b], z[b], x[p], z[p]);
  }

  /** The point at a place, put in when it is new; -1 when that is not strictly inside. */
  point(px: number, pz: number): number {
    const known = this.#places.get(keyOf(px, pz));
    if (known !== undefined) return known;
    const at = this.#holder(px, pz);
    if (at === null || (at.edge >= 0 && this.twin[at.edge] < 0)) return -1;
    return this.#put(px, pz, at);
  }

  #put(px: number, pz: number, at: { triangle: number; edge: number }): number {
    const p = this.x.length;
    this.x.push(px);
    this.z.push(pz);
    this.#places.set(keyOf(px, pz), p);
    if (at.edge < 0) this.#splitTriangle(at.triangle, p);
    else this.#splitEdge(at.edge, p);
    return p;
  }

  /** The closed triangle that holds a place, and the edge it lies on. Walks from the last one, else looks at all. */
  #holder(px: number, pz: number): { triangle: number; edge: number } | null {
    const count = this.corner.length;
    let t = this.#last;
    for (let steps = 0; steps < count; steps++) {
      const over = this.#leaves(t, px, pz);
      if (over < 0) return this.#found(t, px, pz);
      const there = this.twin[over];
      if (there < 0) break;
      t = there - (there % 3);
    }
    for (t = 0; t < count; t += 3) if (this.#leaves(t, px, pz) < 0) return this.#found(t, px, pz);
    return null;
  }

  #leaves(t: number, px: number, pz: number): number {
    const { x, z, corner } = this;
    for (let h = t; h < t + 3; h++) {
      const a = corner[h];
      const b = corner[next(h)];
      if (turn(x[a], z[a], x[b], z[b], px, pz) < 0) return h;
    }
    return -1;
  }

  #found(t: number, px: number, pz: number): { triangle: number; edge: number } {
    const { x, z, corner } = this;
    this.#last = t;
    for (let h = t; h < t + 3; h++) {
      const a = corner[h];
      const b = corner[next(h)];
      if (turn(x[a], z[a], x[b], z[b], px, pz) === 0) return { triangle: t, edge: h };
    }
    return { triangle: t, edge: -1 };
  }

  // ---- surgery ----------------------------------------------------------------------------------------------------------

  #join(h: number, g: number, fixed: boolean): void {
    this.twin[h] = g;
    this.fixed[h] = fixed;
    if (g < 0) return;
    this.twin[g] = h;
    this.fixed[g] = fixed;
  }

  #triangle(t: number, a: number, b: number, c: number): void {
    this.corner[t] = a;
    this.corner[t + 1] = b;
    this.corner[t + 2] = c;
    this.#out[a] = t;
    this.#out[b] = t + 1;
    this.#out[c] = t + 2;
  }

  #grow(): number {
    const t = this.corner.length;
    for (let k = 0; k < 3; k++) {
      this.corner.push(0);
      this.twin.push(-1);
      this.fixed.push(false);
    }
    return t;
  }

  #splitTriangle(t: number, p: number): void {
    const { corner, twin, fixed } = this;
    const [a, b, c] = [corner[t], corner[t + 1], corner[t + 2]];
    const [ab, bc, ca] = [twin[t], twin[t + 1], twin[t + 2]];
    const [fab, fbc, fca] = [fixed[t], fixed[t + 1], fixed[t + 2]];
    const u = this.#grow();
    const v = this.#grow();
    this.#triangle(t, a, b, p);
    this.#triangle(u, b, c, p);
    this.#triangle(v, c, a, p);
    this.#join(t, ab, fab);
    this.#join(u, bc, fbc);
    this.#join(v, ca, fca);
    this.#join(t + 1, u + 2, false);
    this.#join(u + 1, v + 2, false);
    this.#join(v + 1, t + 2, false);
  }

  /** Edge a -> b with triangles (a, b, c) and (b, a, d): an inner one. */
  #splitEdge(h: number, p: number): void {
    const { corner, twin, fixed } = this;
    const g = twin[h];
    const a = corner[h];
    const b = corner[g];
    const c = corner[previous(h)];
    const d = corner[previous(g)];
    const [bc, ca, ad, db] = [twin[next(h)], twin[previous(h)], twin[next(g)], twin[previous(g)]];
    const [fbc, fca, fad, fdb] = [fixed[next(h)], fixed[previous(h)], fixed[next(g)], fixed[previous(g)]];
    const whole = fixed[h];
    const s = h - (h % 3);
    const t = g - (g % 3);
    const u = this.#grow();
    const v = this.#grow();
    this.#triangle(s, a, p, c);
    this.#triangle(u, p, b, c);
    this.#triangle(t, b, p, d);
    this.#triangle(v, p, a, d);
    this.#join(s, v, whole);
    this.#join(u, t, whole);
    this.#join(s + 1, u + 2, false);
    this.#join(t + 1, v + 2, false);
    this.#join(s + 2, ca, fca);
    this.#join(u + 1, bc, fbc);
    this.#join(t + 2, db, fdb);
    this.#join(v + 1, ad, fad);
  }

  /** Turns edge a -> b into c - d. The caller has seen that (a, d, b, c) is convex. */
  #flip(h: number): void {
    const { corner, twin, fixed } = this;
    const g = twin[h];
    const a = corner[h];
    const b = corner[g];
    const c = corner[previous(h)];
    const d = corner[previous(g)];
    const [bc, ca, ad, db] = [twin[next(h)], twin[previous(h)], twin[next(g)], twin[previous(g)]];
    const [fbc, fca, fad, fdb] = [fixed[next(h)], fixed[previous(h)], fixed[next(g)], fixed[previous(g)]];
    const s = h - (h % 3);
    const t = g - (g % 3);
    this.#triangle(s, c, a, d);
    this.#triangle(t, d, b, c);
    this.#join(s, ca, fca);
    this.#join(s + 1, ad, fad);
    this.#join(t, db, fdb);
    this.#join(t + 1, bc, fbc);
    this.#join(s + 2, t + 2, false);
  }

  // ---- edges that must be there ---------------------------------------------------------------------------------------

  /** The half-edges that begin at point a, as far as they can be told in turn. */
  *#around(a: number): Generator<number> {
    const start = this.#out[a];
    let h = start;
    do {
      yield h;
      h = this.twin[previous(h)];
    } while (h >= 0 && h !== start);
    if (h === start) return;
    for (h = this.twin[start]; h >= 0; h = this.twin[h]) {
      h = next(h);
      yield h;
    }
  }

  #fix(h: number): void {
    this.fixed[h] = true;
    if (this.twin[h] >= 0) this.fixed[this.twin[h]] = true;
  }

  /** Makes the straight line between two points consist of edges. */
  constrain(a: number, b: number): void {
    if (a === b) return;
    if (++this.#crossings > MOST_CROSSINGS) throw new NoCut('too many crossings');
    const { x, z, corner, twin } = this;
    // The first edge crossed; or a neighbour that lies on the way, or is its end.
    let first = -1;
    for (const h of this.#around(a)) {
      for (const v of [corner[next(h)], corner[previous(h)]]) {
        if (v !== b && this.side(a, b, v) !== 0) continue;
        if ((x[v] - x[a]) * (x[b] - x[a]) + (z[v] - z[a]) * (z[b] - z[a]) <= 0) continue;
        this.#fix(v === corner[next(h)] ? h : previous(h));
        this.constrain(v, b);
        return;
      }
      if (this.side(a, b, corner[next(h)]) < 0 && this.side(a, b, corner[previous(h)]) > 0) first = next(h);
    }
    if (first < 0) throw new NoCut('an edge that leaves the polygon');
    const crossed: number[] = [];
    for (let h = first; ; ) {
      const p = corner[h];
      const q = corner[next(h)];
      if (this.fixed[h]) {
        this.#cross(a, b, p, q);
        return;
      }
      if (twin[h] < 0) throw new NoCut('an edge that leaves the polygon');
      crossed.push(p, q);
      const g = twin[h];
      const w = corner[previous(g)];
      if (w === b) break;
      const side = this.side(a, b, w);
      if (side === 0) {
        this.constrain(a, w);
        this.constrain(w, b);
        return;
      }
      // g runs q -> p; w follows p. The line goes on over p -> w when w is on q's side, else over w -> q.
      h = side > 0 ? next(g) : previous(g);
    }
    for (let turns = 0; crossed.length > 0; turns++) {
      if (turns > MOST_CROSSINGS) throw new NoCut('an edge that cannot be flipped in');
      const p = crossed.shift()!;
      const q = crossed.shift()!;
      const h = this.#edge(p, q);
      const c = corner[previous(h)];
      const d = corner[previous(twin[h])];
      if (this.side(c, p, d) <= 0 || this.side(d, q, c) <= 0) {
        crossed.push(p, q);
        continue;
      }
      this.#flip(h);
      if (c === a || c === b || d === a || d === b) continue;
      const sc = this.side(a, b, c);
      const sd = this.side(a, b, d);
      if ((sc < 0 && sd > 0) || (sc > 0 && sd < 0)) crossed.push(c, d);
    }
    this.#fix(this.#edge(a, b));
  }

  #edge(a: number, b: number): number {
    for (const h of this.#around(a)) {
      if (this.corner[next(h)] === b) return h;
      if (this.corner[previous(h)] === b && this.twin[previous(h)] >= 0) return this.twin[previous(h)];
    }
    throw new NoCut('an edge that is not there');
  }

  /** Both edges go over the grid point nearest to where they cross; where the rim is too close, over an end of p - q. */
  #cross(a: number, b: number, p: number, q: number): void {
    const { x, z } = this;
    const sp = Math.abs(this.side(a, b, p));
    const t = sp / (sp + Math.abs(this.side(a, b, q)));
    const cx = Math.round(x[p] + t * (x[q] - x[p]));
    const cz = Math.round(z[p] + t * (z[q] - z[p]));
    let v = this.#places.get(keyOf(cx, cz));
    if (v === undefined) {
      const at = this.#holder(cx, cz);
      v = at === null || (at.edge >= 0 && this.twin[at.edge] < 0) ? (t < 0.5 ? p : q) : this.#put(cx, cz, at);
    }
    if (v === a || v === b) {
      // an end of the new edge lies on the old one, up to rounding: the old one bends to it
      this.#loosen(p, q);
      this.constrain(p, v);
      this.constrain(v, q);
      this.constrain(a, b);
      return;
    }
    if (v !== p && v !== q) {
      this.#loosen(p, q);
      this.constrain(p, v);
      this.constrain(v, q);
    }
    this.constrain(a, v);
    this.constrain(v, b);
  }

  /** The edge p - q need not be there any more. When it was split, its parts stay as they are. */
  #loosen(p: number, q: number): void {
    for (const h of this.#around(p)) {
      const on = this.corner[next(h)] === q ? h : this.corner[previous(h)] === q ? previous(h) : -1;
      if (on < 0 || this.twin[on] < 0) continue;
      this.fixed[on] = false;
      this.fixed[this.twin[on]] = false;
    }
  }
}

/** A place as one number: units stay below 2^25 in size. */
function keyOf(px: number, pz: number): number {
  return (px + 33554432) * 67108864 + (pz + 33554432);
}
