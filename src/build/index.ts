// Inline maps: a level in a few lines becomes MSET bytes, the same bytes an export has. Front of build/.
import { type GenerateConfig, generate, voxels } from './generate.ts';
import { readObj } from './obj.ts';
import { trianglesOf } from './solids.ts';
import { type AgentSpec, checkSpec, DEFAULT_AGENT } from './spec.ts';

export { readObj } from './obj.ts';
export type { AgentSpec, AreaSpec, Box, BuildSpec, LinkSpec, Triangle } from './spec.ts';

/**
 * Builds the navmesh of a move log's `map.build` with recast-navigation's generators.
 * @param spec unchecked: a wrong field throws NavguardError BAD_ARGUMENT with one sentence (field, got, expected)
 * @returns MSET bytes, 32-bit, as `exportNavMesh` writes them; the same bytes for the same spec
 */
export async function buildNavMesh(spec: unknown): Promise<Uint8Array> {
  const checked = checkSpec(spec);
  // One voxel less than the walker: a gap between two shelves never has room.
  const shelf = Math.max(1, voxels(checked).height - 1) * checked.cellHeight;
  return generate(trianglesOf(checked, shelf), checked);
}

/** Sizes for `buildFromObj`; RecastDemo's defaults otherwise (cell 0.3, cellHeight 0.2, agent 0.6 / 2 / 0.9 / 45). */
export type ObjConfig = Partial<Omit<GenerateConfig, 'agent'>> & { agent?: Partial<AgentSpec> };

/** The navmesh of a level's OBJ geometry, as MSET bytes. For tests and benches. */
export async function buildFromObj(text: string, config: ObjConfig = {}): Promise<Uint8Array> {
  return generate(readObj(text), {
    cell: 0.3,
    cellHeight: 0.2,
    tile: 0,
    links: [],
    areas: [],
    ...config,
    agent: { ...DEFAULT_AGENT, radius: 0.6, climb: 0.9, ...config.agent },
  });
}
