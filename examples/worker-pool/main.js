// A game loop that judges a tick's moves on two threads with one copy of the map.
// Start: npm run build && node examples/worker-pool/main.js [seconds]
import { readFile } from 'node:fs/promises';
import { NavMap, VerdictKind } from '../../dist/src/index.js';
import { GuardPool } from '../../dist/src/pool/index.js';

const PLAYERS = 500;
const TICK_MS = 50;
const ticks = (Number(process.argv[2] ?? 2) * 1000) / TICK_MS;

const map = await NavMap.load(await readFile(new URL('../../navdata/maps/terrain.bin', import.meta.url)));
const clock = { now: 0 };
const pool = await GuardPool.create(
  map,
  { speedTolerance: 1.15 },
  { workers: 2, now: () => clock.now, onDeath: (worker, error) => console.error(`worker ${worker} died:`, error) },
);

// who plays: everybody starts somewhere on the mesh and walks back and forth, one in a hundred three times too fast
const { min, max } = map.info.bounds;
const players = [];
for (let i = 0; players.length < PLAYERS; i++) {
  const x = min[0] + ((i * 0.618034) % 1) * (max[0] - min[0]);
  const z = min[2] + ((i * 0.414214) % 1) * (max[2] - min[2]);
  const spot = map.locate([x, min[1], z], { above: 100 });
  if (spot === null) continue;
  const id = `player-${players.length}`;
  pool.enter(id, { pos: spot.point, speed: 5 });
  players.push({ id, slot: pool.slot(id), pos: [...spot.point], step: players.length % 100 === 7 ? 0.75 : 0.24 });
}

// two sets of claims: one is filled while the other is judged
const sets = [pool.claims(PLAYERS), pool.claims(PLAYERS)];
const answered = [Promise.resolve(), Promise.resolve()];
const count = { accepted: 0, corrected: 0, other: 0 };

/** What the game does with the verdicts: here it puts back who was corrected. */
function apply(claims) {
  for (let i = 0; i < PLAYERS; i++) {
    const accepted = claims.verdict[i] === VerdictKind.accept;
    if (accepted) count.accepted++;
    else if (claims.verdict[i] === VerdictKind.correct) count.corrected++;
    else count.other++;
    if (!accepted) players[i].pos = Array.from(claims.at.subarray(3 * i, 3 * i + 3));
    if (claims.correction[i] > 0) pool.ack(players[i].id, claims.correction[i]);
  }
}

for (let tick = 1; tick <= ticks; tick++) {
  const set = tick % 2;
  await answered[set];
  const claims = sets[set];
  players.forEach((player, i) => {
    const ahead = Math.floor(tick / 20) % 2 === 0 ? player.step : -player.step;
    player.pos = map.surface(player.pos, [ahead, 0]).point;
    claims.entity[i] = player.slot;
    claims.seq[i] = tick;
    claims.pos.set(player.pos, 3 * i);
    claims.t[i] = tick * TICK_MS;
  });
  clock.now = tick * TICK_MS;
  await pool.ready(PLAYERS);
  answered[set] = pool.check(claims, PLAYERS).then(() => apply(claims));
}
await Promise.all(answered);
await pool.close();
console.log(`${ticks} ticks of ${PLAYERS} moves: ${JSON.stringify(count)}`);
