// Height bands: whether a floor carries a position at some height. Imported by locate, nearest and the ray. Never an
// epsilon: limits are closed, and every shortcut gives the answer of the detail height.

import { heightAt, planeAt, planeSpread, yMax, yMin } from './mesh.ts';

/** Whether a floor at height h carries a position at height y. False for NaN. */
export function inBand(h: f64, y: f64, below: f64, above: f64): bool {
  return h - below <= y && y <= h + above;
}

/** 1 when the range of polygon p's heights alone proves that it carries a position at height y, wherever over it. */
export function rangeCarries(p: u32, y: f64, below: f64, above: f64): u32 {
  return (yMax(p) - below <= y ? 1 : 0) & (y <= yMin(p) + above ? 1 : 0);
}

/** 1 when the plane that polygon p's heights lie near proves that it carries a position at height y there. */
export function planeCarries(p: u32, px: f64, pz: f64, y: f64, below: f64, above: f64): u32 {
  const h: f64 = planeAt(p, px, pz);
  const spread: f64 = planeSpread(p);
  return (h + spread - below <= y ? 1 : 0) & (y <= h - spread + above ? 1 : 0);
}

/**
 * Whether polygon p, which holds the plan point, carries a position at height y there. The detail height is only looked
 * up when neither the range of the polygon's heights nor the plane they lie near decides; the answer is the same.
 */
export function carries(p: u32, px: f64, pz: f64, y: f64, below: f64, above: f64): bool {
  // Joined without a branch: which of them decides is a coin toss, that one does is not.
  if ((rangeCarries(p, y, below, above) | planeCarries(p, px, pz, y, below, above)) !== 0) return true;
  if (!nearHeights(p, y, below, above)) return false;
  const h: f64 = planeAt(p, px, pz);
  const spread: f64 = planeSpread(p);
  if (h - spread - below > y || y > h + spread + above) return false;
  return inBand(heightAt(p, px, pz), y, below, above);
}

/** Whether y is in the band of some height of polygon p: never false where `carries` is true. False for NaN. */
export function nearHeights(p: u32, y: f64, below: f64, above: f64): bool {
  return yMin(p) - below <= y && y <= yMax(p) + above;
}

/** How far y lies outside the band of a floor at height h, metres; 0 inside. */
export function outOfBand(h: f64, y: f64, below: f64, above: f64): f64 {
  return Math.max(0.0, Math.max(h - below - y, y - h - above));
}
