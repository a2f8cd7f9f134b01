// What the guard remembers of each entity: one flat Float64Array, a fixed run of numbers per entity, so that judging a
// claim allocates nothing and the whole state of an entity can be compared byte by byte. Imported by rules/ and guard.ts.
// A number that is a time stands in record/times.ts too: it is read on another clock when the entity changes machine.

// The first 32 numbers, four cache lines, are all that an ordinary move touches.
// ---- where and what ------------------------------------------------------------------------------------------------
/** Authoritative position as claimed or placed (yOffset included), metres. */
export const X = 0;
export const Y = 1;
export const Z = 2;
/** Height of the floor under it (without yOffset), metres. */
export const FLOOR = 3;
/** Polygon under it, or NONE. */
export const POLYGON = 4;
/** How far outside the mesh it stands, metres; may only shrink until it is within the edge tolerance. */
export const OFF = 5;
/** Last sequence number used up; counts only with the flag SEEN. */
export const SEQ = 6;
export const FLAGS = 7;

// ---- credit and client time ------------------------------------------------------------------------------------------
/** Metres of the speed limit's budget at CREDIT_T. */
export const CREDIT = 8;
export const CREDIT_T = 9;
/** Limit in force at CREDIT_T, m/s; later lowerings stand in LOWER. */
export const LIMIT = 10;
/** Round-trip time, ms, already bounded by rttCreditMaxMs. */
export const RTT = 11;
/** Time of the last judged claim. */
export const JUDGED_T = 12;
/** Client time that may be unaccounted for at JUDGED_T, ms. */
export const OPEN = 13;
/** Way-round slack at SLACK_T, ms. */
export const SLACK = 14;
export const SLACK_T = 15;
/** Metres of boosts and impulses left at CREDIT_T. */
export const BONUS = 16;
/** No boost or impulse counts after this time. */
export const BONUS_UNTIL = 17;
export const LOWER_COUNT = 18;

// ---- air -------------------------------------------------------------------------------------------------------------------
/** Height (without yOffset) and time of the last ground contact. */
export const GROUND_Y = 19;
export const GROUND_T = 20;
/** Extra upward speed from a knock-back, m/s. */
export const LAUNCH = 21;

// ---- suspicion: see suspicion.ts and slice.ts ----------------------------------------------------------------------------
/** When the slice began. */
export const SLICE_T = 22;
/** How many positions of it are kept. */
export const RING_COUNT = 23;
/** Sum of the layers' scores at SCORE_T. */
export const SCORE_SUM = 24;
/** The last mark (x, z) of the way: claims nearer to it than MARK_QUANTA quanta do not count as moved, metres. */
export const MARK_X = 25;
export const MARK_Z = 26;
/** From mark to mark since the slice began, metres. */
export const METRES = 27;
/** The next position is kept at this time. */
export const DUE_T = 28;

// ---- what rounding hides: see trail.ts ---------------------------------------------------------------------------------------
/** The trailing point (x, z), and how far from it a claim may be at no cost, metres. */
export const TRAIL_X = 29;
export const TRAIL_Z = 30;
export const TRAIL_REACH = 31;

// ---- from here on: what is rare --------------------------------------------------------------------------------------------
/** Limit last announced, m/s. */
export const ANNOUNCED = 32;
/** When a knock-back's upward speed was given. */
export const LAUNCH_T = 33;
/** Share (0..1) of the lowering allowance that is left, and the time of the last lowering. */
export const GRACE = 34;
export const GRACE_T = 35;
/** Lowered limits waiting for their time, LOWER_COUNT of them: time, limit; times ascend, limits descend. */
export const LOWER = 36;
export const LOWER_MAX = 4;

/** Number of the last correction; 0 = none yet. */
export const CORRECTION = 44;
/** When the pending correction went out; its evidence; the grossest evidence since, and that one's layer. */
export const PEND_T = 45;
export const PEND_FIRST = 46;
export const PEND_GROSS = 47;
export const PEND_LAYER = 48;

/** Boosts and knock-back: PUSH_MAX records of start, end, extra speed (m/s) at the start, decay (m/s^2). */
export const PUSH = 49;
export const PUSH_MAX = 4;
export const PUSH_STRIDE = 4;

/** The last teleport: from, to (x, y, z each), and until when claims from before may arrive. */
export const TELE_FROM = 65;
export const TELE_TO = 68;
export const STALE_UNTIL = 71;

/** When the entity's state last changed. */
export const ALIVE_T = 72;
export const ROOTED_T = 73;

export const GRANT_COUNT = 74;
/** GRANT_MAX records: x, y, z, radius (m), end (ms). */
export const GRANT = 75;
export const GRANT_MAX = 4;
export const GRANT_STRIDE = 5;

/** The walk along the ledger's path: metres walked at PATH_T, metres per ms, metres to walk, number of corners. */
export const PATH_T = 95;
export const PATH_DONE = 96;
export const PATH_RATE = 97;
export const PATH_END = 98;
export const PATH_CORNERS = 99;

export const LEFT_T = 100;

export const SCORE_T = 101;
/** The mesh point that an entity off the mesh belongs to (x, z): its walks start there. Counts only while OFF > 0. */
export const ANCHOR_X = 102;
export const ANCHOR_Z = 103;
/** Height of the trailing point; counts only where heights are charged. */
export const TRAIL_Y = 104;

/** Height-time that flights do not explain, at AIR_T (m s); what it grows by since then (m); see judgeair.ts. */
export const AIR_DEBT = 105;
export const AIR_RATE = 106;
export const AIR_T = 107;
/** Where the entity left the floor above, while it may drift back (x, floor y, z, polygon); counts with OVER_LEDGE. */
export const LEDGE = 108;

/** Search allowance: nodes left at NODES_T. */
export const NODES = 117;
export const NODES_T = 118;

/** Motion of inputs that is shorter than a step of the mesh's grid (x, z), metres: added to the next. */
export const REST_X = 112;
export const REST_Z = 113;
/** Position (x, z) that the game was last told to keep: see snapshot.ts. */
export const SNAP_X = 114;
export const SNAP_Z = 115;
/** Strategies the entity may use, one bit each; 0 = all. */
export const STRATEGIES = 116;
/** The link end that the entity entered, and the farthest it has been along (0..1); count with ON_LINK. */
export const LINK = 119;
export const LINK_SHARE = 133;

// ---- suspicion, what is rare: once in a tenth of a second and once in a slice ------------------------------------------------
/** One score per layer at SCORE_T. */
export const SCORES = 120;
export const LAYERS = 9;

/** Metres that a clock within the drift tolerance may still walk, at PACE_T; those of pushes apart: see pace.ts. */
export const PACE = 129;
export const PACE_T = 130;
export const PACE_PUSH = 131;
/** When the limit was lowered last. */
export const LOWERED_T = 132;
/** The limit or a push changed: so many slices' speeds say nothing. */
export const SLICE_MIXED = 134;
/** Large legs in the slice. */
export const SLICE_JUMPS = 135;
/** The last positions: up to RING_MAX records of x, z, t. */
export const RING = 136;
export const RING_MAX = 10;
export const RING_STRIDE = 3;
/** Server time that the time said by inputs has used up, ms: see judgeinput.ts. */
export const INPUT_T = 166;
/** Speeds of the last slices as shares of the limit, the latest first; 0 = none. */
export const SPEEDS = 167;
export const SPEEDS_MAX = 4;

/** The client's clock against the server's: see drift.ts. When it was first seen; ms ahead, during so many ms. */
export const SINCE_T = 171;
export const AHEAD = 172;
export const AHEAD_OVER = 173;
/** The middle (x, z, t) of the last slice walked straight at full speed, how many of them in a row, and what it adds. */
export const MIDDLE_X = 174;
export const MIDDLE_Z = 175;
export const MIDDLE_T = 176;
export const STRAIGHT_RUN = 177;
export const NEXT_AHEAD = 178;
export const NEXT_OVER = 179;

/** WINDOW_MAX buckets: number, metres, large legs, number of the last correction before it, when its first slice began. */
export const WINDOW = 180;
export const WINDOW_MAX = 6;
export const WINDOW_STRIDE = 5;
/** Height-time of hovering: see judgeair.ts. */
export const HOVER = 210;
/** What the readings of the clock exceed the drift tolerance by, ms: see drift.ts. */
export const AHEAD_BEYOND = 212;
/** Slices in a row that were as regular as no hand and no line is. */
export const EVEN_RUN = 211;

/** A landing that may have been missed during the flight: when it would have been over, on what height, ms it lacked. */
export const MISSED_T = 213;
export const MISSED_Y = 214;
export const MISSED_MS = 215;
/** Client time that was unaccounted for when the pending correction went out, ms. */
export const PEND_OPEN = 216;

/** Where the client said that it set out on its walk (x, y in the middle of the height band, z) and when; see apart.ts. */
export const SAID_X = 217;
export const SAID_Y = 218;
export const SAID_Z = 219;
export const SAID_T = 220;
/** Client time that may have been unaccounted for then, ms; and how far that walk goes, metres. */
export const SAID_MS = 221;
export const SAID_METRES = 222;
/** Client time by which walks were taken back, at BACK_T, ms: see apart.ts. */
export const BACK = 223;
export const BACK_T = 224;
/** The walk before: where the server let it set out (x, y as SAID_Y, z), when, and how far it went, metres. */
export const WAS_X = 225;
export const WAS_Y = 226;
export const WAS_Z = 227;
export const WAS_T = 228;
export const WAS_METRES = 229;

/** The last claim on the link; client time hung there that its metres do not explain, or on ladders time kept, ms: judgelink.ts. */
export const LINK_T = 230;
export const HANG = 231;

/** Time that unseen landings lacked, at AIR_T, ms: see judgeair.ts. */
export const LACKED = 232;

/**
 * Where the server last put the client by word (x, y, z), when, and by which correction (0: a teleport); count with
 * UNCONFIRMED: see confirm.ts.
 */
export const PUT_X = 233;
export const PUT_Y = 234;
export const PUT_Z = 235;
export const PUT_T = 236;
export const PUT_N = 237;
/** The last correction that the client acknowledged by its number; 0 = it never did. */
export const ACKED = 238;
/** The longest that the line was silent about the last teleport or change of state: just before it, or since, ms. */
export const SILENT = 239;

/** Metres of the live pushes that have been spent, and that the limit's budget may still make good: see credit.ts. */
export const BONUS_SPENT = 240;

/** How old the pose is that its client sees its carrier at, ms; -1 = not known yet. Counts with ATTACHED: see seen.ts. */
export const SEEN_LAG = 244;
/** Where it stands on its carrier, in the carrier's coordinates (x, y as clients measure it, z), metres; count with ATTACHED. */
export const OFFSET_X = 245;
export const OFFSET_Y = 246;
export const OFFSET_Z = 247;

/** Numbers per entity; a multiple of 8: entities do not share cache lines. */
export const STRIDE = 248;

// ---- bits of FLAGS -----------------------------------------------------------------------------------------------------------
export const ALIVE = 1;
export const ROOTED = 2;
export const FLYING = 4;
export const SEEN = 8;
export const PENDING = 16;
export const STALE = 32;
/** The entity walks a click-to-move path. */
export const WALKING = 64;
export const LEFT = 128;
/** The last accepted claim was in the air. */
export const AIRBORNE = 256;
/** Off a ledge, but not below it yet: see falls.ts. */
export const OVER_LEDGE = 512;
/** There are grants: set exactly while GRANT_COUNT is not 0. */
export const GRANTED = 1024;
/** On its way over an off-mesh link: see crosslink.ts. */
export const ON_LINK = 2048;
/** The server put it off the mesh: until it is back it goes no farther off. */
export const PLACED_OFF = 4096;
/** In the air over a gap in the mesh, from whose edge its walks start: see judgegap.ts. */
export const OVER_GAP = 8192;
/** The client has not said by number that it is where the server put it: what it sends may be from before. */
export const UNCONFIRMED = 16384;

/** On a carrier: see carried.ts. */
export const ATTACHED = 32768;
/** It got there by its client's word, which names carriers. */
export const BY_WORD = 65536;

/** How long the ledger of an entity that left is kept, ms. */
export const KEEP_MS = 60_000;

/** Numbers per corner of a path: x, y, z (m), metres from the start. */
export const CORNER = 4;

/** All entities. Grows by doubling, outside the hot path. */
export class Ledger {
  /** Entity `slot` stands at `slot * STRIDE`. Replaced when the ledger grows: take it anew for each claim. */
  f: Float64Array;
  /** Click-to-move paths by slot. */
  readonly paths: (Float64Array | undefined)[] = [];
  readonly #slots = new Map<unknown, number>();
  readonly #free: number[] = [];
  /** Who left, in order of leaving, and when. */
  readonly #left: { readonly id: string; readonly t: number }[] = [];
  #used = 0;

  constructor(capacity = 64) {
    this.f = new Float64Array(capacity * STRIDE);
  }

  /** Slots that have ever been in use: 0 .. slots - 1. */
  get slots(): number {
    return this.#used;
  }

  /** Offset of a present entity's numbers, or -1. */
  offsetOf(id: unknown): number {
    const slot = this.#slots.get(id);
    if (slot === undefined) return -1;
    const o = slot * STRIDE;
    return (this.f[o + FLAGS] & LEFT) === 0 ? o : -1;
  }

  /** Number of a present entity, or -1; it stays the same until KEEP_MS after it left. */
  slotOf(id: unknown): number {
    const o = this.offsetOf(id);
    return o < 0 ? -1 : o / STRIDE;
  }

  /** Offset of the numbers of the present entity in a slot, or -1: any number may be asked. */
  offsetOfSlot(slot: number): number {
    if (!(slot >= 0 && slot < this.#used)) return -1;
    const o = slot * STRIDE;
    return (this.f[o + FLAGS] & LEFT) === 0 ? o : -1;
  }

  /** Offset of an entity's numbers whether it is present or left, or -1. */
  offsetOfKept(id: string): number {
    const slot = this.#slots.get(id);
    return slot === undefined ? -1 : slot * STRIDE;
  }

  /** Name of the entity whose numbers stand at an offset, '' for none. Looks through all: for what is rare. */
  idOf(o: number): string {
    for (const [id, slot] of this.#slots) if (slot * STRIDE === o) return id as string;
    return '';
  }

  /** A fresh run of zeros for an entity. */
  add(id: string): number {
    let slot = this.#free.pop();
    if (slot === undefined) {
      slot = this.#used++;
      if ((slot + 1) * STRIDE > this.f.length) {
        const larger = new Float64Array(this.f.length * 2);
        larger.set(this.f);
        this.f = larger;
      }
    }
    this.#slots.set(id, slot);
    const o = slot * STRIDE;
    this.f.fill(0, o, o + STRIDE);
    return o;
  }

  /** Puts an entity here whose numbers were kept elsewhere, in place of what is known of it. */
  put(id: string, numbers: ArrayLike<number>): number {
    let o = this.offsetOfKept(id);
    if (o < 0) o = this.add(id);
    this.f.set(numbers, o);
    if ((this.f[o + FLAGS] & LEFT) !== 0) {
      // in order of leaving, as sweep expects
      const left = { id, t: this.f[o + LEFT_T] };
      const before = this.#left.findIndex((other) => other.t > left.t);
      if (before < 0) this.#left.push(left);
      else this.#left.splice(before, 0, left);
    }
    return o;
  }

  /** Marks an entity as gone; its numbers are kept for KEEP_MS. */
  leave(id: string, o: number, t: number): void {
    this.f[o + FLAGS] = this.f[o + FLAGS] | LEFT;
    this.f[o + LEFT_T] = t;
    this.#left.push({ id, t });
  }

  /** Forgets those who left more than KEEP_MS ago. Each departure is looked at once or twice: amortised constant. */
  sweep(t: number): void {
    let done = 0;
    for (; done < this.#left.length; done++) {
      const { id, t: left } = this.#left[done];
      const slot = this.#slots.get(id);
      // came back, or left again since: then a later entry speaks for it, and who left between the two waits for neither
      if (slot === undefined || (this.f[slot * STRIDE + FLAGS] & LEFT) === 0) continue;
      if (this.f[slot * STRIDE + LEFT_T] !== left) continue;
      if (t - left <= KEEP_MS) break;
      this.#slots.delete(id);
      this.paths[slot] = undefined;
      this.#free.push(slot);
    }
    if (done > 0) this.#left.splice(0, done);
  }

  /** Present entities' ids. */
  *present(): Generator<string> {
    for (const [id, slot] of this.#slots) {
      if ((this.f[slot * STRIDE + FLAGS] & LEFT) === 0) yield id as string;
    }
  }

  /** Ids of all that is kept, present or left, and where their numbers stand. */
  *kept(): Generator<[string, number]> {
    for (const [id, slot] of this.#slots) yield [id as string, slot * STRIDE];
  }

  /** Room for a path of `corners` corners in a slot; may hold an older path. */
  pathOf(o: number, corners: number): Float64Array {
    const slot = o / STRIDE;
    let path = this.paths[slot];
    if (path === undefined || path.length < corners * CORNER) {
      path = new Float64Array(Math.max(16, 2 ** Math.ceil(Math.log2(corners))) * CORNER);
      this.paths[slot] = path;
    }
    return path;
  }
}
