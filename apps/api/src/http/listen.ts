import { lookup } from 'node:dns/promises';
import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { Config } from '../platform/config.ts';
import { causeOf, StartError } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import { type AnnounceOptions, announce, trustedProxies } from './announce-connection.ts';
import { openPublicListener, type PublicListener, readTlsPair, type ServeOptions } from './public-listener.ts';

const DRAIN_CHECK_MS = 20;

export interface ListenOptions<Data>
  extends Pick<AnnounceOptions, 'fetch' | 'observe' | 'newRequestId' | 'clock' | 'log'> {
  readonly config: Pick<Config, 'host' | 'port' | 'baseUrl' | 'tls' | 'trustedProxies' | 'adminSocket'>;
  readonly websocket?: Bun.WebSocketHandler<Data>;
}

export type Listener = Awaited<ReturnType<typeof listen>>;

/** Starts the public listener and the admin socket. Throws a StartError if either cannot be opened. */
export async function listen<Data = undefined>(options: ListenOptions<Data>) {
  const { config, clock, log } = options;
  const tls = config.tls && { files: config.tls, pair: readTlsPair(config.tls) };
  await removeStaleSocket(config.adminSocket);
  await resolveHost(config.host);

  const isTrustedProxy = trustedProxies(config.trustedProxies);
  const scheme = tls ? 'https' : 'http';
  const common = {
    development: false,
    // The app enforces the body limit itself, once it knows the sender, and responds with a readable 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: options.websocket ?? { message() {} },
  } satisfies Partial<ServeOptions<Data>>;
  const closing = new AbortController();
  const announcement = {
    ...options,
    scheme,
    isTrustedProxy,
    baseUrl: config.baseUrl,
    closing: closing.signal,
  } as const;

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
    /** The URL of the public listener on this machine, with the actual port. */
    localUrl: open.localUrl,
    port: open.port,
    certificate: open.certificate,
    /** Sends to all subscribers of a topic, on the admin socket and from before a certificate change, too. */
    publish: (topic: string, data: string, compress: boolean): void => {
      open.publish(topic, data, compress);
      admin.publish(topic, data, compress);
    },
    /** From now on, each response on the public listener closes its connection: proxies then reuse none that is about to end. */
    closeAfterResponses: () => closing.abort(),
    /**
     * Stops accepting public connections and waits for running requests; then the same on the admin socket, which reports
     * progress meanwhile. Takes at most `graceMs`, and returns the number of aborted requests.
     */
    async drain(graceMs: number): Promise<number> {
      const deadline = clock.monotonic() + graceMs;
      return (await drain(open, clock, deadline)) + (await drain(admin, clock, deadline));
    },
  };
}

/** Checks that a host name resolves, because Bun's error for an unknown host name is not helpful. */
async function resolveHost(host: string): Promise<void> {
  try {
    await lookup(host);
  } catch {
    throw new StartError(
      `${host} cannot be resolved on this machine. Set HUB_HOST to 127.0.0.1, 0.0.0.0, :: or an address of this machine.`,
    );
  }
}

async function openAdminSocket<Data>(path: string, open: PublicListener, serve: ServeOptions<Data>) {
  try {
    // Bun's types have no idle timeout for unix sockets, but there is one of 10 s, which would cut off long responses.
    const options = { ...serve, unix: path, idleTimeout: 0 } as unknown as Bun.Serve.Options<Data>;
    return withPrivateSocketMode(() => Bun.serve<Data>(options));
  } catch (error) {
    await open.stop(true);
    throw adminSocketError(error, path);
  }
}

/** Waits for requests only: the promise of a graceful `stop` also waits for WebSockets, without a limit. */
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

/** Returns the host if other machines can reach it without TLS, of this server or of a proxy (HUB_BASE_URL). */
export function plainHttpHost({ host, baseUrl, tls }: Pick<Config, 'host' | 'baseUrl' | 'tls'>): string | null {
  const isLoopback = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
  return isLoopback || tls || baseUrl?.startsWith('https:') ? null : host;
}

/** Returns the start-up warning for plain HTTP, or null. */
export function plainHttpWarning(config: Pick<Config, 'host' | 'baseUrl' | 'tls'>): string | null {
  const host = plainHttpHost(config);
  if (host === null) return null;
  return `HUB_HOST is ${host}, so other machines can reach this server, but it uses plain HTTP: keys and passwords can be intercepted. Set HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE, or put a proxy with HTTPS in front and set HUB_BASE_URL to its https address.`;
}

/**
 * Runs `bind` so that the unix socket it creates has mode 0600 from the start: bind(2) takes the mode from the umask,
 * and a later chmod would leave a gap. `bind` must be synchronous, because the umask belongs to the whole process.
 */
export function withPrivateSocketMode<T>(bind: () => T): T {
  const before = process.umask(0o177);
  try {
    return bind();
  } finally {
    process.umask(before);
  }
}

/** Removes a socket that a killed server left behind. Throws a StartError if the path is in use or not a socket. */
export async function removeStaleSocket(path: string): Promise<void> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isSocket()) {
    throw new StartError(
      `${path} cannot be used for the admin socket: another file is already there. Move that file, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  const response = await probeSocket(path);
  if (response === 'ENOENT') return;
  if (response === 'ECONNREFUSED') return unlinkSync(path);
  if (response === 'connected') {
    throw new StartError(
      `Another server is already listening on the admin socket ${path}. Stop it, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  throw new StartError(
    `Cannot check the existing admin socket ${path}: ${response}. Remove the file, or set HUB_ADMIN_SOCKET to another path.`,
  );
}

function probeSocket(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error) => resolve(causeOf(error)));
  });
}

/** Returns a StartError that says why the socket cannot be created, and what to do. */
export function adminSocketError(error: unknown, path: string): StartError {
  const reasons: Record<string, string> = {
    ENOENT: 'its directory does not exist. Create it',
    EACCES: 'this user cannot write to its directory. Change the permissions of the directory',
    EROFS: 'its directory is on a read-only file system. Mount it writable',
    ENAMETOOLONG: 'the path is too long for a socket. Choose a shorter one',
  };
  const reason = reasons[causeOf(error)] ?? `${causeOf(error)}. Fix the path`;
  return new StartError(`Cannot create the admin socket ${path}: ${reason}, or set HUB_ADMIN_SOCKET to another path.`);
}
