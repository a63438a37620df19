import type { Access, Turn } from '@hub/contract/operations/operation';
import type { Caller } from '../access/caller.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Release } from '../platform/fair-gate.ts';
import type { KeyCredential } from '../storage/keys.ts';
import type { BodyWatch } from './body-watch.ts';

interface PostedItem {
  readonly hubId: string;
  readonly itemId: string;
  readonly seq: number;
  /** Returns how many live views have got the item's event; `null` if it is not published yet. */
  readonly countViews: () => number | null;
}

/** The part of Bun's server used here, whatever the data of its WebSockets. */
interface UpgradingServer {
  upgrade(request: Request, options: never): boolean;
  timeout(request: Request, seconds: number): void;
}

/** How a request reached the server. */
export interface Connection {
  /** `local` is the admin socket, authenticated by its file mode; `public` is the TCP listener. */
  readonly transport: 'public' | 'local';
  /** The client's address (behind a configured proxy, the one that it reports); `local` for the socket. */
  readonly address: string;
  /** The scheme and host that the client used: `https://hub.example.org`. A function if computing it is expensive. */
  readonly origin: string | (() => string);
  readonly startedAt: number;
  /** The server that can turn this request into a WebSocket and sets its timeout. */
  readonly server?: UpgradingServer | undefined;
  /** The idle timeout of the connection while the server does not work on a request. If omitted, there is none. */
  readonly quietSeconds?: number;
}

/** Facts about a request beyond its content. The listener creates it, and each step adds what it finds out. */
export class RequestContext {
  readonly transport: Connection['transport'];
  readonly address: string;
  readonly startedAt: number;
  requestId = '';
  /** The path as sent, see `requestPath`. */
  readonly path: string;
  #bodies: BodyWatch | undefined;
  /** The key of the request, set by the public gate. */
  key: KeyCredential | undefined;
  /** The `RateLimit` field of the response, set by the public gate for every key that it knows. */
  rateLimit: string | undefined;
  /** The caller, set by the gate of the workspace API. */
  caller: Caller | undefined;
  /** The access rule of the route, set once it was checked. */
  access: Access | undefined;
  /** Authorizes the caller again after a slow body or response. Set by the gate of the workspace API. */
  reauthorize: (() => Promise<void>) | undefined;
  /** Called when the body has arrived, before it is parsed. Set by the gates. */
  bodyArrived: (() => Promise<void>) | undefined;
  /** Throws unless the caller has recently confirmed their password. Set by the gate, as `reauthorize` is. */
  requireConfirmed: (() => Promise<void>) | undefined;
  /**
   * Waits for the turn of this request among those of its user, and authorizes them again if that took time. If the
   * handler reads a body, the wait begins when it has arrived. Set by the gate; not for the local admin.
   */
  takeTurn: ((turn: Turn, options: { readsBody: boolean }) => Promise<void>) | undefined;
  /** Called when the response is ready. */
  #held: Release[] | undefined;
  /** The error code if the request was rejected; `internal` for a bug. */
  error: ErrorCode | 'internal' | null = null;
  posted: PostedItem | undefined;
  isUpgraded = false;
  readonly #request: Request;
  readonly #server: Connection['server'];
  readonly #origin: Connection['origin'];
  #quietSeconds: number | undefined;

  constructor(
    request: Request,
    path: string,
    { transport, address, origin, startedAt, server, quietSeconds }: Connection,
  ) {
    this.transport = transport;
    this.address = address;
    this.startedAt = startedAt;
    this.path = path;
    this.#request = request;
    this.#server = server;
    this.#origin = origin;
    this.#quietSeconds = quietSeconds;
    // While the server works on the request, an idle connection is not the sender's fault. Slow bodies have their own
    // limit.
    if (quietSeconds !== undefined) server?.timeout(request, 0);
  }

  begin(requestId: string, bodies: BodyWatch): void {
    this.requestId = requestId;
    this.#bodies = bodies;
  }

  /** Times out bodies that arrive too slowly. */
  get bodies(): BodyWatch {
    if (!this.#bodies) throw new Error('The request did not come through the app');
    return this.#bodies;
  }

  /** Whether `HUB_BASE_URL` decides the origin, not the headers of the request. */
  get isOriginConfigured(): boolean {
    return typeof this.#origin === 'string';
  }

  get origin(): string {
    return typeof this.#origin === 'string' ? this.#origin : this.#origin();
  }

  /** Whether the route needs no authentication, so that no caller is accountable for the memory it uses. */
  get isOpen(): boolean {
    return this.access === 'anyone';
  }

  /** Completes the handshake (RFC 6455, section 4.2.2) with these headers. Returns false if the request is none. */
  upgrade(data: unknown, headers: Record<string, string>): boolean {
    this.isUpgraded = this.#server?.upgrade(this.#request, { data, headers } as never) ?? false;
    return this.isUpgraded;
  }

  /** Gives back what this request uses when its response is ready. */
  hold(release: Release): void {
    this.#held ??= [];
    this.#held.push(release);
  }

  /** Disables the idle timeout for this response: the caller handles stalls itself. */
  holdOpen(): void {
    this.#quietSeconds = undefined;
  }

  /** Called when the response is ready: from then on the idle timeout applies. */
  responded(): void {
    if (this.#held) for (const release of this.#held) release();
    if (this.#quietSeconds !== undefined) this.#server?.timeout(this.#request, this.#quietSeconds);
  }
}

const contexts = new WeakMap<Request, RequestContext>();

/** Records how a request has arrived, and makes it routable. `received` is the server's own, if the app sees a copy. */
export function beginRequest(request: Request, connection: Connection, received = request): RequestContext {
  makeRoutable(request);
  const context = new RequestContext(received, requestPath(request), connection);
  contexts.set(request, context);
  return context;
}

/** Returns the context of a request. Throws if no listener recorded it, which is a bug and must never grant trust. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('The request did not come through a listener');
  return context;
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750), or `null`. Tokens in URLs end up in logs: ignored. */
export function bearerToken(headers: Headers): string | null {
  const value = headers.get('authorization');
  if (value === null || !/^bearer /i.test(value)) return null;
  return value.slice('bearer '.length).trim() || null;
}

/** Elysia searches for the first slash of the path from this index of the URL. */
const ELYSIA_LOOKS_FROM = 11;

/** Returns the path without query and fragment, not decoded: `/%6dessages` is not `/messages` to gate and router. */
export function requestPath(request: Request): string {
  const { url } = request;
  const start = pathStart(url);
  if (start === -1) return '/';
  const path = url.slice(start);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/**
 * Gives a request with a host of three letters or fewer a URL in which Elysia finds the same path as the gates. Elysia
 * skips eleven characters, and would read `http://x/zzz/api/v1/hubs` as `/api/v1/hubs`, unchecked by any gate.
 */
export function makeRoutable(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  if (start !== -1 && start < ELYSIA_LOOKS_FROM) {
    Object.defineProperty(request, 'url', { value: `http://short-host.invalid${url.slice(start)}` });
  }
  return request;
}

/** Whether `path` is `prefix` or is under it. */
export function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('://') + 3);
}

/** Returns a pattern for the paths of a route as it is written in Elysia: `/api/v1/hubs/:hubId`, `/files/*`. */
export function routePattern(path: string): RegExp {
  const literal = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replace(/:[^/]+/g, '[^/]+')}$`);
}

/** Returns a function for the methods of a path, which tells a wrong method (405) from an unknown path (404). */
export function allowedMethods(routes: readonly { method: string; path: string }[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: routePattern(path) }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    // Elysia handles HEAD wherever there is a GET.
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)))];
  };
}
