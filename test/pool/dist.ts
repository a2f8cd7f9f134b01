// The pool as it is built: worker threads of Node 20 load JavaScript only. (`npm test` builds first.)
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = resolve(__dirname, '../../dist/src/pool/index.js');
if (!existsSync(built)) throw new Error(`${built}: expected the built pool; npm run build makes it`);

const front = (await import(pathToFileURL(built).href)) as typeof import('../../src/pool/index.ts');
export const { GuardPool } = front;
export type Pool = Awaited<ReturnType<typeof GuardPool.create>>;
