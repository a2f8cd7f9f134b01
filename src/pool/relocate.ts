// Entities from one map to the next: what a guard knows of each goes on, its place is found anew. Imported by pool/.
import { NONE } from '../../assembly/layout.ts';
import type { MoveGuard } from '../guard.ts';
import { teleportTo } from '../rules/facts.ts';
import { Q_NOW } from '../rules/hand.ts';
import * as L from '../rules/ledger.ts';
import { putAt, stopWalk } from '../rules/places.ts';
import { locate } from '../rules/probe.ts';
import type { Scene } from '../rules/scene.ts';

/** Where an entity was and was put, told for those that could not stay: x, y, z as the guard counts them, metres. */
export type Put = (id: string, from: readonly number[], to: readonly number[]) => void;

/** The clock, and what all entities share. */
export function takeOver(from: MoveGuard, to: MoveGuard): void {
  to.scene.q[Q_NOW] = from.scene.q[Q_NOW];
  to.scene.terms.pauseMs = from.scene.terms.pauseMs;
  to.scene.terms.pauseUntil = from.scene.terms.pauseUntil;
}

/**
 * Takes an entity, present or left, from one guard to another of the same rules on another map. Its walk ends where it is. Who
 * stood on the old map and would not stand on the new one is moved to the nearest place that can be walked on (within 64 m),
 * as by `teleport`: claims from before are stale until it shows up there. Who was off the mesh, flies or is in the air stays
 * where it is. All else is kept: credit, score, corrections, grants.
 */
export function relocate(from: MoveGuard, to: MoveGuard, id: string, put: Put): void {
  const old = from.scene;
  const { ledger, q } = to.scene;
  const at = old.ledger.offsetOfKept(id);
  if (at < 0) return;
  const t = q[Q_NOW];
  const left = (old.ledger.f[at + L.FLAGS] & L.LEFT) !== 0;
  if (!left) stopWalk(old, old.ledger.f, at, t);
  const o = ledger.put(id, old.ledger.f.subarray(at, at + L.STRIDE));
  const { f } = ledger;
  f[o + L.POLYGON] = NONE;
  if (left) return;
  const [x, y, z] = [f[o + L.X], f[o + L.Y], f[o + L.Z]];
  const stood = f[o + L.OFF] <= old.edge && (f[o + L.FLAGS] & (L.FLYING | L.AIRBORNE | L.OVER_GAP | L.ON_LINK)) === 0;
  putAt(to.scene, f, o, t, x, y, z);
  if (!stood || f[o + L.POLYGON] === NONE || standsAt(to.scene, x, y, z)) return;
  const there = [f[o + L.ANCHOR_X], f[o + L.FLOOR] + to.rules.yOffset, f[o + L.ANCHOR_Z]];
  teleportTo(to.scene, f, o, t, there[0], there[1], there[2]);
  put(id, [x, y, z], there);
}

function standsAt(scene: Scene, x: number, y: number, z: number): boolean {
  return locate(scene.kernel, x, scene.level(y), z, scene.below, scene.above, scene.edge) !== NONE;
}
