// What became of one actor: counts of verdicts, how suspicious it got, and for a cheat when it was found out. Imported by
// arena.ts and whoever prints figures.
import type { ReasonName } from '../reasons.ts';

/** A claim that an honest player should not have had refused. */
export interface Refusal {
  /** When the server judged it, ms. */
  readonly t: number;
  readonly seq: unknown;
  readonly verdict: string;
  readonly reason: ReasonName;
  readonly used: number | null;
  readonly allowed: number | null;
}

/** When a cheat was first refused, or first at `watch`: counted from the first claim that was not honest. */
export interface Found {
  readonly reason: ReasonName | null;
  readonly ms: number;
  /** Dishonest claims up to and including this one. */
  readonly claims: number;
  /** Metres (plan) the server let it go since then. */
  readonly metres: number;
}

export interface Outcome {
  readonly id: string;
  readonly kind: string;
  readonly model: string;
  /** Claims that the server judged while the actor was honest. */
  claims: number;
  undecided: number;
  /** Refusals by reason: `correct`, and `reject` or `ignore` that nothing excuses. */
  readonly refused: Partial<Record<ReasonName, number>>;
  refusals: number;
  corrections: number;
  /** The first few, for whoever looks for the cause. */
  readonly first: Refusal[];
  /** Refused claims that are nobody's fault: overtaken ones, and those sent before the client could know. */
  late: number;
  ignored: number;
  /** Stalls of the line so far that may be beyond burstMs. */
  stalls: number;
  worstScore: number;
  worstAction: number;
  worstAt: number;
  /** From here on claims are not honest: ms; Infinity for the honest. */
  cheatedAt: number;
  cheatClaims: number;
  cheatMetres: number;
  cheatRefusals: number;
  firstRefusal: Found | null;
  firstWatch: Found | null;
}

/** Actions from mild to hard, as `Outcome.worstAction` counts them. */
export const ACTIONS = ['none', 'watch', 'restrict', 'kick'] as const;

export function newOutcome(id: string, kind: string, model: string): Outcome {
  return {
    id,
    kind,
    model,
    claims: 0,
    undecided: 0,
    refused: {},
    refusals: 0,
    corrections: 0,
    first: [],
    late: 0,
    ignored: 0,
    stalls: 0,
    worstScore: 0,
    worstAction: 0,
    worstAt: 0,
    cheatedAt: Number.POSITIVE_INFINITY,
    cheatClaims: 0,
    cheatMetres: 0,
    cheatRefusals: 0,
    firstRefusal: null,
    firstWatch: null,
  };
}
