// A map made ready to be played on: what judges (navguard's map), what is true (recast-navigation's import of the same
// bytes, or the cells of a grid), and recorded walks. Imported by simulate/index.ts.

import { GridMap } from '../gridmap.ts';
import type { GuardedMap } from '../guard.ts';
import type { MapSource } from '../log/events.ts';
import { NavMap } from '../map.ts';
import type { Stage, Track } from './actor.ts';
import { Cells, type Grid } from './cells.ts';
import { Ground } from './ground.ts';
import { seeded } from './random.ts';
import { recordCrowd, recordSlides } from './tracks.ts';

export interface OpenStage extends Stage {
  readonly guarded: GuardedMap;
  /** Where a log of it says its map comes from; null for bytes without a file. */
  readonly source: MapSource | null;
  /** Adds walks that somebody else recorded. */
  addTracks(tracks: readonly Track[]): void;
  /** Gives recast-navigation's memory back. */
  destroy(): void;
}

export interface StageOptions {
  readonly seed: number;
  /** Walks to record, and how long each is (defaults 32 and 60). */
  readonly walkers?: number | undefined;
  readonly seconds?: number | undefined;
}

/** @param bytes an MSET export that navguard's own check has passed: recast-navigation itself checks nothing */
export async function openStage(name: string, bytes: Uint8Array, options: StageOptions): Promise<OpenStage> {
  const { seed, walkers = 32, seconds = 60 } = options;
  const map = await NavMap.load(bytes);
  const ground = await Ground.open(bytes, walkers);
  const random = seeded(seed);
  const crowd = Math.ceil(walkers * 0.6);
  const tracks = [
    ...recordCrowd(ground, random, { walkers: crowd, seconds }),
    ...recordSlides(ground, random, { walkers: Math.max(1, walkers - crowd), seconds }),
  ];
  return {
    map: name,
    terrain: ground,
    tracks,
    guarded: map,
    source: null,
    addTracks: (more) => void tracks.push(...more),
    destroy: () => ground.destroy(),
  };
}

/** A grid map as a stage. */
export function openGridStage(name: string, grid: Grid, options: StageOptions): OpenStage {
  const { seed, walkers = 32, seconds = 60 } = options;
  const { rows, cell, origin } = grid;
  const cells = new Cells(grid);
  const tracks = cells.record(seeded(seed), walkers, seconds);
  return {
    map: name,
    terrain: cells,
    tracks,
    guarded: GridMap.from(rows, { cell, origin }),
    source: { grid: [...rows], cell, origin: [...origin] },
    addTracks: (more) => void tracks.push(...more),
    destroy: () => undefined,
  };
}
