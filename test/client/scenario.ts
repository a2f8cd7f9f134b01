// A game for the client alone, played the same in Node and in a page: everything it says and does, as one hash and a few
// numbers in full. Imports nothing: it gets the client as an argument, so a page can load it as it stands.

type Client = typeof import('../../src/client/index.ts');

export interface Played {
  name: string;
  /** FNV-1a over all bytes of all results. */
  hash: string;
  /** Snapshots by action. */
  counts: number[];
  /** Last baseline, as the bits of its numbers. */
  bits: string;
  reports: number;
}

export function play(client: Client, seeds: number): Played[] {
  const played: Played[] = [];
  for (let seed = 1; seed <= seeds; seed++)
    for (const fixedPoint of [0, 1024]) played.push(one(client, seed, fixedPoint));
  return played;
}

function one(client: Client, seed: number, fixedPoint: number): Played {
  const { MoveSync, ReportFeed, SnapshotBody, SnapshotValidator } = client;
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const bytes = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  const note = (...numbers: number[]): void => {
    for (const n of numbers) {
      bytes.setFloat64(0, n);
      for (let k = 0; k < 8; k++) hash = Math.imul(hash ^ bytes.getUint8(k), 0x01000193) >>> 0;
    }
  };
  const unit = fixedPoint === 0 ? 1 : fixedPoint;
  const toUnits = (metres: number): number => (fixedPoint === 0 ? metres : Math.round(metres * unit));
  let reports = 0;
  const feed = new ReportFeed({
    send: (report) => {
      reports++;
      for (const char of JSON.stringify(report)) note(char.charCodeAt(0));
    },
  });
  const validator = new SnapshotValidator({ maxSpeed: 6, fixedPoint }, feed, 'me');
  const here = { x: 0, y: 0, z: 0 };
  const body = new SnapshotBody(validator, {
    read: (out) => {
      out.x = here.x;
      out.y = here.y;
      out.z = here.z;
    },
    shift: (dx, dy, dz) => {
      here.x += dx;
      here.y += dy;
      here.z += dz;
    },
  });
  const sync = new MoveSync({
    send: note,
    place: (x, y, z) => {
      here.x = x;
      here.y = y;
      here.z = z;
      body.settle();
    },
    acknowledge: note,
    replay: (_seq, pos) => {
      pos.x += toUnits(0.01);
    },
  });
  let tick = (2 ** 32 - 50 + seed) % 2 ** 32;
  const server = { x: 0, y: 0, z: 0 };
  const predicted = { x: 0, y: 0, z: 0 };
  for (let frame = 0, now = 0; frame < 1500; frame++) {
    now += 15 + 3 * random();
    const angle = 6.25 * random();
    // a rational circle: no sine in what must be the same everywhere
    const [dx, dz] = [1 - (2 * angle) / 6.25, (4 * angle) / 6.25 - 2];
    here.x += toUnits(0.08 * dx);
    here.z += toUnits(0.04 * dz);
    sync.update(now, here);
    if (frame % 3 === 0) {
      tick = (tick + (random() < 0.95 ? 1 : 8)) % 2 ** 32;
      server.x = toUnits((here.x + toUnits(random() < 0.05 ? 3 : 0)) / unit);
      server.z = here.z;
      const wild = random();
      const snapshot = { tick: wild < 0.05 ? (tick + 2 ** 32 - 3) % 2 ** 32 : tick, ...server };
      if (wild > 0.97) snapshot.x = Number.NaN;
      else if (wild > 0.9) snapshot.z += toUnits(400 * random());
      else if (wild > 0.88) validator.expect(now, server, random() < 0.5 ? tick : undefined);
      const known = sync.sentAt((sync.nextSeq + 2 ** 32 - 1) % 2 ** 32, predicted);
      note(body.receive(now, snapshot, known ? predicted : null), validator.reason, validator.used, validator.allowed);
      note(validator.tick, validator.x, validator.y, validator.z);
    }
    if (random() < 0.01) {
      const result = sync.correct(now, Math.floor(frame / 100) + Math.floor(2 * random()), server, sync.nextSeq - 2);
      note(result.length, sync.lastCorrection);
    }
    body.frame(now);
    validator.flush(now);
    note(here.x, here.y, here.z);
  }
  let bits = '';
  for (const n of [validator.x, validator.y, validator.z, here.x, here.z]) {
    bytes.setFloat64(0, n);
    for (let k = 0; k < 8; k++) bits += bytes.getUint8(k).toString(16).padStart(2, '0');
  }
  const name = `seed ${seed}, ${fixedPoint === 0 ? 'metres' : `1/${fixedPoint} m`}`;
  return { name, hash: hash.toString(16), counts: Array.from(validator.counts), bits, reports };
}
