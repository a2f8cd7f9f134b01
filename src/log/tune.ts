// What other rules would have refused: the same logs run again and again under changed rules. Imported by cli/ and the
// front of navguard/log.
//
// The logs are taken for honest play: whatever a stricter rule refuses in them is an honest player convicted. A claim
// counts as newly refused when it is accepted under the logs' own rules and is not under the changed ones. In a log that
// says what to expect, only those entities are honest all of whose claims are expected to be accepted.
import type { NavMap } from '../map.ts';
import type { ReasonName } from '../reasons.ts';
import { edgeToleranceOn, type Rules, resolveRules } from '../rules/rules.ts';
import { type NumberRule, RULE_NAMES, RULE_TABLE, type RuleEntry, type RuleName } from '../rules/table.ts';
import type { Verdict } from '../types.ts';
import { Audit } from './audit.ts';
import type { Claim, MoveLogHeader } from './events.ts';
import { mapOfHeader } from './maps.ts';
import { MoveLog } from './reader.ts';

/** The claim that a rule would have refused first. */
export interface FirstRefused {
  readonly file: string;
  readonly line: number;
  /** ms. */
  readonly t: number;
  readonly id: unknown;
  readonly reason: ReasonName;
  /** Metres of the rule that decided. */
  readonly used: number | null;
  readonly allowed: number | null;
}

/** What the logs come to under one set of rules. */
export interface Trial {
  readonly claims: number;
  readonly refused: number;
  readonly undecided: number;
  /** Accepted under the logs' own rules, and not under these. */
  readonly newlyRefused: number;
  /** Honest entities with an action of `watch` or more at any time. */
  readonly watched: number;
  /** Highest score of any honest entity at any time. */
  readonly highestScore: number;
  readonly byReason: Partial<Record<ReasonName, number>>;
  /** The first newly refused claim, in the order of the logs. */
  readonly first: FirstRefused | null;
}

/** A trial of a sweep, and the rule values it was made with. */
export interface SweepRow extends Trial {
  readonly values: Readonly<Record<string, unknown>>;
}

/** How far a rule is from refusing something in these logs. */
export interface Margin {
  readonly rule: RuleName;
  readonly unit: string;
  /** The logs' own value. */
  readonly value: number;
  /** The strictest value that refuses nothing new, leaves nothing more undecided and watches nobody more. */
  readonly strictest: number;
  /** How far that is from the logs' own value. */
  readonly margin: number;
  /** Even the strictest value there is changes nothing: these logs say nothing about the rule. */
  readonly idle: boolean;
  /** What goes wrong beyond it. */
  readonly first: FirstRefused | null;
  readonly beyond: 'refused' | 'undecided' | 'watched' | null;
}

/** Rules that grow stricter as their number grows; all others do as it falls. */
const STRICTER_UPWARDS: readonly RuleName[] = ['gravity'];
/** Numbers that refuse nobody whatever they are: they name, weigh or measure. */
const NO_LIMIT: readonly RuleName[] = ['yOffset', 'teleportDistance', 'snapshotThreshold', 'restrictAt', 'kickAt'];
/** Halvings of the range: the strictest value is found to 1/256 of it. */
const HALVINGS = 8;

/** One log of the set, with its own map. */
interface OpenedLog {
  readonly path: string;
  readonly header: MoveLogHeader;
  readonly map: NavMap;
}

/** Progress: runs made so far, and how many there will be at most. */
export type OnRun = (done: number, atMost: number) => void | Promise<void>;

/** A set of logs that is run under other rules. */
export class Tuning {
  readonly #logs: readonly OpenedLog[];
  readonly #rules: Readonly<Record<string, unknown>>;
  /** Per log and claim, in order: accepted under the logs' own rules. */
  readonly #accepted: Uint8Array[] = [];
  /** Per log: entities with a claim that is not expected to be accepted. */
  readonly #cheats: Set<unknown>[] = [];
  readonly #onRun: OnRun;
  #runs = 0;
  #atMost = 1;
  /** The logs under their own rules. */
  base!: Trial;

  private constructor(logs: readonly OpenedLog[], rules: Readonly<Record<string, unknown>>, onRun: OnRun) {
    this.#logs = logs;
    this.#rules = rules;
    this.#onRun = onRun;
  }

  /**
   * Reads the logs' headers and runs them once under their own rules.
   * @param rules win over the headers', in every run
   * @throws NavguardError BAD_LOG, BAD_RULE, or what the map's loader says
   */
  static async open(
    paths: readonly string[],
    options: { map?: NavMap | undefined; rules?: Readonly<Record<string, unknown>> | undefined; onRun?: OnRun } = {},
  ): Promise<Tuning> {
    const logs: OpenedLog[] = [];
    for (const path of paths) {
      const log = await MoveLog.open(path);
      const header = log.header;
      await log.close();
      logs.push({ path, header, map: options.map ?? (await mapOfHeader(header, path)) });
    }
    const tuning = new Tuning(logs, options.rules ?? {}, options.onRun ?? (() => undefined));
    for (const _ of logs) {
      tuning.#accepted.push(new Uint8Array(1024));
      tuning.#cheats.push(new Set());
    }
    tuning.base = await tuning.#run({}, true);
    return tuning;
  }

  /** Runs the logs with these rules on top of their own. */
  trial(rules: Readonly<Record<string, unknown>>): Promise<Trial> {
    this.#atMost = Math.max(this.#atMost, this.#runs + 1);
    return this.#run(rules, false);
  }

  /** Every combination of the values of one or two rules. */
  async sweep(ranges: readonly { rule: RuleName; values: readonly unknown[] }[]): Promise<SweepRow[]> {
    let rows: Record<string, unknown>[] = [{}];
    for (const { rule, values } of ranges) rows = rows.flatMap((row) => values.map((v) => ({ ...row, [rule]: v })));
    this.#atMost = this.#runs + rows.length;
    // a wrong value is said before hours of work
    for (const values of rows) resolveRules({ ...this.#rules, ...values });
    const trials: SweepRow[] = [];
    for (const values of rows) trials.push({ values, ...(await this.#run(values, false)) });
    return trials;
  }

  /**
   * For every rule that is a number: the strictest value under which these logs fare no worse, by halving the way from
   * the logs' own value to the end of the rule's range. Rules whose value differs from log to log are left out.
   */
  async margins(): Promise<Margin[]> {
    const names = RULE_NAMES.filter((name) => this.#hasMargin(name));
    this.#atMost = this.#runs + names.length * (HALVINGS + 1);
    const margins: Margin[] = [];
    for (const [i, name] of names.entries()) {
      margins.push(await this.#margin(name));
      this.#atMost = this.#runs + (names.length - 1 - i) * (HALVINGS + 1);
    }
    return margins;
  }

  #hasMargin(name: RuleName): boolean {
    const entry: RuleEntry = RULE_TABLE[name];
    if (entry.kind !== 'number' || NO_LIMIT.includes(name)) return false;
    const values = new Set(this.#logs.map((log) => this.#valueIn(log, name)));
    return values.size === 1 && [...values][0] !== this.#end(name);
  }

  /** A rule's number as it holds for a log. */
  #valueIn({ header, map }: OpenedLog, name: RuleName): number {
    const rules: Rules = resolveRules({ ...header.rules, ...this.#rules });
    if (name === 'edgeTolerance') {
      const { format, cellSize, agent } = map.info;
      return edgeToleranceOn(rules, format.startsWith('grid ') ? 0 : cellSize, agent.radius);
    }
    return rules[name] as number;
  }

  #end(name: RuleName): number {
    const entry = RULE_TABLE[name] as NumberRule;
    return STRICTER_UPWARDS.includes(name) ? entry.max : entry.min;
  }

  async #margin(name: RuleName): Promise<Margin> {
    const entry = RULE_TABLE[name] as NumberRule;
    const value = this.#valueIn(this.#logs[0], name);
    const end = this.#end(name);
    let strictest = value;
    let worse = end;
    let trial = await this.#run({ [name]: end }, false);
    let beyond = this.#worse(trial);
    if (beyond === null) {
      return {
        rule: name,
        unit: entry.unit,
        value,
        strictest: end,
        margin: Math.abs(value - end),
        idle: true,
        first: null,
        beyond,
      };
    }
    for (let k = 0; k < HALVINGS; k++) {
      // ranges that span orders of magnitude are halved by their ratio
      const middle =
        entry.max / Math.max(entry.min, 1e-3) > 1e4 && worse > 0
          ? Math.sqrt(strictest * worse)
          : (strictest + worse) / 2;
      const tried = entry.integer === true ? Math.round(middle) : middle;
      if (tried === strictest || tried === worse) break;
      const next = await this.#run({ [name]: tried }, false);
      const verdict = this.#worse(next);
      if (verdict === null) strictest = tried;
      else {
        worse = tried;
        trial = next;
        beyond = verdict;
      }
    }
    const margin = Math.abs(value - strictest);
    return { rule: name, unit: entry.unit, value, strictest, margin, idle: false, first: trial.first, beyond };
  }

  /** In what a trial is worse than the logs under their own rules; null when in nothing. */
  #worse(trial: Trial): Margin['beyond'] {
    if (trial.newlyRefused > 0) return 'refused';
    if (trial.undecided > this.base.undecided) return 'undecided';
    return trial.watched > this.base.watched ? 'watched' : null;
  }

  async #run(changed: Readonly<Record<string, unknown>>, first: boolean): Promise<Trial> {
    const rules = { ...this.#rules, ...changed };
    let newlyRefused = 0;
    let firstRefused: FirstRefused | null = null;
    let watched = 0;
    let highestScore = 0;
    const byReason: Partial<Record<ReasonName, number>> = {};
    let claims = 0;
    let refused = 0;
    let undecided = 0;
    for (const [k, { path, map }] of this.#logs.entries()) {
      let at = 0;
      let expects = false;
      const suspects = new Set<unknown>();
      const scores = new Map<unknown, number>();
      const cheats = this.#cheats[k];
      const onVerdict = (t: number, claim: Claim, verdict: Verdict, line: number): void => {
        if (first) {
          this.#note(k, at, verdict.accepted);
          if (claim.expect !== undefined) expects = true;
          if (claim.expect !== 'accept') cheats.add(claim.id);
        } else if (!verdict.accepted && this.#accepted[k][at] === 1 && !cheats.has(claim.id)) {
          newlyRefused++;
          const { reason, used, allowed } = verdict;
          firstRefused ??= { file: path, line, t, id: claim.id, reason, used, allowed };
        }
        at++;
        if (verdict.action !== 'none') suspects.add(claim.id);
        if (verdict.score > (scores.get(claim.id) ?? 0)) scores.set(claim.id, verdict.score);
      };
      const run = new Audit({ map, rules, check: false, onVerdict });
      await run.run(path);
      if (first && !expects) cheats.clear();
      for (const id of cheats) {
        suspects.delete(id);
        scores.delete(id);
      }
      for (const score of scores.values()) highestScore = Math.max(highestScore, score);
      const summary = run.summary();
      claims += summary.claims;
      refused += summary.refused;
      undecided += summary.undecided;
      watched += suspects.size;
      for (const [reason, count] of Object.entries(summary.byReason) as [ReasonName, number][]) {
        byReason[reason] = (byReason[reason] ?? 0) + count;
      }
    }
    this.#runs++;
    await this.#onRun(this.#runs, this.#atMost);
    return {
      claims,
      refused,
      undecided,
      newlyRefused,
      watched,
      highestScore,
      byReason,
      first: firstRefused,
    };
  }

  #note(log: number, at: number, accepted: boolean): void {
    let known = this.#accepted[log];
    if (at >= known.length) {
      known = new Uint8Array(2 * known.length);
      known.set(this.#accepted[log]);
      this.#accepted[log] = known;
    }
    known[at] = accepted ? 1 : 0;
  }
}
