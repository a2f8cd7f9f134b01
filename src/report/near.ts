// Which polygons of a plan may touch a box: a uniform grid over their bounds. A leaf of report/ but for the plan.
import type { Plan } from './plan.ts';

/** minX, minZ, maxX, maxZ. */
export type Box = readonly [number, number, number, number];

export function boxOf({ first, x, z }: Plan, p: number): Box {
  let [minX, minZ, maxX, maxZ] = [x[first[p]], z[first[p]], x[first[p]], z[first[p]]];
  for (let c = first[p] + 1; c < first[p + 1]; c++) {
    minX = Math.min(minX, x[c]);
    minZ = Math.min(minZ, z[c]);
    maxX = Math.max(maxX, x[c]);
    maxZ = Math.max(maxZ, z[c]);
  }
  return [minX, minZ, maxX, maxZ];
}

/** Made once per plan. Cells are about as wide as a polygon, and no more than four per polygon. */
export class Near {
  readonly boxes: readonly Box[];
  readonly #cell: number;
  readonly #x: number;
  readonly #z: number;
  readonly #width: number;
  readonly #height: number;
  readonly #lists: (number[] | undefined)[];
  readonly #seen: Uint32Array;
  #round = 0;

  constructor(plan: Plan) {
    this.boxes = Array.from({ length: plan.count }, (_, p) => boxOf(plan, p));
    let [minX, minZ, maxX, maxZ] = this.boxes[0];
    let wide = 0;
    for (const box of this.boxes) {
      minX = Math.min(minX, box[0]);
      minZ = Math.min(minZ, box[1]);
      maxX = Math.max(maxX, box[2]);
      maxZ = Math.max(maxZ, box[3]);
      wide += (box[2] - box[0] + box[3] - box[1]) / (2 * plan.count);
    }
    this.#x = minX;
    this.#z = minZ;
    const least = Math.sqrt(((maxX - minX) * (maxZ - minZ)) / (4 * plan.count));
    this.#cell = Math.max(wide, least, (maxX - minX + maxZ - minZ) / (4 * plan.count), 1e-6);
    this.#width = Math.floor((maxX - minX) / this.#cell) + 1;
    this.#height = Math.floor((maxZ - minZ) / this.#cell) + 1;
    this.#lists = new Array(this.#width * this.#height);
    this.#seen = new Uint32Array(plan.count);
    this.boxes.forEach((box, p) => {
      this.#cells(box, (cell) => {
        const list = this.#lists[cell];
        if (list === undefined) this.#lists[cell] = [p];
        else list.push(p);
      });
    });
  }

  /** Every polygon whose bounds touch the box, once. */
  visit(box: Box, found: (p: number) => void): void {
    this.#round++;
    this.#cells(box, (cell) => {
      for (const p of this.#lists[cell] ?? []) {
        if (this.#seen[p] === this.#round) continue;
        this.#seen[p] = this.#round;
        const [minX, minZ, maxX, maxZ] = this.boxes[p];
        if (minX <= box[2] && maxX >= box[0] && minZ <= box[3] && maxZ >= box[1]) found(p);
      }
    });
  }

  #cells(box: Box, visit: (cell: number) => void): void {
    const at = (v: number, from: number, most: number) =>
      Math.min(Math.max(Math.floor((v - from) / this.#cell), 0), most - 1);
    for (let j = at(box[1], this.#z, this.#height); j <= at(box[3], this.#z, this.#height); j++) {
      for (let i = at(box[0], this.#x, this.#width); i <= at(box[2], this.#x, this.#width); i++) {
        visit(j * this.#width + i);
      }
    }
  }
}
