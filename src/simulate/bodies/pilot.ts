// Who steers a body: along Detour's paths to places that can be walked to, but as players do: hugging walls, cutting
// corners, turning back, jumping, along ledges and off them. Imported by bodies/.
//
// What is honest is decided by the level and the mesh, never by a guard: a body goes where the mesh knows of ground near
// by, within what erosion took and a body's own width. Where the level would let it go on (the top of a box, a slope that
// the mesh calls too steep) it turns back, and that is counted.
import type { Point, Terrain } from '../actor.ts';
import type { Random } from '../random.ts';
import type { Capsule } from './capsule.ts';
import type { Footing } from './footing.ts';

/** What became of a body, in steps of 1/60 s, and events. */
export interface PilotCounts {
  steps: number;
  /** Steps in which it was pressed against something steep, hopped, fell. */
  pressed: number;
  hopping: number;
  falling: number;
  falls: number;
  jumps: number;
  /** Steps taken back because the mesh has no ground there, or no way there. */
  strayed: number;
  crossed: number;
  /** Put back: squeezed, lost below the level, or nowhere to go from. */
  putBack: number;
}

export function newPilotCounts(): PilotCounts {
  return { steps: 0, pressed: 0, hopping: 0, falling: 0, falls: 0, jumps: 0, strayed: 0, crossed: 0, putBack: 0 };
}

type Mood = 'go' | 'left' | 'right' | 'stop' | 'back' | 'roam';

/** Metres: how deep a fall may be that ends on the mesh. */
const DEEP = 50;
/** Heights of mesh and body differ by less than a climb and this, metres: a voxel and a half. */
const HEIGHT_PLAY = 0.15;
/** The highest jump that the rules allow, metres. */
const JUMP = 2.1;
/** Steps of turning back in a row after which a body is put back. */
const LOST = 240;

export class Pilot {
  readonly body: Capsule;
  readonly speed: number;
  readonly counts: PilotCounts;
  readonly #terrain: Terrain;
  readonly #footing: Footing;
  readonly #random: Random;
  /**
   * The mesh is this near in the plan where a body may be, metres. Beside walls: voxels round a wall up by a cell, contours
   * are simplified by up to 1.3 cells, and the round foot comes nearer to a leaning wall than a radius, at 45 degrees by 0.59
   * of it. At ledges: erosion took a radius, and the body's axis may stand out over the rim.
   */
  readonly #reach: number;
  readonly #ledge: number;
  #path: readonly Point[] = [];
  #corner = 0;
  #until = 0;
  #time = 0;
  #mood: Mood = 'go';
  #moodUntil = 0;
  #angle = 0;
  #wobble = 0;
  #cut = 0.3;
  #careful = false;
  #lost = 0;
  /** Where on the mesh it was last, and the polygon; 0 = it fell since. */
  #on: Point = { x: 0, y: 0, z: 0 };
  #polygon = 0;
  /** The velocity of the last step, kept in the air. */
  #vx = 0;
  #vz = 0;

  constructor(
    body: Capsule,
    cell: number,
    terrain: Terrain,
    footing: Footing,
    random: Random,
    speed: number,
    counts: PilotCounts,
  ) {
    this.body = body;
    this.speed = speed;
    this.counts = counts;
    this.#terrain = terrain;
    this.#footing = footing;
    this.#random = random;
    this.#reach = 2.3 * cell + 0.6 * body.size.radius;
    this.#ledge = 2 * body.size.radius + 2 * cell;
  }

  /** Puts the body somewhere on the mesh where it fits; false when no place was found. */
  spawn(): boolean {
    const { body } = this;
    for (let tries = 0; tries < 200; tries++) {
      const p = this.#terrain.randomPoint(this.#random);
      if (body.place(p.x, p.y, p.z) && body.state === 'walk' && this.#belongs()) {
        this.#path = [];
        this.#lost = 0;
        this.#polygon = 0;
        return true;
      }
    }
    return false;
  }

  /** One step; false when the body must be put back (the walk ends here). */
  step(seconds: number): boolean {
    const { body, counts } = this;
    this.#time += seconds;
    this.#plan();
    this.#steer(seconds);
    body.mark();
    const wasFalling = body.state === 'fall';
    body.step(seconds, this.#vx, this.#vz, this.speed);
    const stepsOff = body.state === 'fall' && !wasFalling;
    const belongs = this.#belongs();
    const crosses = belongs && this.#crosses();
    if (!belongs || crosses || (stepsOff && this.#careful)) {
      if (!belongs) counts.strayed++;
      else if (crosses) counts.crossed++;
      else this.#turn();
      body.undo();
      if (++this.#lost > LOST) return false;
      // in the air it goes on straight down or up
      if (body.state !== 'walk') {
        this.#vx = this.#vz = 0;
        body.step(seconds, 0, 0, 0);
        if (!this.#belongs()) return false;
      } else this.#turn();
    } else if (body.state === 'walk') this.#lost = 0;
    counts.steps++;
    if (body.touching) counts.pressed++;
    if (body.state === 'hop') counts.hopping++;
    if (body.state === 'fall') counts.falling++;
    if (stepsOff && body.state === 'fall') counts.falls++;
    return body.y > body.soup.bounds[1] - 2;
  }

  /** Plan metres outside the mesh of the floor that the body stands on; Infinity when that floor has none near. */
  outside(): number {
    const { climb } = this.body.size;
    const high = climb + HEIGHT_PLAY;
    return this.#footing.outside({ x: this.body.x, y: this.body.base, z: this.body.z }, this.#ledge, high, high);
  }

  /** On the ground beside the mesh, or on a ledge's rim with mesh below, or falling onto mesh. */
  #belongs(): boolean {
    const footing = this.#footing;
    const { body } = this;
    const p = { x: body.x, y: body.base, z: body.z };
    const high = body.size.climb + HEIGHT_PLAY;
    if (body.steep) return false;
    const off = footing.outside(p, this.#ledge, high, high);
    if (off <= this.#reach) return true;
    if (off < Infinity && footing.outside(p, this.#ledge, DEEP, -high) < Infinity) return true;
    return body.state === 'fall' && footing.outside(p, this.#reach, DEEP, high) < Infinity;
  }

  /**
   * Whether the last step led to ground that the mesh has no way to, or only a long one: a gap that voxels closed, a strip
   * between two ledges that erosion took.
   */
  #crosses(): boolean {
    const { body } = this;
    if (body.state === 'fall') {
      this.#polygon = 0;
      return false;
    }
    const p = { x: body.x, y: body.base, z: body.z };
    const high = body.size.climb + HEIGHT_PLAY;
    const footing = this.#footing;
    if (this.#polygon !== 0 && footing.away(p, this.#polygon) <= this.#reach) return false;
    if (!(footing.outside(p, this.#reach, high, high) < Infinity)) return false;
    const { nearest, polygon } = footing;
    if (this.#polygon !== 0 && polygon !== this.#polygon) {
      const apart = Math.hypot(nearest.x - this.#on.x, nearest.z - this.#on.z);
      if (this.#terrain.walk(this.#on, nearest) > apart + this.#reach) return true;
    }
    this.#polygon = polygon;
    this.#on = { ...nearest };
    return false;
  }

  #plan(): void {
    const random = this.#random;
    const { body } = this;
    if (body.state === 'walk') {
      while (this.#corner < this.#path.length && this.#near(this.#path[this.#corner])) this.#corner++;
      if (this.#corner >= this.#path.length || this.#time >= this.#until) this.#route();
    }
    if (this.#time < this.#moodUntil) return;
    const dice = random.next();
    this.#mood =
      dice < 0.45
        ? 'go'
        : dice < 0.62
          ? 'left'
          : dice < 0.79
            ? 'right'
            : dice < 0.83
              ? 'stop'
              : dice < 0.9
                ? 'back'
                : 'roam';
    const long = this.#mood === 'stop' || this.#mood === 'back' ? 0.6 : 2.5;
    this.#moodUntil = this.#time + random.between(0.2, long);
    this.#angle = this.#mood === 'roam' ? random.between(0, 2 * Math.PI) : random.between(0.5, 1.4);
    this.#careful = random.chance(0.7);
  }

  #near({ x, z }: Point): boolean {
    return Math.hypot(x - this.body.x, z - this.body.z) < this.#cut;
  }

  #route(): void {
    const random = this.#random;
    const { body } = this;
    const high = body.size.climb + HEIGHT_PLAY;
    this.#path = [];
    this.#corner = 1;
    this.#cut = random.between(0.1, 1.2);
    this.#until = this.#time + random.between(4, 20);
    if (this.#footing.outside({ x: body.x, y: body.base, z: body.z }, this.#ledge, high, high) === Infinity) return;
    const from = { ...this.#footing.nearest };
    for (let tries = 0; tries < 4; tries++) {
      const path = this.#terrain.path(from, this.#terrain.randomPoint(random));
      if (path === null) continue;
      this.#path = path;
      return;
    }
  }

  /** The velocity for this step, to #vx and #vz. */
  #steer(seconds: number): void {
    const { body, counts } = this;
    const random = this.#random;
    // in a fall there is nothing to push off from
    if (body.state === 'fall') return;
    if (body.state === 'walk' && random.next() < 0.25 * seconds) {
      // now and then as high as the rules allow
      const high = random.chance(0.2) ? JUMP : random.between(0.3, JUMP);
      body.jump(Math.sqrt(2 * body.size.gravity * high));
      counts.jumps++;
    }
    const corner = this.#path[this.#corner];
    let heading = corner === undefined ? this.#angle : Math.atan2(corner.z - body.z, corner.x - body.x);
    if (this.#mood === 'left') heading -= this.#angle;
    else if (this.#mood === 'right') heading += this.#angle;
    else if (this.#mood === 'back') heading += Math.PI;
    else if (this.#mood === 'roam') heading = this.#angle;
    this.#wobble += random.between(-1, 1) * 3 * seconds - this.#wobble * seconds;
    heading += this.#wobble;
    const pace = this.#mood === 'stop' ? 0 : this.speed;
    this.#vx = pace * Math.cos(heading);
    this.#vz = pace * Math.sin(heading);
  }

  /** Something it does not want to go over: another way. */
  #turn(): void {
    this.#mood = 'roam';
    this.#angle = this.#random.between(0, 2 * Math.PI);
    this.#moodUntil = this.#time + this.#random.between(0.1, 0.5);
  }
}
