// How little effort a walk over unit squares of differing speed can take: Dijkstra over a fine grid of places, straight legs
// between near ones, each leg cut exactly at the squares' borders. Every leg can be walked, so this is never less than the
// least effort. Shares no code with its subject.

/** Multiplier of the square with lower corner (x, z), 0 = blocked or outside. */
export type Speed = (x: number, z: number) => number;

/** Effort of the straight leg, Infinity when it leaves the walkable squares. Ends lie on no square's border. */
export function legEffort(speed: Speed, ax: number, az: number, bx: number, bz: number): number {
  const cuts = [0, 1];
  const cross = (a: number, b: number) => {
    for (let line = Math.ceil(Math.min(a, b)); line < Math.max(a, b); line++) cuts.push((line - a) / (b - a));
  };
  cross(ax, bx);
  cross(az, bz);
  cuts.sort((s, t) => s - t);
  const length = Math.hypot(bx - ax, bz - az);
  let effort = 0;
  let [lastX, lastZ] = [Math.floor(ax), Math.floor(az)];
  for (let i = 1; i < cuts.length; i++) {
    const part = cuts[i]! - cuts[i - 1]!;
    if (part < 1e-9) continue;
    const t = (cuts[i]! + cuts[i - 1]!) / 2;
    const [x, z] = [Math.floor(ax + t * (bx - ax)), Math.floor(az + t * (bz - az))];
    const here = speed(x, z);
    if (here === 0) return Infinity;
    // Through a corner from square to square: one of the other two must be open, else it is a pinch.
    if (x !== lastX && z !== lastZ && speed(x, lastZ) === 0 && speed(lastX, z) === 0) return Infinity;
    effort += (part * length) / here;
    [lastX, lastZ] = [x, z];
  }
  return effort;
}

export interface Places {
  readonly x: number[];
  readonly z: number[];
  /** Per place: near places and the effort to get there. */
  readonly legs: readonly (readonly (readonly [number, number])[])[];
}

/** `fine` x `fine` places per square of a w x h board, legs to those at most `reach` steps away in x and z. */
export function effortPlaces(speed: Speed, w: number, h: number, fine: number, reach: number): Places {
  const x: number[] = [];
  const z: number[] = [];
  const at = new Map<string, number>();
  for (let j = 0; j < h * fine; j++) {
    for (let i = 0; i < w * fine; i++) {
      const [px, pz] = [(i + 0.5) / fine, (j + 0.5) / fine];
      if (speed(Math.floor(px), Math.floor(pz)) === 0) continue;
      at.set(`${i},${j}`, x.length);
      x.push(px);
      z.push(pz);
    }
  }
  const legs = x.map((px, a) => {
    const mine: [number, number][] = [];
    const [i, j] = [Math.round(px * fine - 0.5), Math.round(z[a]! * fine - 0.5)];
    for (let dj = -reach; dj <= reach; dj++) {
      for (let di = -reach; di <= reach; di++) {
        const b = at.get(`${i + di},${j + dj}`);
        if (b === undefined || b === a) continue;
        const effort = legEffort(speed, px, z[a]!, x[b]!, z[b]!);
        if (effort < Infinity) mine.push([b, effort]);
      }
    }
    return mine;
  });
  return { x, z, legs };
}

/** Effort from one place to every other. */
export function effortFrom(places: Places, start: number): number[] {
  const best = places.x.map(() => Infinity);
  const done = places.x.map(() => false);
  best[start] = 0;
  for (;;) {
    let at = -1;
    for (let i = 0; i < best.length; i++) if (!done[i] && best[i]! < (at < 0 ? Infinity : best[at]!)) at = i;
    if (at < 0) return best;
    done[at] = true;
    for (const [b, effort] of places.legs[at]!) best[b] = Math.min(best[b]!, best[at]! + effort);
  }
}
