// The cheat zoo: every way to cheat at movement that we know of, each with its script and the bound within which a guard
// with the default rules must have caught it. Front of simulate/cheats/.
import { bunnyHover, hover, sink } from './air.ts';
import type { Cheat } from './cheat.ts';
import * as clicks from './clicks.ts';
import * as jumps from './jumps.ts';
import * as messages from './messages.ts';
import * as speed from './speed.ts';
import * as walls from './walls.ts';

export type { Cheat, CheatActor, CheatCast, Control, MakeOptions } from './cheat.ts';
export { type Played, playCheat } from './play.ts';

const ALL: readonly Cheat[] = [
  ...Object.values(speed),
  ...Object.values(jumps),
  ...Object.values(walls),
  hover,
  bunnyHover,
  sink,
  ...Object.values(messages),
  ...Object.values(clicks),
];

/** By name. */
export const CHEATS: ReadonlyMap<string, Cheat> = new Map(ALL.map((entry) => [entry.name, entry]));
