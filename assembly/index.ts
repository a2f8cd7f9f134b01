// The ABI on one screen: what JavaScript may call. No logic. Arguments and results are described in src/kernel/kernel.ts.
import { batchGridSight, gridSight } from './grid.ts';
import { batchLocate, locate } from './locate.ts';
import { batchRay, ray } from './ray.ts';
import { setup } from './setup.ts';

export { batchGridSight, batchLocate, batchRay, gridSight, locate, ray, setup };
