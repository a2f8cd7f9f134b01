// The line between client and server, and the referee's ledger.
import { describe, expect, it } from 'vitest';
import { drawProfile, Line } from '../../src/simulate/client.ts';
import { seeded } from '../../src/simulate/random.ts';
import { Referee } from '../../src/simulate/referee.ts';

describe('Line', () => {
  it('keeps the order, is never early and never later than the burst', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const profile = drawProfile(random, { loss: 0.05, stallsPerMinute: 20 });
      const line = new Line(random, profile, 1000);
      let last = 0;
      let latest = 0;
      let bunched = 0;
      const first = line.nextSampleAt;
      let sent = first;
      for (let i = 0; i < 2000; i++) {
        sent = line.nextSampleAt;
        const arrival = line.send();
        const start = sent + profile.rttMs / 2;
        const fine =
          line.nextSampleAt > sent &&
          arrival >= last &&
          arrival >= start &&
          arrival <= start + profile.burstMs + 1e-6 &&
          line.lastArrival === arrival;
        if (!fine) expect.fail(`seed ${seed}, packet ${i}: sent ${sent}, there ${arrival}, the one before ${last}`);
        latest = Math.max(latest, arrival - sent - profile.rttMs / 2);
        if (arrival - last < 2) bunched++;
        last = arrival;
      }
      // It does stall, it does bunch, and it keeps its rate.
      expect(latest, `seed ${seed}`).toBeGreaterThan(300);
      expect(bunched, `seed ${seed}`).toBeGreaterThan(20);
      expect((1999 * 1000) / (sent - first)).toBeCloseTo(profile.hz, 0);
    }
  });

  it('rounds to the quantum with few digits', () => {
    const line = new Line(seeded(1), { ...drawProfile(seeded(1), {}), quantum: 0.05 }, 0);
    expect(line.round(12.3749)).toBe(12.35);
    expect(line.round(-0.026)).toBe(-0.05);
    expect(String(line.round(0.1 + 0.2))).toBe('0.3');
  });
});

describe('Referee', () => {
  const at = (x: number) => ({ x, y: 0, z: 0 });

  it('lets honest speed pass for ever, and the tolerance', () => {
    for (const share of [1, 1.14]) {
      const referee = new Referee(5, at(0), 0);
      for (let i = 1; i < 1000; i++) expect(referee.mustRefuse(i * 50, at(i * 0.25 * share), null)).toBe(false);
    }
  });

  it('convicts a run half as fast again once the savings are gone, not before', () => {
    const referee = new Referee(5, at(0), 0);
    referee.rtt(100);
    expect(referee.capacity).toBeCloseTo(5 * 1.15 * 1.1, 9);
    referee.accept(10_000, at(0));
    let t = 0;
    while (!referee.mustRefuse(10_000 + ++t * 50, at(t * 0.375), null)) if (t > 1000) break;
    // Savings of 6.325 m at a loss of 1.75 m a second; the first step finds the purse full and earns nothing.
    expect(t * 0.05).toBeGreaterThan((6.325 - 0.375) / 1.75);
    expect(t * 0.05).toBeLessThan((6.325 - 0.375) / 1.75 + 0.3);
  });

  it('never convicts a claim that some guard of the same promise lets pass, whatever it refused before', () => {
    const seed = 8;
    const random = seeded(seed);
    let convicted = 0;
    for (let run = 0; run < 200; run++) {
      const speed = random.between(2, 7);
      const referee = new Referee(speed, at(0), 0);
      referee.rtt(100);
      // Guards that refuse what they cannot afford, and of the rest a share at whim.
      const guards = [0, 0.1, 0.5, 0.9].map((whim) => ({ whim, x: 0, z: 0, credit: speed * 1.15 * 0.25, t: 0 }));
      let [t, x, z, heading] = [0, 0, 0, 0];
      for (let i = 0; i < 150; i++) {
        const gap = random.between(1, 90);
        t += gap;
        heading += random.between(-0.8, 0.8) + (random.chance(0.03) ? Math.PI : 0);
        const step = ((speed * gap) / 1000) * random.between(0.5, 2.5);
        x += step * Math.cos(heading);
        z += step * Math.sin(heading);
        const refused = referee.mustRefuse(t, { x, y: 0, z }, null);
        if (refused) convicted++;
        for (const guard of guards) {
          guard.credit = Math.min(speed * 1.15 * 1.1, guard.credit + (speed * 1.15 * (t - guard.t)) / 1000);
          guard.t = t;
          const charge = Math.hypot(x - guard.x, z - guard.z);
          if (charge > guard.credit || random.chance(guard.whim)) continue;
          if (refused)
            expect.fail(`seed ${seed}, run ${run}, claim ${i}: convicted, but a guard of whim ${guard.whim} accepts`);
          guard.credit -= charge;
          guard.x = x;
          guard.z = z;
        }
      }
    }
    expect(convicted).toBeGreaterThan(100);
  });

  it('convicts a blink farther than the savings and no shorter one', () => {
    const fresh = (): Referee => {
      const referee = new Referee(4, at(0), 0);
      referee.accept(60_000, at(0));
      return referee;
    };
    expect(fresh().mustRefuse(60_050, at(4.5), null)).toBe(false);
    expect(fresh().mustRefuse(60_050, at(4.8), null)).toBe(true);
  });
});
