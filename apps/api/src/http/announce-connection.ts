import { AppError } from '../core/errors.ts';
import type { Clock, Log } from '../core/ports.ts';
import { canonicalAddress, clientAddress, type IsTrustedProxy } from './client-address.ts';
import { type Connection, ServerConnection, setConnection } from './connection.ts';
import { errorResponse } from './error-response.ts';
import { isValidHost, requestOrigin } from './request-origin.ts';
import { requestPath } from './request-path.ts';
import { omitOpenerPolicy, RESPONSE_HEADERS, requireHttps } from './response-headers.ts';

/** A client that is idle or does not read is disconnected after 12 to 16 seconds: Bun counts in four-second steps. */
export const QUIET_SECONDS = 16;
/**
 * Longer than the 60 s for which common load balancers keep an idle connection, so that the balancer closes it first.
 */
const PROXY_QUIET_SECONDS = 75;

export type FetchHandler<Data> = (
  request: Request,
  server: Bun.Server<Data>,
) => Response | undefined | Promise<Response | undefined>;

export interface AnnounceOptions<Data> {
  readonly fetch: FetchHandler<Data>;
  readonly transport: Connection['transport'];
  readonly scheme: 'http' | 'https';
  readonly baseUrl: string | null;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Used for responses that do not come from the app, since every response has a request id. */
  readonly newRequestId: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Records the connection of each request, then passes it to the app. Responds with 500 to anything that the app throws.
 */
export function announce<Data>(options: AnnounceOptions<Data>): FetchHandler<Data> {
  const { fetch, clock, log } = options;
  const reject = (request: Request, reason: AppError | 'internal', requestId: string): Response => {
    const response = errorResponse(request, reason, clock);
    for (const [name, value] of Object.entries({ ...RESPONSE_HEADERS, 'x-request-id': requestId })) {
      response.headers.set(name, value);
    }
    return response;
  };

  return (received, server) => {
    const host = received.headers.get('host');
    const request = host !== null && isValidHost(host) ? received : withUsableUrl(received, options);
    if (host !== null && request !== received) {
      const failure = new AppError('invalid', 'The Host header must be a host name with an optional port.');
      return reject(request, failure, options.newRequestId());
    }
    const connection = describe(received, host ?? 'localhost', server, options);
    setConnection(request, connection);

    const isHttps = mayBeHttps(received, options);
    const finish = (response: Response | undefined): Response | undefined => {
      if (!response) return response;
      connection.responded();
      if (isHttps) requireHttps(response, connection.origin);
      return response.headers.has('cross-origin-opener-policy')
        ? omitOpenerPolicy(response, connection.origin)
        : response;
    };
    const fail = (error: unknown): Response => {
      const requestId = options.newRequestId();
      log.error({ err: error, requestId }, 'Unhandled error outside the app');
      return reject(request, 'internal', requestId);
    };
    try {
      const response = fetch(request, server);
      return response instanceof Promise ? response.catch(fail).then(finish) : finish(response);
    } catch (error) {
      return finish(fail(error));
    }
  };
}

/**
 * Gives a request a URL that a router can read. If the Host header is missing (as with HTTP/1.0, which some proxies use
 * for health checks) or invalid, Bun provides only the path, or a URL that cannot be parsed.
 */
function withUsableUrl<Data>(request: Request, { scheme, baseUrl }: AnnounceOptions<Data>): Request {
  const path = request.url.startsWith('/') ? request.url : requestPath(request);
  return new Request(`${baseUrl ?? `${scheme}://localhost`}${path}`, request);
}

/** Whether a request may have used HTTPS. This cheap check saves plain HTTP the cost of working out the origin. */
function mayBeHttps<Data>(request: Request, { transport, scheme, baseUrl }: AnnounceOptions<Data>): boolean {
  if (transport === 'local') return false;
  if ((baseUrl ?? scheme).startsWith('https')) return true;
  return baseUrl === null && request.headers.has('x-forwarded-proto');
}

function describe<Data>(
  request: Request,
  host: string,
  server: Bun.Server<Data>,
  { transport, scheme, baseUrl, isTrustedProxy }: AnnounceOptions<Data>,
): ServerConnection<Data> {
  if (transport === 'local') {
    return new ServerConnection(request, server, {
      transport,
      address: 'local',
      origin: baseUrl ?? `${scheme}://localhost`,
    });
  }
  // Null if the client has already disconnected.
  const peer = server.requestIP(request)?.address ?? 'unknown';
  const isProxied = isTrustedProxy(canonicalAddress(peer) ?? peer);
  const proto = isProxied ? request.headers.get('x-forwarded-proto') : null;
  return new ServerConnection(request, server, {
    transport,
    address: clientAddress(peer, isProxied ? request.headers.get('x-forwarded-for') : null, isTrustedProxy),
    origin: baseUrl ?? (() => requestOrigin(scheme, host, proto)),
    quietSeconds: isProxied ? PROXY_QUIET_SECONDS : QUIET_SECONDS,
  });
}
