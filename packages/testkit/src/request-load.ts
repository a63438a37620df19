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

export type RequestLoad = ReturnType<typeof requestLoad>;

/** Many connections to a server, which stay open between calls while they are fresh. */
export function requestLoad() {
  let idle: { connection: Connection; port: number; usedAt: number }[] = [];
  const open = async (port: number): Promise<Connection> => {
    for (let next = idle.pop(); next; next = idle.pop()) {
      const isFresh = next.port === port && performance.now() - next.usedAt < FRESH_FOR_MS;
      if (isFresh && !next.connection.isOver) return next.connection;
      next.connection.close();
    }
    return openConnection(port);
  };
  return {
    /**
     * Sends raw requests in this order over all connections (a closed loop: each sends its next request after the response
     * to the last). Returns the responses in the same order.
     */
    send: (port: number, requests: readonly (string | Uint8Array)[]): Promise<TimedResponse[]> =>
      withConcurrency(
        requests,
        async (request) => {
          const connection = await open(port);
          const sentAt = performance.now();
          const response = await connection.send(request);
          const respondedAt = performance.now();
          // The server closes the connection if it did not read the whole body.
          const isLast = response.status === 101 || /^close$/i.test(response.header('Connection') ?? '');
          if (isLast || response.status === 413) connection.close();
          else idle.push({ connection, port, usedAt: respondedAt });
          return { sentAt, respondedAt, response };
        },
        CONNECTIONS,
      ),
    close: (): void => {
      for (const { connection } of idle) connection.close();
      idle = [];
    },
  };
}
