// Names how the ledger lays out an entity's numbers, so that a state is never put into another layout. Imported by guard.ts.
import { createHash } from 'node:crypto';
import * as ledger from '../rules/ledger.ts';

let name: string | undefined;

/** Hash over the names and places of all the ledger's numbers, 16 hex digits. */
export function ledgerLayout(): string {
  if (name === undefined) {
    const places = Object.entries(ledger)
      .filter(([, value]) => typeof value === 'number')
      .map(([field, value]) => `${field}=${String(value)}`)
      .sort();
    name = createHash('sha256').update(places.join(' ')).digest('hex').slice(0, 16);
  }
  return name;
}
