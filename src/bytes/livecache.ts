// A tile cache with obstacles in it: recast-navigation holds it, we read what it makes of each change.
// Imported by cachemap.ts and by tests.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import type { ObstacleShape } from '../types.ts';
import { CacheSession, type CacheShape } from './cachesession.ts';
import { checkShape, piecesOf, shapeInFile } from './cacheshape.ts';
import { type CacheFile, checkTileCache } from './checkcache.ts';
import { checkReadOptions, type Reading, type ReadOptions } from './options.ts';
import { readBuilt } from './tilecache.ts';

/** At once, whatever the file says: some caches were saved with room for none. */
const MOST_PIECES = 4096;

/** The tile cache of one file and its obstacles. One change at a time: callers wait for the one before. */
export class LiveCache {
  readonly #bytes: Uint8Array;
  readonly #file: CacheFile;
  readonly #reading: Reading;
  #session: CacheSession | null = null;
  #closed = false;
  /** What stands in the way, and recast-navigation's numbers for its pieces in this session. */
  readonly #obstacles = new Map<string | number, { shape: ObstacleShape; refs: number[] }>();

  /** `bytes` are the caller's to keep unchanged. Throws as `readTileCache` does. */
  constructor(bytes: Uint8Array, options: ReadOptions = {}) {
    this.#reading = checkReadOptions(options);
    this.#bytes = bytes;
    this.#file = checkTileCache(bytes);
  }

  get ids(): readonly (string | number)[] {
    return [...this.#obstacles.keys()];
  }

  has(id: string | number): boolean {
    return this.#obstacles.has(id);
  }

  /** The mesh as it stands. */
  async mesh(): Promise<NavMesh> {
    const session = await this.#open();
    return this.#read(session, 'Bad tile cache: got no ground in any layer, expected some.');
  }

  /** Puts an obstacle in, or moves it. When anything fails, the obstacles are as before. */
  async block(id: string | number, shape: ObstacleShape): Promise<NavMesh> {
    checkShape(shape);
    const pieces = this.#pieces(shape);
    const before = this.#obstacles.get(id);
    let count = pieces.length - (before?.refs.length ?? 0);
    for (const { refs } of this.#obstacles.values()) count += refs.length;
    if (count > MOST_PIECES) {
      throw new NavguardError('BAD_ARGUMENT', `block: expected at most ${MOST_PIECES} pieces of obstacles at once`);
    }
    const session = await this.#open();
    try {
      for (const ref of before?.refs ?? []) session.remove(ref);
      const refs = pieces.map((piece) => session.add(piece));
      const mesh = await this.#read(session, 'block: nothing walkable would be left.');
      this.#obstacles.set(id, { shape: structuredClone(shape), refs });
      return mesh;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Takes an obstacle out; null when there is none of that name. */
  async unblock(id: string | number): Promise<NavMesh | null> {
    const before = this.#obstacles.get(id);
    if (before === undefined) return null;
    const session = await this.#open();
    try {
      for (const ref of before.refs) session.remove(ref);
      const mesh = await this.#read(session, 'unblock: nothing walkable would be left.');
      this.#obstacles.delete(id);
      return mesh;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
    this.#session = null;
  }

  #pieces(shape: ObstacleShape): CacheShape[] {
    return piecesOf(shapeInFile(shape, this.#file, this.#reading), this.#file);
  }

  async #read(session: CacheSession, empty: string): Promise<NavMesh> {
    const mset = session.mset();
    if (mset === null) throw new NavguardError('BAD_ARGUMENT', empty);
    return readBuilt(mset, this.#file, this.#reading);
  }

  /** What recast-navigation holds may be half-changed: the next question builds it again, with the obstacles as they are. */
  #drop(): void {
    this.#session?.abandon();
    this.#session = null;
  }

  async #open(): Promise<CacheSession> {
    if (this.#closed) throw new NavguardError('CLOSED', 'This tile cache was closed.');
    if (this.#session !== null) return this.#session;
    const session = await CacheSession.open(this.#bytes, this.#file, this.#reading.areas, MOST_PIECES);
    for (const obstacle of this.#obstacles.values()) {
      obstacle.refs = this.#pieces(obstacle.shape).map((piece) => session.add(piece));
    }
    this.#session = session;
    return session;
  }
}
