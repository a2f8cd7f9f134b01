// The command line from outside: every command as a process, its output, its one sentence, its exit code.
// Needs dist/ (npm run build).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');

interface Run {
  code: number | null;
  out: string;
  err: string;
}

let folder = '';

function start(args: string[]) {
  return spawn(process.execPath, [MAIN, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
}

function navguard(args: string[], input = ''): Promise<Run> {
  return new Promise((done, failed) => {
    const child = start(args);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ code, out, err }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

const GRID = '{"movelog":1,"map":{"grid":["........","...##...","...##...","........"],"cell":1}}';
const ENTER = '{"t":0,"op":"enter","id":"p1","pos":[1,0,1.5],"speed":6}';
const STEP = '{"t":50,"op":"move","id":"p1","seq":1,"pos":[1.3,0,1.5],"expect":"accept"}';
const BLINK = '{"t":100,"op":"move","id":"p1","seq":2,"pos":[7,0,1.5],"expect":["SpeedLimit","Wall"]}';
const WRONG = '{"t":9000,"op":"move","id":"p1","seq":3,"pos":[1.6,0,1.5],"expect":"refused"}';

beforeAll(async () => {
  expect(existsSync(MAIN), 'dist/ is missing: npm run build').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'navguard-cli-'));
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const map = await buildNavMesh({
    boxes: [
      [0, -1, 0, 12, 0, 8],
      [5, 0, 2, 6, 3, 8],
    ],
    tile: 32,
  });
  write('field.bin', map);
  // sparse: sizes without bytes on the disk
  write('huge.bin', 'x');
  truncateSync(join(folder, 'huge.bin'), 2 ** 28 + 1);
  write('huge.navpack', 'NGPK');
  truncateSync(join(folder, 'huge.navpack'), 0x60000000 + 1);
  write('good.ndjson', `${[GRID, ENTER, STEP, BLINK].join('\n')}\n`);
  write('wrong.ndjson', `${[GRID, ENTER, STEP, WRONG].join('\n')}\n`);
  write('plain.ndjson', `${[GRID, ENTER, '{"t":50,"op":"move","id":"p1","seq":1,"pos":[1.3,0,1.5]}'].join('\n')}\n`);
  write('dirty.ndjson', `${[GRID, ENTER, '{"t":20,"op":', '{"t":30,"op":"mvoe"}', STEP].join('\n')}\n`);
  // blocked on the grid, open on the field
  write(
    'intowall.ndjson',
    `${GRID}\n${ENTER.replace('[1,', '[2.6,')}\n${STEP.replace('[1.3,', '[3.4,').replace(':50,', ':900,')}\n`,
  );
  write('empty.ndjson', '');
  write('empty.bin', '');
  write('level.bin', Buffer.concat([Buffer.from('glTF\u0002\0\0\0'), Buffer.alloc(64)]));
  write('cut.bin', map.subarray(0, 200));
  write('rules.json', '{"speedTolerance":10,"burstMs":5000}');
  write('badrules.json', '{"speedTolerence":2}');
  write('list.json', '[]');
  mkdirSync(join(folder, 'logs'));
  mkdirSync(join(folder, 'none'));
  write('logs/b.ndjson', `${[GRID, ENTER, STEP].join('\n')}\n`);
  write('logs/a.ndjson', `${[GRID, ENTER, STEP, BLINK].join('\n')}\n`);
  write('logs/notes.txt', 'not a log');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('audit', () => {
  test('a summary by verdict, reason and entity', async () => {
    const { code, out, err } = await navguard(['audit', 'good.ndjson']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('good.ndjson: 2 claims, 1 accepted, 1 refused\n');
    expect(out).toMatch(/By reason\n {2}Accept {6}1 {3}50\.0 %\n {2}SpeedLimit {2}1 {3}50\.0 %\n/);
    expect(out).toMatch(/ {2}p1 +2 +1 +\d\.\d\d +(none|watch) +SpeedLimit 1\n/);
    expect(out).not.toContain('Check');
  });

  test('--check: exit 0 and 1', async () => {
    const good = await navguard(['audit', 'good.ndjson', '--check']);
    expect(good.code).toBe(0);
    expect(good.out).toContain('Check: all 2 expectations hold\n');
    const wrong = await navguard(['audit', 'wrong.ndjson', '--check']);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('Check: 1 of 2 expectations do not hold\n');
    expect(wrong.out).toContain(
      'wrong.ndjson, line 4, p1 seq 3: expected "refused", got accept Accept at [1.6, 0, 1.5]',
    );
    const plain = await navguard(['audit', 'plain.ndjson', '--check']);
    expect(plain.code).toBe(0);
    expect(plain.out).toContain('Check: no claim carries "expect", nothing was compared\n');
  });

  test('--json has the documented fields, and mismatches with file and line', async () => {
    const { code, out } = await navguard(['audit', 'wrong.ndjson', '--check', '--json']);
    expect(code).toBe(1);
    expect(out.indexOf('\n')).toBe(out.length - 1);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({
      claims: 2,
      accepted: 2,
      refused: 0,
      undecided: 0,
      byReason: { Accept: 2 },
      hints: [],
    });
    expect(summary.byEntity).toMatchObject([{ id: 'p1', claims: 2, refused: 0 }]);
    expect(summary.mismatches).toMatchObject([
      { file: 'wrong.ndjson', line: 4, expected: 'refused', got: { verdict: 'accept' } },
    ]);
    expect(summary.claimsPerSecond).toBeGreaterThan(0);
  });

  test('--out to a file and to stdout: the same lines', async () => {
    const toFile = await navguard(['audit', 'good.ndjson', '--out', 'verdicts.ndjson']);
    expect(toFile.code).toBe(0);
    const lines = readFileSync(join(folder, 'verdicts.ndjson'), 'utf8');
    const verdicts = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(verdicts.map((v) => [v.t, v.id, v.seq, v.op, v.verdict, v.reason, v.correction])).toEqual([
      [50, 'p1', 1, 'move', 'accept', 'Accept', 0],
      [100, 'p1', 2, 'move', 'correct', 'SpeedLimit', 1],
    ]);
    expect(Object.keys(verdicts[0])).toEqual(
      't,id,seq,op,verdict,reason,pos,straight,length,bound,used,allowed,score,action,correction,map'.split(','),
    );
    expect(verdicts[1].pos).toEqual([1.3, 0, 1.5]);
    expect(verdicts[0].map).toMatch(/^[0-9a-f]{64}$/);
    const toStdout = await navguard(['audit', 'good.ndjson', '--out', '-']);
    expect(toStdout.out).toBe(lines);
    expect(toStdout.err).toContain('2 claims');
  });

  test('directories, several logs, stdin', async () => {
    const all = await navguard(['audit', 'logs', 'good.ndjson', '--check', '--json']);
    expect(all.code).toBe(0);
    expect(JSON.parse(all.out)).toMatchObject({
      claims: 5,
      logs: [join('logs', 'a.ndjson'), join('logs', 'b.ndjson'), 'good.ndjson'],
    });
    const piped = await navguard(['audit', '-', '--check'], `${[GRID, ENTER, STEP].join('\n')}`);
    expect(piped.code).toBe(0);
    expect(piped.out).toContain('stdin: 1 claim, 1 accepted, 0 refused');
  });

  test('a map on the command line wins over the header', async () => {
    const onGrid = await navguard(['audit', 'intowall.ndjson', '--json']);
    expect(JSON.parse(onGrid.out)).toMatchObject({ claims: 1, accepted: 0 });
    const onField = await navguard(['audit', 'field.bin', 'intowall.ndjson', '--json']);
    expect(JSON.parse(onField.out)).toMatchObject({ claims: 1, accepted: 1 });
    const none = await navguard(['audit', 'cut.bin', 'plain.ndjson']);
    expect(none.code).toBe(2);
    expect(none.err).toMatch(/^navguard: cut\.bin: /);
  });

  test('--rules win over the log', async () => {
    const { code, out } = await navguard(['audit', 'good.ndjson', '--rules', 'rules.json', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).byReason.SpeedLimit).toBeUndefined();
  });

  test('--lenient counts what it skips', async () => {
    const strict = await navguard(['audit', 'dirty.ndjson', '--out', 'never.ndjson']);
    expect(strict).toMatchObject({
      code: 2,
      out: '',
      err: 'navguard: dirty.ndjson, line 3: the line is not valid JSON, expected one object, got {"t":20,"op":.\n',
    });
    expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([]);
    const { code, out } = await navguard(['audit', 'dirty.ndjson', '--lenient']);
    expect(code).toBe(0);
    expect(out).toContain('dirty.ndjson: 1 claim, 1 accepted, 0 refused; 2 lines skipped\n');
  });
});

describe('query', () => {
  const questions = [
    '{"op":"locate","pos":[2,0,2]}',
    '',
    '{"op":"locate","pos":[2000,0,2]}',
    '{"op":"ray","from":[2,0,6],"to":[10,0,6]}',
    '{"op":"ray","from":[2,0,1],"to":[4,0,1]}',
    '{"op":"corridor","from":[2,0,6],"to":[10,0,6]}',
    '{"op":"corridor","from":[2,0,6],"to":[10,0,6],"limit":8.5}',
    '{"op":"reach","from":[2,0,6],"to":[10,0,6],"budget":100}',
    '{"op":"reach","from":[2,0,1],"to":[4,0,1],"budget":5}',
    '{"op":"shortest","from":[2,0,6],"to":[10,0,6]}',
    '{"op":"shortest","from":[2,0,6],"to":[10,0,6],"limit":"Infinity"}',
  ].join('\n');

  test('answers line by line, from a file and from stdin', async () => {
    writeFileSync(join(folder, 'questions.ndjson'), questions);
    const { code, out, err } = await navguard(['query', 'field.bin', 'questions.ndjson']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(10);
    const [here, nowhere, blocked, clear, way, short, around, straight, exact, unlimited] = answers;
    expect(Object.keys(here)).toEqual(['polygon', 'point', 'distance', 'component']);
    expect(here).toMatchObject({ distance: 0, component: 0 });
    expect(nowhere).toEqual({ polygon: null });
    expect(Object.keys(blocked)).toEqual(['clear', 't', 'point', 'edgeDistance']);
    expect(blocked.clear).toBe(false);
    expect(blocked.t).toBeGreaterThan(0.3);
    expect(blocked.t).toBeLessThan(0.4);
    expect(clear).toMatchObject({ clear: true, t: 1, edgeDistance: 0 });
    expect(Object.keys(way)).toEqual(['status', 'length', 'corners']);
    expect(way.status).toBe('complete');
    expect(way.length).toBeGreaterThan(10);
    expect(way.corners[0][0]).toBeCloseTo(2, 2);
    expect(way.corners.at(-1)[2]).toBeCloseTo(6, 2);
    expect(short).toMatchObject({ status: 'over', length: null });
    expect(Object.keys(around)).toEqual(['status', 'length', 'bound']);
    expect(around.status).toBe('walk');
    expect(straight).toMatchObject({ status: 'clear', bound: 'exact' });
    expect(straight.length).toBeCloseTo(2, 6);
    expect(exact.status).toBe('complete');
    expect(exact.length).toBeLessThanOrEqual(way.length);
    expect(unlimited).toEqual(exact);
    expect((await navguard(['query', 'field.bin'], questions)).out).toBe(out);
    expect((await navguard(['query', 'field.bin'], `\ufeff${questions}`)).out).toBe(out);
    expect((await navguard(['query', 'field.bin', '-'], questions)).out).toBe(out);
  });

  test.each([
    ['broken JSON', '{"op":', 'stdin, line 2: the line is not valid JSON, expected one question, got "{\\"op\\":".'],
    ['an unknown op', '{"op":"raycast"}', 'stdin, line 2: unknown op "raycast", expected "ray" perhaps.'],
    ['no op', '{}', 'stdin, line 2: unknown op nothing, expected one of locate, ray, shortest, corridor, reach.'],
    [
      'NaN',
      '{"op":"locate","pos":["NaN",0,0]}',
      'stdin, line 2: "locate" needs pos to be [x, y, z] with three finite numbers, got ["NaN",0,0].',
    ],
    [
      'no budget',
      '{"op":"reach","from":[0,0,0],"to":[1,0,0]}',
      'stdin, line 2: "reach" needs budget to be metres of at least 0, got nothing.',
    ],
    ['a list', '[]', 'stdin, line 2: expected an object such as {"op":"locate","pos":[0,0,0]}, got [].'],
  ])('stop: %s', async (_, line, sentence) => {
    const { code, out, err } = await navguard(['query', 'field.bin'], `{"op":"locate","pos":[2,0,2]}\n${line}\n`);
    expect({ code, err }).toEqual({ code: 2, err: `navguard: ${sentence}\n` });
    expect(out.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('inspect and pack', () => {
  test('text, JSON and picture agree', async () => {
    const text = await navguard(['inspect', 'field.bin', '--svg', 'plan.svg']);
    expect({ code: text.code, err: text.err }).toEqual({ code: 0, err: '' });
    const json = await navguard(['inspect', 'field.bin', '--json']);
    const info = JSON.parse(json.out);
    expect(text.out).toContain(`  polygons    ${info.polygons}\n`);
    expect(text.out).toContain(`  tiles       ${info.tiles}\n`);
    expect(text.out).toContain(info.hash);
    expect(info.tiles).toBeGreaterThan(1);
    expect(info.components).toBe(1);
    const svg = readFileSync(join(folder, 'plan.svg'), 'utf8');
    expect(svg).toContain('class="portal"');
    expect(svg).toContain('class="wall"');
    expect((await navguard(['inspect', 'field.bin', '--svg', '-'])).out).toBe(svg);
  });

  test('a packed map is the same map', async () => {
    const packed = await navguard(['pack', 'field.bin', '-o', 'field.navpack']);
    expect(packed.code).toBe(0);
    expect(packed.err).toMatch(/^field\.navpack: [\d,]+ bytes, \d+ polygons, hash [0-9a-f]{64}\n$/);
    const before = JSON.parse((await navguard(['inspect', 'field.bin', '--json'])).out);
    const after = JSON.parse((await navguard(['inspect', 'field.navpack', '--json'])).out);
    expect({ ...after, file: '' }).toEqual({ ...before, file: '' });
    const question = '{"op":"corridor","from":[2,0,6],"to":[10,0,6]}';
    expect((await navguard(['query', 'field.navpack'], question)).out).toBe(
      (await navguard(['query', 'field.bin'], question)).out,
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('bad input: exit 2, one sentence, no stack, nothing half-written', () => {
  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['inspec', 'field.bin'], /^unknown command 'inspec' - did you mean inspect\?$/],
    ['an unknown option', ['audit', 'good.ndjson', '--chek'], /^unknown option '--chek' - did you mean --check\?$/],
    ['an option without value', ['audit', 'good.ndjson', '--out'], /^option '--out <file>' argument missing\.$/],
    ['no arguments', ['audit'], /^missing required argument 'files'\.$/],
    ['too many arguments', ['inspect', 'field.bin', 'field.bin'], /^too many arguments/],
    ['simulate without -o', ['simulate', 'field.bin'], /^simulate needs -o, --output <log>/],
    ['simulate without a map', ['simulate', '-o', 'x'], /^simulate needs a map/],
    ['pack without -o', ['pack', 'field.bin'], /^required option '-o, --output <file>' not specified\.$/],
    ['a missing log', ['audit', 'nowhere.ndjson'], /^Cannot read nowhere\.ndjson: there is no such file\.$/],
    ['a missing map', ['inspect', 'nowhere.bin'], /^Cannot read nowhere\.bin: there is no such file\.$/],
    [
      'a map missing before a log',
      ['audit', 'nowhere.bin', 'good.ndjson'],
      /^Cannot read nowhere\.bin: there is no such file\.$/,
    ],
    [
      'a directory as a map',
      ['inspect', 'logs'],
      /^logs is a directory without a \.mmap, expected a navmesh export or a \.navpack file, or a directory with a \.mmap and its \.mmtile files\.$/,
    ],
    [
      'a device without end as a map',
      ['inspect', '/dev/zero'],
      /^\/dev\/zero is larger than 256 MiB, expected a navmesh export or a \.navpack file\.$/,
    ],
    [
      'a map too large for its kind',
      ['inspect', 'huge.bin'],
      /^huge\.bin is larger than 256 MiB, expected a navmesh export or a \.navpack file\.$/,
    ],
    [
      'a pack too large for its kind',
      ['inspect', 'huge.navpack'],
      /^huge\.navpack is larger than 1536 MiB, expected a navmesh export or a \.navpack file\.$/,
    ],
    [
      'a device without end as rules',
      ['audit', '--rules', '/dev/zero', 'good.ndjson'],
      /^\/dev\/zero is larger than 1 MiB, expected a JSON object of rules\.$/,
    ],
    [
      'a directory without logs',
      ['audit', 'none'],
      /^none is a directory without \*\.ndjson files, expected move logs in it\.$/,
    ],
    [
      'a directory as questions',
      ['query', 'field.bin', 'logs'],
      /^logs is a directory, expected questions as NDJSON\.$/,
    ],
    [
      'an empty map',
      ['inspect', 'empty.bin'],
      /^empty\.bin is empty, expected a navmesh export or a \.navpack file\.$/,
    ],
    ['an empty log', ['audit', 'empty.ndjson'], /^empty\.ndjson is empty, expected a move log with a header line\.$/],
    ['a glTF named .bin', ['inspect', 'level.bin'], /^level\.bin: .*glTF/],
    ['a truncated map', ['inspect', 'cut.bin'], /^cut\.bin: /],
    [
      'a map as a log',
      ['audit', 'field.bin'],
      /^field\.bin, line 1: expected the header \{"movelog":1,"map":\{\.\.\.\}\} first, got /,
    ],
    [
      'an unknown rule',
      ['audit', 'good.ndjson', '--rules', 'badrules.json'],
      /^badrules\.json: rules: unknown rule "speedTolerence"; the nearest known rule is "speedTolerance"\.$/,
    ],
    [
      'rules that are a list',
      ['audit', 'good.ndjson', '--rules', 'list.json'],
      /^list\.json holds a list, expected an object of rules\.$/,
    ],
    [
      'rules that are no JSON',
      ['audit', 'good.ndjson', '--rules', 'good.ndjson'],
      /^good\.ndjson is not valid JSON, expected an object of rules\.$/,
    ],
    [
      'output into no folder',
      ['audit', 'good.ndjson', '--out', 'nofolder/v.ndjson'],
      /^Cannot write nofolder\/v\.ndjson: there is no folder nofolder\.$/,
    ],
    ['output onto a directory', ['pack', 'field.bin', '-o', 'logs'], /^Cannot write logs: it is a directory\.$/],
    [
      'output onto nothing',
      ['pack', 'field.bin', '-o', ''],
      /^Cannot write "": expected a file name, or - for stdout\.$/,
    ],
    ['stdin twice', ['audit', '-', '-'], /^"-" \(stdin\) can be read only once\.$/],
  ])('%s', async (_, args, sentence) => {
    const before = readdirSync(folder).sort();
    const { code, out, err } = await navguard(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^navguard: [^\n]+\n$/);
    expect(err.slice('navguard: '.length, -1)).toMatch(sentence);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

describe('where output goes', () => {
  const commands = (to: string): string[][] => [
    ['audit', 'good.ndjson', '--out', to],
    ['pack', 'field.bin', '-o', to],
    ['simulate', 'field.bin', '--seconds', '1', '-o', to],
  ];
  test('a link stays a link, and its target gets the result', async () => {
    for (const args of commands('link')) {
      writeFileSync(join(folder, 'target'), 'old');
      symlinkSync('target', join(folder, 'link'));
      expect((await navguard(args)).code, args[0]).toBe(0);
      expect(lstatSync(join(folder, 'link')).isSymbolicLink(), args[0]).toBe(true);
      expect(readFileSync(join(folder, 'target'), 'latin1'), args[0]).not.toBe('old');
      for (const name of ['link', 'target']) rmSync(join(folder, name));
    }
  });
  test('a pipe is written to, not replaced', async () => {
    const pipe = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    for (const args of commands('pipe')) {
      const reader = spawn('cat', [pipe]);
      let bytes = 0;
      reader.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      const closed = once(reader, 'close');
      expect((await navguard(args)).code, args[0]).toBe(0);
      await closed;
      expect(bytes, args[0]).toBeGreaterThan(100);
      expect(lstatSync(pipe).isFIFO(), args[0]).toBe(true);
    }
    rmSync(pipe);
  });
});

describe('help', () => {
  test('every command teaches with two examples', async () => {
    const { code, out } = await navguard(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'audit',
      'tune',
      'convert',
      'query',
      'inspect',
      'pack',
      'bake',
      'simulate',
      'serve',
      'bench',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
      const help = await navguard([command, '--help']);
      expect(help.code).toBe(0);
      const examples = help.out.slice(help.out.indexOf('Examples:'));
      expect(examples.match(/navguard /g)?.length, command).toBeGreaterThanOrEqual(2);
    }
  });

  test('audit --help lists every rule with its default', async () => {
    const { out } = await navguard(['audit', '--help']);
    expect(out).toMatch(/^ {2}speedTolerance +1\.15 x +against /m);
    expect(out).toMatch(/^ {2}edgeTolerance +auto/m);
    expect(out).toMatch(/^ {2}yOffset +0 m +where the client measures its y$/m);
    expect(out).not.toContain('against nothing');
  });

  test('no command: the help, exit 2; --version', async () => {
    const none = await navguard([]);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('Usage: navguard');
    const version = await navguard(['--version']);
    expect(version).toMatchObject({ code: 0, err: '' });
    expect(version.out).toBe(`${JSON.parse(readFileSync(resolve(__dirname, '../../package.json'), 'utf8')).version}\n`);
  });
});

test('a reader that closes the pipe early is no error', async () => {
  const steps: string[] = [];
  for (let i = 0; i < 20_000; i++) steps.push(`{"t":${50 * i},"op":"move","id":"p1","seq":${i},"pos":[1.3,0,1.5]}`);
  writeFileSync(join(folder, 'long.ndjson'), `${[GRID, ENTER, ...steps].join('\n')}\n`);
  const child = start(['audit', 'long.ndjson', '--out', '-']);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((done) => child.on('close', done));
  expect(code).toBe(0);
  expect(err).not.toMatch(/EPIPE|internal error/);
});

test('an interrupted run leaves nothing behind', async () => {
  const child = start(['audit', '-', '--out', 'interrupted.ndjson']);
  child.stdin.write(`${[GRID, ENTER, STEP].join('\n')}\n`);
  // the run waits for more input with its temporary file open
  const begun = () => readdirSync(folder).some((name) => name.startsWith('.interrupted'));
  for (let i = 0; i < 200 && !begun(); i++) await new Promise((done) => setTimeout(done, 50));
  expect(begun()).toBe(true);
  child.kill('SIGINT');
  const code = await new Promise((done) => child.on('close', done));
  expect(code).toBe(130);
  expect(readdirSync(folder).filter((name) => name.includes('interrupted'))).toEqual([]);
});
