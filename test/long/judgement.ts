// Plays a simulated game through the guard and counts: honest claims refused or undecided, cheats that got away.
// Imported by the long tests.
import { MoveGuard } from '../../src/guard.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import type { NavMap } from '../../src/map.ts';
import { type CheatKind, type SimulateOptions, Simulation } from '../../src/simulate/index.ts';
import type { Verdict } from '../../src/types.ts';

export interface Refusal {
  readonly id: string;
  /** Everything about the entity from its `enter` on, the refused claim last. */
  readonly events: readonly MoveLogEvent[];
  readonly verdict: Verdict;
}

export interface Judgement {
  honest: number;
  undecided: number;
  refusals: Refusal[];
  /** Honest claims with something in the way of the straight line: a walk was measured. */
  walks: number;
  /** Positions outside the mesh, by rounding. */
  offMesh: number;
  /** Finished runs of a cheat that held a claim to refuse, and what such claims were refused for. */
  runs: Record<CheatKind, number>;
  reasons: Record<CheatKind, Record<string, number>>;
  /** Runs without such a claim (the referee could not be sure): how many were refused all the same, and how many never. */
  unsure: Record<CheatKind, { refused: number; never: number }>;
  /** Runs with a claim that had to be refused and none was. */
  escaped: string[];
  /** Claims that had to be refused and were not, although another of the run was. */
  late: string[];
}

/** Judges every event of a game; honest entities that are refused come back under a new name, as if put right. */
export async function judge(map: NavMap, bytes: Uint8Array, options: SimulateOptions): Promise<Judgement> {
  const simulation = await Simulation.open(bytes, options);
  let now = 0;
  // the referee takes whoever is farther off the mesh than its own error for lost
  const guard = new MoveGuard(map, { edgeTolerance: map.info.defaultTolerance }, { now: () => now });
  const result: Judgement = {
    honest: 0,
    undecided: 0,
    refusals: [],
    walks: 0,
    offMesh: 0,
    runs: { speed: 0, blink: 0, hop: 0 },
    reasons: { speed: {}, blink: {}, hop: {} },
    unsure: { speed: { refused: 0, never: 0 }, blink: { refused: 0, never: 0 }, hop: { refused: 0, never: 0 } },
    escaped: [],
    late: [],
  };
  const entities = new Map<string, Entity>();
  for (const event of simulation.events()) {
    now = event.t;
    const entity = entityOf(entities, event);
    switch (event.op) {
      case 'enter':
        guard.enter(entity.alias, { pos: event.pos, speed: event.speed });
        break;
      case 'rtt':
        guard.rtt(entity.alias, event.ms);
        break;
      case 'leave':
        guard.leave(entity.alias);
        finish(entity, result);
        entities.delete(event.id);
        break;
      case 'move': {
        const [x, y, z] = event.pos as [number, number, number];
        const verdict = guard.move(entity.alias, event.seq as number, x, y, z);
        if (event.expect === 'accept') {
          result.honest++;
          if (map.locate([x, y, z], { tolerance: 0 }) === null) result.offMesh++;
          if (verdict.verdict === 'undecided') result.undecided++;
          if ((verdict.length ?? 0) > (verdict.straight ?? 0) + 0.001) result.walks++;
          if (!verdict.accepted) {
            result.refusals.push({ id: entity.id, events: [...entity.events], verdict: verdict.copy() });
            putRight(guard, entity, event);
          }
        } else {
          entity.cheated = true;
          if (!verdict.accepted) entity.refused = true;
          else if (event.expect === 'refused')
            entity.slipped = `${entity.id} #${event.seq}: ${JSON.stringify(verdict)}`;
          if (event.expect === 'refused') {
            entity.marked = true;
            const reasons = result.reasons[kindOf(entity.id)];
            reasons[verdict.reason] = (reasons[verdict.reason] ?? 0) + 1;
          }
        }
        break;
      }
      default:
        throw new Error(`no such fact in a simulated game: ${event.op}`);
    }
  }
  // A run that the end cut short and that was not yet caught says nothing.
  for (const entity of entities.values()) if (entity.marked) finish(entity, result);
  simulation.destroy();
  return result;
}

interface Entity {
  readonly id: string;
  alias: string;
  events: MoveLogEvent[];
  cheated: boolean;
  marked: boolean;
  refused: boolean;
  slipped: string;
}

function entityOf(entities: Map<string, Entity>, event: MoveLogEvent): Entity {
  const id = (event as { id: string }).id;
  let entity = entities.get(id);
  if (entity === undefined) {
    entity = { id, alias: id, events: [], cheated: false, marked: false, refused: false, slipped: '' };
    entities.set(id, entity);
  }
  entity.events.push(event);
  // Beyond this a refusal's causes are forgotten anyway: the entry stays, the oldest moves go.
  if (entity.events.length > 1200) entity.events.splice(2, 600);
  return entity;
}

function putRight(guard: MoveGuard, entity: Entity, event: MoveLogEvent & { op: 'move' }): void {
  const [enter, rtt] = entity.events;
  if (enter.op !== 'enter' || rtt.op !== 'rtt') throw new Error('an entity starts with enter and rtt');
  guard.leave(entity.alias);
  entity.alias = `${entity.alias}'`;
  const pos = event.pos as [number, number, number];
  guard.enter(entity.alias, { pos, speed: enter.speed });
  guard.rtt(entity.alias, rtt.ms);
  entity.events = [
    { ...enter, t: event.t, pos },
    { ...rtt, t: event.t },
  ];
}

function finish(entity: Entity, result: Judgement): void {
  const kind = kindOf(entity.id);
  if (!entity.marked) {
    if (entity.cheated) result.unsure[kind][entity.refused ? 'refused' : 'never']++;
    return;
  }
  result.runs[kind]++;
  if (!entity.refused) result.escaped.push(entity.slipped);
  else if (entity.slipped !== '') result.late.push(entity.slipped);
}

function kindOf(id: string): CheatKind {
  return id.startsWith('x') ? 'speed' : id.startsWith('hop') ? 'hop' : 'blink';
}
