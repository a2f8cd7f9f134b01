// What becomes of a move whose straight way is blocked: one small decision, apart, so that what it rests on can change
// without touching anything else. A pure leaf of rules/; imported by judgemove.ts.
import { S_OVER, S_UNDECIDED, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import { Reason, type ReasonCode } from '../reasons.ts';

/**
 * `status` is the kernel's answer under the budget, of which the edge forgiveness is part. A walk that fits acquits,
 * whatever bound its length is; Wall is convicted by proof: S_OVER says that no walk is that short. No walk at all is
 * PathPartial, or Wall where there may be one with every door open (`joined`); a search that was cut short is Undecided:
 * accepted, and marked.
 */
export function judgeBlocked(status: number, joined = false): ReasonCode {
  if (status === S_WALK) return Reason.Accept;
  if (status === S_UNREACHABLE) return joined ? Reason.Wall : Reason.PathPartial;
  if (status === S_UNDECIDED) return Reason.Undecided;
  if (status === S_OVER) return Reason.Wall;
  return Reason.TargetNotOnNavMesh;
}
