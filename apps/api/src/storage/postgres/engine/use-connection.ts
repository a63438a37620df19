import type { ReservedSQL, SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Release } from '../../../platform/fair-gate.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { Pool, PooledConnection } from './pool.ts';

/** How long a statement may take, waiting for locks included. A network that swallows packets would take minutes. */
export const STATEMENT_TIMEOUT_MS = 1_800;
/** How much later than the limit for a statement its response may arrive, before its connection counts as dead. */
const LATE_MS = 1_500;

/** A limit for a response, or for several that belong together. */
export class ResponseTimeout {
  /** The last response that was waited for, or the end of the transaction, and since when. */
  pending: { end: Promise<unknown>; since: number } = { end: Promise.resolve(), since: 0 };
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #expired = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  #aborter: AbortController | undefined;

  constructor(timeoutMs: number, clock: Pick<Clock, 'monotonic'> = { monotonic: () => 0 }) {
    this.#clock = clock;
    // A little later than the server, which says more about the cause.
    this.#timer = setTimeout(() => {
      this.#expired.reject(new StoreUnavailable(new Error('PostgreSQL did not respond in time')));
      this.#aborter?.abort();
    }, timeoutMs + 150);
    this.#expired.promise.catch(() => {});
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    return this.#aborter.signal;
  }

  expect(end: Promise<unknown>): void {
    this.pending = { end, since: this.#clock.monotonic() };
  }

  async wait<T>(response: Promise<T>): Promise<T> {
    this.expect(response);
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
 * closed: if the network has lost its route, it would stay silent for many minutes. But not at once, since new connections
 * would take even longer on a database that is only slow.
 */
export async function withConnection<T>(
  pool: Pool,
  timeoutMs: number,
  work: (client: ReservedSQL, timeout: ResponseTimeout, session: number) => Promise<T>,
  turn?: Turn,
): Promise<T> {
  const { clock } = pool;
  const timeout = new ResponseTimeout(timeoutMs, clock);
  const reservation = reserve(pool, timeout, turn);
  let connection: PooledConnection | undefined;
  let isUsable: boolean | Promise<boolean> = true;
  try {
    ({ connection } = await timeout.wait(reservation));
    return await work(connection.client, timeout, connection.session);
  } catch (error) {
    const isUnavailable = error instanceof StoreUnavailable;
    // It may also arrive too late.
    if (isUnavailable && connection) {
      const { end, since } = timeout.pending;
      const leftMs = since + timeoutMs + LATE_MS - clock.monotonic();
      isUsable = inTime(leftMs, end).then(
        () => true,
        (late) => !(late instanceof StoreUnavailable),
      );
    }
    // Why there is no connection says more than that there is none.
    throw !connection && isUnavailable && pool.failure ? new StoreUnavailable(pool.failure) : error;
  } finally {
    timeout.clear();
    reservation.then(
      async (reserved) => {
        if (await isUsable) pool.give(reserved.connection);
        else pool.discard(reserved.connection);
        reserved.release?.();
      },
      () => {},
    );
  }
}

/** Runs `work` in a transaction, on a connection of its own. It is rolled back if `work` rejects. */
export async function withTransaction<T>(
  pool: Pool,
  timeoutMs: number,
  work: (client: SQL, session: number) => Promise<T>,
  { mode = 'isolation level read committed', turn }: { mode?: string | undefined; turn?: Turn | undefined } = {},
): Promise<T> {
  const inTransaction = async (client: ReservedSQL, timeout: ResponseTimeout, session: number): Promise<T> => {
    const begun = Promise.withResolvers<{ result: Promise<T> }>();
    const ended = client.begin(mode, (on) => {
      const result = work(on, session);
      begun.resolve({ result });
      return result;
    }) as Promise<T>;
    ended.catch(begun.reject);
    const { result } = await timeout.wait(begun.promise);
    timeout.expect(ended);
    try {
      await result;
    } catch (error) {
      // It is being rolled back, which is waited for only if there was a response.
      if (error instanceof StoreUnavailable) throw error;
    }
    return inTime(timeoutMs, ended);
  };
  return withConnection(pool, timeoutMs, inTransaction, turn);
}
