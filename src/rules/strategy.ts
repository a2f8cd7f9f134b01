// What kind of mover a click-to-move claim speaks for, and which position the game's state should keep once it is
// accepted (the snapshot). Imported by rules/ and guard.ts.
//
// hero: the target, for its clients think of it as there; monster and bullet: where the server has it when it sets out;
// rotation: it only turns, nothing moves and nothing is written. A position that is within snapshotThreshold, in x and in
// z, of what the game keeps anyway is not written. What it keeps is what it was last told to, or, when a move has come
// since, where that ended: both must be near before a write is left out, for a write too many does no harm.
import { FLAGS, SNAP_X, SNAP_Z, STRATEGIES, WALKING, X, Z } from './ledger.ts';
import type { Scene } from './scene.ts';

/** A mover's kind. */
export type Strategy = 'hero' | 'monster' | 'bullet' | 'rotation';
/** All of them; the index is the bit in STRATEGIES. */
export const STRATEGY_WORDS: readonly Strategy[] = ['hero', 'monster', 'bullet', 'rotation'];
/** In STRATEGIES: none of them. */
const NO_STRATEGY = 1 << STRATEGY_WORDS.length;

/** Bits of a list of words; NaN when one is unknown. */
export function strategyBits(words: readonly unknown[]): number {
  let bits = 0;
  for (const word of words) {
    const at = (STRATEGY_WORDS as readonly unknown[]).indexOf(word);
    if (at < 0) return Number.NaN;
    bits |= 1 << at;
  }
  return bits === 0 ? NO_STRATEGY : bits;
}

/**
 * The strategy that a claim moves by: the one it names, or the only one that the entity may use, or none (`undefined`).
 * `null` when the entity may not use it, or nobody knows it.
 */
export function strategyOf(f: Float64Array, o: number, named: unknown): Strategy | undefined | null {
  const allowed = f[o + STRATEGIES];
  if (named === undefined || named === null) {
    if (allowed === NO_STRATEGY) return null;
    const only = STRATEGY_WORDS.findIndex((_, bit) => allowed === 1 << bit);
    return only < 0 ? undefined : STRATEGY_WORDS[only];
  }
  const at = (STRATEGY_WORDS as readonly unknown[]).indexOf(named);
  if (at < 0 || (allowed !== 0 && (allowed & (1 << at)) === 0)) return null;
  return STRATEGY_WORDS[at];
}

/** Why `strategyOf` gave null, in words. */
export function strategyFault(named: unknown): string {
  if (named === undefined || named === null) return 'strategy: this entity may use none';
  const known = (STRATEGY_WORDS as readonly unknown[]).includes(named);
  if (known) return `strategy: this entity may not use "${named}"`;
  const word = JSON.stringify(named);
  const shown = word.length > 40 ? `${word.slice(0, 37)}...` : word;
  return `strategy: expected one of ${STRATEGY_WORDS.join(', ')}, got ${shown}`;
}

/** The game has this position now, told by the server itself. */
export function beginSnapshot(f: Float64Array, o: number): void {
  f[o + SNAP_X] = f[o + X];
  f[o + SNAP_Z] = f[o + Z];
}

/** What the game keeps, while a claim is judged: filled before the claim is committed. */
const kept = { x: 0, z: 0, known: false };

/** Notes where the entity stood before the claim at hand is committed: where the last move left it. */
export function noteKept(f: Float64Array, o: number): void {
  // while it walks its last position is older than the last snapshot
  kept.known = (f[o + FLAGS] & WALKING) === 0;
  kept.x = f[o + X];
  kept.z = f[o + Z];
}

/** The verdict says: keep this position (metres, y as clients measure it). After `noteKept` and `answer`. */
export function snapTo(scene: Scene, f: Float64Array, o: number, x: number, y: number, z: number): void {
  const threshold = scene.rules.snapshotThreshold;
  const near = isNear(f[o + SNAP_X], f[o + SNAP_Z], x, z, threshold);
  if (near && (!kept.known || isNear(kept.x, kept.z, x, z, threshold))) return;
  f[o + SNAP_X] = x;
  f[o + SNAP_Z] = z;
  const { verdict } = scene;
  verdict.snapped = true;
  verdict.snap[0] = x;
  verdict.snap[1] = y;
  verdict.snap[2] = z;
}

function isNear(ax: number, az: number, bx: number, bz: number, threshold: number): boolean {
  return Math.abs(ax - bx) <= threshold && Math.abs(az - bz) <= threshold;
}
