import { type ReservedSQL, SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Release } from '../../../platform/fair-gate.ts';

/** How long a statement may take, waiting for locks included. A network that swallows packets would take minutes. */
export const STATEMENT_TIMEOUT_MS = 1_800;

/** How long the server lets a transaction wait for its client, which may have died without closing the connection. */
const IDLE_TIMEOUT_MS = 5_000;

/** Opens a pool that PostgreSQL lists under this name. Nothing is connected until the first query. */
export function openPool(
  url: string,
  { max, timeoutMs, name = 'hub' }: { max: number; timeoutMs: number; name?: string },
): SQL {
  return new SQL({
    url,
    max,
    connectionTimeout: 2,
    // Behind a load balancer that moves to a new primary, old connections would stay with the former one.
    maxLifetime: 600,
    connection: {
      application_name: name,
      client_encoding: 'UTF8',
      TimeZone: 'UTC',
      // An accepted post is on the disk of the primary, and of the synchronous standby if there is one.
      synchronous_commit: 'on',
      default_transaction_isolation: 'read committed',
      statement_timeout: String(timeoutMs),
      idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
      // When a node loses its network, its sessions and the lock of the leader end within seconds, not two hours.
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '2',
      tcp_keepalives_count: '3',
      tcp_user_timeout: '8000',
    },
  });
}

/** A limit for a response, or for several that belong together. */
class ResponseTimeout {
  readonly #expired = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  #aborter: AbortController | undefined;

  constructor(timeoutMs: number) {
    const error = new StoreUnavailable(new Error('PostgreSQL did not respond in time'));
    // A little later than the server, which says more about the cause.
    this.#timer = setTimeout(() => {
      this.#expired.reject(error);
      this.#aborter?.abort();
    }, timeoutMs + 150);
    this.#expired.promise.catch(() => {});
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    return this.#aborter.signal;
  }

  async wait<T>(response: Promise<T>): Promise<T> {
    return Promise.race([response, this.#expired.promise]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

export async function inTime<T>(timeoutMs: number, response: Promise<T>): Promise<T> {
  const timeout = new ResponseTimeout(timeoutMs);
  try {
    return await timeout.wait(response);
  } finally {
    timeout.clear();
  }
}

/** Waits for a turn to use a connection, and leaves the queue when the signal is aborted. */
export type Turn = (from: { readonly signal: AbortSignal }) => Release | Promise<Release>;

async function reserve(pool: SQL, timeout: ResponseTimeout, turn: Turn | undefined) {
  const release = await turn?.(timeout);
  try {
    return { client: await pool.reserve(), release };
  } catch (error) {
    release?.();
    throw error;
  }
}

/**
 * Runs `work` on a connection of its own; the timeout includes the wait for it. A connection without a response is
 * closed: if the network has lost its route, it would stay silent for many minutes.
 */
export async function withConnection<T>(
  pool: SQL,
  timeoutMs: number,
  work: (client: ReservedSQL, timeout: ResponseTimeout) => Promise<T>,
  turn?: Turn,
): Promise<T> {
  const timeout = new ResponseTimeout(timeoutMs);
  const reservation = reserve(pool, timeout, turn);
  let client: ReservedSQL | undefined;
  let isUsable = true;
  try {
    ({ client } = await timeout.wait(reservation));
    return await work(client, timeout);
  } catch (error) {
    isUsable = !(error instanceof StoreUnavailable);
    throw error;
  } finally {
    timeout.clear();
    reservation.then(
      (reserved) => {
        // It may also arrive too late.
        if (isUsable || !client) reserved.client.release();
        else reserved.client.close({ timeout: 0 }).catch(() => {});
        reserved.release?.();
      },
      () => {},
    );
  }
}

/**
 * Runs `work` in a transaction, on a connection of its own. It is rolled back if `work` rejects.
 *
 * Bun sends COMMIT itself, since closing a connection cancels the queries that it was given. A COMMIT that is canceled
 * while it waits for the synchronous standby is in force without it.
 */
export async function withTransaction<T>(
  pool: SQL,
  timeoutMs: number,
  work: (client: SQL) => Promise<T>,
  { mode = 'isolation level read committed', turn }: { mode?: string | undefined; turn?: Turn | undefined } = {},
): Promise<T> {
  const inTransaction = async (client: ReservedSQL, timeout: ResponseTimeout): Promise<T> => {
    const begun = Promise.withResolvers<{ result: Promise<T> }>();
    const ended = client.begin(mode, (on) => {
      const result = work(on);
      begun.resolve({ result });
      return result;
    }) as Promise<T>;
    ended.catch(begun.reject);
    const { result } = await timeout.wait(begun.promise);
    try {
      await result;
    } catch (error) {
      // Without a response, closing the connection is all that is left to do. Otherwise, it is being rolled back.
      if (error instanceof StoreUnavailable) throw error;
    }
    return inTime(timeoutMs, ended);
  };
  return withConnection(pool, timeoutMs, inTransaction, turn);
}
