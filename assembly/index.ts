// The ABI on one screen: what JavaScript may call. No logic. Arguments and results are described in src/kernel/kernel.ts.
import { batchGridSight, gridSight } from './grid.ts';
import { setup } from './setup.ts';

export { batchGridSight, gridSight, setup };
