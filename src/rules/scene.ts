// What judging needs besides the entity: kernel, rules in the units of the arithmetic, the map's extent, and the claim at
// hand. One per guard, made once. Imported by rules/ and guard.ts.
import { MOVES } from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { GROUND_BAND } from './air.ts';
import { Carriers } from './carriers.ts';
import { Changes, type LivingMap, STILL } from './changes.ts';
import { Claims } from './claims.ts';
import { CAP_MIN } from './credit.ts';
import { type Extent, extentOf } from './extent.ts';
import {
  K_ABOVE,
  K_BELOW,
  K_BURST,
  K_EDGE,
  K_GROUND,
  K_JUMP,
  K_MARK,
  K_MAX_X,
  K_MAX_Y,
  K_MAX_Z,
  K_MIDDLE,
  K_MIN_X,
  K_MIN_Y,
  K_MIN_Z,
  K_PER_MS,
  K_ROUNDING,
  K_STRING,
  K_Y_OFFSET,
  Q_COUNT,
} from './hand.ts';
import { Ledger } from './ledger.ts';
import { LinkTable } from './links.ts';
import { Mud } from './mud.ts';
import { edgeToleranceOn, markLength, meshErrorOn, type Rules, stringLength } from './rules.ts';
import type { Terms } from './terms.ts';
import { Turns } from './turns.ts';
import { ReusedVerdict } from './verdict.ts';

/** A leg counts as a jump from half a burst at full speed on, and this, ms. */
const JUMP_MS = 200;
/** Nobody is this far above or below every floor, metres. */
export const SKY = 1000;

export class Scene {
  readonly kernel: Kernel;
  readonly rules: Rules;
  readonly extent: Extent;
  readonly terms: Terms;
  readonly ledger: Ledger;
  readonly carriers: Carriers;
  readonly turns = new Turns();
  /** Q_FIRST of each claim of a chunk. */
  readonly firsts = new Uint8Array(MOVES);
  /** Room for a single move among the ordinary ones. */
  readonly one = new Claims(1);
  readonly verdict = new ReusedVerdict();
  /** The claim at hand: see hand.ts. */
  readonly q = new Float64Array(Q_COUNT);
  /** On a grid there is one floor and y says nothing. */
  readonly flat: boolean;
  /** Edge tolerance, metres: how far outside the mesh a claim may be. */
  readonly edge: number;
  /** What the mesh itself is uncertain by, metres. */
  readonly grain: number;
  /** A body this near to the floor stands on it, metres. */
  readonly ground: number;
  /** A body higher than this over a floor may stand on another, metres: two voxels. */
  readonly step: number;
  /** Take-off speed of a jump, m/s. */
  readonly jumpSpeed: number;
  /** From a ledge's edge to the ground below it at most this far in plan, metres. */
  readonly ledge: number;
  /** A body may be this much below the floor, metres. */
  readonly below: number;
  /** A body may be this much above the floor, metres. */
  readonly above: number;
  /** The height band's middle over a floor, metres: asked there, no other storey is taken for it. */
  readonly middle: number;
  readonly shadow: ReadonlySet<string>;
  /** Heights are charged too. */
  readonly surface: boolean;
  /** Remade when an obstacle moves ends of links to other polygons. */
  links: LinkTable;
  /** What of the map changes, and what closed a moment ago. */
  readonly changes: Changes;
  /** Ground that slows down, null while there is none. */
  mud: Mud | null = null;
  /** Neither rules nor map have anything now that the ordinary move of plain.ts leaves out. */
  plain: boolean;
  /** The rules alone have not. */
  readonly #plainRules: boolean;
  /** How far a claim may be from the trailing point at no cost, metres: see trail.ts. */
  readonly string: number;

  /** `before`: the scene of another map, whose entities and carriers this one goes on with. */
  constructor(kernel: Kernel, rules: Rules, flat: boolean, living: LivingMap = STILL, before?: Scene) {
    this.kernel = kernel;
    this.ledger = before?.ledger ?? new Ledger();
    this.carriers = before?.carriers ?? new Carriers();
    living.sync(kernel);
    this.changes = new Changes(living, rules);
    this.rules = rules;
    this.flat = flat;
    this.extent = extentOf(kernel);
    const { agentRadius, agentClimb, cellSize, cellHeight } = this.extent;
    this.edge = edgeToleranceOn(rules, flat ? 0 : cellSize, agentRadius);
    this.grain = meshErrorOn(rules, flat ? 0 : cellSize);
    // steps up to the climb stand above the mesh's ramp over them
    this.links = new LinkTable(kernel, this.edge);
    this.ground = Math.max(GROUND_BAND, agentClimb + cellHeight);
    this.step = Math.min(this.ground, cellHeight > 0 ? 2 * cellHeight : GROUND_BAND);
    this.jumpSpeed = Math.sqrt(2 * rules.gravity * rules.jumpHeight);
    this.ledge = flat || rules.falls !== 'edges' ? 0 : 2 * agentRadius + 2 * cellSize;
    // the mesh is a ramp over steps up to the climb: who stands before one is under it
    this.below = flat ? rules.below : Math.max(rules.below, agentClimb + cellHeight);
    this.above = flat ? rules.above : Math.max(rules.above, rules.jumpHeight + this.ground);
    this.middle = (this.above - this.below) / 2;
    this.shadow = new Set(rules.shadow);
    this.surface = rules.speedMetric === 'surface' && !flat;
    this.string = stringLength(rules);
    this.terms = {
      perMs: rules.speedTolerance / 1000,
      pacePerMs: (1 + rules.driftTolerance) / 1000,
      burstMs: rules.burstMs,
      dropGraceMs: rules.dropGraceMs,
      roundingM: Math.max(CAP_MIN, 2 * rules.positionQuantum),
      markM: markLength(rules),
      pauseMs: 0,
      pauseUntil: -Infinity,
    };
    this.#plainRules = rules.wall === 'reach' && !this.surface;
    this.plain = this.#plainRules;
    this.#soak();
    this.#fill();
  }

  /** The constants of the ordinary move. */
  #fill(): void {
    const { q, rules, terms, extent } = this;
    q[K_PER_MS] = terms.perMs;
    q[K_BURST] = terms.burstMs;
    q[K_ROUNDING] = terms.roundingM;
    q[K_STRING] = this.string;
    q[K_EDGE] = this.edge;
    q[K_BELOW] = this.below;
    q[K_ABOVE] = this.above;
    q[K_MIDDLE] = this.middle;
    q[K_GROUND] = this.ground;
    q[K_Y_OFFSET] = rules.yOffset;
    q[K_MIN_X] = extent.minX;
    q[K_MAX_X] = extent.maxX;
    q[K_MIN_Y] = extent.minY - SKY;
    q[K_MAX_Y] = extent.maxY + SKY;
    q[K_MIN_Z] = extent.minZ;
    q[K_MAX_Z] = extent.maxZ;
    q[K_MARK] = terms.markM;
    q[K_JUMP] = JUMP_MS + rules.burstMs / 2;
  }

  /** Follows the map: it has changed, or something that closed grows older, until q[Q_NOW]. */
  look(): void {
    const { changes } = this;
    const seen = changes.revision;
    changes.look(this.kernel, this.q);
    if (changes.revision !== seen) {
      this.#soak();
      if (this.links.count > 0 && changes.recut) this.links = new LinkTable(this.kernel, this.edge);
    }
    this.plain = this.#plainRules && !changes.young && this.mud === null;
  }

  /** Slow ground is where the map says now. */
  #soak(): void {
    const { changes } = this;
    this.mud = changes.slow ? new Mud(this.kernel, changes.living.speeds) : null;
    this.plain = this.#plainRules && this.mud === null;
  }

  /** The height of the feet for a claimed y, metres. */
  level(y: number): number {
    return this.flat ? 0 : y - this.rules.yOffset;
  }
}

export function planDistance(ax: number, az: number, bx: number, bz: number): number {
  const dx = bx - ax;
  const dz = bz - az;
  return Math.sqrt(dx * dx + dz * dz);
}
