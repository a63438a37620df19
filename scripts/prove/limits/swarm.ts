import { type Connection, type HubResponse, openConnection } from '../connection.ts';

/** The server closes idle connections. */
const FRESH_FOR_MS = 3_000;

/** Many connections from one address that send requests at the same time. */
export class Swarm {
  readonly #size: number;
  readonly #from: string;
  #connections: Connection[] = [];
  #port = 0;
  #usedAt = 0;

  constructor(size: number, from = '127.0.0.1') {
    this.#size = size;
    this.#from = from;
  }

  /** Sends the requests in this order, each over the next free connection, and calls `responded` with each response. */
  async send(port: number, requests: readonly string[], responded: (response: HubResponse, index: number) => void) {
    await this.#connect(port);
    let next = 0;
    const work = async (connection: Connection): Promise<Connection> => {
      let current = connection;
      for (let index = next; index < requests.length; index = next) {
        next += 1;
        const response = await current.send(requests[index] ?? '');
        responded(response, index);
        // The server may close the connection if it did not read the whole body.
        if (response.status !== 413) continue;
        current.close();
        current = await openConnection(port, this.#from);
      }
      return current;
    };
    this.#connections = await Promise.all(this.#connections.map(work));
    this.#usedAt = performance.now();
  }

  /** Sends each request over its own connection. A request has no response if the server exits in the meantime. */
  async sendEach(port: number, requests: readonly string[], responded: (response: HubResponse, index: number) => void) {
    const connections = await Promise.all(requests.map(() => openConnection(port, this.#from)));
    await Promise.all(
      connections.map(async (connection, index) => {
        const response = await connection.send(requests[index] ?? '').catch(() => undefined);
        if (response) responded(response, index);
        connection.close();
      }),
    );
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections = [];
  }

  async #connect(port: number): Promise<void> {
    const isFresh = port === this.#port && performance.now() - this.#usedAt < FRESH_FOR_MS;
    if (isFresh && this.#connections.length > 0) return;
    this.close();
    this.#port = port;
    const open = () => openConnection(port, this.#from);
    this.#connections = await Promise.all(Array.from({ length: this.#size }, open));
  }
}
