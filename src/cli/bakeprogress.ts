// What is seen of a bake while it runs: a bar on a terminal, a line now and then elsewhere. Imported by bake.ts.
import { SingleBar } from 'cli-progress';

export interface BakeBar {
  readonly update: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** Between lines: a short bake is silent. */
const LINE_MS = 5000;

/** @param name what is baked: "tiled, permissive" */
export function progressLine(name: string): BakeBar {
  if (!process.stderr.isTTY) return lines(name);
  const bar = new SingleBar({
    format: `${name}: {bar} {value}/{total} tiles, {eta} s left`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  let started = false;
  return {
    update: (done, total) => {
      if (started) bar.update(done);
      else bar.start(total, done);
      started = true;
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}

function lines(name: string): BakeBar {
  let last = performance.now();
  return {
    update: (done, total) => {
      const now = performance.now();
      if (now - last < LINE_MS) return;
      last = now;
      process.stderr.write(`${name}: ${done} of ${total} tiles\n`);
    },
    stop: () => undefined,
  };
}
