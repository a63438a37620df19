import type { Socket } from 'bun';

type Peer = Socket<{ other: Socket<unknown> | null; waiting: Buffer[] }>;

/** The network between a node and its database, which can swallow everything without closing a connection. */
export class DatabaseProxy {
  readonly #server: Bun.TCPSocketListener<Peer['data']>;
  readonly #sockets = new Set<Socket<unknown>>();
  isCut = false;

  constructor(databasePort: number) {
    const forward = (from: Peer, bytes: Buffer): void => {
      if (this.isCut) return;
      if (from.data.other) from.data.other.write(new Uint8Array(bytes));
      else from.data.waiting.push(Buffer.from(bytes));
    };
    const end = (from: Peer): void => {
      this.#sockets.delete(from);
      from.data.other?.end();
    };
    this.#server = Bun.listen<Peer['data']>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (node) => {
          this.#sockets.add(node);
          node.data = { other: null, waiting: [] };
          Bun.connect<Peer['data']>({
            hostname: '127.0.0.1',
            port: databasePort,
            socket: {
              open: (database) => {
                this.#sockets.add(database);
                database.data = { other: node, waiting: [] };
                for (const bytes of node.data.waiting.splice(0)) database.write(new Uint8Array(bytes));
                node.data.other = database;
              },
              data: forward,
              close: end,
              error: end,
            },
          }).catch(() => node.end());
        },
        data: forward,
        close: end,
        error: end,
      },
    });
  }

  get port(): number {
    return this.#server.port;
  }

  /** Ends the cut. Connections from before it are lost, as after a change of routes. */
  heal(): void {
    this.isCut = false;
    for (const socket of this.#sockets) socket.end();
  }

  close(): void {
    this.#server.stop(true);
  }
}
