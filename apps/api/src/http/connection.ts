/** How a request reached the server. The listener records it before the app sees the request. */
export interface Connection {
  /** `local` is the admin socket, authenticated by its file mode; `public` is the TCP listener. */
  readonly transport: 'public' | 'local';
  /** The client's address (behind a configured proxy, the one that it reports); `local` for the socket. */
  readonly address: string;
  /** The scheme and host that the client used, for links and the Origin check: `https://hub.example.org`. */
  readonly origin: string;
}

/** A connection that may become a WebSocket. */
export interface UpgradableConnection extends Connection {
  isUpgraded: boolean;
  /**
   * Completes the handshake (RFC 6455, section 4.2.2) with these additional headers. Returns false if the request is
   * not a handshake.
   */
  upgrade(data: unknown, headers: Record<string, string>): boolean;
  /** Disables the idle timeout for this response: the caller handles stalls itself. */
  holdOpen(): void;
  /** Called when the response is ready: from then on the idle timeout applies. */
  responded(): void;
}

interface ConnectionFacts {
  readonly transport: Connection['transport'];
  readonly address: string;
  /** A function if computing the origin is expensive, since it is rarely needed. */
  readonly origin: string | (() => string);
  /** The idle timeout of the connection; `null`: none. */
  readonly quietSeconds?: number | null;
}

/** The connection of a request that `server` has received. */
export class ServerConnection<Data> implements UpgradableConnection {
  readonly transport: Connection['transport'];
  readonly address: string;
  isUpgraded = false;
  readonly #request: Request;
  readonly #server: Pick<Bun.Server<Data>, 'upgrade' | 'timeout'>;
  readonly #origin: ConnectionFacts['origin'];
  #quietSeconds: number | null;

  constructor(
    request: Request,
    server: Pick<Bun.Server<Data>, 'upgrade' | 'timeout'>,
    { transport, address, origin, quietSeconds = null }: ConnectionFacts,
  ) {
    this.transport = transport;
    this.address = address;
    this.#request = request;
    this.#server = server;
    this.#origin = origin;
    this.#quietSeconds = quietSeconds;
    // While the server works on the request, an idle connection is not the sender's fault. Slow bodies have their own
    // limit.
    if (quietSeconds !== null) server.timeout(request, 0);
  }

  get origin(): string {
    return typeof this.#origin === 'string' ? this.#origin : this.#origin();
  }

  upgrade(data: unknown, headers: Record<string, string>): boolean {
    this.isUpgraded = this.#server.upgrade(this.#request, { data, headers } as never);
    return this.isUpgraded;
  }

  holdOpen(): void {
    this.#quietSeconds = null;
  }

  responded(): void {
    if (this.#quietSeconds !== null) this.#server.timeout(this.#request, this.#quietSeconds);
  }
}

/** Returns the app's response, or `undefined` once the request has become a WebSocket, as Bun expects. */
export async function fetchOrUpgrade(
  fetch: (request: Request) => Response | Promise<Response>,
  request: Request,
): Promise<Response | undefined> {
  const response = await fetch(request);
  return connections.get(request)?.isUpgraded ? undefined : response;
}

const connections = new WeakMap<Request, Connection & Partial<UpgradableConnection>>();

export function setConnection(request: Request, connection: Connection & Partial<UpgradableConnection>): void {
  connections.set(request, connection);
}

/**
 * Returns the connection of a request. Throws if no listener recorded it, which is a bug and must never grant trust.
 */
export function connectionOf(request: Request): Connection & Partial<UpgradableConnection> {
  const connection = connections.get(request);
  if (!connection) throw new Error('The request did not come through a listener');
  return connection;
}
