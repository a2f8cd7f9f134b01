// What the server tells of carriers: that one is there, that it is gone, and what a log says so that a replay knows the same.
// Imported by record/ and guard.ts.
import type { Kernel } from '../kernel/kernel.ts';

import { detach, standsOn } from './carried.ts';
import { Carrier, type CarrierName } from './carriers.ts';
import { extentOf } from './extent.ts';
import { type Footprint, footprintOf, sizeOf } from './footprint.ts';
import { STRIDE } from './ledger.ts';
import { POSE, writeTurn } from './pose.ts';
import type { Scene } from './scene.ts';

/** Where a carrier is, for `guard.carrier`. */
export interface Placed {
  /** Metres. */
  pos: readonly number[];
  /** Radians about y: x' = cos x + sin z, z' = cos z - sin x. Default 0. */
  yaw?: number | undefined;
  /**
   * Metres, where bodies can stand: a radius, extents [x, z] or [x, y, z] about `pos`, or [minX, minY, minZ, maxX, maxY, maxZ]
   * in its coordinates. Default: as told before, or by its own map, else a radius of 3.
   */
  size?: number | readonly number[] | undefined;
  /** What a recording knows of its last second: see Carrier.past. */
  past?: readonly number[] | undefined;
  /** In recordings: the carrier is an entity, and carries this one; for nobody else it is a carrier. */
  rider?: string | undefined;
}

/** The same as a line of a log says it. */
export interface ToldCarrier {
  carrier: CarrierName;
  pos: [number, number, number];
  size: number | number[];
  past: number[];
  rider?: string;
}

const pose = new Float64Array(POSE);

/** A carrier is there at t. The values are checked but for `past`; false, and nothing has happened, when that is none. */
export function placeCarrier(scene: Scene, t: number, label: CarrierName, placed: Placed, kernel?: Kernel): boolean {
  const { carriers } = scene;
  if (placed.past !== undefined && !new Carrier(label, null).recall(placed.past)) return false;
  const { rider } = placed;
  const carrier =
    rider === undefined ? carriers.add(label) : carriers.ofRider(scene.ledger.offsetOf(rider), rider, label);
  if (kernel !== undefined && kernel !== carrier.kernel) {
    carrier.kernel = kernel;
    if (placed.size === undefined) carrier.footprint = boundsOf(kernel);
  }
  if (placed.size !== undefined) carrier.footprint = footprintOf(placed.size) as Footprint;
  if (placed.past !== undefined) {
    carrier.recall(placed.past);
    return true;
  }
  for (let k = 0; k < 3; k++) pose[k] = placed.pos[k] + 0;
  writeTurn(placed.yaw ?? 0, pose, 3);
  carrier.tell(t, pose);
  return true;
}

/** The bounds of a carrier's own map. */
function boundsOf(kernel: Kernel): Footprint {
  const { minX, minY, minZ, maxX, maxY, maxZ } = extentOf(kernel);
  return { minX, minY, minZ, maxX, maxY, maxZ, radius: 0 };
}

/** A carrier is gone at t: who stood on it stays where it was, on nothing. */
export function removeCarrier(scene: Scene, t: number, label: CarrierName): boolean {
  const carrier = scene.carriers.get(label);
  if (carrier === undefined) return false;
  for (const slot of [...carrier.riders]) detach(scene, scene.ledger.f, slot * STRIDE, t);
  scene.carriers.remove(label, t);
  return true;
}

/**
 * What `attach` names: a carrier, else an entity that is present, as a carrier of that rider's own (its past is what the
 * rider's events saw). Null when there is neither, `circle` when that entity stands on this one.
 */
export function carrierFor(scene: Scene, id: string, label: CarrierName): Carrier | 'circle' | null {
  const known = scene.carriers.get(label);
  if (known !== undefined) return known;
  const told = scene.carriers.takeRiders(id, label);
  if (typeof label !== 'string' || scene.ledger.offsetOf(label) < 0) {
    // in a replay that does not know that entity: once more on the same
    const o = scene.ledger.offsetOf(id);
    const under = o < 0 ? undefined : scene.carriers.under(o);
    return told ?? (under?.label === label ? under : null);
  }
  return standsOn(scene, id, label) ? 'circle' : new Carrier(label, label);
}

/** All that is known of a carrier, for a log about one entity. */
export function toldCarrier(scene: Scene, carrier: Carrier, rider: string): ToldCarrier {
  carrier.now(pose);
  const isOwn = scene.carriers.get(carrier.label) !== carrier;
  return {
    carrier: carrier.label,
    pos: [pose[0], pose[1], pose[2]],
    size: sizeOf(carrier.footprint),
    past: carrier.past(),
    ...(isOwn ? { rider } : {}),
  };
}
