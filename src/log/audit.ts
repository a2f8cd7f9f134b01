// Runs move logs through guards of their own and sums up: what `navguard audit` does, as a function.
import { NavguardError } from '../errors.ts';
import { GridMap } from '../gridmap.ts';
import { MoveGuard } from '../guard.ts';
import { type Engine, kernelHash } from '../kernel/index.ts';
import { NavMap } from '../map.ts';
import { type Rules, resolveRules } from '../rules/rules.ts';
import type { Verdict } from '../types.ts';
import { VERSION } from '../version.ts';
import type { Claim, MoveLogEvent, MoveLogHeader } from './events.ts';
import { positionHints, tallyHints } from './hints.ts';
import type { ReplayGuard, ReplayMap } from './judge.ts';
import { mapOfHeader } from './maps.ts';
import type { PooledReplay } from './pooled.ts';
import { badLine } from './problem.ts';
import { MoveLog } from './reader.ts';
import { Replay, type ReplayOptions } from './replay.ts';
import { type AuditSummary, Tally } from './tally.ts';

/** How logs are run; everything is optional. */
export interface AuditOptions {
  /** Wins over the header's map. */
  map?: NavMap | undefined;
  /** Win over the header's rules, name by name. */
  rules?: Readonly<Record<string, unknown>> | undefined;
  engine?: Engine | undefined;
  /** Worker threads that judge (see navguard/pool), 1..64; without it this one does. Verdicts are the same. Not with `engine`. */
  workers?: number | undefined;
  /** Count and skip lines that are not valid JSON or have an unknown `op`, instead of stopping. */
  lenient?: boolean | undefined;
  /** Compare verdicts with `expect` (default true). */
  check?: boolean | undefined;
  /** Called with each verdict; it is reused, `copy()` to keep. `t` is in ms, `line` counts from 1, `map` is the map's hash. */
  onVerdict?: ((t: number, claim: Claim, verdict: Verdict, line: number, map: string) => void) | undefined;
  /** Called after each chunk with the bytes of this log read so far; awaited, so that output can drain. */
  onChunk?: ((bytesRead: number) => void | Promise<void>) | undefined;
}

/** One run over one or more logs. Each log has its own guard; the counts are common. */
export class Audit {
  readonly #options: AuditOptions;
  readonly #tally = new Tally();

  constructor(options: AuditOptions = {}) {
    this.#options = options;
  }

  /**
   * Runs one log. Throws NavguardError: BAD_LOG for the log, or what the map's loader says.
   * @param source a path, or a stream of bytes
   * @param name the log's name in messages; for a stream also where `map.file` is relative to
   */
  async run(source: string | AsyncIterable<Uint8Array>, name?: string): Promise<void> {
    const options = this.#options;
    const log = await MoveLog.open(source, { name, lenient: options.lenient });
    try {
      const engine = options.engine === undefined ? {} : { engine: options.engine };
      const map =
        options.map === undefined ? await mapOfHeader(log.header, log.name, engine) : fresh(options.map, engine);
      const rules = { ...log.header.rules, ...options.rules };
      const clock = { now: 0 };
      this.#tally.begin(log.name);
      const { hash } = map.info;
      const { onVerdict: told } = options;
      const onVerdict: ReplayOptions['onVerdict'] =
        told === undefined ? undefined : (t, claim, verdict, line) => told(t, claim, verdict, line, hash);
      const settings = { file: log.name, check: options.check ?? true, onVerdict };
      const judges = this.#rules(rules, log);
      let replay: Replay;
      if (options.workers === undefined) {
        const guard: ReplayGuard = new MoveGuard(map, judges, { ...engine, now: () => clock.now });
        replay = new Replay(guard, map as ReplayMap, clock, this.#tally, settings);
        await this.#feed(log, replay);
      } else {
        const { PooledReplay } = await import('./pooled.ts');
        const pooled = await PooledReplay.open(map, { ...judges }, options.workers, clock, this.#tally, settings);
        replay = pooled;
        try {
          await this.#feed(log, pooled, pooled);
        } finally {
          await pooled.close();
        }
      }
      this.#tally.skipped += log.skipped;
      const yOffset = typeof rules.yOffset === 'number' ? rules.yOffset : 0;
      const hints = [
        ...hashHints(log.header, map),
        ...kernelHints(log.header),
        ...positionHints(map, replay.sample.positions, yOffset, map.info.format.startsWith('grid ')),
        ...tallyHints(
          this.#tally.entities.values(),
          replay.lastMs - replay.firstMs,
          replay.backwards,
          replay.strangers,
        ),
      ];
      for (const hint of hints) this.#tally.hints.add(hint);
    } finally {
      await log.close();
    }
  }

  summary(): AuditSummary {
    return this.#tally.summary();
  }

  async #feed(log: MoveLog, replay: Replay, pooled: PooledReplay | null = null): Promise<void> {
    let started = process.hrtime.bigint();
    do {
      for (let event = log.next(); event !== null; event = log.next()) {
        if (pooled === null) replay.step(event, log.line);
        else await stepPooled(pooled, event, log.line);
      }
      if (this.#options.onChunk !== undefined) {
        this.#tally.addTime(process.hrtime.bigint() - started);
        await this.#options.onChunk(log.bytesRead);
        started = process.hrtime.bigint();
      }
    } while (await log.more());
    await pooled?.finish();
    this.#tally.addTime(process.hrtime.bigint() - started);
  }

  #rules(rules: Record<string, unknown>, log: MoveLog): Rules {
    try {
      return resolveRules(rules);
    } catch (error) {
      if (error instanceof NavguardError && error.code === 'BAD_RULE' && log.header.rules !== undefined) {
        throw badLine(log.name, 1, error.message, error.detail);
      }
      throw error;
    }
  }
}

/** A fault of an earlier line, whose verdict had not come yet, is said first. */
async function stepPooled(pooled: PooledReplay, event: MoveLogEvent, line: number): Promise<void> {
  try {
    pooled.step(event, line);
  } catch (error) {
    await pooled.finish();
    throw error;
  }
  if (pooled.pressing) await pooled.flow();
}

/** A map that was given may be another than the log was recorded on. */
function hashHints({ map: source }: MoveLogHeader, map: NavMap): string[] {
  if (source === undefined || !('hash' in source) || source.hash === undefined) return [];
  if (source.hash.toLowerCase() === map.info.hash.toLowerCase()) return [];
  return [`The log was recorded on a map with hash ${source.hash}, but this one has ${map.info.hash}.`];
}

/** Verdicts are the same bit for bit by the same kernels, rules and state only. */
function kernelHints({ kernel, navguard }: MoveLogHeader): string[] {
  const own = kernelHash();
  if (kernel === undefined || kernel === own) return [];
  const by = navguard === undefined ? '' : ` of navguard ${navguard}`;
  return [
    `The log was recorded by the kernel ${kernel}${by}, but this is the kernel ${own} of navguard ${VERSION}: verdicts may differ for that reason alone.`,
  ];
}

/** The same map without what an earlier log may have changed on it. */
function fresh(map: NavMap, engine: { engine?: Engine }): NavMap {
  return map instanceof GridMap ? map : NavMap.fromPack(map.toPack(), engine);
}

/** Runs one log and sums up. See `Audit` for several. */
export async function auditLog(
  source: string | AsyncIterable<Uint8Array>,
  options: AuditOptions & { name?: string } = {},
): Promise<AuditSummary> {
  const audit = new Audit(options);
  await audit.run(source, options.name);
  return audit.summary();
}
