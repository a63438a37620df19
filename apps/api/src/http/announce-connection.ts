import { AppError } from '../errors.ts';
import type { Clock, Log } from '../ports.ts';
import { canonicalAddress, clientAddress, type IsTrustedProxy } from './client-address.ts';
import { type Connection, noteConnection, upgradable } from './connection.ts';
import { errorResponse } from './error-response.ts';
import { isValidHost, requestOrigin } from './request-origin.ts';
import { requestPath } from './request-path.ts';
import { omitUnheeded, RESPONSE_HEADERS, requireHttps } from './response-headers.ts';

/** Somebody who says nothing, or takes nothing of his answer, is cut off after 12 to 16 seconds: Bun counts in fours. */
export const QUIET_SECONDS = 16;
/** Above the 60 s for which common load balancers keep a quiet connection, so that the balancer is the one to end it. */
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
  /** For the answers that the app has no part in: every answer carries an id. */
  readonly newRequestId: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Notes for each request how it came, then hands it to the app. An answer is given whatever the app throws. */
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
    const { connection, quietSeconds } = describe(received, host ?? 'localhost', server, options);
    const noted = upgradable(received, server, connection, quietSeconds);
    noteConnection(request, noted);

    const isHttps = mayBeHttps(received, options);
    const finish = (response: Response | undefined): Response | undefined => {
      if (!response) return response;
      noted.responded();
      if (isHttps) requireHttps(response, connection.origin);
      return response.headers.has('cross-origin-opener-policy') ? omitUnheeded(response, connection.origin) : response;
    };
    const fail = (error: unknown): Response => {
      const requestId = options.newRequestId();
      log.error({ err: error, requestId }, 'A request failed outside of the app');
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
 * Without a Host header (HTTP/1.0, which health checks of some proxies speak) or with one that is no host, Bun gives
 * the path alone as the URL, or one that cannot be parsed; no router can take either.
 */
function withUsableUrl<Data>(request: Request, { scheme, baseUrl }: AnnounceOptions<Data>): Request {
  const path = request.url.startsWith('/') ? request.url : requestPath(request);
  return new Request(`${baseUrl ?? `${scheme}://localhost`}${path}`, request);
}

/** Spares the answers over plain HTTP the work of finding out how their requests were sent. */
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
): { connection: Connection; quietSeconds: number | null } {
  if (transport === 'local') {
    const origin = baseUrl ?? `${scheme}://localhost`;
    return { connection: { transport, address: 'local', origin }, quietSeconds: null };
  }
  // Null if the client has hung up already.
  const peer = server.requestIP(request)?.address ?? 'unknown';
  const isProxied = isTrustedProxy(canonicalAddress(peer) ?? peer);
  const address = clientAddress(peer, isProxied ? request.headers.get('x-forwarded-for') : null, isTrustedProxy);
  const proto = isProxied ? request.headers.get('x-forwarded-proto') : null;
  return {
    quietSeconds: isProxied ? PROXY_QUIET_SECONDS : QUIET_SECONDS,
    connection: {
      transport,
      address,
      // Few requests ask for it, so that the rest are spared the work.
      get origin() {
        return baseUrl ?? requestOrigin(scheme, host, proto);
      },
    },
  };
}
