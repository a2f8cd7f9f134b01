// The ABI on one screen: what JavaScript may call. No logic. Arguments and results are described in src/kernel/kernel.ts.
import { batchCorridor, corridor } from './corridor.ts';
import { batchShortest, shortest } from './exact.ts';
import { batchGridSight, gridSight } from './grid.ts';
import { batchLocate, locate } from './locate.ts';
import { clearMoves } from './moves.ts';
import { batchRay, ray } from './rays.ts';
import { batchReach, reach } from './reach.ts';
import { setup } from './setup.ts';
import { areaSpeed } from './slow.ts';
import { batchSurface, surface } from './surface.ts';

export {
  areaSpeed,
  batchCorridor,
  batchGridSight,
  batchLocate,
  batchRay,
  batchReach,
  batchShortest,
  batchSurface,
  clearMoves,
  corridor,
  gridSight,
  locate,
  ray,
  reach,
  setup,
  shortest,
  surface,
};
