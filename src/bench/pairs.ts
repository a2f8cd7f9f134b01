// The shape of a query set. A leaf of bench/ but for ground.ts.
import type { Tuple, Vector } from './ground.ts';

/** Positions of n queries, metres, in every shape that a library asks for. */
export interface Pairs {
  readonly n: number;
  /** Flat x, y, z. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** recast-navigation's and everyone's plain objects, made before any timing. */
  readonly fromVectors: readonly Vector[];
  readonly toVectors: readonly Vector[];
  readonly fromTuples: readonly Tuple[];
  readonly toTuples: readonly Tuple[];
}
