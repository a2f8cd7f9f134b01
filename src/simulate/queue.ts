// What is going to happen, soonest first: a binary heap over pooled slots, so that a million claims on their way cost no
// garbage. Events at the same time come out in the order they were put in. A leaf of simulate/.

/** A slot of `Queue`: read what is needed, then `take` the next. */
export class Queue {
  /** When, and in which order among the same times. */
  time = new Float64Array(64);
  #order = new Float64Array(64);
  kind = new Uint8Array(64);
  /** Whose. */
  owner = new Int32Array(64);
  /** When it was sent, ms; and a claim's seq, x, y, z. */
  sent = new Float64Array(64);
  seq = new Float64Array(64);
  x = new Float64Array(64);
  y = new Float64Array(64);
  z = new Float64Array(64);
  /** Anything else. */
  readonly what: unknown[] = [];
  #heap = new Int32Array(64);
  #size = 0;
  #orders = 0;

  get size(): number {
    return this.#size;
  }

  /** The time of the next event; Infinity when there is none. */
  get nextTime(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.time[this.#heap[0]];
  }

  /** Puts an event in; returns its slot, for what else it holds. Numbers of earlier use may still stand there. */
  put(time: number, kind: number, owner: number): number {
    if (this.#size === this.#heap.length) this.#grow();
    // the heap is a permutation of all slots: those behind `size` are free
    const slot = this.#heap[this.#size];
    this.time[slot] = time;
    this.#order[slot] = this.#orders++;
    this.kind[slot] = kind;
    this.owner[slot] = owner;
    this.what[slot] = undefined;
    this.#rise(this.#size++);
    return slot;
  }

  /** Takes the soonest event out: its slot, valid until the next `put`; -1 when empty. */
  take(): number {
    if (this.#size === 0) return -1;
    const heap = this.#heap;
    const slot = heap[0];
    this.#size--;
    heap[0] = heap[this.#size];
    heap[this.#size] = slot;
    this.#sink(0);
    return slot;
  }

  #before(a: number, b: number): boolean {
    const { time } = this;
    return time[a] < time[b] || (time[a] === time[b] && this.#order[a] < this.#order[b]);
  }

  #rise(start: number): void {
    const heap = this.#heap;
    const slot = heap[start];
    let i = start;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#before(slot, heap[parent])) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = slot;
  }

  #sink(start: number): void {
    const heap = this.#heap;
    const size = this.#size;
    if (size === 0) return;
    const slot = heap[start];
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], slot)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = slot;
  }

  #grow(): void {
    const old = this.#heap.length;
    const grown = <T extends Float64Array | Int32Array | Uint8Array>(array: T): T => {
      const next = new (array.constructor as new (length: number) => T)(old * 2);
      next.set(array);
      return next;
    };
    this.time = grown(this.time);
    this.#order = grown(this.#order);
    this.kind = grown(this.kind);
    this.owner = grown(this.owner);
    this.sent = grown(this.sent);
    this.seq = grown(this.seq);
    this.x = grown(this.x);
    this.y = grown(this.y);
    this.z = grown(this.z);
    this.#heap = grown(this.#heap);
    for (let i = old; i < old * 2; i++) this.#heap[i] = i;
  }

  constructor() {
    for (let i = 0; i < this.#heap.length; i++) this.#heap[i] = i;
  }
}
