import { type Connection, type HubResponse, openConnection } from '../connection.ts';

const CONNECTIONS = 64;
/** The server closes idle connections. */
const FRESH_FOR_MS = 3_000;

/** A request and its outcome. Times are from `performance.now()`. */
export interface TimedRequest {
  readonly request: string;
  /** The earliest time to send the request. */
  readonly dueAt: number;
}

export interface TimedResponse {
  readonly sentAt: number;
  readonly respondedAt: number;
  readonly response: HubResponse;
}

/** Sends each request when it is due, in this order, over many connections. Returns the responses in the same order. */
export async function sendWhenDue(port: number, requests: readonly TimedRequest[]): Promise<TimedResponse[]> {
  const responses: TimedResponse[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    let connection: Connection | undefined;
    let usedAt = Number.NEGATIVE_INFINITY;
    for (let index = next; index < requests.length; index = next) {
      next += 1;
      const { request, dueAt } = requests[index] as TimedRequest;
      // A timer may fire a fraction of a millisecond early.
      while (performance.now() < dueAt) await Bun.sleep(dueAt - performance.now() + 0.1);
      if (!connection || performance.now() - usedAt > FRESH_FOR_MS) {
        connection?.close();
        connection = await openConnection(port);
      }
      const sentAt = performance.now();
      const response = await connection.send(request);
      usedAt = performance.now();
      responses[index] = { sentAt, respondedAt: usedAt, response };
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return responses;
}
