// The cheat zoo: every way to cheat at movement that we know of, a file each in zoo/, with its script and the bound within
// which a guard with the default rules must have caught it. Front of simulate/cheats/.
import type { Cheat } from './cheat.ts';
import { blink } from './zoo/blink.ts';
import { boiledFrog } from './zoo/boiled-frog.ts';
import { bunnyHover } from './zoo/bunny-hover.ts';
import { burstBanking } from './zoo/burst-banking.ts';
import { churn } from './zoo/churn.ts';
import { clickThrough } from './zoo/click-through.ts';
import { cornerSqueeze } from './zoo/corner-squeeze.ts';
import { doubleDip } from './zoo/double-dip.ts';
import { drainedSearch } from './zoo/drained-search.ts';
import { earlyAck } from './zoo/early-ack.ts';
import { fakeSkill } from './zoo/fake-skill.ts';
import { fastClick } from './zoo/fast-click.ts';
import { floorSwitch } from './zoo/floor-switch.ts';
import { forgedSequence } from './zoo/forged-sequence.ts';
import { grantRedirect } from './zoo/grant-redirect.ts';
import { grantReuse } from './zoo/grant-reuse.ts';
import { grantThroughWall } from './zoo/grant-through-wall.ts';
import { hopRetry } from './zoo/hop-retry.ts';
import { hover } from './zoo/hover.ts';
import { inputInflation } from './zoo/input-inflation.ts';
import { lagSwitch } from './zoo/lag-switch.ts';
import { neverAck } from './zoo/never-ack.ts';
import { offMesh } from './zoo/off-mesh.ts';
import { pendingAmnesty } from './zoo/pending-amnesty.ts';
import { pongDelay } from './zoo/pong-delay.ts';
import { replay } from './zoo/replay.ts';
import { setbackPingPong } from './zoo/setback-ping-pong.ts';
import { shortClicks } from './zoo/short-clicks.ts';
import { shortDuration } from './zoo/short-duration.ts';
import { sink } from './zoo/sink.ts';
import { slowClaims } from './zoo/slow-claims.ts';
import { sourceFraud } from './zoo/source-fraud.ts';
import { speed11 } from './zoo/speed-11.ts';
import { speed3, speed12, speed15 } from './zoo/speed-factor.ts';
import { splitHops } from './zoo/split-hops.ts';
import { sprintToggling } from './zoo/sprint-toggling.ts';
import { stopTrick } from './zoo/stop-trick.ts';
import { strangeFields } from './zoo/strange-fields.ts';
import { thinWall } from './zoo/thin-wall.ts';
import { underFloor } from './zoo/under-floor.ts';
import { wallCreep } from './zoo/wall-creep.ts';
import { wallHop } from './zoo/wall-hop.ts';

export type { Cheat, CheatActor, CheatCast, Control, MakeOptions } from './cheat.ts';
export { type Played, playCheat } from './play.ts';

const ALL: readonly Cheat[] = [
  speed12,
  speed15,
  speed3,
  speed11,
  boiledFrog,
  splitHops,
  slowClaims,
  burstBanking,
  pongDelay,
  sprintToggling,
  churn,
  blink,
  fakeSkill,
  grantReuse,
  grantRedirect,
  grantThroughWall,
  neverAck,
  earlyAck,
  wallHop,
  thinWall,
  hopRetry,
  wallCreep,
  lagSwitch,
  cornerSqueeze,
  drainedSearch,
  floorSwitch,
  offMesh,
  underFloor,
  hover,
  bunnyHover,
  sink,
  replay,
  forgedSequence,
  strangeFields,
  setbackPingPong,
  pendingAmnesty,
  doubleDip,
  sourceFraud,
  clickThrough,
  fastClick,
  shortDuration,
  stopTrick,
  shortClicks,
  inputInflation,
];

/** By name. */
export const CHEATS: ReadonlyMap<string, Cheat> = new Map(ALL.map((entry) => [entry.name, entry]));
