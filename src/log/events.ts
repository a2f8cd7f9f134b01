// What a move log holds, as types: the header, the server's facts, the clients' claims, and what a claim may expect.
// A leaf of log/; the tables here are the only list of operations.
import type { BuildSpec } from '../build/spec.ts';
import type { ReadOptions } from '../bytes/options.ts';
import type { Portal } from '../bytes/portals.ts';
import type { ReasonName, VerdictWord } from '../reasons.ts';
import type { Strategy } from '../rules/strategy.ts';
import type { Vec3 } from '../types.ts';

/** The only version of the format so far. */
export const MOVE_LOG_VERSION = 1;

/** What the server knew. Trusted: a malformed fact stops the run. */
export const FACT_OPS = [
  'enter',
  'leave',
  'speed',
  'rtt',
  'grant',
  'teleport',
  'impulse',
  'boost',
  'pause',
  'state',
  'carrier',
  'attach',
  'detach',
  'block',
  'unblock',
  'area',
  'link',
  'progress',
  'version',
  'ack',
  'restore',
] as const;
/** An operation of the server's. */
export type FactOp = (typeof FACT_OPS)[number];

/** What clients said. Untrusted: a malformed claim is a verdict. */
export const CLAIM_OPS = ['move', 'begin', 'input'] as const;
/** An operation of a client's. */
export type ClaimOp = (typeof CLAIM_OPS)[number];

/** A grid map in a header: row 0 is z = origin, `.` walkable, `#` blocked. */
export interface GridSource {
  grid: string[];
  /** Metres per cell. */
  cell?: number | undefined;
  /** x, z of the first cell's corner, metres. */
  origin?: [number, number] | undefined;
  /** Body size in cells. */
  agent?: number | undefined;
}

/** Geometry in a header, built at load. */
export interface BuildSource {
  build: BuildSpec;
  /** Portals beside those of the geometry. */
  portals?: readonly Portal[] | undefined;
}

/** A map file, named relative to the log. */
export interface FileSource {
  file: string;
  /** How the file is to be read: scale, axes, flip, weld, areas, agent. */
  read?: ReadOptions | undefined;
  /** Portals of a side file: its name relative to the log, or what is in it. */
  portals?: string | readonly Portal[] | undefined;
  hash?: string | undefined;
}

/** A map that is not named: whoever runs the log gives it. */
export interface HashSource {
  hash: string;
}

/** Where a log's map comes from. */
export type MapSource = FileSource | BuildSource | GridSource | HashSource;

/** The first line of a log. */
export interface MoveLogHeader {
  movelog: typeof MOVE_LOG_VERSION;
  map?: MapSource | undefined;
  /** Any part of the rule set; names and values are judged by the guard. */
  rules?: Record<string, unknown> | undefined;
  comment?: string | undefined;
  /** Hash of the kernels that judged what is expected here. */
  kernel?: string | undefined;
  /** The version of navguard that wrote this. */
  navguard?: string | undefined;
}

/** A name that the server gave: a grant, an obstacle, a carrier, a link. */
export type Label = string | number;

/** What a map that lives has become: see the facts of these names. `since`, `was`: when ground was slowed down, and from what. */
export type MapChange = {
  readonly t?: number | undefined;
  readonly since?: number | undefined;
  readonly was?: number | undefined;
} & (
  | { readonly op: 'area'; readonly area: number; readonly open?: boolean; readonly speed?: number }
  | { readonly op: 'link'; readonly link: Label; readonly open: boolean | 'forward' | 'backward' }
  | {
      readonly op: 'block';
      readonly obstacle: Label;
      readonly box?: readonly number[];
      readonly cylinder?: readonly number[];
      readonly grow?: boolean | number;
    }
);

/** The server's facts. `t` is its monotonic receive time in milliseconds; lengths are metres, speeds m/s. */
export type Fact =
  | {
      t: number;
      op: 'enter';
      id: string;
      pos: Vec3;
      speed: number;
      kind?: string | undefined;
      strategies?: Strategy[] | undefined;
      player?: string | undefined;
    }
  | { t: number; op: 'leave'; id: string }
  | { t: number; op: 'speed'; id: string; speed: number }
  | { t: number; op: 'rtt'; id: string; ms: number }
  | {
      t: number;
      op: 'grant';
      id: string;
      grant: Label;
      to: Vec3;
      radius?: number | undefined;
      /** Milliseconds. */
      ttl?: number | undefined;
    }
  | { t: number; op: 'teleport'; id: string; to: Vec3 }
  | { t: number; op: 'impulse'; id: string; velocity: Vec3; decay: number }
  | { t: number; op: 'boost'; id: string; speed: number; ms: number }
  | { t: number; op: 'pause'; ms: number }
  | {
      t: number;
      op: 'state';
      id: string;
      alive?: boolean | undefined;
      rooted?: boolean | undefined;
      flying?: boolean | undefined;
    }
  | {
      t: number;
      op: 'carrier';
      carrier: Label;
      /** Null: it is gone. */
      pos: Vec3 | null;
      yaw?: number | undefined;
      size?: number | number[] | undefined;
      /** What recordings know of its last second: when it jumped last, then t, x, y, z, cosine and sine of the yaw of each sample; of one that is gone, when it went. */
      past?: number[] | undefined;
      /** In recordings: it is an entity that carries this one. */
      rider?: string | undefined;
    }
  | { t: number; op: 'attach'; id: string; carrier: Label; offset: Vec3 }
  | { t: number; op: 'detach'; id: string; carrier?: Label | undefined; offset?: Vec3 | undefined }
  | {
      t: number;
      op: 'block';
      obstacle: Label;
      /** minX, minY, minZ, maxX, maxY, maxZ, and how far it is turned about y, radians. */
      box?: number[] | undefined;
      /** x, y, z, radius, height. */
      cylinder?: number[] | undefined;
      /** How much the shape is grown in plan, metres; true (default): by the agent's radius, false: not at all. */
      grow?: boolean | number | undefined;
    }
  | { t: number; op: 'unblock'; obstacle: Label }
  | { t: number; op: 'area'; area: number; open?: boolean | undefined; speed?: number | undefined }
  | { t: number; op: 'link'; link: Label; open: boolean | 'forward' | 'backward' }
  | { t: number; op: 'progress'; progress: Label }
  | { t: number; op: 'version'; mapVersion: string }
  | { t: number; op: 'ack'; id: string; correction: number }
  | {
      t: number;
      op: 'restore';
      id: string;
      /** All that a guard remembers of the entity, and the name of the layout of these numbers; without it, it is not here. */
      state?: number[] | undefined;
      layout?: string | undefined;
      /** Corners of the path that it walks: x, y, z and metres from the start, four numbers each. */
      path?: number[] | undefined;
      /** What the map had become, as facts; `t` says when what closed a moment ago was seen to close. */
      map?: MapChange[] | undefined;
      /** The carrier that it stands on. */
      carried?:
        | { carrier: Label; pos: [number, number, number]; size: number | number[]; past: number[]; rider?: string }
        | undefined;
      /** The server's own pause: how long it was, and until when it counts, ms. */
      pause?: [number, number] | undefined;
      mapVersion?: string | undefined;
      progress?: string | undefined;
    };

/** Whatever a client sent: nothing but `t` and `op` can be relied on. */
export interface MoveClaim {
  t: number;
  op: 'move';
  id?: unknown;
  seq?: unknown;
  pos?: unknown;
  mapVersion?: unknown;
  carrier?: unknown;
  offset?: unknown;
  skill?: unknown;
  progress?: unknown;
  expect?: Expect | undefined;
}
/** Click-to-move: a target, and how long the client says it will take. */
export interface BeginClaim {
  t: number;
  op: 'begin';
  id?: unknown;
  seq?: unknown;
  from?: unknown;
  to?: unknown;
  speed?: unknown;
  duration?: unknown;
  stop?: unknown;
  strategy?: unknown;
  kind?: unknown;
  facing?: unknown;
  chaseDuration?: unknown;
  flags?: unknown;
  timestamp?: unknown;
  progress?: unknown;
  mapVersion?: unknown;
  expect?: Expect | undefined;
}
/** Input-driven movement: a direction held for some time. */
export interface InputClaim {
  t: number;
  op: 'input';
  id?: unknown;
  seq?: unknown;
  dir?: unknown;
  ms?: unknown;
  progress?: unknown;
  mapVersion?: unknown;
  expect?: Expect | undefined;
}
/** Anything a client said. */
export type Claim = MoveClaim | BeginClaim | InputClaim;

/** One line of a log after the header. */
export type MoveLogEvent = Fact | Claim;

/** A verdict word, `refused` (correct, reject or ignore), or a reason name. */
export type ExpectWord = VerdictWord | ReasonName | 'refused';

/** Every field that is given must hold. */
export interface ExpectFields {
  verdict?: VerdictWord | 'refused' | (VerdictWord | 'refused')[];
  reason?: ReasonName | ReasonName[];
  /** The authoritative position after the event, metres; null for an unknown entity. */
  pos?: readonly number[] | null;
  /** How near `pos` must be, metres (default 0.001). */
  within?: number;
  scoreBelow?: number;
  scoreAbove?: number;
  /** The score, exactly. */
  score?: number;
  /** Metres of the rule that decided, exactly; null when none measured. */
  used?: number | null;
  allowed?: number | null;
  /** The number of the correction (0 = none), or whether there is one. */
  correction?: number | boolean;
  action?: 'none' | 'watch' | 'restrict' | 'kick';
}

/** What a claim's verdict should be; of a list, any may match. */
export type Expect = ExpectWord | ExpectFields | (ExpectWord | ExpectFields)[];

const CLAIMS: ReadonlySet<string> = new Set(CLAIM_OPS);

/** Whether an event is a client's claim; else it is a fact. */
export function isClaim(event: MoveLogEvent): event is Claim {
  return CLAIMS.has(event.op);
}
