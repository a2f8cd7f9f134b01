// What a worker knows of doors, obstacles and carriers, as it is now: for the next worker, when it dies. Imported by judge.ts.
//
// Doors and obstacles are kept as the latest change of each, in the order of these changes and with their times: told again
// in that order they give the same map, closed as lately as it was (see rules/changes.ts). So what is kept is as long as what
// is closed, whatever the history was; only links keep one change for each name that they were called by.
import { deserialize, serialize } from 'node:v8';
import type { MoveGuard } from '../guard.ts';
import { type ToldCarrier, toldCarrier } from '../rules/carriage.ts';
import { Q_NOW } from '../rules/hand.ts';
import type { Method } from './layout.ts';

/** Methods that change the map. */
export type ChangeMethod = 'area' | 'link' | 'block' | 'unblock';

/** One change that still holds. */
interface Change {
  readonly method: ChangeMethod;
  readonly args: unknown[];
  /** ms. */
  readonly t: number;
}

interface Kept {
  readonly changes: [string, Change][];
  readonly carriers: ToldCarrier[];
  readonly gone: [string, number][];
  /** Row, and what its entity stands on. */
  readonly riders: [number, ToldCarrier | string | number][];
}

export function isChange(method: Method): method is ChangeMethod {
  return method === 'area' || method === 'link' || method === 'block' || method === 'unblock';
}

export class World {
  readonly #changes = new Map<string, Change>();
  #riders = new Map<number, ToldCarrier | string | number>();

  /** Changes the guard's map, and keeps what of it still holds. Returns what the guard says. */
  change(guard: MoveGuard, method: ChangeMethod, args: unknown[]): unknown {
    const { living } = guard.scene.changes;
    const was = living.revision;
    const speeds = [...living.speeds];
    const shut = this.#isShut(guard, args[0]);
    const said = (guard[method] as (...all: unknown[]) => unknown)(...args);
    if (living.revision === was) return said;
    const t = guard.scene.q[Q_NOW];
    if (method === 'area') {
      const n = args[0] as number;
      const speed = living.speeds[n];
      if (speed !== speeds[n]) this.#keep(`speed ${n}`, speed === 1 ? null : { method, args: [n, { speed }], t });
      const now = this.#isShut(guard, n);
      if (now !== shut) this.#keep(`area ${n}`, now ? { method, args: [n, { open: false }], t } : null);
    } else if (method === 'link') this.#keep(`link ${String(args[0])}`, { method, args, t });
    else this.#keep(`block ${String(args[0])}`, method === 'block' ? { method, args, t } : null);
    return said;
  }

  #isShut(guard: MoveGuard, area: unknown): boolean {
    const key = `area ${String(area)}`;
    return guard.scene.changes.living.closures.some((closure) => closure.key === key);
  }

  #keep(key: string, change: Change | null): void {
    this.#changes.delete(key);
    if (change !== null) this.#changes.set(key, change);
  }

  /** A map as it was packed takes the place of this one. */
  forgetChanges(): void {
    this.#changes.clear();
  }

  /** All of it as bytes; null when there is nothing. `offsetOf`: where the numbers of a row's entity stand, -1 = nowhere. */
  bytes(guard: MoveGuard, rows: number, offsetOf: (row: number) => number): Uint8Array | null {
    const { scene } = guard;
    const { carriers } = scene;
    const gone = [...carriers.gone()];
    if (this.#changes.size === 0 && carriers.size === 0 && gone.length === 0) return null;
    const riders: Kept['riders'] = [];
    for (let row = 0; row < rows; row++) {
      const o = offsetOf(row);
      const under = o < 0 ? undefined : carriers.under(o);
      if (under === undefined) continue;
      const named = carriers.get(under.label) === under;
      riders.push([row, named ? under.label : toldCarrier(scene, under, String(row))]);
    }
    const told = [...carriers.all()].map((carrier) => toldCarrier(scene, carrier, ''));
    const kept: Kept = { changes: [...this.#changes], carriers: told, gone, riders };
    return serialize(kept);
  }

  /** Tells a guard without entities what `bytes` gave; its clock is to be set afterwards. */
  recall(guard: MoveGuard, bytes: Uint8Array): void {
    const { changes, carriers, gone, riders } = deserialize(bytes) as Kept;
    const { scene } = guard;
    for (const [key, change] of changes) {
      scene.q[Q_NOW] = Math.max(scene.q[Q_NOW], change.t);
      (guard[change.method] as (...all: unknown[]) => unknown)(...change.args);
      this.#changes.set(key, change);
    }
    for (const { carrier, ...placed } of carriers) guard.carrier(carrier, placed);
    for (const [label, t] of gone) scene.carriers.remove(label, t);
    this.#riders = new Map(riders);
  }

  /** The entity of a row, whose numbers stand at `o`, is on the carrier that it was on. */
  seat(guard: MoveGuard, row: number, o: number): void {
    const rider = this.#riders.get(row);
    if (rider === undefined) return;
    const { carriers } = guard.scene;
    const carrier = typeof rider === 'object' ? carriers.ofRider(-1, String(row), rider.carrier) : carriers.get(rider);
    if (carrier === undefined) return;
    if (typeof rider === 'object') {
      carrier.recall(rider.past);
      carriers.takeRiders(String(row), rider.carrier);
    }
    carriers.board(o, carrier);
  }
}
