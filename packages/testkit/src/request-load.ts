import { withConcurrency } from './concurrency.ts';
import { type Connection, openConnection, type RawResponse } from './http.ts';

const CONNECTIONS = 64;
/** The server closes idle connections. */
const FRESH_FOR_MS = 3_000;

/** Times are from `performance.now()`, in milliseconds. */
export interface TimedResponse {
  readonly sentAt: number;
  readonly respondedAt: number;
  readonly response: RawResponse;
}

/** Many connections to a server, which stay open between calls while they are fresh. */
export class RequestLoad {
  #idle: { connection: Connection; port: number; usedAt: number }[] = [];

  /**
   * Sends raw requests in this order over all connections (a closed loop: each sends its next request after the response
   * to the last). Returns the responses in the same order.
   */
  send(port: number, requests: readonly (string | Uint8Array)[]): Promise<TimedResponse[]> {
    const send = async (request: string | Uint8Array): Promise<TimedResponse> => {
      const connection = await this.#open(port);
      const sentAt = performance.now();
      const response = await connection.send(request);
      const respondedAt = performance.now();
      // The server closes the connection if it did not read the whole body.
      const isLast = response.status === 101 || /^close$/i.test(response.header('Connection') ?? '');
      if (isLast || response.status === 413) connection.close();
      else this.#idle.push({ connection, port, usedAt: respondedAt });
      return { sentAt, respondedAt, response };
    };
    return withConcurrency(requests, send, CONNECTIONS);
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
    this.#idle = [];
  }

  async #open(port: number): Promise<Connection> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const isFresh = idle.port === port && performance.now() - idle.usedAt < FRESH_FOR_MS;
      if (isFresh && !idle.connection.isOver) return idle.connection;
      idle.connection.close();
    }
    return openConnection(port);
  }
}
