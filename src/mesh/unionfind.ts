// Disjoint sets over 0..n-1 with path halving; the smaller number becomes the root, so that numbering is deterministic.
// A leaf of mesh/.

export class UnionFind {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parent[i] = i;
  }

  find(i: number): number {
    const parent = this.#parent;
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  union(i: number, j: number): void {
    const a = this.find(i);
    const b = this.find(j);
    if (a < b) this.#parent[b] = a;
    else if (b < a) this.#parent[a] = b;
  }
}
