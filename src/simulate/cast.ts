// From a row of the model table to players in an arena. Imported by simulate/index.ts.
import { MoveGuard, type Rules } from '../guard.ts';
import type { MoveLogEvent } from '../log/events.ts';
import type { Cast, Stage } from './actor.ts';
import { Arena } from './arena.ts';
import { Clicker } from './clicker.ts';
import type { ClientModel } from './models.ts';
import { type Random, seeded } from './random.ts';
import type { OpenStage } from './stage.ts';
import { Walker } from './walker.ts';

/** The default of the rules. */
const BURST_MS = 1000;

/** The longest that a client and a server let pass between two claims by themselves, ms. */
function silence({ hz, skew, frameMs, freezeMs, tickMs, clicks }: ClientModel): number {
  return (clicks === 'none' || clicks === 'positions' ? 1000 / hz[0] / (1 + skew[0]) : 0) + frameMs + freezeMs + tickMs;
}

/** An honest player of a model. */
export function honestCast(stage: Stage, client: ClientModel, id: string, random: Random, startMs: number): Cast {
  const rttMs = Math.round(random.between(client.rttMs[0], client.rttMs[1]));
  const line = {
    rttMs,
    jitterMs: Math.round(rttMs * random.between(client.jitter[0], client.jitter[1])),
    transport: client.transport,
    loss: client.loss,
    stallMs: client.stallMs,
    stallsPerMinute: client.stallsPerMinute,
    // the rules forgive a silence of burstMs: what the client itself is silent comes off the line's share
    lateMs: client.harsh ? Number.POSITIVE_INFINITY : Math.max(0, BURST_MS - silence(client)),
  };
  const actor =
    client.clicks === 'none'
      ? new Walker(stage, client, id, random, startMs)
      : new Clicker(stage, client, id, random, startMs);
  return { actor, line };
}

export interface HonestOptions {
  readonly seed: number;
  readonly players?: number | undefined;
  readonly rules?: Partial<Rules> | undefined;
  readonly tap?: ((event: MoveLogEvent) => void) | undefined;
}

/** The rules a model plays under: the defaults, and what its client makes the server say. */
export function rulesOf(client: ClientModel, rules: Partial<Rules> = {}): Partial<Rules> {
  return client.yOffset === 0 ? rules : { ...rules, yOffset: client.yOffset };
}

/** An arena with a guard and honest players of one model, not yet running. */
export function honestArena(stage: OpenStage, client: ClientModel, options: HonestOptions): Arena {
  const random = seeded(options.seed);
  const { tickMs, pauseMs } = client;
  const arena = new Arena((now) => new MoveGuard(stage.guarded, rulesOf(client, options.rules), { now }), {
    seed: random.below(2 ** 32),
    tickMs,
    pauses: pauseMs > 0 ? { everyMs: 15_000, ms: pauseMs } : undefined,
    tap: options.tap,
  });
  const players = options.players ?? client.players;
  for (let i = 0; i < players; i++) {
    // not all in one millisecond
    const own = seeded(random.below(2 ** 32));
    arena.add(honestCast(stage, client, `p${i + 1}`, own, 37 * i + own.between(0, 30)));
  }
  return arena;
}
