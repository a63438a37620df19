import { type Connection, openConnection } from '@hub/testkit';

export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
}

/** A caller that sends requests one after another over a keep-alive connection, and times complete responses. */
export class Caller {
  readonly #port: number;
  #connection: Connection | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get(path: string, token?: string): Promise<Timed> {
    return this.send('GET', path, token === undefined ? {} : { authorization: `Bearer ${token}` });
  }

  async send(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Timed> {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost'];
    for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`);
    // The server closes idle connections after a while.
    this.#connection ??= await openConnection(this.#port);
    const start = performance.now();
    const response = await this.#connection.send(`${head.join('\r\n')}\r\n\r\n`);
    return { ms: performance.now() - start, ...response };
  }

  /** Disconnects before a pause that is long enough for the server to close the connection. */
  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}
