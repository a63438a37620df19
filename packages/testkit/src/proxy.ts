import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between clients and a server on loopback, which a test can break at any byte. */
export class TestProxy {
  /** The port of the server, for new connections; `null`: they are refused. */
  target: number | null;
  /** Whether it swallows everything without closing a connection, as a network does in which packets are lost. */
  isSwallowing = false;
  readonly #open = new Set<Socket>();
  readonly #server = createServer((near) => {
    if (this.target === null) return void near.destroy();
    const far = connect(this.target, '127.0.0.1');
    this.#forward(near, far);
    this.#forward(far, near);
  });

  constructor(target: number | null = null) {
    this.target = target;
    this.#server.listen(0, '127.0.0.1');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Forwards new connections to this server. */
  forwardTo({ url }: { url: string }): void {
    this.target = Number(new URL(url).port);
  }

  /** Ends all connections, and returns whether there were any. */
  drop(): boolean {
    const wereAny = this.#open.size > 0;
    for (const socket of this.#open) socket.destroy();
    return wereAny;
  }

  /** Ends all connections, and refuses new ones until `forwardTo`. */
  cut(): void {
    this.target = null;
    this.drop();
  }

  /** Stops swallowing. Connections from before are lost, as after a change of routes. */
  heal(): void {
    this.isSwallowing = false;
    this.drop();
  }

  close(): void {
    this.#server.close();
    this.drop();
  }

  #forward(from: Socket, to: Socket): void {
    this.#open.add(from);
    from.on('data', (bytes) => {
      if (this.isSwallowing || to.destroyed) return;
      if (!to.write(bytes)) from.pause();
    });
    from.on('drain', () => to.resume());
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
  }
}
