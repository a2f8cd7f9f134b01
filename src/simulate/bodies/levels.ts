// The levels that bodies move in: the triangles of a build spec or of an OBJ file, and the size of the body that the navmesh
// was built for. Imported by bodies/ and by whoever plays them.
import type { AgentSpec, Box, BuildSpec } from '../../build/index.ts';
import { trianglesOf } from '../../build/solids.ts';
import { checkSpec } from '../../build/spec.ts';
import type { BodySize } from './capsule.ts';
import { Soup, type Triangles } from './soup.ts';

/** How high the fence round the void is, metres. */
const FENCE = 20;

/** A level for bodies: what they collide with and how large they are. */
export interface Level {
  readonly soup: Soup;
  readonly size: BodySize;
  /** Plan size of a voxel of its navmesh, metres. */
  readonly cell: number;
}

/**
 * The body that a navmesh of these voxels is honest to. Recast rounds floors up and ceilings down: of rooms it promises only
 * those two voxels higher than the agent, of steps only those a voxel lower than its climb in whole voxels.
 */
export function bodySize(agent: AgentSpec, cellHeight: number): BodySize {
  const climb = Math.floor(agent.climb / cellHeight + 1e-6) - 1;
  return {
    radius: agent.radius,
    height: agent.height + 2 * cellHeight,
    climb: Math.max(1, climb) * cellHeight,
    flatness: Math.cos((agent.slope * Math.PI) / 180),
    gravity: 9.81,
  };
}

/**
 * The level of a build spec. Where its floors end over the void a fence stands, as levels have it: `fences` are rectangles
 * in the plan (minX, minZ, maxX, maxZ) that nobody leaves or enters; without it one round everything.
 */
export function levelOfSpec(spec: BuildSpec, fences?: readonly (readonly [number, number, number, number])[]): Level {
  const checked = checkSpec(spec);
  const { positions, indices } = trianglesOf(checked, Infinity);
  const all = { positions: [...positions], indices: [...indices] };
  const soup = new Soup(all);
  const [minX, minY, minZ, maxX, maxY, maxZ] = soup.bounds;
  for (const [x0, z0, x1, z1] of fences ?? [[minX, minZ, maxX, maxZ]]) {
    addFence(all, [x0, minY, z0, x1, maxY + FENCE, z1]);
  }
  return { soup: new Soup(all), size: bodySize(checked.agent, checked.cellHeight), cell: checked.cell };
}

/** The level of OBJ geometry, for a navmesh built with this agent and these voxels. */
export function levelOfTriangles(triangles: Triangles, agent: AgentSpec, cell: number, cellHeight: number): Level {
  return { soup: new Soup(triangles), size: bodySize(agent, cellHeight), cell };
}

/** Four upright sides. */
function addFence(soup: { positions: number[]; indices: number[] }, [x0, y0, z0, x1, y1, z1]: Box): void {
  const corners = [
    [x0, z0],
    [x1, z0],
    [x1, z1],
    [x0, z1],
  ];
  for (let k = 0; k < 4; k++) {
    const [ax, az] = corners[k];
    const [bx, bz] = corners[(k + 1) % 4];
    const v = soup.positions.length / 3;
    soup.positions.push(ax, y0, az, bx, y0, bz, bx, y1, bz, ax, y1, az);
    soup.indices.push(v, v + 1, v + 2, v, v + 2, v + 3);
  }
}
