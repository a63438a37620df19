import { Agent, type ClientRequest, type ClientRequestArgs, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import { connect as secure } from 'node:tls';
import { NO_TUNNEL } from '@hub/contract/proxy';
import type { Fetch } from './deps.ts';

type Init = Parameters<Fetch>[1];

/** Sends a request over a unix socket, which the `fetch` of Node cannot. */
export function fetchOverSocket(socketPath: string, url: string, init: Init): Promise<Response> {
  const { pathname, search } = new URL(url);
  return responseTo(init, (options) => request({ ...options, socketPath, path: pathname + search }));
}

/** Sends a request through a proxy, which the `fetch` of Node 20 cannot. */
export function fetchThroughProxy(proxy: string, url: string, init: Init): Promise<Response> {
  if (url.startsWith('https:')) {
    return responseTo(init, (options) => secureRequest(url, { ...options, agent: new TunnelAgent(proxy, true) }));
  }
  // Many proxies open tunnels only to the port of https, so plain http goes through the proxy itself.
  const headers = { host: new URL(url).host, ...proxyHeaders(proxy) };
  return responseTo(init, (options) =>
    toProxy(proxy, { ...options, path: url, headers: { ...options.headers, ...headers } }),
  );
}

/** Returns the agent for a WebSocket through a proxy. */
export function tunnelAgent(proxy: string, url: string): Agent {
  return new TunnelAgent(proxy, url.startsWith('wss:'));
}

function responseTo(init: Init, start: (options: ClientRequestArgs) => ClientRequest): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (body instanceof Blob) headers['content-length'] = String(body.size);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = start({ method, headers, ...(signal && { signal }) });
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    request.on('response', (received) => {
      const { statusCode: status = 0, headersDistinct } = received;
      const all = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const isEmpty = status === 204 || status === 304;
      if (isEmpty) received.resume();
      resolve(new Response(isEmpty ? null : (Readable.toWeb(received) as ReadableStream), { status, headers: all }));
    });
    const stream = body instanceof Blob ? body.stream() : body;
    if (stream instanceof ReadableStream)
      Readable.fromWeb(stream as never)
        .on('error', reject)
        .pipe(request);
    else request.end(stream ?? undefined);
  });
}

/** Opens connections with CONNECT (RFC 9110, section 9.3.6). */
class TunnelAgent extends Agent {
  constructor(
    private readonly proxy: string,
    private readonly isSecure: boolean,
  ) {
    super();
    Object.assign(this, { protocol: isSecure ? 'https:' : 'http:', defaultPort: isSecure ? 443 : 80 });
  }

  override createConnection(
    options: ClientRequestArgs & { servername?: string },
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { host, port, servername } = options;
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
    const fail = (error: Error) => done(error, undefined as never);
    try {
      const headers = { host: target, ...proxyHeaders(this.proxy) };
      const request = toProxy(this.proxy, { method: 'CONNECT', path: target, headers });
      request.on('error', fail);
      request.on('connect', ({ statusCode, statusMessage }, socket) => {
        if (statusCode === 200) {
          // Without the host, an IP address would be checked as `localhost`.
          const names = { ...(host && { host }), ...(servername && { servername }) };
          done(null, this.isSecure ? secure({ socket, ...names }) : socket);
          return;
        }
        socket.destroy();
        fail(Object.assign(new Error(`Proxy response ${statusCode} ${statusMessage}`), { code: NO_TUNNEL }));
      });
      request.end();
    } catch (error) {
      fail(error as Error);
    }
  }
}

function toProxy(proxy: string, options: ClientRequestArgs): ClientRequest {
  const { protocol, hostname, port } = new URL(proxy);
  const at = { hostname: hostname.replace(/^\[|\]$/g, ''), ...(port !== '' && { port }) };
  return (protocol === 'https:' ? secureRequest : request)({ protocol, ...options, ...at, agent: false });
}

function proxyHeaders(proxy: string): Record<string, string> {
  const { username, password } = new URL(proxy);
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
