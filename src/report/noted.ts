// A finding as inspect shows it. A leaf of report/.
import type { Finding } from '../mesh/conforming.ts';
import type { Place } from './plan.ts';
import { grouped } from './table.ts';

/** A finding of loading or of this survey; places may be missing in packs of old. */
export interface Noted {
  readonly kind:
    | Finding['kind']
    | 'suspicious-scale'
    | 'suspicious-axes'
    | 'island'
    | 'closed-interior'
    | 'overlapping-floors'
    | 'low-clearance';
  /** One sentence. */
  readonly message: string;
  readonly count: number;
  /** Export polygon numbers of the first few. */
  readonly polygons: readonly number[];
  /** Where the first few are, metres. */
  readonly at: readonly Place[];
}

/** Square metres for people. */
export function m2(area: number): string {
  return `${area >= 100 ? grouped(Math.round(area)) : Number(area.toPrecision(2))} m2`;
}
