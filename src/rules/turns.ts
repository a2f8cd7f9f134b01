// Which entities a chunk of a batch has seen. A leaf; imported by scene.ts and wave.ts.

export class Turns {
  #turns = new Uint32Array(0);
  #turn = 0;

  /** The turn in which each slot was last seen, for `slots` slots at least. Allocates only when the ledger has grown. */
  of(slots: number): Uint32Array {
    if (this.#turns.length < slots) this.#turns = new Uint32Array(slots);
    return this.#turns;
  }

  /** The number of a new turn. After 2^32 turns one may come again: who has not been seen since then seems to be back. */
  next(): number {
    this.#turn = (this.#turn + 1) >>> 0;
    return this.#turn;
  }
}
