// The height of a body that jumps: up and down by gravity over the floor of its walk. Imported by walker.ts.
import type { ClientModel } from './models.ts';
import type { Random } from './random.ts';

/** m/s2: the default of the rules. */
const GRAVITY = 9.81;
/** A floor that falls away by less is walked down, metres. */
const STEP_DOWN = 0.4;

export class Feet {
  readonly #client: ClientModel;
  readonly #random: Random;
  #y = Number.NaN;
  #vy = 0;
  #inAir = false;
  #restMs: number;

  constructor(client: ClientModel, random: Random) {
    this.#client = client;
    this.#random = random;
    this.#restMs = random.between(0, 2000);
  }

  /** One frame: `ms` of it, over a floor; `still` players do not jump. */
  step(ms: number, floor: number, still: boolean): void {
    const dt = ms / 1000;
    if (this.#inAir) {
      this.#y += this.#vy * dt - (GRAVITY * dt * dt) / 2;
      this.#vy -= GRAVITY * dt;
      if (this.#y > floor) return;
      this.#inAir = false;
      this.#restMs = this.#client.bunny ? 0 : this.#random.between(200, 4000);
      this.#y = floor;
    } else if (this.#y > floor + STEP_DOWN) {
      this.#inAir = true;
      this.#vy = 0;
      return;
    }
    this.#y = floor;
    this.#restMs -= ms;
    if (this.#client.jump[1] > 0 && this.#restMs <= 0 && !still) {
      this.launch(Math.sqrt(2 * GRAVITY * this.#random.between(this.#client.jump[0], this.#client.jump[1])));
    }
  }

  /** Off the ground, this fast (m/s upwards). */
  launch(speed: number): void {
    this.#inAir = true;
    this.#vy = speed;
  }

  /** Put somewhere on the ground. */
  land(): void {
    this.#inAir = false;
    this.#y = Number.NaN;
  }

  /** Put at a height over a floor, at rest. */
  at(y: number, floor: number): void {
    this.#y = Math.max(y, floor);
    this.#vy = 0;
    this.#inAir = y > floor + 0.05;
  }

  /** Metres. */
  height(floor: number): number {
    return this.#inAir && this.#y === this.#y ? this.#y : floor;
  }
}
