// Whole judgements: the same recorded honest moves through MoveGuard and through the guard written by hand on
// recast-navigation, and how the cost grows with the map.
import { MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { type Agreement, compare, type Differ } from '../compare.ts';
import { GROWTH, LEVELS, type Level, level, openGround } from '../levels.ts';
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

function handWritten(on: Level, moves: Recording): Subject {
  const accepted = new Uint8Array(moves.n);
  let guard = new HandWrittenGuard(on.query);
  return {
    name: 'hand-written',
    begin() {
      guard = new HandWrittenGuard(on.query);
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
}

const sameVerdict: Differ = (mine, theirs, i) =>
  mine[i] === theirs[i] ? null : mine[i] === 1 ? 'only navguard accepts' : 'only peer accepts';

function count(subject: Subject): string {
  const answers = subject.answers();
  let accepted = 0;
  for (let i = 0; i < answers.length; i++) accepted += answers[i];
  return `${subject.name} accepts ${accepted} of ${answers.length}`;
}

const moveCase: Case = {
  name: 'guard.move',
  maps: LEVELS,
  async prepare(map, queries) {
    const on = await level(map);
    const moves = record(on, queries, ENTITIES, 0x90a2d);
    const subjects = [
      guardSubject('navguard', on.map, moves),
      guardSubject('twin', on.twin, moves),
      handWritten(on, moves),
    ];
    return {
      map,
      queries,
      subjects,
      agreements(n) {
        const mine = subjects[0].answers();
        const made: Agreement[] = [];
        for (const peer of subjects.slice(1)) {
          made.push(compare(peer.name, mine, peer.answers(), n, sameVerdict));
        }
        return made;
      },
      get note() {
        return `honest moves at ${SPEED} m/s, 20 Hz; ${subjects.map(count).join(', ')}`;
      },
    };
  },
};

/** guard.move on open ground of three sizes. The subject has the smallest map, so a ratio is the growth of the time. */
const growthCase: Case = {
  name: 'growth',
  maps: ['terrain'],
  async prepare(map, queries) {
    const subjects: Subject[] = [];
    for (const polygons of GROWTH) {
      const on = await openGround(polygons);
      const name = subjects.length === 0 ? 'navguard' : `${polygons} polygons`;
      subjects.push(guardSubject(name, on.map, record(on, queries, ENTITIES, 0x960)));
    }
    return {
      map,
      queries,
      subjects,
      agreements: () => [],
      get note() {
        return `guard.move; the subject's map has ${GROWTH[0]} polygons, a ratio is the growth; ${subjects.map(count).join(', ')}`;
      },
    };
  },
};

export const GUARD_CASES: readonly Case[] = [moveCase, growthCase];
