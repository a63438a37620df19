/** How a request reached the server. The listener notes it before the app sees the request. */
export interface Connection {
  /** `local` is the admin's unix socket, whose file mode is its authentication; `public` is the TCP listener. */
  readonly transport: 'public' | 'local';
  /** The client's address (behind a configured proxy, the one that the proxy names); `local` for the socket. */
  readonly address: string;
  /** Scheme and host as the client used them, for links and for the Origin rule: `https://hub.example.org`. */
  readonly origin: string;
}

const connections = new WeakMap<Request, Connection>();

export function noteConnection(request: Request, connection: Connection): void {
  connections.set(request, connection);
}

/** A request that no listener has announced is a fault in this program, never a trusted one. */
export function connectionOf(request: Request): Connection {
  const connection = connections.get(request);
  if (!connection) throw new Error('The request came through no listener');
  return connection;
}
