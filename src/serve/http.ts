// The HTTP side of a server: who may become a WebSocket, /metrics and /healthz. Imported by serve/server.ts.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from './counts.ts';

/** What whoever connects asked for. */
export interface Asked {
  readonly room: string;
  /** The entity's name, when it was given one. */
  readonly name: string | undefined;
  /** Answers as JSON text. */
  readonly text: boolean;
  readonly address: string;
}

/** Rooms and names: what fits into metrics, logs and file names. */
const NAME = /^[\w.-]{1,32}$/;

/** Reads `/<room>?name=&form=json` (or `?room=`). Null when a name is none. */
export function readUrl(request: IncomingMessage, behindProxy: boolean): Asked | null {
  let url: URL;
  try {
    url = new URL(request.url ?? '/', 'http://server');
  } catch {
    return null;
  }
  const query = url.searchParams;
  const room = url.pathname.slice(1) || query.get('room') || 'lobby';
  const name = query.get('name') ?? undefined;
  if (!NAME.test(room) || (name !== undefined && !NAME.test(name))) return null;
  // the proxy's own word is the last one; those before it are the client's
  const forwarded = behindProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const address = last || request.socket.remoteAddress || 'unknown';
  return { room, name, text: query.get('form') === 'json', address };
}

const STATUS: Record<Refusal, string> = {
  full: '503 Service Unavailable',
  shutdown: '503 Service Unavailable',
  address: '429 Too Many Requests',
  room: '503 Service Unavailable',
  name: '409 Conflict',
};

/** Refuses an upgrade before it is one. */
export function refuse(socket: Duplex, why: Refusal | 'url'): void {
  const status = why === 'url' ? '400 Bad Request' : STATUS[why];
  const text = why === 'url' ? 'a room and a name have 1..32 letters, digits, ".", "_" or "-"' : why;
  // it may be gone already
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  setTimeout(() => socket.destroy(), 1000).unref();
}

/** What the HTTP side asks of the server. */
export interface Pages {
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
  health(): { readonly ok: boolean; readonly [field: string]: unknown };
}

/** A server for the two pages. Headers must come within ten seconds, and connections are counted. */
export function pages(at: Pages, maxConnections: number): HttpServer {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 15_000, maxHeaderSize: 8192 },
    (request, response) => {
      void answer(at, request, response);
    },
  );
  server.maxConnections = maxConnections;
  server.keepAliveTimeout = 5000;
  return server;
}

async function answer(at: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // nobody sends a body here
  request.resume();
  const path = (request.url ?? '/').split('?')[0];
  const say = (status: number, type: string, text: string): void => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') say(405, 'text/plain', 'GET only\n');
  else if (path === '/healthz') {
    const health = at.health();
    say(health.ok ? 200 : 503, 'application/json', `${JSON.stringify(health)}\n`);
  } else if (path === '/metrics') {
    try {
      const { type, text } = await at.metrics();
      say(200, type, text);
    } catch (error) {
      say(500, 'text/plain', `${(error as Error).message}\n`);
    }
  } else say(404, 'text/plain', 'ws://host:port/<room> is the game; /metrics and /healthz are pages\n');
}
