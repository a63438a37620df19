import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Changes } from './concurrency.ts';
import { testFolder } from './test-folder.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Responds to the nth request, counted from 1. */
type Respond = (request: Received, number: number) => Response | Promise<Response>;

/**
 * Starts a server that records requests, and responds as the test says, also as the real one never does; by default with
 * a valid 201. It listens on TCP and on a socket.
 */
export function startScriptedServer(respond: Respond = () => created()) {
  const dataDir = testFolder('hub-scripted-');
  const requests: Received[] = [];
  const changes = new Changes();
  let response = respond;
  const fetch = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const { pathname, search } = new URL(url);
    const received = { method, url, path: pathname + search, headers, body: await request.text() };
    requests.push(received);
    changes.happened();
    return await response(received, requests.length);
  };
  const socketPath = join(dataDir, 'admin.sock');
  const socket = Bun.serve({ unix: socketPath, fetch });
  const tcp = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  const stop = async (): Promise<void> => {
    await Promise.all([socket.stop(true), tcp.stop(true)]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    dataDir,
    socketPath,
    url: `http://127.0.0.1:${tcp.port}`,
    port: Number(tcp.port),
    /** All requests so far. */
    requests,
    /** Sets the response to the next requests. */
    respondWith: (next: Respond) => {
      response = next;
    },
    /** Resolves once `count` requests have arrived. */
    received: (count: number) => changes.until(() => requests.length >= count),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The result of every post, valid for all three kinds. */
export const DATA = { id: 'msg_1', conversationId: 'cnv_1', bucketId: 'bkt_1', createdAt: '2026-03-01T09:30:00.000Z' };

export function created(headers: Record<string, string> = {}): Response {
  return Response.json({ success: true, data: DATA }, { status: 201, headers });
}

/** Returns an error response with the error body of a Hub server. */
export function errorResponse(
  statusCode: number,
  message = 'Rejected.',
  headers: Record<string, string> = {},
): Response {
  const body = { statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path: '/api/public/v1/messages' };
  return Response.json(body, { status: statusCode, headers: { 'x-request-id': 'req_1', ...headers } });
}

/** Starts a server that accepts every post, and reports its base URL as a local server does. */
export function startPostingServer() {
  const about = { name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' };
  return startScriptedServer(({ method }) => (method === 'GET' ? Response.json(about) : created()));
}
