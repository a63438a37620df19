import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Direction = 'request' | 'response';

/** A network between clients and a server on loopback, which a test can break at any byte. */
export class TestProxy {
  /** The port of the server, or the path of its socket, for new connections; `null`: they are refused. */
  target: number | string | null;
  /**
   * Whether it swallows everything without closing a connection, as a network does in which packets are lost. New
   * connections do not reach the server: PostgreSQL would wait a minute for what they send, even to shut down.
   */
  isSwallowing = false;
  #isPaused = false;
  readonly #open = new Set<Socket>();
  readonly #silent = new WeakSet<Socket>();
  #cut: { direction: Direction; bytes: string; end: (socket: Socket) => void } | undefined;
  readonly #server = createServer((near) => this.accept(near));

  constructor(target: number | string | null = null) {
    this.target = target;
    this.#server.listen(0, '127.0.0.1');
  }

  protected accept(near: Socket): void {
    const { target } = this;
    if (target === null) near.destroy();
    if (target === null || this.isSwallowing) this.#track(near.resume());
    else {
      const far = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
      this.#forward(near, far, 'request');
      this.#forward(far, near, 'response');
    }
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns an address of the server with the port of this proxy. */
  through(address: string): string {
    return Object.assign(new URL(address), { port: this.port }).href;
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

  /** Passes on nothing more of the present connections, as after a change of routes. */
  silence(): void {
    for (const socket of this.#open) this.#silent.add(socket);
  }

  /** Reads nothing more from either side, as a client does that is too slow. */
  pause(): void {
    this.#isPaused = true;
    for (const socket of this.#open) socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const socket of this.#open) socket.resume();
  }

  /** Ends the next connection that carries these bytes in this direction, instead of passing them on, after `meanwhile`. */
  cutBefore(direction: Direction, bytes: string, meanwhile = async () => {}): Promise<void> {
    return new Promise((resolve) => {
      const end = (socket: Socket) => meanwhile().then(() => resolve(void socket.destroy()));
      this.#cut = { direction, bytes, end };
    });
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

  #forward(from: Socket, to: Socket, direction: Direction): void {
    this.#track(from);
    from.on('data', (bytes) => {
      if (this.isSwallowing || this.#silent.has(from) || to.destroyed) return;
      const cut = this.#cut;
      if (cut?.direction === direction && bytes.includes(cut.bytes)) {
        this.#cut = undefined;
        cut.end(from);
      } else if (!to.write(bytes)) from.pause();
    });
    from.on('drain', () => {
      if (!this.#isPaused) to.resume();
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    // A socket that has failed is closed afterwards.
    socket.on('error', () => {});
    socket.on('close', () => this.#open.delete(socket));
  }
}
