import type { ReservedSQL, SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Release } from '../../../platform/fair-gate.ts';
import type { Connector } from './connector.ts';

/** How long a statement may take, waiting for locks included. A network that swallows packets would take minutes. */
export const STATEMENT_TIMEOUT_MS = 1_800;

/** Behind a load balancer that moves to a new primary, old connections would stay with the former one. */
const MAX_LIFETIME_MS = 600_000;
const CLOSE_TIMEOUT_MS = 5_000;

interface PooledConnection {
  readonly client: ReservedSQL;
  readonly lifetime: NodeJS.Timeout;
  /** Whether it has been open for so long that it is closed after its present use. */
  isOld: boolean;
  isClosed: boolean;
}

interface PoolOptions {
  max: number;
  /** Whether its connections are opened before those of other pools. */
  isUrgent?: boolean;
}

/**
 * Connections that are opened when a caller waits for one. Bun's own pool opens all of them at once, and each that fails
 * again and again.
 */
export class Pool {
  readonly #connector: Connector;
  readonly #options: PoolOptions;
  readonly #open = new Set<PooledConnection>();
  readonly #idle: PooledConnection[] = [];
  readonly #waiting = new Set<PromiseWithResolvers<PooledConnection>>();
  #attempts = 0;
  /** Resolved when the last connection is closed, once no more of them are opened. */
  #closing: PromiseWithResolvers<void> | undefined;
  /** Why the last attempt to connect failed, until one succeeds. */
  failure: unknown;

  constructor(connector: Connector, options: PoolOptions) {
    this.#connector = connector;
    this.#options = options;
  }

  /** Takes a connection, or waits for one until the signal is aborted. */
  async take(from: { readonly signal: AbortSignal }): Promise<PooledConnection> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const { signal } = from;
    if (this.#closing) throw closedError();
    const waiter = Promise.withResolvers<PooledConnection>();
    const leave = (): void => {
      if (this.#waiting.delete(waiter)) waiter.reject(closedError());
    };
    signal.addEventListener('abort', leave);
    this.#waiting.add(waiter);
    this.#grow();
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives a connection back, to the next one who waits for it. */
  give(connection: PooledConnection): void {
    if (connection.isClosed) return;
    if (this.#closing || connection.isOld) {
      this.discard(connection);
      return;
    }
    const [waiter] = this.#waiting;
    if (!waiter) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(waiter);
    waiter.resolve(connection);
  }

  /** Closes a connection, without waiting for responses. */
  discard(connection: PooledConnection): void {
    if (connection.isClosed) return;
    connection.isClosed = true;
    clearTimeout(connection.lifetime);
    this.#open.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
    connection.client.close({ timeout: 0 }).catch(() => {});
    if (this.#open.size === 0) this.#closing?.resolve();
    this.#grow();
  }

  #grow(): void {
    while (this.#attempts < this.#waiting.size && this.#open.size + this.#attempts < this.#options.max) {
      this.#attempts += 1;
      void this.#connect();
    }
  }

  async #connect(): Promise<void> {
    let connection: PooledConnection | undefined;
    const onClose = (): void => {
      if (connection) this.discard(connection);
    };
    try {
      const client = await this.#connector.attempt(() => this.#connector.client({ onClose }).reserve(), {
        isUrgent: this.#options.isUrgent,
        isNeeded: () => this.#waiting.size > 0,
      });
      if (client) {
        this.failure = undefined;
        const lifetime = setTimeout(() => this.#expire(opened), MAX_LIFETIME_MS).unref();
        const opened: PooledConnection = { client, lifetime, isOld: false, isClosed: false };
        connection = opened;
        this.#open.add(opened);
        this.give(opened);
      }
    } catch (error) {
      this.failure = error;
    }
    this.#attempts -= 1;
    this.#grow();
  }

  #expire(connection: PooledConnection): void {
    connection.isOld = true;
    if (this.#idle.includes(connection)) this.discard(connection);
  }

  /** Closes all connections when the queries that run have ended, or after some seconds. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers();
    for (const waiter of this.#waiting) waiter.reject(closedError());
    this.#waiting.clear();
    for (const connection of [...this.#idle]) this.discard(connection);
    if (this.#open.size === 0) return;
    const timer = setTimeout(() => {
      for (const connection of this.#open) this.discard(connection);
    }, CLOSE_TIMEOUT_MS);
    await this.#closing.promise;
    clearTimeout(timer);
  }
}

const closedError = (): StoreUnavailable => new StoreUnavailable(new Error('There is no connection to PostgreSQL'));

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

async function reserve(pool: Pool, timeout: ResponseTimeout, turn: Turn | undefined) {
  const release = await turn?.(timeout);
  try {
    return { connection: await pool.take(timeout), release };
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
  pool: Pool,
  timeoutMs: number,
  work: (client: ReservedSQL, timeout: ResponseTimeout) => Promise<T>,
  turn?: Turn,
): Promise<T> {
  const timeout = new ResponseTimeout(timeoutMs);
  const reservation = reserve(pool, timeout, turn);
  let connection: PooledConnection | undefined;
  let isUsable = true;
  try {
    ({ connection } = await timeout.wait(reservation));
    return await work(connection.client, timeout);
  } catch (error) {
    isUsable = !(error instanceof StoreUnavailable);
    // Why there is no connection says more than that there is none.
    throw !connection && !isUsable && pool.failure ? new StoreUnavailable(pool.failure) : error;
  } finally {
    timeout.clear();
    reservation.then(
      (reserved) => {
        // It may also arrive too late.
        if (isUsable || !connection) pool.give(reserved.connection);
        else pool.discard(reserved.connection);
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
  pool: Pool,
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
