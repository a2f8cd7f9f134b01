// An empty thread: what Node itself takes for one. Started by pool.ts.
import { parentPort } from 'node:worker_threads';

parentPort?.once('message', () => undefined);
parentPort?.postMessage('up');
