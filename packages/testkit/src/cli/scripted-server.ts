import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../test-folder.ts';

/** Starts a server with scripted responses that the real one never sends. It listens on a socket and on TCP. */
export function startScriptedServer(response: (request: Request) => Response | Promise<Response>) {
  const dataDir = testFolder('hubctl-test-');
  const requests: { method: string; path: string; headers: Headers; body: string }[] = [];
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    requests.push({
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.text(),
    });
    return await response(request);
  };
  const socketPath = join(dataDir, 'admin.sock');
  const socket = Bun.serve({ unix: socketPath, fetch });
  const tcp = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  return {
    dataDir,
    socketPath,
    url: `http://127.0.0.1:${tcp.port}`,
    /** All requests so far. */
    requests,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([socket.stop(true), tcp.stop(true)]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function errorResponse(statusCode: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path: '/api/v1' };
  return Response.json(body, { status: statusCode, headers: { 'x-request-id': 'req_1', ...headers } });
}

/** The result of every post. */
export const DATA = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

/** Starts a server that accepts every post, and reports its base URL as a local server does. */
export function startPostingServer() {
  return startScriptedServer((request) =>
    request.method === 'GET'
      ? Response.json({ name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' })
      : Response.json({ success: true, data: DATA }, { status: 201 }),
  );
}
