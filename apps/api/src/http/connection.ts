/** How a request reached the server. The listener notes it before the app sees the request. */
export interface Connection {
  /** `local` is the admin's unix socket, whose file mode is its authentication; `public` is the TCP listener. */
  readonly transport: 'public' | 'local';
  /** The client's address (behind a configured proxy, the one that the proxy names); `local` for the socket. */
  readonly address: string;
  /** Scheme and host as the client used them, for links and for the Origin rule: `https://hub.example.org`. */
  readonly origin: string;
}

/** A connection that may become a WebSocket. */
export interface UpgradableConnection extends Connection {
  isUpgraded: boolean;
  /** Answers the handshake (RFC 6455, section 4.2.2) with these header fields beside its own; false if the request is none. */
  upgrade(data: unknown, headers: Record<string, string>): boolean;
  /** The answer to this request is not cut off for standing still: whoever sends it looks after that. */
  holdOpen(): void;
  /** To be told when the answer is there: from then on the connection is cut when nothing passes for so long. */
  responded(): void;
}

/** Of a request that `server` has received. */
export function upgradable<Data>(
  request: Request,
  server: Pick<Bun.Server<Data>, 'upgrade' | 'timeout'>,
  connection: Connection,
  quietSeconds: number | null = null,
): UpgradableConnection {
  let isHeld = quietSeconds === null;
  // While the server works on it, it is no fault of the sender's that nothing passes. Slow bodies have a bound of their own.
  if (!isHeld) server.timeout(request, 0);
  // Not by spreading: the origin is worked out when it is asked for.
  return Object.assign(Object.create(connection, {}) as Connection, {
    isUpgraded: false,
    upgrade(this: UpgradableConnection, data: unknown, headers: Record<string, string>): boolean {
      this.isUpgraded = server.upgrade(request, { data, headers } as never);
      return this.isUpgraded;
    },
    holdOpen: () => {
      isHeld = true;
    },
    responded: () => {
      if (!isHeld) server.timeout(request, quietSeconds ?? 0);
    },
  });
}

/** The answer of the app; `undefined`, as Bun wants it, once the request has become a WebSocket. */
export async function fetchOrUpgrade(
  fetch: (request: Request) => Response | Promise<Response>,
  request: Request,
): Promise<Response | undefined> {
  const response = await fetch(request);
  return connections.get(request)?.isUpgraded ? undefined : response;
}

const connections = new WeakMap<Request, Connection & Partial<UpgradableConnection>>();

export function noteConnection(request: Request, connection: Connection & Partial<UpgradableConnection>): void {
  connections.set(request, connection);
}

/** A request that no listener has announced is a fault in this program, never a trusted one. */
export function connectionOf(request: Request): Connection & Partial<UpgradableConnection> {
  const connection = connections.get(request);
  if (!connection) throw new Error('The request came through no listener');
  return connection;
}
