// D13 to D15: passengers, ships, lifts. See test/cases/README.md.
import type { Vec3 } from '../../../src/types.ts';
import { built, CLEAN, FIELD, held, Log, plus, putBack } from './script.ts';

/** The server tells where a carrier is, `hz` times a second, from `t0` to `t1` (ms). */
function tell(
  log: Log,
  carrier: string | number,
  t0: number,
  t1: number,
  hz: number,
  at: (t: number) => Vec3,
  size?: unknown,
) {
  for (let t = t0; t <= t1; t += 1000 / hz) {
    log.add(t, 'carrier', {
      carrier,
      pos: at(t).map((n) => Math.round(n * 1e4) / 1e4),
      ...(size === undefined ? {} : { size }),
    });
  }
}

function d13(): Log {
  const log = new Log(
    'D13-passenger-of-a-granted-driver',
    'D13: a passenger is attached to a driver; the driver is granted a leap: both are accepted. Who is not attached is not',
    FIELD,
  );
  const driver = log.enter('driver', [20, 0, 30], { speed: 20 });
  const p = log.enter('passenger', [21, 0, 30]).fact('attach', { carrier: 'driver', offset: [1, 0, 0] });
  const other = log.enter('other', [20, 0, 31]);
  for (let i = 0; i < 20; i++) {
    driver.step(50, [1, 0, 0], 'accept');
    p.step(50, [1, 0, 0], CLEAN);
  }
  driver.fact('grant', { grant: 'ferry', to: [300, 0, 10] });
  // one client is faster than the other
  driver.wait(100).go([300, 0, 10], 'accept');
  p.wait(120).go([301, 0, 10], { ...CLEAN, pos: [301, 0, 10] });
  other.wait(1120).try([300, 0, 11], held([20, 0, 31], 'Teleport'));
  for (let i = 0; i < 10; i++) {
    driver.step(50, [1, 0, 0], 'accept');
    p.step(50, [1, 0, 0], CLEAN);
  }
  driver.fact('grant', { grant: 'back', to: [50, 0, 50] });
  p.wait(30).try([51, 0, 50], CLEAN);
  driver.wait(100).go([50, 0, 50], 'accept');
  p.wait(100).go([51, 0, 50], { ...CLEAN, pos: [51, 0, 50] });
  // what a passenger claims of its own is judged as ever
  p.wait(50).try([80, 0, 50], putBack([51, 0, 50], 'SpeedLimit'));
  p.wait(1000).fact('detach').walk(10, 50, [0, 0, -0.3], 'accept');
  return log;
}

function d14(): Log {
  const log = new Log(
    'D14-platform-claimed-from-afar',
    'D14: platform 17 is 400 m away: refused, whatever the claim says; within reach, at a local offset of 0.3 m: accepted while it moves at 20 m/s',
    built([[0, -1, -10, 30, 0, 10]]),
  );
  // beside the quay for a second, then off at 20 m/s
  const at = (t: number): Vec3 => [32.2 + Math.max(0, t - 3000) * 0.02, 0, 0];
  tell(log, 17, 0, 6000, 20, at, [4, 1, 8]);
  tell(log, 18, 0, 0, 20, () => [432, 0, 0], [4, 1, 8]);
  const far = log.enter('far', [29, 0, 0]).walk(5, 50, [0.1, 0, 0], 'accept');
  const stays: Vec3 = [29.5, 0, 0];
  far.wait(50).try(stays, putBack(stays, 'Teleport'), { carrier: 18, offset: [0.3, 0, 0] });
  far.wait(600).try([432.3, 0, 0], putBack(stays, 'Teleport'), { carrier: 18, offset: [0.3, 0, 0] });
  far.wait(600).try(stays, putBack(stays, 'TargetNotOnNavMesh'), { carrier: 'ghost', offset: [0.3, 0, 0] });
  far.wait(600).try(stays, { verdict: 'reject', reason: 'Malformed' }, { carrier: 17, offset: ['NaN', 0, 0] });
  far.wait(50).try(stays, { verdict: 'reject', reason: 'Malformed' }, { carrier: { id: 17 }, offset: [0, 0, 0] });
  far.wait(600).try([43, 0, 0], 'refused', { carrier: 17, offset: [10.8, 0, 0] });

  const near = log.enter('near', [29.4, 0, 0]).fact('rtt', { ms: 100 });
  near.stand(10, 50, CLEAN);
  // a step of 1.1 m over the edge
  near.wait(400).go([30.5, 0, 0], CLEAN, { carrier: 17, offset: [-1.7, 0, 0] });
  let offset: Vec3 = [-1.7, 0, 0];
  for (let i = 0; i < 90; i++) {
    if (i < 10) offset = plus(offset, [0.2, 0, 0]);
    near.wait(50);
    // the client sees the platform where it was 50 ms ago
    near.go(plus(at(near.t - 50), offset), 'accept', {
      carrier: 17,
      offset: offset.map((n) => Math.round(n * 100) / 100),
    });
  }
  const end = plus(at(near.t), [0.3, 0, 0]);
  near.wait(20).try(plus(end, [3.9, 0, 0]), held(end, 'TargetNotOnNavMesh'), { carrier: 17, offset: [4.2, 0, 0] });
  return log;
}

function d15(): Log {
  const log = new Log(
    'D15-lift-drops',
    'D15: a lift drops 8 m in 0.4 s with the player: accepted, whether its client says so in words or by its position only; the same without a lift is not',
    built([
      [0, -1, 0, 10, 0, 10],
      [12, 7, 0, 22, 8, 10],
    ]),
  );
  const size = [2, 0.2, 2];
  const at = (t: number): Vec3 => [11, t < 1000 ? 8 : t > 1400 ? 0 : 8 - ((t - 1000) / 400) * 8, 5];
  tell(log, 'lift', 0, 2000, 20, at, size);
  const start: Vec3 = [11, 8, 5];
  const silent = log.enter('silent', start).fact('attach', { carrier: 'lift', offset: [0, 0, 0] });
  const saying = log.enter('saying', [11.2, 8, 5]).fact('attach', { carrier: 'lift', offset: [0.2, 0, 0] });
  for (let i = 1; i <= 40; i++) {
    silent.wait(50).go(at(silent.t), CLEAN);
    saying.wait(50).go(plus(at(saying.t), [0.2, 0, 0]), CLEAN, { carrier: 'lift', offset: [0.2, 0, 0] });
  }
  // off it, onto the ground floor
  silent.walk(10, 50, [-0.3, 0, 0], 'accept');
  saying.wait(50).try([2, 0, 5], putBack(plus(at(2000), [0.2, 0, 0]), 'SpeedLimit'));
  const bare = log.enter('bare', [13, 8, 5]).stand(20, 50, CLEAN);
  bare.walk(3, 50, [0, -1, 0], (i) => (i === 1 ? undefined : held([13, 8, 5])));
  return log;
}

export const carriers = (): Log[] => [d13(), d14(), d15()];
