// Does a map look as if it had been read in the wrong units or axes? Rules of thumb, said as such. Imported by survey.ts.
import type { MapInfo } from '../pack/view.ts';
import type { Noted } from './noted.ts';
import type { Plan } from './plan.ts';

/** Metres: a map this wide, made of polygons this large, is in centimetres. */
const HUGE_MAP = 10_000;
const HUGE_POLYGON = 100;
/** Metres: nobody is this tall or this small. */
const GIANT = 20;
const DWARF = 0.2;
/** Cosine of 60 degrees: no agent walks there. */
const STEEP = 0.5;

export function suspectsOf(info: MapInfo, plan: Plan): Noted[] {
  const found: Noted[] = [];
  const note = (kind: Noted['kind'], message: string) => found.push({ kind, message, count: 1, polygons: [], at: [] });
  const { min, max } = info.bounds;
  const wide = Math.max(max[0] - min[0], max[2] - min[2]);
  const tall = max[1] - min[1];
  const { height } = info.agent;
  const typical = Math.sqrt(info.area / info.polygons);
  if (height > GIANT || (wide >= HUGE_MAP && typical >= HUGE_POLYGON)) {
    const why =
      height > GIANT
        ? `its agent is ${short(height)} m tall`
        : `it is ${short(wide)} m wide, its polygons some ${short(typical)} m`;
    note('suspicious-scale', `this looks like centimetres (${why}): load it with --scale 0.01`);
  } else if ((height > 0 && height < DWARF) || wide < 1) {
    const why = height > 0 && height < DWARF ? `its agent is ${short(height)} m tall` : `it is ${short(wide)} m wide`;
    note('suspicious-scale', `this looks too small for metres (${why}): load it with --scale 100 or what its unit is`);
  }
  const flat = info.findings.find((finding) => finding.kind === 'dropped-polygon')?.count ?? 0;
  const steep = steepShare(plan);
  if (2 * flat > info.sourcePolygons || steep > 0.5 || (tall > 2 * wide && tall > 10)) {
    const why =
      2 * flat > info.sourcePolygons
        ? `${flat} of ${info.sourcePolygons} polygons stand upright`
        : steep > 0.5
          ? `${Math.round(100 * steep)} % of its surface is steeper than 60 degrees`
          : `it is ${short(tall)} m high and ${short(wide)} m wide`;
    note('suspicious-axes', `its height does not look like y (${why}): z up is --axes x,z,-y, and x,z,y from Unreal`);
  }
  return found;
}

/** Share of the surface, in space, that is too steep to walk. */
function steepShare({ count, first, x, y, z }: Plan): number {
  let steep = 0;
  let all = 0;
  for (let p = 0; p < count; p++) {
    const a = first[p];
    for (let c = a + 1; c + 1 < first[p + 1]; c++) {
      const [ux, uy, uz] = [x[c] - x[a], y[c] - y[a], z[c] - z[a]];
      const [vx, vy, vz] = [x[c + 1] - x[a], y[c + 1] - y[a], z[c + 1] - z[a]];
      const up = Math.abs(uz * vx - ux * vz);
      const size = Math.hypot(uy * vz - uz * vy, up, ux * vy - uy * vx);
      all += size;
      if (up < STEEP * size) steep += size;
    }
  }
  return all > 0 ? steep / all : 0;
}

function short(metres: number): string {
  return String(Number(metres.toPrecision(3)));
}
