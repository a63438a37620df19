export interface Received {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

type HubResponse = (request: Received, number: number) => Response | Promise<Response>;

/** Starts a real HTTP server that records requests and responds as the test says, by default with a valid 201. */
export function startScriptedServer(port = 0) {
  const requests: Received[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];
  let response: HubResponse = () => created();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const received = { method: request.method, path: pathname, headers: request.headers, body: await request.text() };
      requests.push(received);
      const reached = watchers.filter(({ count }) => requests.length >= count);
      watchers = watchers.filter((watcher) => !reached.includes(watcher));
      for (const { resolve } of reached) resolve();
      return await response(received, requests.length);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: Number(server.port),
    requests,
    /** Sets the response to the next requests, which are numbered from 1. */
    respondWith: (next: HubResponse) => {
      response = next;
    },
    /** Resolves once `count` requests have arrived. */
    received: (count: number): Promise<void> =>
      requests.length >= count ? Promise.resolve() : new Promise((resolve) => watchers.push({ count, resolve })),
    stop: () => server.stop(true),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Returns a 201 that is valid for all three kinds. */
export function created(headers: Record<string, string> = {}): Response {
  const data = { id: 'id_1', conversationId: 'cnv_1', bucketId: 'bkt_1', createdAt: '2026-03-01T09:30:00.000Z' };
  return Response.json({ success: true, data }, { status: 201, headers });
}

/** Returns an error response with the error body of a Hub server. */
export function errorResponse(
  statusCode: number,
  headers: Record<string, string> = {},
  message = 'Rejected.',
): Response {
  const body = { statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path: '/api/public/v1/messages' };
  return Response.json(body, { status: statusCode, headers: { 'x-request-id': 'req_1', ...headers } });
}
