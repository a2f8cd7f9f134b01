// navguard/pool: a guard on worker threads. Re-exports only.
export { PoolClaims } from './claims.ts';
export { GuardPool, type Moved, type PoolMap, type PoolOptions, type Swapped } from './pool.ts';
