// One model on one map, played and counted: what the bars of judgement are measured with. Imported by bench/ and tests.
import type { Rules } from '../guard.ts';
import type { MoveLogEvent, MoveLogHeader } from '../log/events.ts';
import { eventLine, headerLine } from '../log/writer.ts';
import { honestArena, rulesOf } from './cast.ts';
import type { ClientModel } from './models.ts';
import type { Outcome } from './outcome.ts';
import type { OpenStage } from './stage.ts';

/** What came of one model's players on one map. */
export interface HonestRow {
  readonly map: string;
  readonly model: string;
  readonly seed: number;
  readonly claims: number;
  /** Refusals that a bar counts: all, or of a harsh model those beyond one correction for each stall beyond burstMs. */
  readonly refusals: number;
  readonly reasons: Readonly<Record<string, number>>;
  /** Players that ever were at `watch`. */
  readonly watched: number;
  readonly undecided: number;
  readonly worstScore: number;
  /** Not refusals: overtaken packets, and claims from before the client could know. */
  readonly late: number;
  readonly ignored: number;
  /** Minutes of play, and how long it took. */
  readonly minutes: number;
  readonly wallMs: number;
  /** Who was refused or watched, worst first. */
  readonly suspects: readonly Outcome[];
}

export interface PlayOptions {
  readonly seed: number;
  /** Claims to judge. */
  readonly claims: number;
  readonly rules?: Partial<Rules> | undefined;
  readonly onClaims?: ((judged: number) => void) | undefined;
}

/** A slice of play between two looks at the count, ms. */
const SLICE_MS = 2000;
/** Longer than that nobody plays, ms: a model that sends nothing must end too. */
const LONGEST_MS = 24 * 3600 * 1000;

/** Plays until so many claims are judged. The same stage, model and options give the same row. */
export function playHonest(stage: OpenStage, client: ClientModel, options: PlayOptions): HonestRow {
  const { seed, claims, rules, onClaims } = options;
  const started = performance.now();
  const arena = honestArena(stage, client, { seed, rules });
  for (let until = SLICE_MS; arena.judged < claims && until < LONGEST_MS; until += SLICE_MS) {
    arena.run(until, claims);
    onClaims?.(arena.judged);
  }
  const sum = (of: (o: Outcome) => number): number => arena.outcomes.reduce((all, o) => all + of(o), 0);
  const blame = (o: Outcome): number => (client.harsh ? Math.max(0, o.refusals - o.stalls) : o.refusals);
  const reasons: Record<string, number> = {};
  for (const { refused } of arena.outcomes) {
    for (const [reason, n] of Object.entries(refused)) reasons[reason] = (reasons[reason] ?? 0) + n;
  }
  const suspects = arena.outcomes.filter((o) => blame(o) > 0 || o.worstAction > 0);
  suspects.sort((a, b) => b.worstScore - a.worstScore);
  return {
    map: stage.map,
    model: client.name,
    seed,
    claims: sum((o) => o.claims),
    refusals: sum(blame),
    reasons,
    watched: arena.outcomes.filter((o) => o.worstAction > 0).length,
    undecided: sum((o) => o.undecided),
    worstScore: arena.outcomes.reduce((worst, o) => Math.max(worst, o.worstScore), 0),
    late: sum((o) => o.late),
    ignored: sum((o) => o.ignored),
    minutes: arena.now / 60_000,
    wallMs: performance.now() - started,
    suspects,
  };
}

/**
 * The move log of one player of a row, up to its first refusal (else to its worst score): the game is played again. Pauses
 * of the server are in it, other players are not: they do not touch each other.
 */
export function logOf(
  stage: OpenStage,
  client: ClientModel,
  row: HonestRow,
  who: Outcome,
  rules?: Partial<Rules>,
): string {
  const until = who.first[0]?.t ?? who.worstAt;
  const lines: string[] = [];
  const tap = (event: MoveLogEvent): void => {
    if (!('id' in event) || event.id === who.id) lines.push(eventLine(event));
  };
  honestArena(stage, client, { seed: row.seed, rules, tap }).run(until);
  const comment = `honest ${client.name} on ${stage.map}, seed ${row.seed}, ${who.id}: ${JSON.stringify(who.refused)}, score ${who.worstScore}`;
  const header: Omit<MoveLogHeader, 'movelog'> = { comment, rules: { ...rulesOf(client, rules) } };
  if (stage.source !== null) header.map = stage.source;
  return headerLine(header) + lines.join('');
}
