// What becomes of a move whose straight way is blocked: one small decision, apart, so that the measure it rests on can
// change without touching anything else. A pure leaf of rules/; imported by guard.ts.
import { S_OVER, S_UNDECIDED, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import { Reason, type ReasonCode } from '../reasons.ts';

/**
 * `status` and `length` (metres) are the kernel's answer under `budget` metres; the edge forgiveness is part of the
 * budget. A walk that fits acquits whatever bound it is; `length` convicts as an upper bound (the corridor's) for now,
 * so a detour that the corridor overstates can be refused wrongly. No walk at all is PathPartial, a search that was cut
 * short is Undecided: accepted, and marked.
 */
export function judgeBlocked(status: number, length: number, budget: number): ReasonCode {
  if (status === S_WALK) return length <= budget ? Reason.Accept : Reason.Wall;
  if (status === S_UNREACHABLE) return Reason.PathPartial;
  if (status === S_UNDECIDED) return Reason.Undecided;
  if (status === S_OVER) return Reason.Wall;
  return Reason.TargetNotOnNavMesh;
}
