// A caller's partial rules made whole: names and values are checked against the table once, at the door. Imported by
// guard.ts and by whoever shows or reads rules.
import { NavguardError } from '../errors.ts';
import { closestWord } from '../nearest.ts';
import { REASON_NAMES, type ReasonName } from '../reasons.ts';
import { RULE_NAMES, RULE_TABLE, type RuleEntry, type RuleName } from './table.ts';

/** Marks are never nearer to each other, metres. */
const MARK_MIN = 0.1;

/** A whole rule set. Units stand in the table. */
export interface Rules {
  readonly speedTolerance: number;
  readonly burstMs: number;
  readonly rttCreditMaxMs: number;
  readonly wayRoundSlackMs: number;
  readonly pendingMs: number;
  readonly ackRadius: number;
  readonly positionQuantum: number;
  /** Metres, or `auto` or `wide`: derived from the map, see `edgeToleranceOn`. */
  readonly edgeTolerance: number | 'auto' | 'wide';
  readonly below: number;
  readonly above: number;
  readonly yOffset: number;
  readonly jumpHeight: number;
  readonly gravity: number;
  readonly fallSpeedMax: number;
  readonly falls: 'edges' | 'links' | 'off';
  readonly jumpGap: number;
  readonly teleportDistance: number;
  readonly maxSeqGap: number;
  readonly maxStop: number;
  readonly durationTolerance: number;
  readonly durationSlackMs: number;
  readonly refuseSlow: boolean;
  readonly snapshotThreshold: number;
  readonly dropGraceMs: number;
  readonly doorGraceMs: number;
  readonly searchNodesPerSecond: number;
  readonly nodeCap: number;
  readonly wall: 'reach' | 'sight';
  readonly speedMetric: 'plan' | 'surface';
  readonly driftTolerance: number;
  readonly scoreHalfLifeMs: number;
  readonly watchAt: number;
  readonly restrictAt: number;
  readonly kickAt: number;
  readonly shadow: readonly ReasonName[];
}

/**
 * The whole rule set for a part of it. Throws `BAD_RULE` for a name that is not in the table (the nearest one is named)
 * and for a value outside its range (got and expected are named).
 */
export function resolveRules(partial: Partial<Rules> | Readonly<Record<string, unknown>> = {}): Rules {
  if (partial === null || typeof partial !== 'object' || Array.isArray(partial)) {
    throw bad('rules', partial, 'an object of rules');
  }
  const rules: Record<string, unknown> = {};
  for (const name of RULE_NAMES) {
    const entry: RuleEntry = RULE_TABLE[name];
    rules[name] = entry.kind === 'number' && entry.auto !== undefined ? 'auto' : entry.fallback;
  }
  for (const [name, value] of Object.entries(partial)) {
    if (!Object.hasOwn(RULE_TABLE, name)) {
      const nearest = closestWord(name, RULE_NAMES);
      throw new NavguardError(
        'BAD_RULE',
        `rules: unknown rule ${shown(name)}; the nearest known rule is "${nearest}"`,
        {
          got: name,
          expected: nearest,
        },
      );
    }
    // an explicit undefined is the default: callers spread optional settings
    if (value !== undefined) rules[name] = checked(name as RuleName, value);
  }
  const whole = rules as unknown as Rules;
  if (!(whole.watchAt <= whole.restrictAt && whole.restrictAt <= whole.kickAt)) {
    throw bad(
      'watchAt, restrictAt, kickAt',
      [whole.watchAt, whole.restrictAt, whole.kickAt],
      'three thresholds in ascending order',
    );
  }
  return ofOneShape(whole);
}

/**
 * The same rules in an object of which V8 knows the shape. Filled name by name it would be a dictionary, spread into a
 * literal of a shape of its own: then all that was optimised for one guard is thrown away when another comes.
 */
function ofOneShape(whole: Rules): Rules {
  return Object.freeze({
    speedTolerance: whole.speedTolerance,
    burstMs: whole.burstMs,
    rttCreditMaxMs: whole.rttCreditMaxMs,
    wayRoundSlackMs: whole.wayRoundSlackMs,
    pendingMs: whole.pendingMs,
    ackRadius: whole.ackRadius,
    positionQuantum: whole.positionQuantum,
    edgeTolerance: whole.edgeTolerance,
    below: whole.below,
    above: whole.above,
    yOffset: whole.yOffset,
    jumpHeight: whole.jumpHeight,
    gravity: whole.gravity,
    fallSpeedMax: whole.fallSpeedMax,
    falls: whole.falls,
    jumpGap: whole.jumpGap,
    teleportDistance: whole.teleportDistance,
    maxSeqGap: whole.maxSeqGap,
    maxStop: whole.maxStop,
    durationTolerance: whole.durationTolerance,
    durationSlackMs: whole.durationSlackMs,
    refuseSlow: whole.refuseSlow,
    snapshotThreshold: whole.snapshotThreshold,
    dropGraceMs: whole.dropGraceMs,
    doorGraceMs: whole.doorGraceMs,
    searchNodesPerSecond: whole.searchNodesPerSecond,
    nodeCap: whole.nodeCap,
    wall: whole.wall,
    speedMetric: whole.speedMetric,
    driftTolerance: whole.driftTolerance,
    scoreHalfLifeMs: whole.scoreHalfLifeMs,
    watchAt: whole.watchAt,
    restrictAt: whole.restrictAt,
    kickAt: whole.kickAt,
    shadow: whole.shadow,
  });
}

/**
 * The edge tolerance in metres on a map with this cell size (0 = no lattice) and agent radius; 0.1 m without a lattice.
 *
 * `wide` is how far a body pressed against a wall was ever found outside the mesh: 2.3 cells and 0.6 radii, and half the
 * diagonal of the rounding of positions. Voxels round a wall up by a cell on either axis, contours are simplified by up to
 * 1.3 cells, and the round foot of a body comes nearer to a leaning wall than its radius, at a slope of 45 degrees by
 * 1 - tan(22.5 degrees) = 0.59 of it. So wide, centres are taken that lie inside a wall that is drawn where it is.
 *
 * `auto` goes no farther than the erosion did: the agent's radius in whole cells, and 1.25 cells at least. Whose centre is
 * beyond that is in the wall itself.
 */
export function edgeToleranceOn(rules: Rules, cellSize: number, agentRadius: number): number {
  if (typeof rules.edgeTolerance === 'number') return rules.edgeTolerance;
  if (!(cellSize > 0)) return RULE_TABLE.edgeTolerance.fallback;
  const wide = 2.3 * cellSize + 0.6 * agentRadius + rules.positionQuantum * Math.SQRT1_2;
  if (rules.edgeTolerance === 'wide') return wide;
  const eroded = Math.ceil(agentRadius / cellSize - 1e-6) * cellSize;
  return Math.max(1.25 * cellSize, Math.min(eroded, wide));
}

/** What the mesh itself is uncertain by, metres: forgiven where walks along it and heights on it are compared. */
export function meshErrorOn(rules: Rules, cellSize: number): number {
  if (typeof rules.edgeTolerance === 'number') return rules.edgeTolerance;
  return cellSize > 0 ? 1.25 * cellSize : RULE_TABLE.edgeTolerance.fallback;
}

/** The string of trail.ts, metres. Where heights are charged they are rounded too: e is larger by the root of 3 / 2. */
export function stringLength(rules: Rules): number {
  return 1.5 * rules.positionQuantum * (rules.speedMetric === 'surface' ? Math.sqrt(1.5) : 1);
}

/**
 * From one mark of the way to the next, metres (slice.ts): so long that the rounding of positions makes a walk from mark to
 * mark at most 0.7 % longer (straight on, in every direction, at every rate).
 */
export function markLength(rules: Rules): number {
  return Math.max(5 * rules.positionQuantum, MARK_MIN);
}

function checked(name: RuleName, value: unknown): unknown {
  const entry: RuleEntry = RULE_TABLE[name];
  if (entry.kind === 'number') {
    if ((entry.auto !== undefined && value === 'auto') || (entry.wide !== undefined && value === 'wide')) return value;
    const fits =
      typeof value === 'number' &&
      value >= entry.min &&
      value <= entry.max &&
      (entry.integer !== true || Number.isInteger(value));
    if (fits) return value;
    const unit = entry.unit === '' ? '' : ` ${entry.unit}`;
    const or = entry.auto === undefined ? '' : ', "auto" or "wide"';
    const what = entry.integer === true ? 'a whole number' : 'a number';
    throw bad(name, value, `${what} of ${entry.min}..${entry.max}${unit}${or}`);
  }
  if (entry.kind === 'word') {
    if (typeof value === 'string' && entry.words.includes(value)) return value;
    throw bad(name, value, `one of ${entry.words.map((word) => `"${word}"`).join(', ')}`);
  }
  if (entry.kind === 'switch') {
    if (typeof value === 'boolean') return value;
    throw bad(name, value, 'true or false');
  }
  if (Array.isArray(value)) {
    const stray = value.find((word) => !(REASON_NAMES as readonly unknown[]).includes(word));
    if (stray === undefined) return Object.freeze([...value]);
    throw bad(name, stray, `a list of reason names (${REASON_NAMES.join(', ')})`);
  }
  throw bad(name, value, 'a list of reason names');
}

function bad(name: string, got: unknown, expected: string): NavguardError {
  return new NavguardError('BAD_RULE', `rules.${name}: expected ${expected}, got ${shown(got)}`, {
    name,
    got,
    expected,
  });
}

function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || value === undefined) return String(value);
  try {
    const text = JSON.stringify(value) ?? typeof value;
    return text.length > 60 ? `${text.slice(0, 57)}...` : text;
  } catch {
    return typeof value;
  }
}
