// Loaded in a worker before the pool's own code: ends it in the middle of what it does. What a worker does, it does by storing
// to control words and by copying arrays; after a random number of these calls comes the fault, before or after the call.
const { workerData } = require('node:worker_threads');
const { env } = process;

const left = Number(env.NAVGUARD_FAULTS);
if (left > 0 && workerData?.shared !== undefined) {
  let count = 1 + Math.floor(Math.random() * Number(env.NAVGUARD_FAULT_WITHIN));
  const fault = () => {
    env.NAVGUARD_FAULTS = String(Number(env.NAVGUARD_FAULTS) - 1);
    const kinds = env.NAVGUARD_FAULT.split(',');
    const kind = kinds[Math.floor(Math.random() * kinds.length)];
    if (kind === 'exit') process.exit(1);
    if (kind === 'heap') for (const kept = []; ; ) kept.push(new Array(1e5).fill(kept.length + 0.5));
    throw new Error('a fault');
  };
  const watch = (object, name) => {
    const call = object[name];
    object[name] = function (...args) {
      const early = count % 2 === 0 || env.NAVGUARD_FAULT_WITHIN === '1';
      const due = --count === 0 && Number(env.NAVGUARD_FAULTS) > 0;
      if (due && early) fault();
      const result = call.apply(this, args);
      if (due) fault();
      return result;
    };
  };
  watch(Atomics, 'store');
  watch(Object.getPrototypeOf(Float64Array.prototype), 'set');
}
