// Links: what leads from one place to another without ground between.
import type { MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';
import { CLEAN, held, Log } from './script.ts';

/** Two islands with tiles of 6.4 m and 10 m of nothing between them; a pad on each, three tiles apart. */
const PADS: MapSource = {
  build: {
    boxes: [
      [0, -1, 0, 25, 0, 20],
      [35, -1, 0, 60, 0, 20],
    ],
    tile: 32,
    links: [{ id: 'pads', from: [20, 0, 10], to: [40, 0, 10], radius: 0.5, bidirectional: true }],
  },
};
const PAD: Vec3 = [20, 0, 10];
const OTHER: Vec3 = [40, 0, 10];

/** Nothing is said of how it is refused but that it is no way: a straight line too long, or no ground. */
function c18(): Log {
  const log = new Log(
    'C18-a-teleporter-pad',
    'C18: a link across tiles that do not touch is closed (the loader warns): a move over it needs a grant',
    PADS,
  );
  const hop = log.enter('no-grant', [17, 0, 10]);
  hop.walk(10, 50, [0.3, 0, 0], CLEAN).stand(3, 1000, CLEAN);
  hop.wait(50).try(OTHER, held(PAD, 'SpeedLimit'));

  const clicks = log.enter('clicks', PAD);
  clicks.wait(500).begin(OTHER, { duration: 3400 }, held(PAD, 'PathPartial', 'Wall'));

  const walks = log.enter('walks-on', [23, 0, 10]);
  walks.walk(5, 50, [0.3, 0, 0], CLEAN);
  walks.wait(400).try([26.5, 0, 10], held(walks.pos, 'Wall', 'TargetNotOnNavMesh', 'Airborne'));

  const granted = log.enter('granted', PAD);
  granted.wait(500).fact('grant', { grant: 'pads', to: OTHER });
  granted.wait(100).go(OTHER, CLEAN).walk(10, 50, [0.3, 0, 0], CLEAN);
  granted.wait(50).try(PAD, held(granted.pos, 'SpeedLimit'));
  return log;
}

export const links = (): Log[] => [c18()];
