// The front of bytes/: any bytes in, a NavMesh or one clear error out.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { adaptMesh } from './adapt.ts';
import { detectFormat } from './detect.ts';
import { importMset } from './import.ts';
import { checkReadOptions, type ReadOptions } from './options.ts';

export { type Detected, detectFormat } from './detect.ts';
export { equalNavMesh } from './equal.ts';
export { type HeapTile, type ImportedMset, importMset, readMsetFile } from './import.ts';
export type { AgentOption, AreaOption, ReadOptions } from './options.ts';

/**
 * Reads a navmesh export: MSET with 32-bit references, little-endian, as RecastDemo and recast-navigation's
 * `exportNavMesh` write it. The bytes are not kept and not changed.
 *
 * Throws `UNSUPPORTED_FORMAT` for anything that looks like another format (the message names it and says what to do),
 * `BAD_FILE` for an MSET file that does not hold together, `IMPORT_FAILED` when recast-navigation disagrees with the file,
 * `BAD_ARGUMENT` for a wrong option.
 */
export async function readNavMesh(bytes: Uint8Array, options: ReadOptions = {}): Promise<NavMesh> {
  const reading = checkReadOptions(options);
  const detected = detectFormat(bytes);
  if (detected.kind === 'mset') return adaptMesh((await importMset(bytes)).mesh, reading);
  if (detected.kind === 'navpack') {
    throw new NavguardError(
      'UNSUPPORTED_FORMAT',
      'This is a navguard pack, not an export: load it with NavMap.fromPack.',
      {
        kind: detected.kind,
        name: detected.name,
      },
    );
  }
  throw new NavguardError('UNSUPPORTED_FORMAT', `This looks like ${detected.name}: ${detected.advice}.`, {
    kind: detected.kind,
    name: detected.name,
  });
}
