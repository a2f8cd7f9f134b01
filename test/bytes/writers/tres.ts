// A writer of Godot's NavigationMesh resources: Godot 4 with a plain or a typed list, and Godot 3.
import { indexed, type PolyGround } from './polyground.ts';

export interface TresStyle {
  readonly typed?: boolean;
  readonly godot3?: boolean;
  /** Radius, height, climb; left out where null. */
  readonly agent?: readonly [number, number, number] | null;
}

/** Areas are not in the format. Polygons come before vertices in the typed form, over several lines. */
export function writeTres(ground: PolyGround, style: TresStyle = {}): Uint8Array {
  const { vertices, rings } = indexed(ground);
  const [vector, list] = style.godot3
    ? ['PoolVector3Array', 'PoolIntArray']
    : ['PackedVector3Array', 'PackedInt32Array'];
  const gap = style.godot3 ? ' ' : '';
  const points = `vertices = ${vector}(${gap}${vertices.flat().join(', ')}${gap})`;
  const items = rings.map((ring) => `${list}(${gap}${ring.join(', ')}${gap})`);
  const polygons = style.typed
    ? `polygons = Array[PackedInt32Array]([${items.join(',\n')}])`
    : `polygons = [${items.join(', ')}]`;
  const slash = style.godot3 ? '/' : '_';
  const agent = (style.agent ?? []).map((n, i) => `agent${slash}${['radius', 'height', 'max_climb'][i]} = ${n}`);
  const body = style.typed ? [polygons, ...agent, points] : [points, polygons, ...agent];
  const head = `[gd_resource type="NavigationMesh" format=${style.godot3 ? 2 : 3} uid="uid://b1"]`;
  return new TextEncoder().encode(
    `${[head, '', '[ext_resource path="res://vertices = x" id="1"]', '', '[resource]', 'resource_name = "a"', 'cell_size = 0.25', ...body].join('\n')}\n`,
  );
}
