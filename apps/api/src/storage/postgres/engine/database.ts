import { type ReservedSQL, SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Release } from '../../../platform/fair-gate.ts';
import type {
  LockMode,
  Connection as SharedConnection,
  Query as SharedQuery,
  ReadConnection as SharedReads,
  Values,
} from '../../engine/query.ts';
import { lockingStatement, rawStatement, type Statement, toStatement } from './statements.ts';
import { errorOfStatement, isStorageError } from './storage-error.ts';

/**
 * How long a statement may take, including the wait for a lock, before its request fails as unavailable. A network that
 * swallows packets otherwise keeps a request waiting for minutes.
 */
export const STATEMENT_TIMEOUT_MS = 1_800;

/** How long the server lets a transaction wait for its client, which may have died without closing the connection. */
const IDLE_TIMEOUT_MS = 5_000;

/**
 * Opens a pool of at most `max` connections, which PostgreSQL lists under this name. Nothing is connected until the first
 * query.
 */
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
      // When a node loses its power or network, PostgreSQL ends its sessions, and the lock of the leader, within seconds.
      // By default, Linux does so after two hours.
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '2',
      tcp_keepalives_count: '3',
      tcp_user_timeout: '8000',
    },
  });
}

/** The class of the advisory locks: any number that no other program uses in this database. */
const NAMES_LOCK = 4_827_003;
const lockNameStatement = rawStatement(
  sql`select pg_advisory_xact_lock(${sql.raw(String(NAMES_LOCK))}, hashtext(${sql.placeholder('name')}))`,
  () => true,
);

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

  /** Rejects as unavailable if the response does not arrive in time. */
  async wait<T>(response: Promise<T>): Promise<T> {
    return Promise.race([response, this.#expired.promise]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

async function inTime<T>(timeoutMs: number, response: Promise<T>): Promise<T> {
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
 * Runs `work` on a connection that nothing else uses. The timeout began with the wait for it. A connection without a
 * response is closed, so that the pool opens a new one: if the network has lost its route, it would stay silent for many
 * minutes.
 */
async function withConnection<T>(
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

/** The connection of a transaction. Errors of the server are thrown as they are, without Drizzle's wrapper. */
export class Connection implements SharedConnection {
  readonly client: SQL;
  readonly timeoutMs: number;

  constructor(client: SQL, timeoutMs: number) {
    this.client = client;
    this.timeoutMs = timeoutMs;
  }

  async all<Row>(query: Statement<Row[]> | SharedQuery<Row>, values?: Values): Promise<Row[]> {
    return this.execute(toStatement(query), values);
  }

  async first<Row>(query: Statement<Row[]> | SharedQuery<Row>, values?: Values): Promise<Row | undefined> {
    return (await this.all(query, values))[0];
  }

  async lock<Row>(query: SharedQuery<Row>, values?: Values, mode?: LockMode): Promise<Row | undefined> {
    return (await this.lockAll(query, values, mode))[0];
  }

  async lockAll<Row>(query: SharedQuery<Row>, values?: Values, mode?: LockMode): Promise<Row[]> {
    return this.execute(lockingStatement(query, mode), values);
  }

  async lockName(name: string): Promise<void> {
    await this.all(lockNameStatement, { name });
  }

  async hold(query: SharedQuery<unknown>, values?: Values): Promise<unknown> {
    return this.lock(query, values);
  }

  async run(query: Statement<unknown> | SharedQuery<unknown>, values?: Values): Promise<number> {
    const result: unknown = await this.execute(toStatement(query as SharedQuery<unknown>), values);
    return (result as { count?: number }).count ?? 0;
  }

  protected async execute<Result>(query: Statement<Result>, values?: Values): Promise<Result> {
    return inTime(this.timeoutMs, execute(this.client, query, values));
  }
}

async function execute<Result>(client: SQL, query: Statement<Result>, values?: Values): Promise<Result> {
  // A prepared query of Drizzle's holds its connection in this property, and nothing else that belongs to one.
  const onThis: Statement<Result> = Object.assign(Object.create(query), { client });
  try {
    return await onThis.execute(values);
  } catch (error) {
    throw errorOfStatement(error);
  }
}

/**
 * The connections for reads of committed data. They are separate from those of transactions, all of which may be waiting
 * for the row of one Hub.
 */
export class ReadConnection extends Connection implements SharedReads {
  async snapshot<T>(read: (on: Connection) => Promise<T>): Promise<T> {
    return this.#transaction(read, 'ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  /** Runs a short transaction on what nodes share, which no commit report mentions. */
  async locked<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    return this.#transaction(work);
  }

  override async lockAll<Row>(query: SharedQuery<Row>, values?: Values): Promise<Row[]> {
    return this.all(query, values);
  }

  protected override async execute<Result>(query: Statement<Result>, values?: Values): Promise<Result> {
    return unavailableIfStorageFails(
      withConnection(this.client, this.timeoutMs, (client, timeout) => timeout.wait(execute(client, query, values))),
    );
  }

  async #transaction<T>(work: (on: Connection) => Promise<T>, mode?: string): Promise<T> {
    const { client: pool, timeoutMs } = this;
    return unavailableIfStorageFails(
      withTransaction(pool, timeoutMs, (client) => work(new Connection(client, timeoutMs)), { mode }),
    );
  }
}

async function unavailableIfStorageFails<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isStorageError(error) ? new StoreUnavailable(error) : error;
  }
}
