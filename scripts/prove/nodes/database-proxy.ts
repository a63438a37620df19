import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network to a database, which can swallow everything without closing a connection. */
export class DatabaseProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => {
    const database = connect(this.databasePort, '127.0.0.1');
    this.#forward(client, database);
    this.#forward(database, client);
  });
  isCut = false;
  /** The port of the database, for new connections. */
  databasePort: number;

  constructor(databasePort: number) {
    this.databasePort = databasePort;
    this.#server.listen(0, '127.0.0.1');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends the cut. Connections from before it are lost, as after a change of routes. */
  heal(): void {
    this.isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.heal();
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => {
      if (!this.isCut) to.write(bytes);
    });
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      to.end();
    });
  }
}
