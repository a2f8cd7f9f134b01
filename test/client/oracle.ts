// The snapshot validator again, slowly: every snapshot is judged from the whole list of those before it, distances are
// compared as squares of BigInt, credit is the least of all suffix sums. Shares no code with src/client.

export interface Shot {
  tick: number;
  x: number;
  y: number;
  z: number;
}
interface Seen extends Shot {
  at: number;
}

/** Whole-number limits: units, ms. `rate`: units a tick. */
export interface OracleLimits {
  rate: number;
  cap: number;
  lift: number;
  liftCap: number;
  overrun: number;
  leap: number;
  tickMs: number;
  gapSmoothMs: number;
  leadMs: number;
  lateMs: number;
  smooth: number;
  drop: number;
  report: number;
  rebaseAfter: number;
  range: number;
}

type Finding = [severity: number, reason: string];
const WORDS = ['accept', 'smooth', 'drop', 'report'];

const big = (n: number): bigint => BigInt(n);
/** Whether the plan distance of two places is at most n, which may be negative. */
function near(a: Shot, b: Shot, n: bigint): boolean {
  if (n < 0n) return false;
  const [dx, dz] = [big(a.x) - big(b.x), big(a.z) - big(b.z)];
  if (dx > 2n ** 26n || dx < -(2n ** 26n) || dz > 2n ** 26n || dz < -(2n ** 26n)) return false;
  return dx * dx + dz * dz <= n * n;
}
/** The least whole number that is not less than the plan distance, by bisection. */
function distance(a: Shot, b: Shot): bigint {
  let [low, high] = [-1n, 2n ** 30n];
  while (high - low > 1n) {
    const mid = (low + high) / 2n;
    if (near(a, b, mid)) high = mid;
    else low = mid;
  }
  return high;
}
const steps = (a: Shot, b: Shot): bigint => (((big(a.tick) - big(b.tick)) % 2n ** 32n) + 2n ** 32n) % 2n ** 32n;

export class Oracle {
  private readonly l: OracleLimits;
  private base: Seen[] = [];
  private refused: Seen[] = [];

  constructor(l: OracleLimits) {
    this.l = l;
  }

  check(at: number, shot: Shot, predicted: Shot | null): [string, string] {
    const { l } = this;
    const fields = [shot.x, shot.y, shot.z];
    const tickIsOne = Number.isInteger(shot.tick) && shot.tick >= 0 && shot.tick <= 4294967295;
    if (!tickIsOne || fields.some((f) => !Number.isInteger(f) || f < -l.range || f > l.range))
      return ['report', 'Field'];
    const seen = { ...shot, at };
    if (this.base.length === 0) {
      this.base = [seen];
      return ['accept', 'None'];
    }
    const findings = this.against(this.base, seen);
    if (findings.some(([severity, reason]) => reason === 'TickOrder' && severity === 2)) return ['drop', 'TickOrder'];
    if (predicted !== null) {
      const tall = Math.abs(shot.y - predicted.y);
      const off = (n: number): boolean => !near(shot, predicted, big(n)) || tall > n;
      if (off(l.report)) findings.push([3, 'Deviation']);
      else if (off(l.drop)) findings.push([2, 'Deviation']);
      else if (off(l.smooth)) findings.push([1, 'Deviation']);
    }
    const worst = Math.max(0, ...findings.map(([severity]) => severity));
    const reason = worst === 0 ? 'None' : (findings.find(([severity]) => severity === worst) as Finding)[1];
    if (worst < 2) {
      this.base.push(seen);
      this.refused = [];
      return [WORDS[worst], reason];
    }
    if (this.refused.length > 0) {
      const among = this.against(this.refused, seen);
      if (among.some(([severity, why]) => why === 'TickOrder' && severity === 2)) return [WORDS[worst], reason];
      if (among.some(([severity]) => severity >= 2)) this.refused = [];
    }
    this.refused.push(seen);
    if (this.refused.length < l.rebaseAfter) return [WORDS[worst], reason];
    // what the refused ones spent among themselves stays spent
    this.base = this.refused;
    this.refused = [];
    return ['accept', 'Rebased'];
  }

  get newest(): Shot | undefined {
    return this.base.at(-1);
  }

  private against(chain: Seen[], shot: Seen): Finding[] {
    const { l } = this;
    const last = chain[chain.length - 1];
    const ahead = steps(shot, last);
    if (ahead === 0n || ahead >= 2n ** 31n) {
      const behind = ahead === 0n ? 0n : 2n ** 32n - ahead;
      return [[behind * big(l.tickMs) > big(l.lateMs) ? 3 : 2, 'TickOrder']];
    }
    const findings: Finding[] = [];
    const all = [...chain, shot];
    let lead = 0n;
    for (let i = 1; i < all.length; i++) {
      const passed = all[i].at - all[i - 1].at;
      lead += steps(all[i], all[i - 1]) * big(l.tickMs) - big(Math.max(0, passed));
    }
    if (lead > big(l.leadMs)) findings.push([3, 'TickGap']);
    else if ((ahead - 1n) * big(l.tickMs) > big(l.gapSmoothMs)) findings.push([1, 'TickGap']);
    // what is left after the chain: from wherever the bucket was last full
    let left = big(l.cap);
    let sum = 0n;
    for (let i = chain.length - 1; i > 0; i--) {
      sum += steps(chain[i], chain[i - 1]) * big(l.rate) - distance(chain[i], chain[i - 1]);
      if (big(l.cap) + sum < left) left = big(l.cap) + sum;
    }
    const allowed = left + ahead * big(l.rate);
    if (!near(shot, last, allowed)) {
      const over = near(shot, last, allowed + big(l.overrun));
      findings.push([over ? 1 : near(shot, last, big(l.leap)) ? 2 : 3, 'Displacement']);
    }
    const tall = big(Math.abs(shot.y - last.y));
    const liftable = big(l.liftCap) + ahead * big(l.lift);
    if (tall > liftable) {
      findings.push([tall <= liftable + big(l.overrun) ? 1 : tall > big(l.leap) ? 3 : 2, 'Displacement']);
    }
    return findings;
  }
}
