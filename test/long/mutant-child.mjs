// The killable half of the mutant sweep: a process that loads one mutant after another with the built library, then asks
// recast-navigation itself about the ones that load. It says what it is about to do, so that a hang has a name.
// Started by bytes-mutants.test.ts with the path of the built bytes/index.js.
import { pathToFileURL } from 'node:url';
import { importNavMesh, init, NavMeshQuery } from 'recast-navigation';

const { readNavMesh } = await import(pathToFileURL(process.argv[2]).href);
await init();

process.on('message', async ({ id, bytes }) => {
  process.send({ id, stage: 'import' });
  let mesh;
  try {
    mesh = await readNavMesh(bytes);
  } catch (error) {
    process.send({ id, stage: 'done', code: error.code ?? error.name, message: error.message });
    return;
  }
  try {
    askRecast(id, bytes, mesh);
  } catch (error) {
    process.send({ id, stage: 'done', code: 'QUERY_THREW', message: String(error) });
    return;
  }
  process.send({ id, stage: 'done', code: 'LOADED', message: '' });
});

/** Nearest polygon, ray and path between polygon centres, as a game would ask. */
function askRecast(id, bytes, mesh) {
  const { navMesh } = importNavMesh(bytes);
  const query = new NavMeshQuery(navMesh);
  const polygons = mesh.first.length - 1;
  const step = Math.max(1, Math.floor(polygons / 6));
  const centres = [];
  for (let p = 0; p < polygons && centres.length < 6; p += step) centres.push(centreOf(mesh, p));
  process.send({ id, stage: 'nearest' });
  const found = centres.map((centre) => query.findNearestPoly(centre, { halfExtents: { x: 2, y: 4, z: 2 } }));
  for (const stage of ['ray', 'path']) {
    process.send({ id, stage });
    for (let i = 0; i < centres.length; i++) {
      for (const j of [(i + 1) % centres.length, (i + 3) % centres.length]) {
        if (stage === 'path') query.computePath(centres[i], centres[j]);
        else if (found[i].nearestRef) query.raycast(found[i].nearestRef, found[i].nearestPoint, centres[j]);
      }
    }
  }
  query.destroy();
  navMesh.destroy();
}

function centreOf(mesh, p) {
  const sum = [0, 0, 0];
  const count = mesh.first[p + 1] - mesh.first[p];
  for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
    for (let axis = 0; axis < 3; axis++) sum[axis] += mesh.vertices[mesh.corners[c] * 3 + axis];
  }
  return { x: sum[0] / count, y: sum[1] / count, z: sum[2] / count };
}
