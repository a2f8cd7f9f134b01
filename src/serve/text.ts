// Requests as JSON text, for trying a server by hand: {"op":"move","seq":1,"pos":[x,y,z]}, {"op":"begin","seq","from","to",
// "speed","duration","stop"?,"entity"?}, {"op":"input","seq","dir":[x,z],"ms"}, {"op":"ack","correction":n}, {"op":"spawn"}.
// They become the frames of navguard/wire, so that there is one way into the guard. Imported by serve/client.ts.
import {
  type Ack,
  blankAck,
  blankInput,
  blankMove,
  blankMoveBegin,
  type InputRequest,
  type MoveBeginRequest,
  type MoveRequest,
  WIRE_STRATEGIES,
} from '../wire/index.ts';

/** A request, read. */
export type Request =
  | { readonly op: 'move'; readonly frame: MoveRequest }
  | { readonly op: 'begin'; readonly frame: MoveBeginRequest }
  | { readonly op: 'input'; readonly frame: InputRequest }
  | { readonly op: 'ack'; readonly frame: Ack }
  | { readonly op: 'spawn' };

function isU32(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffffffff;
}

/** A number as the binary form would hold it: what is none is NaN, and the guard's to judge. */
function number(value: unknown, missing = Number.NaN): number {
  return typeof value === 'number' ? value : value === undefined ? missing : Number.NaN;
}

function vec(value: unknown, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = Array.isArray(value) && value.length === 3 ? number(value[k]) : Number.NaN;
}

/** Null for what is no request: not JSON, another op, or numbers that no frame can hold. Never throws. */
export function readText(text: string, own: number): Request | null {
  let said: Record<string, unknown>;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof said !== 'object' || said === null) return null;
  const { op, seq } = said;
  if (op === 'spawn') return { op };
  if (op === 'ack') {
    return isU32(said.correction) ? { op, frame: { ...blankAck(), correction: said.correction } } : null;
  }
  if (!isU32(seq)) return null;
  const mapVersion = said.mapVersion ?? -1;
  const progress = said.progress ?? -1;
  if (mapVersion !== -1 && !isU32(mapVersion)) return null;
  if (progress !== -1 && !isU32(progress)) return null;
  const fields = { seq, mapVersion: mapVersion as number, progress: progress as number };
  switch (op) {
    case 'move': {
      const pos = new Float64Array(3);
      vec(said.pos, pos);
      return { op, frame: { ...blankMove(), ...fields, x: pos[0], y: pos[1], z: pos[2] } };
    }
    case 'input': {
      const dir = Array.isArray(said.dir) && said.dir.length === 2 ? said.dir : [];
      const frame = { ...blankInput(), ...fields, dirX: number(dir[0]), dirZ: number(dir[1]), ms: number(said.ms) };
      return { op, frame };
    }
    case 'begin': {
      const frame = { ...blankMoveBegin(), ...fields, hasData: true, hasTarget: said.to !== undefined };
      const entity = said.entity ?? own;
      if (!isU32(entity)) return null;
      frame.entity = entity;
      frame.strategy = Math.max(0, WIRE_STRATEGIES.indexOf(said.strategy as string | undefined));
      vec(said.from, frame.from);
      if (frame.hasTarget) vec(said.to, frame.to);
      frame.speed = number(said.speed);
      frame.durationMs = number(said.duration);
      frame.stop = number(said.stop, 0);
      return { op, frame };
    }
    default:
      return null;
  }
}
