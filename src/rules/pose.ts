// Where a carrier is and which way it points, and how places on it read in the world. A leaf of rules/.
//
// A pose is x, y, z (metres), cosine and sine of the yaw (radians about y: x' = c x + s z, z' = c z - s x). Sines are made
// here from + - * floor, so that every machine and engine agrees bit for bit (Math.sin may differ). Numbers travel in typed
// arrays: hand.ts says why.

/** Numbers of a pose. */
export const POSE = 5;

const QUARTER = Math.PI / 2;

/** Cosine and sine of an angle, to out[at] and out[at + 1]: Taylor series on a quarter turn's half, the 17th term below 2^-56. */
export function writeTurn(yaw: number, out: Float64Array, at: number): void {
  const quarters = Math.floor(yaw / QUARTER + 0.5);
  const a = yaw - quarters * QUARTER;
  let cos = 1;
  let sin = a;
  let even = 1;
  let odd = a;
  for (let n = 2; n <= 18; n += 2) {
    even *= (-a * a) / (n * (n - 1));
    odd *= (-a * a) / (n * (n + 1));
    cos += even;
    sin += odd;
  }
  const turn = ((quarters % 4) + 4) % 4;
  // -0 becomes 0
  out[at] = (turn === 0 ? cos : turn === 1 ? -sin : turn === 2 ? -cos : sin) + 0;
  out[at + 1] = (turn === 0 ? sin : turn === 1 ? cos : turn === 2 ? -sin : -cos) + 0;
}

/** A place on a carrier at `pose` as a place in the world; `to` and `local` may be the same. */
export function toWorld(pose: Float64Array, local: Float64Array, to: Float64Array): void {
  const x = local[0];
  const z = local[2];
  to[0] = pose[0] + pose[3] * x + pose[4] * z;
  to[1] = pose[1] + local[1];
  to[2] = pose[2] + pose[3] * z - pose[4] * x;
}

/** A place in the world as a place on a carrier at `pose`. */
export function toLocal(pose: Float64Array, world: Float64Array, to: Float64Array): void {
  const x = world[0] - pose[0];
  const z = world[2] - pose[2];
  to[1] = world[1] - pose[1];
  to[0] = pose[3] * x - pose[4] * z;
  to[2] = pose[3] * z + pose[4] * x;
}

/** The pose a share (0..1) of the way between two, to `to`: on a straight line, turning the short way. */
export function between(a: Float64Array, b: Float64Array, share: number, to: Float64Array): void {
  for (let k = 0; k < POSE; k++) to[k] = a[k] + share * (b[k] - a[k]);
  const size = Math.sqrt(to[3] * to[3] + to[4] * to[4]);
  // half a turn at once has no short way
  if (size > 0.01) {
    to[3] /= size;
    to[4] /= size;
  } else {
    to[3] = a[3];
    to[4] = a[4];
  }
}
