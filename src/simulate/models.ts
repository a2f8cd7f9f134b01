// The honest players there are: one row for each kind of client, line and server, with a sentence on what it stands for.
// A leaf of simulate/.

/** What the server does to a player now and then, or the player by the server's leave. */
export type Happening = 'sprint' | 'boost' | 'dash' | 'teleport' | 'knock' | 'launch' | 'root' | 'death' | 'reconnect';

/** From and to; each player draws its own. */
export type Range = readonly [low: number, high: number];

export interface ClientModel {
  readonly name: string;
  readonly about: string;
  /** Claims a second. */
  readonly hz: Range;
  /** Time for a frame of the client: claims go out with the first frame after they are due, ms. */
  readonly frameMs: number;
  /** How much faster than true the client's clock runs: 0.04 = 4 %. */
  readonly skew: Range;
  /** Positions are rounded to one of these, metres. */
  readonly quanta: readonly number[];
  /** The client's y lies this far above the feet (the rule yOffset says so too), metres. */
  readonly yOffset: number;
  /** Metres a second; what the server knows as the limit. */
  readonly speed: Range;
  readonly rttMs: Range;
  /** Jitter as a share of the round-trip time. */
  readonly jitter: Range;
  readonly transport: 'ordered' | 'unordered';
  readonly loss: number;
  /** A line's stalls, jitter and repeats together stay within burstMs less the client's own silence, unless `harsh`. */
  readonly stallMs: number;
  readonly stallsPerMinute: number;
  /** The client itself stands still for up to so long and then goes on where it would have been, ms. */
  readonly freezeMs: number;
  readonly freezesPerMinute: number;
  /** It stops now and then, for up to so long; sending on or silent, ms. */
  readonly idleMs: number;
  /** How it jumps: apex in metres (0 = never); `bunny` without a rest between. */
  readonly jump: Range;
  readonly bunny: boolean;
  readonly happenings: readonly Happening[];
  /** Walks by `begin`: along its own path (and says where it is on the way, `hz` times a second), or on the server's timeline. */
  readonly clicks: 'none' | 'own' | 'positions' | 'timeline';
  /** The server reads its sockets once a tick, and stands still now and then; ms. */
  readonly tickMs: number;
  readonly pauseMs: number;
  /** Beyond what the rules promise: at most one correction a stall, and no `watch`. */
  readonly harsh: boolean;
  /** How many at a time: few play for long. */
  readonly players: number;
}

const BASE: Omit<ClientModel, 'name' | 'about'> = {
  hz: [20, 20],
  frameMs: 16,
  skew: [0, 0],
  quanta: [0.01, 0.02, 0.05],
  yOffset: 0,
  speed: [2.5, 7],
  rttMs: [20, 400],
  jitter: [0, 1],
  transport: 'ordered',
  loss: 0.01,
  stallMs: 900,
  stallsPerMinute: 2,
  freezeMs: 0,
  freezesPerMinute: 0,
  idleMs: 0,
  jump: [0, 0],
  bunny: false,
  happenings: [],
  clicks: 'none',
  tickMs: 0,
  pauseMs: 0,
  harsh: false,
  players: 16,
};

function model(name: string, about: string, own: Partial<ClientModel>): ClientModel {
  return { ...BASE, name, about, ...own };
}

const rate = (hz: number, about: string, own: Partial<ClientModel> = {}): ClientModel =>
  model(`${hz}hz`, `${hz} claims a second: ${about}`, { hz: [hz, hz], ...own });

/** Every client model, by name. */
export const MODELS: readonly ClientModel[] = [
  rate(2, 'corners are cut by metres between two claims'),
  rate(5, 'a browser game over TCP'),
  rate(10, 'a client of an MMO'),
  rate(20, 'the common rate'),
  rate(30, 'an action game'),
  rate(60, 'one claim a frame', { frameMs: 4 }),
  rate(120, 'steps shorter than the rounding', { frameMs: 2 }),
  model('lossy', 'TCP that loses 5 %: repeats hold up what follows', { loss: 0.05 }),
  model('far', '400 ms away with 400 ms of jitter and 5 % lost: all that a line may be at once', {
    hz: [10, 10],
    rttMs: [400, 400],
    jitter: [1, 1],
    loss: 0.05,
  }),
  model('udp', 'unordered packets, 5 % lost for good, jitter up to the round trip', {
    hz: [30, 30],
    transport: 'unordered',
    jitter: [0.5, 1],
    loss: 0.05,
  }),
  model('stalls', 'a line that stands still for up to 0.9 s every three seconds', { stallsPerMinute: 20 }),
  model('stalls-beyond', 'a line that stands still for up to 4 s: beyond burstMs, one correction each is fair', {
    stallMs: 4000,
    stallsPerMinute: 4,
    loss: 0,
    jitter: [0, 0.3],
    harsh: true,
  }),
  model('clock+4%', 'a clock that runs 4 % fast, for a long time', { hz: [30, 30], skew: [0.04, 0.04], players: 3 }),
  model('clock-4%', 'a clock that runs 4 % slow, for a long time', { skew: [-0.04, -0.04], players: 4 }),
  model('coarse', 'rounded to 5 cm at 120 claims a second', { hz: [120, 120], frameMs: 2, quanta: [0.05] }),
  model('stroll', 'strolling at 0.6 to 1.5 m/s, rounded to 5 cm', {
    hz: [30, 30],
    quanta: [0.05],
    speed: [0.6, 1.5],
  }),
  model('sprinter', 'a mount at 9 to 14 m/s', { speed: [9, 14] }),
  model('pelvis', 'y is the pelvis, 0.9 m above the feet, and the rules know', { yOffset: 0.9 }),
  model('frames', 'claims bound to a client of 15 frames a second', { frameMs: 66 }),
  model('freezes', 'a client that freezes for up to 0.6 s and catches up at once', {
    freezeMs: 600,
    freezesPerMinute: 10,
  }),
  model('idler', 'stops for up to 20 s, silent or sending, and runs on', { idleMs: 20_000 }),
  model('server-ticks', 'a server that reads its sockets every 50 ms', { hz: [30, 30], tickMs: 50 }),
  model('server-pauses', 'a server that stands still for up to 3 s', { pauseMs: 3000 }),
  model('sprint', 'a sprint granted and taken away: the client hears of it half a round trip later', {
    happenings: ['sprint'],
  }),
  model('boost', 'skills with a speed window', { happenings: ['boost'] }),
  model('dash', 'dashes by grant', { happenings: ['dash'] }),
  model('teleport', 'teleports by the server, with packets from before still on their way', {
    happenings: ['teleport'],
  }),
  model('knock', 'knocked back and forth, sometimes upwards', { happenings: ['knock', 'launch'] }),
  model('root', 'rooted in the middle of a run', { happenings: ['root'] }),
  model('death', 'killed, and put back elsewhere', { happenings: ['death'] }),
  model('reconnect', 'leaves and comes back a few seconds later', { happenings: ['reconnect'] }),
  model('everything', 'all that a server does, over a bad line', {
    happenings: ['sprint', 'boost', 'dash', 'teleport', 'knock', 'root', 'death', 'reconnect'],
    loss: 0.05,
    stallsPerMinute: 5,
  }),
  model('jumper', 'jumps of 0.5 to 1.2 m now and then', { jump: [0.5, 1.2] }),
  model('bunny', 'jumps again the moment it lands, up to 2 m', { jump: [1, 2], bunny: true }),
  model('click-steady', 'click-to-move along its own (Detour) path over a steady line, re-clicked on the way', {
    clicks: 'own',
    jitter: [0, 0],
    loss: 0,
    stallsPerMinute: 0,
  }),
  model('click', 'click-to-move along its own (Detour) path, re-clicked on the way', { clicks: 'own' }),
  model('click-follow', 'click-to-move on the path that the server answers with, re-clicked on the way', {
    clicks: 'timeline',
  }),
  model('click-moves', 'click-to-move along its own path, with a position every tenth of a second on the way', {
    clicks: 'positions',
    hz: [10, 10],
  }),
];

/** The model of a name; undefined when there is none. */
export function modelNamed(name: string): ClientModel | undefined {
  return MODELS.find((m) => m.name === name);
}
