// How a server begins and ends to listen: a port that is taken is a sentence, and closing waits for so long and no longer.
// Imported by serve/server.ts.
import type { Server as HttpServer } from 'node:http';
import type { WebSocket } from 'ws';
import { NavguardError } from '../errors.ts';

/** A page that is being answered at the end may take so long, ms. */
const PAGE_MS = 500;

/** Throws `BAD_ARGUMENT` for a port that cannot be had. */
export function listening(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : (error.code ?? error.message);
      fail(new NavguardError('BAD_ARGUMENT', `Cannot listen on ${host}:${port}: ${why}.`, { host, port }));
    });
    server.listen(port, host, 1024, () => done());
  });
}

/**
 * Waits until the sockets are closed, at the latest `graceMs`; the pages answer meanwhile, so that a load balancer reads 503
 * and not a refused connection. Then no more connections. The sockets' closing is the caller's.
 */
export async function drain(
  servers: readonly HttpServer[],
  sockets: readonly WebSocket[],
  graceMs: number,
): Promise<void> {
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.terminate();
  }, graceMs);
  await Promise.all(sockets.map(gone));
  clearTimeout(cut);
  const closed = servers.map((server) => new Promise<void>((done) => server.close(() => done())));
  for (const server of servers) server.closeIdleConnections();
  const end = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, PAGE_MS);
  await Promise.all(closed);
  clearTimeout(end);
}

function gone(socket: WebSocket): Promise<void> {
  return new Promise((done) => (socket.readyState === socket.CLOSED ? done() : socket.once('close', () => done())));
}
