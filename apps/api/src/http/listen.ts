import { lookup } from 'node:dns/promises';
import type { Config } from '../config.ts';
import { StartError } from '../ops/start-error.ts';
import type { Clock, Log } from '../ports.ts';
import { adminSocketError, removeStaleSocket, withPrivateSocketMode } from './admin-socket.ts';
import { announce, type FetchHandler } from './announce-connection.ts';
import { trustedProxies } from './client-address.ts';
import { openPublicListener, type PublicListener, type ServeOptions } from './public-listener.ts';
import { publishTo } from './publish-to.ts';
import { readTlsPair } from './tls.ts';

const DRAIN_CHECK_MS = 20;

export interface ListenOptions<Data> {
  readonly config: Pick<Config, 'host' | 'port' | 'baseUrl' | 'tls' | 'trustedProxies' | 'adminSocket'>;
  /** Gets every request, after its connection was noted. It answers `undefined` after an upgrade to a WebSocket. */
  readonly fetch: FetchHandler<Data>;
  readonly websocket?: Bun.WebSocketHandler<Data>;
  /** Names the answers that the listener gives by itself. */
  readonly newRequestId: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Listener {
  /** Where this machine reaches the public listener, with the port that it really has. */
  readonly localUrl: string;
  readonly port: number;
  /**
   * Sends to all subscribers of a topic, whichever certificate they connected under, and to those on the admin socket. False
   * if one of them did not get it because too much waits for him already.
   */
  publish(topic: string, data: string, compress: boolean): boolean;
  /**
   * Takes no new public connection and lets running requests end, then the same on the admin socket, which until then
   * tells how far it is; both together at most for `graceMs`. Returns how many requests had to be cut off.
   */
  drain(graceMs: number): Promise<number>;
}

/** Starts the public listener and the admin socket. Throws a StartError if either cannot be had. */
export async function listen<Data = undefined>(options: ListenOptions<Data>): Promise<Listener> {
  const { config, clock, log } = options;
  const tls = config.tls && { files: config.tls, pair: readTlsPair(config.tls) };
  await removeStaleSocket(config.adminSocket);
  await resolveHost(config.host);

  const isTrustedProxy = trustedProxies(config.trustedProxies);
  const scheme = tls ? 'https' : 'http';
  const common = {
    development: false,
    // The app counts the bytes of a body itself, after it knows who sends it, and answers with a readable 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: options.websocket ?? { message() {} },
  } satisfies Partial<ServeOptions<Data>>;
  const { fetch, newRequestId } = options;
  const announcement = { fetch, newRequestId, clock, log, scheme, isTrustedProxy, baseUrl: config.baseUrl } as const;

  const open = openPublicListener<Data>({
    config,
    tls,
    clock,
    log,
    serve: { ...common, fetch: announce({ ...announcement, transport: 'public' }) },
  });
  const admin = await openAdminSocket(config.adminSocket, open, {
    ...common,
    fetch: announce({ ...announcement, transport: 'local', baseUrl: config.baseUrl ?? open.localUrl }),
  });

  return {
    localUrl: open.localUrl,
    port: open.port,
    publish: (topic, data, compress) => {
      const isComplete = open.publish(topic, data, compress);
      return publishTo(admin, topic, data, compress) && isComplete;
    },
    async drain(graceMs) {
      const deadline = clock.monotonic() + graceMs;
      return (await drain(open, clock, deadline)) + (await drain(admin, clock, deadline));
    },
  };
}

/** Bun binds to names too, but says nothing useful of one that it cannot resolve. */
async function resolveHost(host: string): Promise<void> {
  try {
    await lookup(host);
  } catch {
    throw new StartError(
      `${host} is not a name that this machine knows. Set HUB_HOST to 127.0.0.1, 0.0.0.0, :: or an address of this machine.`,
    );
  }
}

async function openAdminSocket<Data>(path: string, open: PublicListener, serve: ServeOptions<Data>) {
  try {
    // Bun's types know no idle timeout on a unix socket, but it has one, of 10 s, and ends long answers with it.
    const options = { ...serve, unix: path, idleTimeout: 0 } as unknown as Bun.Serve.Options<Data>;
    return withPrivateSocketMode(() => Bun.serve<Data>(options));
  } catch (error) {
    await open.stop(true);
    throw adminSocketError(error, path);
  }
}

/** The promise of a gentle `stop` waits for WebSockets too, as long as they please; requests alone are waited for. */
async function drain(
  server: { readonly pendingRequests: number; stop(closeActive?: boolean): Promise<void> },
  clock: Clock,
  deadline: number,
): Promise<number> {
  void server.stop();
  while (server.pendingRequests > 0 && clock.monotonic() < deadline) await clock.sleep(DRAIN_CHECK_MS);
  const cut = server.pendingRequests;
  await server.stop(true);
  return cut;
}

/**
 * The host if others could read what passes there, or null: no TLS here, none announced by an https HUB_BASE_URL, and a
 * listener that more than this machine can reach.
 */
export function plainHttpHost({ host, baseUrl, tls }: Pick<Config, 'host' | 'baseUrl' | 'tls'>): string | null {
  const isLoopback = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
  return isLoopback || tls || baseUrl?.startsWith('https:') ? null : host;
}

/** What is said at the start of such a host, or null. */
export function plainHttpWarning(config: Pick<Config, 'host' | 'baseUrl' | 'tls'>): string | null {
  const host = plainHttpHost(config);
  if (host === null) return null;
  return `HUB_HOST is ${host}, so others can reach this server, and it speaks plain HTTP: keys and passwords can be read on the way. Set HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE, or put a proxy with HTTPS in front and set HUB_BASE_URL to its https address.`;
}
