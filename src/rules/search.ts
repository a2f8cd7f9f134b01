// The search allowance: how much of the server's work an entity's claims may cost. A leaf of rules/.
//
// Searches are work whatever the verdict, so this is the one meter that a refused claim runs up too.
import { NODES, NODES_T } from './ledger.ts';

/**
 * A move may always search this many nodes, whatever the entity has used up: an allowance spent on clicks must not open
 * walls. At the lengths of moves 32 decided every wall of the maps tried, so this proves; and it costs microseconds.
 */
export const MOVE_NODES = 256;

/** Search nodes left at t. */
export function nodesAt(f: Float64Array, o: number, t: number, perSecond: number): number {
  const nodes = f[o + NODES] + (perSecond * (t - f[o + NODES_T])) / 1000;
  return Math.min(nodes, perSecond);
}

/** The node cap of a search at t: the rule's, or what is left. */
export function capAt(f: Float64Array, o: number, t: number, perSecond: number, nodeCap: number): number {
  const nodes = nodesAt(f, o, t, perSecond);
  return nodes < nodeCap ? Math.floor(nodes) : nodeCap;
}

/** A search has used this many nodes. */
export function spendNodes(f: Float64Array, o: number, t: number, perSecond: number, used: number): void {
  if (!(used > 0)) return;
  const left = nodesAt(f, o, t, perSecond) - used;
  f[o + NODES] = Math.max(left, 0);
  f[o + NODES_T] = t;
}
