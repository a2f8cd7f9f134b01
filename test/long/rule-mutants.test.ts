// Rules with a mistake in them: the move logs of the public cases must tell each from the guard. A mutant that lives is a
// rule that no case holds.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MoveLog, mapOfHeader } from '../../src/log/index.ts';
import { type Mutant, openModules } from './mutants.ts';

type Log = typeof import('../../src/log/index.ts');

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['test/cases', 'navdata/logs'].map((folder) => join(ROOT, folder));
const { compile, close } = openModules<Log>('src/log/index.ts');
const packs = mkdtempSync(join(tmpdir(), 'navguard-packs-'));
afterAll(() => {
  close();
  rmSync(packs, { recursive: true });
});

/** Paths of the logs, and of the packed map of each: built once. Grids bring their own map. */
const LOGS: { path: string; pack: string | null }[] = [];
beforeAll(async () => {
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.ndjson'))) {
      const path = join(folder, name);
      const log = await MoveLog.open(path);
      const grid = log.header.map !== undefined && 'grid' in log.header.map;
      const pack = grid ? null : join(packs, `${name}.navpack`);
      if (pack !== null) writeFileSync(pack, new Uint8Array((await mapOfHeader(log.header, path)).toPack()));
      LOGS.push({ path, pack });
      await log.close();
    }
  }
}, 120_000);

/** The first log that tells the build from the guard, or null. */
async function toldApart({ Audit, loadMapFile }: Log): Promise<string | null> {
  for (const { path, pack } of LOGS) {
    const audit = new Audit({ check: true, map: pack === null ? undefined : await loadMapFile(pack) });
    try {
      await audit.run(path);
    } catch (error) {
      return `${path}: ${(error as Error).message}`;
    }
    const { mismatchCount, mismatches } = audit.summary();
    if (mismatchCount > 0) return `${path}:${mismatches[0].line} ${JSON.stringify(mismatches[0].got)}`;
  }
  return null;
}

const CREDIT = 'src/rules/credit.ts';
const PLAIN = 'src/rules/plain.ts';
const MOVE = 'src/rules/judgemove.ts';
const BEGIN = 'src/rules/judgebegin.ts';

const MUTANTS: readonly Mutant[] = [
  [
    'tolerance on the wrong side',
    [['src/rules/scene.ts', 'perMs: rules.speedTolerance / 1000', 'perMs: 1 / rules.speedTolerance / 1000']],
  ],
  [
    'credit is not spent',
    [
      [CREDIT, 'const left = q[Q_CREDIT] - metres;', 'const left = q[Q_CREDIT];'],
      [PLAIN, 'Math.max(credit - cost, 0)', 'Math.max(credit, 0)'],
    ],
  ],
  [
    'latency is credited per packet',
    [
      [
        CREDIT,
        'const credit = f[o + CREDIT] + rate * (t - f[o + CREDIT_T]);',
        'const credit = f[o + CREDIT] + rate * (t + f[o + RTT] / 2 - f[o + CREDIT_T]);',
      ],
      [
        PLAIN,
        'Math.min(f[o + CREDIT] + rate * (t - f[o + CREDIT_T]), cap)',
        'Math.min(f[o + CREDIT] + rate * (t + f[o + RTT] / 2 - f[o + CREDIT_T]), cap)',
      ],
    ],
  ],
  [
    'credit has no cap',
    [
      [CREDIT, 'q[Q_CREDIT] = Math.min(credit, cap);', 'q[Q_CREDIT] = credit;'],
      [
        PLAIN,
        'Math.min(f[o + CREDIT] + rate * (t - f[o + CREDIT_T]), cap)',
        'f[o + CREDIT] + rate * (t - f[o + CREDIT_T])',
      ],
    ],
  ],
  ['latency as the client tells it', [['src/guard.ts', 'Math.min(ms, this.rules.rttCreditMaxMs)', 'ms']]],
  [
    'a lower limit counts at once',
    [[CREDIT, 'const allowance = f[o + RTT] + terms.dropGraceMs;', 'const allowance = 0;']],
  ],
  ['each lowering has a full allowance', [[CREDIT, 'Math.min(wanted, f[o + GRACE] * allowance)', 'wanted']]],
  ['a boost gives nothing', [[CREDIT, 'return s > 0 ? f[p + 2] * s', 'return s > 0 ? 0 * s']]],
  [
    'numbers do not wrap',
    [['src/rules/sequence.ts', 'const ahead = (seq - last) >>> 0;', 'const ahead = seq - last;']],
  ],
  ['any number ahead is newer', [['src/rules/sequence.ts', '&& ahead <= maxSeqGap + silenceMs * GAP_PER_MS', '']]],
  [
    'a refused number is free again',
    [
      [
        'src/rules/sequence.ts',
        '  f[o + SEQ] = q[Q_SEQ] + 0;\n',
        '  if (q[Q_SEQ] % 2 === 0) f[o + SEQ] = q[Q_SEQ] + 0;\n',
      ],
    ],
  ],
  ['a grant is used for ever', [['src/rules/grants.ts', '    removeGrant(f, o, k);\n    stopWalk', '    stopWalk']]],
  ['a grant never expires', [['src/rules/grants.ts', 't > f[g + 4] || ', '']]],
  [
    'a grant reaches through walls',
    [
      [
        'src/rules/grants.ts',
        'if (status !== S_WALK && !(status === S_CLEAR && kernel.output[1] <= budget)) continue;',
        '',
      ],
    ],
  ],
  [
    'a step burns the grant',
    [
      [MOVE, '  // 7: outside the map, in constant time\n', '  if (f[o + GRANT_COUNT] > 0) f[o + GRANT_COUNT] -= 1;\n'],
      [MOVE, '  GROUND_T,\n', '  GRANT_COUNT,\n  GROUND_T,\n'],
      [PLAIN, '=== ALIVE && f[o + OFF] === 0;', '=== ALIVE && f[o + OFF] === 0 && !(f[o + 74] > 0);'],
    ],
  ],
  [
    'a correction echoes the claim',
    [
      [
        'src/rules/refuse.ts',
        '  scene.verdict.correction = number;',
        '  scene.verdict.n[5] = q[Q_X];\n  scene.verdict.correction = number;',
      ],
    ],
  ],
  [
    'corrections are not counted',
    [['src/rules/corrections.ts', '  f[o + CORRECTION] += 1;', '  f[o + CORRECTION] = 1;']],
  ],
  [
    'every refusal is corrected',
    [
      [
        'src/rules/corrections.ts',
        'return (f[o + FLAGS] & PENDING) !== 0 && t - f[o + PEND_T] <= waitMs;',
        'return false && t - f[o + PEND_T] <= waitMs && PENDING !== 0;',
      ],
    ],
  ],
  [
    'the grossest claim is forgotten',
    [
      [
        'src/rules/corrections.ts',
        '  f[o + PEND_GROSS] = evidence;\n  f[o + PEND_LAYER] = layer;\n}\n\n/** A claim is acc',
        '}\n\n/** A claim is acc',
      ],
    ],
  ],
  [
    'claims from before a teleport are judged',
    [['src/rules/gate.ts', 'return (flags & STALE) === 0 ? null : judgeStale(scene, f, o);', 'return null;']],
  ],
  ['who is near the old place has arrived', [['src/rules/gate.ts', ' && toNew <= distance(f, o + TELE_FROM, q)', '']]],
  ['the dead walk', [['src/rules/gate.ts', 'if ((flags & ALIVE) === 0) return Reason.LiveStatus;', '']]],
  [
    'the rooted are refused at once',
    [
      [
        'src/rules/gate.ts',
        'return scene.q[Q_T] - changed <= f[o + RTT] + lateMs(scene, f, o);',
        'return scene.q[Q_T] < changed;',
      ],
    ],
  ],
  ['the rooted may not even stand', [['src/rules/gate.ts', 'if (straight > ZERO_LENGTH) {', 'if (straight >= 0) {']]],
  [
    'refused tries ripen',
    [
      [
        'src/rules/sequence.ts',
        '  noteJudged(f, o, q);\n',
        '  f[o + OPEN] = f[o + OPEN] + (q[Q_T] - f[o + JUDGED_T]);\n  f[o + JUDGED_T] = q[Q_T];\n',
      ],
      ['src/rules/sequence.ts', 'import { FLAGS, JUDGED_T,', 'import { FLAGS, JUDGED_T, OPEN,'],
      ['src/rules/sequence.ts', "import { noteJudged } from './wayround.ts';\n", ''],
    ],
  ],
  [
    'way-round slack is never spent',
    [['src/rules/wayround.ts', '  f[o + SLACK] = Math.max(slack, 0);', '  f[o + SLACK] = slackMs;']],
  ],
  [
    'a stall ends with its first claim',
    [['src/rules/wayround.ts', '  f[o + OPEN] = Math.max(gap, f[o + OPEN] - gap);', '  f[o + OPEN] = gap;']],
  ],
  ['no way round', [[MOVE, 'Math.min(byTime, credit) + forgiven', 'forgiven']]],
  ['walls are no matter', [['src/rules/judgemove.ts', 'Math.min(byTime, credit) + forgiven', '1e6']]],
  [
    'the edge is forgiven on every move',
    [
      ['src/rules/trail.ts', '    q[Q_COST] = leg;', '    q[Q_COST] = Math.max(0, leg - 2 * scene.edge);'],
      [PLAIN, 'long ? way : ', 'long ? Math.max(0, way - 2 * scene.edge) : '],
    ],
  ],
  [
    'who comes back starts afresh',
    [['src/rules/facts.ts', '  let o = ledger.offsetOfKept(id);', '  let o = ledger.offsetOfKept(id) < -1 ? 0 : -1;']],
  ],
  [
    'a long stall is a crime',
    [
      [
        'src/rules/refuse.ts',
        'excess(used, Math.max(allowed, unseenAt(f, o, t) * q[Q_RATE]))',
        'excess(used, allowed)',
      ],
    ],
  ],
  [
    'inputs against a wall say any time',
    [['src/rules/judgeinput.ts', 'Math.max(beyond, chargeTime(scene, f, o, heldMs))', 'beyond']],
  ],
  [
    'time that walls took was not said',
    [['src/rules/judgeinput.ts', 'Math.max(walked.metres, heldMs * rate)', 'walked.metres']],
  ],
  ['a stick held halfway says whole time', [['src/rules/judgeinput.ts', '(read.ms * Math.min(size, 1))', 'read.ms']]],
  ['nobody hovers', [[MOVE, '  if (!onGround || (flags & OVER_GAP) !== 0) {', '  if (level < -1e9) {']]],
  [
    'hovering between touches',
    [
      [
        'src/rules/judgeair.ts',
        'if (debt > most && rate > AIR_SLACK) return refuseAir(scene, f, o, now, due - AIR_SLACK, 0);',
        '',
      ],
    ],
  ],
  [
    'nobody falls below where it left the ground',
    [['src/rules/judgeair.ts', 'over <= jumpHeight + AIR_SLACK ? Math.min(0, floor - groundY) : 0', '0']],
  ],
  [
    'landings take no time',
    [
      [
        'src/rules/judgeair.ts',
        'lackedAt(f[o + LACKED], t - f[o + AIR_T]) + lacked',
        'lackedAt(f[o + LACKED], t - f[o + AIR_T])',
      ],
    ],
  ],
  ['stop is not part of the way', [[BEGIN, 'Math.max(0, whole - read.stop)', 'whole']]],
  [
    'a begin starts where it says',
    [[BEGIN, '    if (!canBeAt(scene, f, o)) {', '    if (!canBeAt(scene, f, o) && apart > 1e9) {']],
  ],
  [
    'any duration will do',
    [
      [BEGIN, 'walk > inTime + ROUNDING && !fromLink;', 'walk > 1e9;'],
      [BEGIN, 'inTime + read.stop) : walk > inTime + ROUNDING;', 'inTime + read.stop) : walk > 1e9;'],
    ],
  ],
  [
    'a begin walks as fast as it says',
    [
      [BEGIN, 'if (read.speed > rate * 1000 + ROUNDING) {', 'if (read.speed > 1e9) {'],
      [BEGIN, 'Math.min(read.speed / 1000, f[o + ANNOUNCED] * scene.terms.perMs)', 'read.speed / 1000'],
    ],
  ],
];

test('the guard itself is told from nothing', async () => {
  expect(await toldApart(await compile('none', []))).toBeNull();
}, 120_000);

test.each(MUTANTS)(
  '%s',
  async (name, patches) => {
    const by = await toldApart(await compile(name, patches));
    console.log(`${name}: ${by?.slice(ROOT.length + 1, ROOT.length + 160)}`);
    expect(by).not.toBeNull();
  },
  120_000,
);

test('there are enough of them', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(15);
});
