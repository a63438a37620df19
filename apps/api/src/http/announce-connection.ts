import { BlockList, isIP } from 'node:net';
import { PUBLIC_API_PATH } from '@hub/contract';
import type { AddressRange } from '../platform/config-schemas.ts';
import { AppError } from '../platform/errors.ts';
import type { Clock, Log } from '../platform/ports.ts';
import { errorResponse } from './error-response.ts';
import { beginRequest, type Connection, isUnder, type RequestContext, requestPath } from './request-context.ts';
import { omitOpenerPolicy, RESPONSE_HEADERS, requireHttps } from './response-headers.ts';

/** A client that is idle or does not read is disconnected after 12 to 16 seconds: Bun counts in four-second steps. */
export const QUIET_SECONDS = 16;
/** Longer than the 60 s of common load balancers, so that they close an idle connection first. */
const PROXY_QUIET_SECONDS = 75;

/** Bun handles all that it reads from a connection in one turn: more requests at once would delay all others. */
const MAX_PIPELINED = 100;

export type FetchHandler = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** Bun calls it with each request. */
export type AnnouncedHandler<Data> = (request: Request, server: Bun.Server<Data>) => Promise<Response | undefined>;

/** Called with every response of the app. */
export type ResponseObserver = (request: Request, context: RequestContext, response: Response) => void;

export interface AnnounceOptions {
  /** Returns `undefined` after an upgrade to a WebSocket. */
  readonly fetch: FetchHandler;
  readonly observe?: ResponseObserver | undefined;
  readonly transport: Connection['transport'];
  readonly scheme: 'http' | 'https';
  readonly baseUrl: string | null;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Once aborted, each response closes its connection. */
  readonly closing: AbortSignal;
  /** Used for responses that do not come from the app, since every response has a request id. */
  readonly newRequestId: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Records the connection of each request, and passes it to the app. Responds with 500 if the app throws. */
export function announce<Data>(options: AnnounceOptions): AnnouncedHandler<Data> {
  const { fetch, observe, clock, log } = options;
  const reject = (request: Request, reason: AppError | 'internal', requestId: string): Response => {
    const response = errorResponse(request, reason, clock);
    for (const [name, value] of Object.entries({ ...RESPONSE_HEADERS, 'x-request-id': requestId })) {
      response.headers.set(name, value);
    }
    return response;
  };
  const fail = (request: Request, error: unknown): Response => {
    const requestId = options.newRequestId();
    log.error({ err: error, requestId }, 'Unhandled error outside the app');
    return reject(request, 'internal', requestId);
  };

  const isPipelining = pipeliningCheck();
  return async (received, server) => {
    const peer = options.transport === 'public' ? server.requestIP(received) : null;
    if (peer !== null && isPipelining(peer.port)) {
      return reject(received, tooManyPipelined(), options.newRequestId());
    }
    const host = received.headers.get('host');
    const request = host !== null && isValidHost(host) ? received : withUsableUrl(received, options);
    if (host !== null && request !== received) {
      const failure = new AppError('invalid', 'The Host header must be a host name with an optional port.');
      return reject(request, failure, options.newRequestId());
    }
    const context = beginRequest(
      request,
      describe(received, host ?? 'localhost', peer?.address, server, options),
      received,
    );
    let response: Response | undefined;
    try {
      response = await fetch(request);
      if (!response || context.isUpgraded) return undefined;
      observe?.(request, context, response);
    } catch (error) {
      response = fail(request, error);
    }
    context.responded();
    if (options.closing.aborted) response.headers.set('connection', 'close');
    if (mayBeHttps(received, options)) requireHttps(response, context.origin);
    // No response of the public API is a page, so posts do not have to look.
    const isPage = !isUnder(context.path, PUBLIC_API_PATH) && response.headers.has('cross-origin-opener-policy');
    return isPage ? omitOpenerPolicy(response, context.origin) : response;
  };
}

/** Returns a function that counts a request of a connection, and tells whether it is one too many for this turn. */
function pipeliningCheck(): (peerPort: number) => boolean {
  // The port alone tells connections apart: two with the same one, each sending dozens in the same turn, are too unlikely.
  const counts = new Map<number, number>();
  const endTurn = (): void => counts.clear();
  return (peerPort) => {
    if (counts.size === 0) setImmediate(endTurn);
    const count = (counts.get(peerPort) ?? 0) + 1;
    counts.set(peerPort, count);
    return count > MAX_PIPELINED;
  };
}

/** Closes the connection, so that Bun drops what else it has read. */
function tooManyPipelined(): AppError {
  return new AppError('unavailable', 'This connection sent too many requests at once. Wait for responses.', {
    connection: 'close',
    'retry-after': '1',
  });
}

/** Gives a request a URL that a router can read. Without a valid Host header (some health checks), Bun has none. */
function withUsableUrl(request: Request, { scheme, baseUrl }: AnnounceOptions): Request {
  const path = request.url.startsWith('/') ? request.url : requestPath(request);
  return new Request(`${baseUrl ?? `${scheme}://localhost`}${path}`, request);
}

/** Whether a request may have used HTTPS. This cheap check saves plain HTTP the cost of working out the origin. */
function mayBeHttps(request: Request, { transport, scheme, baseUrl }: AnnounceOptions): boolean {
  if (transport === 'local') return false;
  if ((baseUrl ?? scheme).startsWith('https')) return true;
  return baseUrl === null && request.headers.has('x-forwarded-proto');
}

function describe<Data>(
  request: Request,
  host: string,
  peer: string | undefined,
  server: Bun.Server<Data>,
  { transport, scheme, baseUrl, isTrustedProxy, clock }: AnnounceOptions,
): Connection {
  const startedAt = clock.monotonic();
  if (transport === 'local') {
    return { transport, address: 'local', origin: baseUrl ?? `${scheme}://localhost`, startedAt, server };
  }
  // Unknown if the client has already disconnected.
  const direct = peer === undefined ? 'unknown' : (canonicalAddress(peer) ?? peer);
  const isProxied = isTrustedProxy(direct);
  const proto = isProxied ? request.headers.get('x-forwarded-proto') : null;
  return {
    transport,
    address: isProxied ? clientAddress(direct, request.headers.get('x-forwarded-for'), isTrustedProxy) : direct,
    origin: baseUrl ?? (() => requestOrigin(scheme, host, proto)),
    startedAt,
    server,
    quietSeconds: isProxied ? PROXY_QUIET_SECONDS : QUIET_SECONDS,
  };
}

/** A host with an optional port (RFC 9112, section 3.2), with stricter rules for the characters of a name. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::(\d{1,5}))?$/;

/** Whether a host is valid. False for an invalid address such as `256.1.1.1`, which cannot be part of a URL. */
export function isValidHost(host: string): boolean {
  if (host === lastValidHost) return true;
  const match = HOST.exec(host);
  if (match === null || Number(match[1] ?? 0) > 65_535 || !URL.canParse(`http://${host}`)) return false;
  lastValidHost = host;
  return true;
}

/** Nearly all requests name the same host, which need not be parsed each time. */
let lastValidHost = '';

/**
 * Returns the scheme and host that the client used. `forwardedProto` comes from a trusted proxy only. Of a list, the
 * outermost proxy wrote the first entry. Some proxies name a WebSocket's own scheme.
 */
export function requestOrigin(scheme: 'http' | 'https', host: string, forwardedProto: string | null): string {
  const proto = forwardedProto?.split(',')[0]?.trim().toLowerCase();
  const isSecure = proto === 'https' || proto === 'wss' || (scheme === 'https' && proto !== 'http' && proto !== 'ws');
  const ownScheme = isSecure ? 'https' : 'http';
  return URL.parse(`${ownScheme}://${host}`)?.origin ?? `${ownScheme}://${host}`;
}

/** Whether the `X-Forwarded-…` headers from this address are trusted. */
type IsTrustedProxy = (address: string) => boolean;

export function trustedProxies(ranges: readonly AddressRange[]): IsTrustedProxy {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, prefixBits, family } of ranges) list.addSubnet(address, prefixBits, family);
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns the client's address: `X-Forwarded-For` is read from the right, while the hops are trusted proxies, since
 * entries further left can be forged. If an entry is no address, the direct peer is returned.
 */
export function clientAddress(peer: string, forwardedFor: string | null, isTrusted: IsTrustedProxy): string {
  const direct = canonicalAddress(peer) ?? peer;
  if (forwardedFor === null || !isTrusted(direct)) return direct;
  let address = direct;
  for (const entry of forwardedFor.split(',').reverse()) {
    const hop = canonicalAddress(withoutPort(entry.trim()));
    if (hop === null) return direct;
    address = hop;
    if (!isTrusted(hop)) break;
  }
  return address;
}

/** Removes the port that some proxies add: `192.0.2.7:51234` or `[2001:db8::7]:51234`. */
function withoutPort(entry: string): string {
  const match = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}

/** Returns an address in canonical spelling (RFC 5952), without a zone, one mapped into IPv6 as IPv4, or null. */
export function canonicalAddress(text: string): string | null {
  const cached = recent.get(text);
  if (cached !== undefined) return cached;
  const address = canonicalSpelling(text);
  // A header can hold anything.
  if (text.length > MAX_RECENT_CHARACTERS) return address;
  if (recent.size >= MAX_RECENT) recent.clear();
  recent.set(text, address);
  return address;
}

/** Most requests come from a few addresses, which need not be parsed each time. */
const recent = new Map<string, string | null>();
const MAX_RECENT = 1_000;
const MAX_RECENT_CHARACTERS = 64;

function canonicalSpelling(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0) return null;
  const dotted = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : '';
  if (isIP(dotted) === 4) return dotted;
  const url = URL.parse(`http://[${text.split('%')[0]}]`);
  if (!url) return null;
  const address = url.hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (!mapped) return address;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
