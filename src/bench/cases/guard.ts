// Whole judgements: the same recorded honest moves through MoveGuard and through the guard written by hand on
// recast-navigation.
import { MoveGuard } from '../../guard.ts';
import type { NavMap } from '../../map.ts';
import { VerdictKind } from '../../reasons.ts';
import { compare, type Differ } from '../compare.ts';
import type { Level } from '../level.ts';
import { HandWrittenGuard } from '../peers/handwritten.ts';
import { SEGMENT, type Subject } from '../rounds.ts';
import { type Recording, record, SPEED } from '../walkers.ts';
import type { Case } from './case.ts';

/** Entities of a recording; each sends 256 of 65,536 moves. */
export const ENTITIES = 256;

/** guard.move, one at a time, every rule at its default; answers 1 = accepted. */
export function guardSubject(name: string, map: NavMap, moves: Recording): Subject {
  const accepted = new Uint8Array(moves.n);
  const clock = { now: 0 };
  let guard = new MoveGuard(map, {}, { now: () => clock.now });
  return {
    name,
    begin() {
      clock.now = 0;
      guard = new MoveGuard(map, {}, { now: () => clock.now });
      for (const { id, start } of moves.entities) guard.enter(id, { pos: start, speed: SPEED });
    },
    run(segment) {
      const { entity, entities, seq, time, pos } = moves;
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        clock.now = time[i];
        const verdict = guard.move(entities[entity[i]].id, seq[i], pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]);
        accepted[i] = verdict.accepted ? 1 : 0;
        sum += accepted[i];
      }
      return sum;
    },
    answers: () => accepted,
  };
}

/** checkBatch, a segment of moves at once from typed arrays filled before any timing; answers 1 = accepted. */
function batchSubject(name: string, map: NavMap, moves: Recording): Subject {
  const accepted = new Uint8Array(moves.n);
  let guard = new MoveGuard(map);
  const filled = Array.from({ length: moves.n / SEGMENT }, (_, s) => {
    const claims = guard.claims(SEGMENT);
    const [first, end] = [s * SEGMENT, (s + 1) * SEGMENT];
    claims.seq.set(moves.seq.subarray(first, end));
    claims.t.set(moves.time.subarray(first, end));
    claims.pos.set(moves.pos.subarray(3 * first, 3 * end));
    return claims;
  });
  return {
    name,
    begin() {
      guard = new MoveGuard(map, {}, { now: () => 0 });
      for (const { id, start } of moves.entities) guard.enter(id, { pos: start, speed: SPEED });
      const slots = moves.entities.map(({ id }) => guard.slot(id));
      filled.forEach((claims, s) => {
        for (let i = 0; i < SEGMENT; i++) claims.entity[i] = slots[moves.entity[s * SEGMENT + i]];
      });
    },
    run(segment) {
      const claims = filled[segment];
      guard.checkBatch(claims, SEGMENT);
      let sum = 0;
      for (let i = 0; i < SEGMENT; i++) {
        const yes = claims.verdict[i] === VerdictKind.accept ? 1 : 0;
        accepted[segment * SEGMENT + i] = yes;
        sum += yes;
      }
      return sum;
    },
    answers: () => accepted,
  };
}

/** None where recast-navigation cannot load the map. */
function handWritten({ query }: Level, moves: Recording): Subject[] {
  if (!query) return [];
  const accepted = new Uint8Array(moves.n);
  let guard = new HandWrittenGuard(query);
  const subject: Subject = {
    name: 'hand-written',
    begin() {
      guard = new HandWrittenGuard(query);
      for (const { id, start } of moves.entities) {
        guard.enter(id, { x: start[0], y: start[1], z: start[2] }, SPEED, 0);
      }
    },
    run(segment) {
      const { entity, entities, time, pos } = moves;
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        const id = entities[entity[i]].id;
        accepted[i] = guard.move(id, pos[3 * i], pos[3 * i + 1], pos[3 * i + 2], time[i]) ? 1 : 0;
        sum += accepted[i];
      }
      return sum;
    },
    answers: () => accepted,
  };
  return [subject];
}

const sameVerdict: Differ = (mine, theirs, i) =>
  mine[i] === theirs[i] ? null : mine[i] === 1 ? 'only navguard accepts' : 'only peer accepts';

/** "navguard accepts 8192 of 8192". */
export function accepts(subject: Subject): string {
  const answers = subject.answers();
  let accepted = 0;
  for (let i = 0; i < answers.length; i++) accepted += answers[i];
  return `${subject.name} accepts ${accepted} of ${answers.length}`;
}

function guardCase(name: string, subjectOf: typeof guardSubject): Case {
  return {
    name,
    prepare(on, queries) {
      const moves = record(on, queries, ENTITIES, 0x90a2d);
      const subject = subjectOf('navguard', on.map, moves);
      const peers = [subjectOf('twin', on.twin, moves), ...handWritten(on, moves)];
      return {
        map: on.name,
        queries,
        subjects: [subject, ...peers],
        agreements(n) {
          const mine = subject.answers();
          return peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameVerdict));
        },
        get note() {
          return `honest moves at ${SPEED} m/s, 20 Hz; ${[subject, ...peers].map(accepts).join(', ')}`;
        },
      };
    },
  };
}

export const GUARD_CASES: readonly Case[] = [
  guardCase('guard.move', guardSubject),
  guardCase('guard.batch', batchSubject),
];
