// The one table of rules: name, unit, default, range, what each catches and what honest behaviour it must not touch.
// `--help`, README and error messages come from it. A leaf of rules/.

/** A rule whose value is a number within a range. */
export interface NumberRule {
  readonly kind: 'number';
  readonly unit: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
  /** Also accepts the word `auto`: derived from the map. */
  readonly auto?: string;
  /** Also accepts the word `wide`: derived from the map, as lenient as bodies ever need. */
  readonly wide?: string;
  readonly catches: string;
  readonly spares: string;
}
/** A rule that is one of a few words. */
export interface WordRule {
  readonly kind: 'word';
  readonly unit: '';
  readonly fallback: string;
  readonly words: readonly string[];
  readonly catches: string;
  readonly spares: string;
}
/** A rule that is on or off. */
export interface SwitchRule {
  readonly kind: 'switch';
  readonly unit: '';
  readonly fallback: boolean;
  readonly catches: string;
  readonly spares: string;
}
/** A rule that is a list of reason names. */
export interface ListRule {
  readonly kind: 'list';
  readonly unit: '';
  readonly fallback: readonly string[];
  readonly catches: string;
  readonly spares: string;
}
export type RuleEntry = NumberRule | WordRule | SwitchRule | ListRule;

function number(unit: string, fallback: number, min: number, max: number, catches: string, spares: string): NumberRule {
  return { kind: 'number', unit, fallback, min, max, catches, spares };
}

/** Every rule. Numbers are in the unit said here; ranges are inclusive. */
export const RULE_TABLE = {
  speedTolerance: number('x', 1.15, 1, 10, 'moving faster than the limit', 'clock drift of a few percent, rounding'),
  burstMs: number('ms', 1000, 0, 60_000, 'banking unused time', 'packets that bunch up after a stall'),
  rttCreditMaxMs: number('ms', 300, 0, 10_000, 'delaying pongs to buy credit', 'ordinary latency'),
  wayRoundSlackMs: number('ms', 250, 0, 10_000, 'a burst used to pass a wall', 'jitter while turning a corner'),
  pendingMs: number('ms', 500, 0, 60_000, 'ignoring a correction', 'claims in flight when it was sent'),
  ackRadius: number('m', 1, 0, 1000, 'pulling the entity back with stale claims', 'a few steps after a teleport'),
  positionQuantum: number(
    'm',
    0.05,
    0,
    1,
    'moving faster than the limit in little steps',
    'positions rounded to this: their staircase is longer than the walk',
  ),
  edgeTolerance: {
    ...number(
      'm',
      0.1,
      0,
      100,
      'standing inside walls',
      'bodies pressed against walls (`wide`: leaning walls and coarse contours too)',
    ),
    auto: 'the agent radius in whole cells, 1.25 cells at least; 0.1 m without a lattice',
    wide: '2.3 cells and 0.6 agent radii; 0.1 m without a lattice',
  } as NumberRule,
  below: number('m', 0.5, 0, 100, 'moving under the floor', 'a floor drawn higher than it is'),
  above: number('m', 2.6, 0, 100, 'claiming another floor', 'jumps'),
  yOffset: number('m', 0, -100, 100, 'nothing: where the client measures its y', 'pelvis or eye height as position'),
  jumpHeight: number('m', 2.1, 0, 1000, 'hovering', 'jumps'),
  gravity: number('m/s2', 9.81, 0.01, 1000, 'hovering', 'falling'),
  fallSpeedMax: number('m/s', 60, 0.1, 10_000, 'sinking too fast', 'long falls'),
  falls: {
    kind: 'word',
    unit: '',
    fallback: 'edges',
    words: ['edges', 'links', 'off'],
    catches: 'leaving a floor where there is no way down',
    spares: 'stepping off a ledge',
  } as WordRule,
  jumpGap: number(
    'm',
    0,
    0,
    1000,
    'crossing holes in the mesh; not on maps whose walls are thinner than this less two agent radii: they are holes too',
    'jumping over a gap of so many metres',
  ),
  teleportDistance: number('m', 50, 0, 1e9, 'jumps across the map', 'nothing more than SpeedLimit would'),
  maxSeqGap: {
    ...number('', 65536, 1, 2 ** 31 - 1, 'forged sequence numbers', 'lost packets, numbers counted by frame'),
    integer: true,
  } as NumberRule,
  maxStop: number('m', 5, 0, 1000, 'a stop distance that shortens the way', 'stopping in reach of a target'),
  durationTolerance: number('x', 0.1, 0, 10, 'claiming a slower walk', 'a corridor longer than the shortest way'),
  durationSlackMs: number('ms', 100, 0, 10_000, 'claiming a faster walk', 'rounding of durations'),
  refuseSlow: {
    kind: 'switch',
    unit: '',
    fallback: false,
    catches: 'durations that are too long',
    spares: 'clients whose path is longer than ours',
  } as SwitchRule,
  snapshotThreshold: number('m', 0.1, 0, 100, 'nothing: when a snapshot writes a position', 'standing still'),
  dropGraceMs: number('ms', 150, 0, 10_000, 'using a lost right', 'claims in flight when a limit or state changed'),
  doorGraceMs: number('ms', 150, 0, 10_000, 'walking through closed doors', 'a door that closed a moment ago'),
  searchNodesPerSecond: number('1/s', 20_000, 1, 1e9, 'claims made to cost time', 'many corners in one second'),
  nodeCap: {
    ...number('', 4096, 1, 4096, 'claims made to cost time', 'ordinary searches'),
    integer: true,
  } as NumberRule,
  wall: {
    kind: 'word',
    unit: '',
    fallback: 'reach',
    words: ['reach', 'sight'],
    catches: 'passing walls',
    spares: 'turning a corner between two claims (reach); nothing (sight)',
  } as WordRule,
  speedMetric: {
    kind: 'word',
    unit: '',
    fallback: 'plan',
    words: ['plan', 'surface'],
    catches: 'moving faster than the limit',
    spares: 'stairs and slopes (plan)',
  } as WordRule,
  driftTolerance: number(
    'x',
    0.06,
    0,
    10,
    'a clock that runs fast all the time: evidence, no refusal',
    'clocks that are 4 % fast, rounding, latency that comes and goes',
  ),
  scoreHalfLifeMs: number('ms', 30_000, 1, 1e9, 'repeated violations', 'a single odd claim'),
  watchAt: number('', 1, 0, 1e9, 'repeated violations', 'a single odd claim'),
  restrictAt: number('', 3, 0, 1e9, 'repeated violations', 'a bad connection'),
  kickAt: number('', 10, 0, 1e9, 'repeated gross violations', 'a bad connection'),
  shadow: {
    kind: 'list',
    unit: '',
    fallback: [],
    catches: 'nothing: these reasons are judged and scored, not refused',
    spares: 'everyone, while a rule is being tried',
  } as ListRule,
} as const satisfies Record<string, RuleEntry>;

export type RuleName = keyof typeof RULE_TABLE;
/** Rule names in the table's order. */
export const RULE_NAMES: readonly RuleName[] = Object.keys(RULE_TABLE) as RuleName[];
