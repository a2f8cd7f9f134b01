// D: teleports, grants, corrections, states. See test/cases/README.md.
import type { Vec3 } from '../../../src/types.ts';
import { BALCONY } from './floors.ts';
import { type Actor, CLEAN, FIELD, held, Log, NO_SCORE, putBack } from './script.ts';
import { WALL_Z } from './walls.ts';

const A: Vec3 = [200, 0, 30];

/** Ignored as from before the teleport; the position is the new one. */
function stale(pos: Vec3) {
  return { ...held(pos, 'Stale'), verdict: 'ignore', scoreBelow: NO_SCORE, action: 'none' } as const;
}

function d1(): Log {
  const log = new Log(
    'D1-packets-from-before-a-teleport',
    'D1: the server teleports A to B; two packets near A arrive 50 and 100 ms later (RTT 200): ignored, no score; then B: accepted',
    FIELD,
  );
  for (const [name, b] of [
    ['far', [20, 0, 30]],
    ['near', [206, 0, 30]],
    ['within-a-step', [204.25, 0, 30]],
    ['aside', [200, 0, 50]],
  ] as [string, Vec3][]) {
    const p = log.enter(name, A).fact('rtt', { ms: 200 });
    p.walk(10, 50, [0.3, 0, 0], CLEAN);
    p.fact('teleport', { to: b });
    const [x] = p.pos;
    p.wait(50)
      .try([x + 0.3, 0, 30], stale(b))
      .wait(50)
      .try([x + 0.6, 0, 30], stale(b));
    p.wait(100).go(b, CLEAN).walk(20, 50, [0, 0, -0.3], CLEAN);
  }
  const twice = log.enter('twice', [100, 0, 30]).fact('rtt', { ms: 200 });
  twice.walk(4, 50, [0.3, 0, 0], CLEAN).fact('teleport', { to: [300, 0, 30] });
  twice
    .wait(50)
    .try([101.5, 0, 30], stale([300, 0, 30]))
    .fact('teleport', { to: [20, 0, 10] });
  twice
    .wait(50)
    .try([101.8, 0, 30], stale([20, 0, 10]))
    .wait(50)
    .try([300, 0, 30], stale([20, 0, 10]));
  twice.wait(100).go([20, 0, 10], CLEAN).walk(5, 50, [0.3, 0, 0], CLEAN);
  return log;
}

function d1Floors(): Log {
  const log = new Log(
    'D1-teleport-to-the-floor-above',
    'D1: the same straight up: packets from the floor below are stale',
    BALCONY,
  );
  const p = log.enter('up', [9, 0, 0]).fact('rtt', { ms: 200 });
  p.walk(5, 50, [0.2, 0, 0], CLEAN).fact('teleport', { to: [10, 3, 0] });
  p.wait(50)
    .try([10, 0, 0], stale([10, 3, 0]))
    .wait(50)
    .try([10, 0, 0.3], stale([10, 3, 0]));
  p.wait(100).go([10, 3, 0], CLEAN).walk(5, 50, [0, 0, 0.3], CLEAN);
  return log;
}

const B: Vec3 = [30, 0, 30];

function d3(): Log {
  const log = new Log(
    'D3-a-grant-is-used-once',
    'D3: the grant is used; the same B claimed again from 200 m: Teleport',
    FIELD,
  );
  const p = log.enter('p', [230, 0, 30]).fact('grant', { grant: 'g', to: B });
  p.wait(100).go([30.4, 0, 30.2], CLEAN);
  back(p, [230, 0, 30])
    .wait(500)
    .try(B, putBack([230, 0, 30], 'Teleport'));
  // the way back is a grant too: nothing voids the first one but its use
  const r = log.enter('there-and-back', [230, 0, 10]).fact('grant', { grant: 1, to: [30, 0, 10] });
  r.wait(100)
    .go([30, 0, 10], CLEAN)
    .fact('grant', { grant: 2, to: [230, 0, 10] })
    .wait(100)
    .go([230, 0, 10], CLEAN);
  r.wait(500).try([30, 0, 10], putBack([230, 0, 10], 'Teleport'));
  // two grants to one place are two journeys, not three
  const q = log.enter('two-grants', [230, 0, 20]);
  q.fact('grant', { grant: 1, to: [30, 0, 20] })
    .wait(50)
    .go([30, 0, 20], CLEAN);
  back(q, [230, 0, 20])
    .fact('grant', { grant: 2, to: [30, 0, 20] })
    .wait(50)
    .go([30.9, 0, 20], CLEAN);
  back(q, [230, 0, 20])
    .wait(500)
    .try([30, 0, 20], putBack([230, 0, 20], 'Teleport'));
  return log;
}

/** The server puts the entity somewhere, and the client is there at once. */
function back(p: Actor, to: Vec3): Actor {
  return p.wait(50).fact('teleport', { to }).wait(100).go(to, CLEAN);
}

function d4(): Log {
  const log = new Log(
    'D4-a-step-burns-no-grant',
    'D4: the grant is issued, a step of 0.1 m at A first, then B: B is accepted',
    FIELD,
  );
  const p = log.enter('step', A).fact('grant', { grant: 'g', to: B });
  p.step(50, [0.1, 0, 0], CLEAN).wait(50).go(B, CLEAN).walk(5, 50, [0.3, 0, 0], CLEAN);
  const q = log.enter('walks-on', A).fact('grant', { grant: 'g', to: B });
  q.walk(20, 50, [0.3, 0, 0], CLEAN).wait(50).go(B, CLEAN);
  // a grant to where the player walks anyway is still there when it is needed
  const r = log.enter('over-it', A).fact('grant', { grant: 'g', to: [201, 0, 30] });
  r.walk(20, 50, [0.3, 0, 0], CLEAN).wait(50).try([290, 0, 30], held(r.pos, 'Teleport')).wait(50).go(r.pos, 'accept');
  r.walk(9, 50, [0.3, 0, 0], 'accept').wait(1);
  r.try([201, 0, 30], { verdict: 'accept', pos: [201, 0, 30] });
  return log;
}

function d6(): Log {
  const log = new Log(
    'D6-a-skill-in-the-packet',
    'D6: a move of 60 m carries skill "blink" without a grant of the server: Teleport; of 20 m: SpeedLimit',
    FIELD,
  );
  for (const [name, dx, reason] of [
    ['60-m', 60, 'Teleport'],
    ['60-m-west', -60, 'Teleport'],
    ['20-m', 20, 'SpeedLimit'],
    ['20-m-west', -20, 'SpeedLimit'],
  ] as const) {
    for (const skill of ['blink', 'teleport', { name: 'blink', granted: true }]) {
      const p = log.enter(`${name}-${typeof skill === 'string' ? skill : 'object'}`, A).stand(20, 50, CLEAN);
      p.wait(50).try([200 + dx, 0, 30], putBack(A, reason), { skill });
      p.wait(50).go([200.3, 0, 30], 'accept', { skill });
    }
  }
  return log;
}

function d7(): Log {
  const log = new Log(
    'D7-near-and-far-in-turn',
    'D7: ten claims in 100 ms, near and far in turn: the authoritative position is always one that was accepted',
    FIELD,
  );
  for (const [name, far] of [
    ['teleporting', [320, 0, 30]],
    ['hopping', [215, 0, 30]],
    ['outside', [4000, 0, 30]],
    ['nowhere', [1e300, 0, 30]],
  ] as [string, Vec3][]) {
    const p = log.enter(name, A).wait(50);
    for (let i = 0; i < 5; i++) {
      const next: Vec3 = [p.pos[0] + 0.05, 0, 30];
      p.wait(10).go(next, { verdict: 'accept', pos: next }).wait(10).try(far, held(p.pos));
    }
  }
  return log;
}

function d8(): Log {
  const log = new Log(
    'D8-a-grant-expires',
    'D8: the grant is never used and expires; used later from 60 m away: Teleport',
    FIELD,
  );
  const to: Vec3 = [260, 0, 30];
  const p = log.enter('default-ttl', A).fact('grant', { grant: 'g', to });
  p.stand(5, 1000, CLEAN).wait(100).try(to, putBack(A, 'Teleport'));
  const q = log.enter('ttl-1000', A).fact('grant', { grant: 'g', to, ttl: 1000 });
  q.stand(1, 500, CLEAN).wait(501).try(to, putBack(A, 'Teleport'));
  const r = log.enter('in-time', A).fact('grant', { grant: 'g', to, ttl: 1000 });
  r.stand(1, 500, CLEAN).wait(499).go(to, CLEAN);
  const s = log.enter('one-of-two', A).fact('grant', { grant: 1, to, ttl: 500 });
  s.fact('grant', { grant: 2, to: [140, 0, 30], ttl: 5000 }).stand(1, 600, CLEAN);
  s.wait(50).try(to, putBack(A, 'Teleport')).wait(600).go([140, 0, 30], 'accept');
  return log;
}

function d11(): Log {
  const log = new Log(
    'D11-correction-keeps-the-impulse',
    'D11: a violation while a knock-back is pending: the snap-back keeps the impulse that is still to come',
    FIELD,
  );
  for (const [name, pushed] of [
    ['pushed', true],
    ['not-pushed', false],
  ] as const) {
    const p = log.enter(name, A).go([201.7, 0, 30], CLEAN);
    if (pushed) p.fact('impulse', { velocity: [14, 0, 0], decay: 20 });
    p.wait(100).try([240, 0, 30], putBack(p.pos, 'SpeedLimit')).fact('ack', { correction: 1 });
    // 14 x 0.5 - 10 x 0.5^2 = 4.5 m by the push alone, 3.45 m by walking
    const to: Vec3 = [208.9, 0, 30];
    p.wait(400);
    if (pushed) p.go(to, 'accept');
    else p.try(to, held(p.pos, 'SpeedLimit'));
  }
  return log;
}

function d17(): Log {
  const log = new Log(
    'D17-another-map-version',
    'D17: mapVersion older than the loaded one: MapVersionMismatch, nothing changes but the sequence number',
    FIELD,
  );
  const mismatch = (pos: Vec3) =>
    ({ ...held(pos, 'MapVersionMismatch'), verdict: 'reject', scoreBelow: NO_SCORE, action: 'none' }) as const;
  log.add(0, 'version', { mapVersion: '7' });
  const p = log.enter('moves', A);
  p.wait(50).go([200.3, 0, 30], CLEAN, { mapVersion: '7' });
  p.wait(50).try([200.6, 0, 30], mismatch(p.pos), { mapVersion: '6' });
  p.claim('move', { pos: [200.6, 0, 30], mapVersion: '7' }, held(p.pos, 'Replay')); // the number is used up
  p.go([200.6, 0, 30], CLEAN, { mapVersion: '7' });
  p.wait(50).try([390, 0, 30], mismatch(p.pos), { mapVersion: '6' }); // not even a violation
  p.wait(50).go([201.2, 0, 30], CLEAN); // says nothing about its version
  const q = log.enter('clicks', A);
  const walk = { duration: 1700 };
  q.wait(50).begin([210, 0, 30], { ...walk, mapVersion: '6' }, mismatch(A));
  q.wait(50).begin([210, 0, 30], { ...walk, mapVersion: '7' }, 'accept');
  q.wait(100).begin([190, 0, 30], { ...walk, from: [200.6, 0, 30], mapVersion: '6' }, mismatch([200.6, 0, 30])); // walks on
  return log;
}

function d18(): Log {
  const log = new Log('D18-dead-or-rooted', 'D18: a dead or rooted entity moves 0.3 m: refused', FIELD);
  for (const [name, state, undo, reason] of [
    ['dead', { alive: false }, { alive: true }, 'LiveStatus'],
    ['rooted', { rooted: true }, { rooted: false }, 'ActionStatus'],
  ] as const) {
    const p = log.enter(name, A).walk(10, 50, [0.3, 0, 0], CLEAN).fact('state', state);
    p.stand(5, 50, 'accept');
    p.wait(50).try([p.pos[0] + 0.3, 0, 30], held(p.pos, reason));
    p.wait(50).try([p.pos[0], 0, 30.3], held(p.pos, reason));
    p.wait(50).try([p.pos[0] - 0.3, 0, 30], held(p.pos, reason));
    p.wait(50).begin([p.pos[0] + 3, 0, 30], { duration: 600 }, held(p.pos, reason));
    p.wait(700).stand(1, 50, 'accept');
    p.fact('state', undo).walk(5, 50, [0.3, 0, 0], 'accept');
  }
  const both = log.enter('both', A).stand(2, 50, CLEAN).fact('state', { alive: false, rooted: true });
  both.wait(1000).try([200.3, 0, 30], held(A, 'LiveStatus'));
  return log;
}

function d20(): Log {
  const log = new Log(
    'D20-corrections-carry-the-truth',
    'D20: a correction echoes the authoritative position, never the claimed one, whatever the reason',
    WALL_Z,
  );
  const start: Vec3 = [14.2, 0, 15];
  const claims: [string, Vec3, string[]][] = [
    ['too-fast', [5, 0, 15], ['SpeedLimit']],
    ['through-the-wall', [15.8, 0, 15], ['Wall']],
    ['into-the-wall', [15, 0, 15], ['Wall', 'TargetNotOnNavMesh']],
    ['outside', [14.2, 0, 900], ['OutOfMap']],
    ['high-up', [14.2, 9, 15], ['Airborne', 'TargetNotOnNavMesh']],
    ['under-the-ground', [14.2, -40, 15], ['TargetNotOnNavMesh', 'Wall', 'Airborne', 'OutOfMap']],
  ];
  for (const [name, to, reasons] of claims) {
    const p = log.enter(name, start).stand(10, 50, CLEAN);
    p.wait(50).try(to, { ...putBack(start, ...reasons), correction: 1 });
    p.wait(1000).try(to, { ...putBack(start, ...reasons), correction: 2 });
    p.wait(50).go([14.2, 0, 15.2], { verdict: 'accept', pos: [14.2, 0, 15.2] });
  }
  const p = log.enter('click', [14.2, 0.1, 15]);
  for (const [to, fields, reason] of [
    [[14.2, 0, 20], { duration: 1 }, 'DurationMismatch'],
    [[14.2, 0, 20], { duration: 900, speed: 40 }, 'SpeedLimit'],
    [[14.2, 0, 20], { duration: 900, from: [5, 0, 15] }, 'SpeedLimit'],
    [[15, 0, 15], { duration: 900 }, 'TargetNotOnNavMesh'],
  ] as [Vec3, Record<string, unknown>, string][]) {
    p.wait(50).begin(to, fields, putBack([14.2, 0.1, 15], reason));
  }
  return log;
}

export const teleports = (): Log[] => [d1(), d1Floors(), d3(), d4(), d6(), d7(), d8(), d11(), d17(), d18(), d20()];
