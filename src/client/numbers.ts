// Arithmetic of the client's validator: numbers that wrap at 2^32, and whole-number distances without rounding. A leaf.

/** How far tick or number `a` is ahead of `b` on the circle of 2^32: 1..2^31-1 is newer, 0 the same, 2^31 and more older. */
export function ahead(a: number, b: number): number {
  return (a - b) >>> 0;
}

/** From here on a difference means "older". */
export const HALF_CIRCLE = 0x80000000;

/** Largest step, in units and per axis, that fixed-point positions may make: the sum of two squares is then exact. */
export const LARGEST_STEP = 2 ** 26;

/**
 * The smallest whole number that is at least sqrt(dx^2 + dz^2), for whole numbers; Infinity when one of them is over
 * `LARGEST_STEP`. Exact: both squares and their sum stay at or below 2^53, and the rounded root is put right by whole numbers.
 */
export function wholeDistance(dx: number, dz: number): number {
  if (!(Math.abs(dx) <= LARGEST_STEP && Math.abs(dz) <= LARGEST_STEP)) return Infinity;
  const square = dx * dx + dz * dz;
  let root = Math.ceil(Math.sqrt(square));
  // the root of a number just over a square may round down to it
  if (root * root < square) root++;
  return root;
}
