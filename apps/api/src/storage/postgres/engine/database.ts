import { type ReservedSQL, SQL } from 'bun';
import { type DriverValueEncoder, is, type SQL as SqlText, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { SQLiteBoolean } from 'drizzle-orm/sqlite-core';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Release } from '../../../platform/fair-gate.ts';
import {
  type LockMode,
  type ParameterReader,
  parameterReader,
  type Query,
  type Connection as SharedConnection,
  type ReadConnection as SharedReads,
  type Values,
} from '../../engine/connection.ts';
import { errorOfStatement, reading } from '../../engine/storage-error.ts';
import { rawWrite } from '../../engine/write.ts';

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
const lockName = rawWrite(
  sql`select pg_advisory_xact_lock(${sql.raw(String(NAMES_LOCK))}, hashtext(${sql.placeholder('name')}))`,
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

const dialect = new PgDialect({ casing: 'snake_case' });

/** A query as PostgreSQL gets it, with what reads its parameters from the values of a call. */
export interface Statement {
  sql: string;
  readers: readonly ParameterReader[];
}
type Statements = WeakMap<Query<never>, Statement>;
const statements: Statements = new WeakMap();
const lockingStatements: Record<LockMode, Statements> = {
  'no key update': new WeakMap(),
  share: new WeakMap(),
  'no key update skip locked': new WeakMap(),
};

/** Renders a query once. */
function rendered(query: Query<unknown>, rendering: Statements, text: () => SqlText): Statement {
  const key = query as Query<never>;
  let statement = rendering.get(key);
  if (!statement) {
    const { sql, params } = dialect.sqlToQuery(text());
    statement = {
      // SQLite's function that lists the values of a JSON array has another name here.
      sql: sql.replace(/json_each\((cast\(\$\d+ as text\))\)/g, 'json_array_elements_text($1::json)'),
      readers: params.map((param) => parameterReader(param, encodeParameter)),
    };
    rendering.set(key, statement);
  }
  return statement;
}

/** SQLite has integers for booleans, and the columns of the queries are its own. */
function encodeParameter(value: unknown, encoder: DriverValueEncoder<unknown, unknown>): unknown {
  const encoded = encoder.mapToDriverValue(value);
  return is(encoder, SQLiteBoolean) ? encoded === 1 : encoded;
}

/** Reads a number from a cell, which has the text of a 64-bit one. */
export function numberOrNull(cell: string | null | undefined): number | null {
  return cell == null ? null : Number(cell);
}

/** The cells of each row, and the number of rows that were written. */
export type Rows = readonly unknown[][] & { count: number };

/** The connection of a transaction. Errors of the server are thrown as they are. */
export class Connection implements SharedConnection {
  readonly client: SQL;
  readonly timeoutMs: number;

  constructor(client: SQL, timeoutMs: number) {
    this.client = client;
    this.timeoutMs = timeoutMs;
  }

  async all<Row>(query: Query<Row>, values?: Values): Promise<Row[]> {
    const rows = await this.execute(asWritten(query), values);
    return Array.from(rows, (cells) => query.toRow(cells));
  }

  async first<Row>(query: Query<Row>, values?: Values): Promise<Row | undefined> {
    return (await this.all(query, values))[0];
  }

  async lock<Row>(query: Query<Row>, values?: Values, mode?: LockMode): Promise<Row | undefined> {
    return (await this.lockAll(query, values, mode))[0];
  }

  /** Keeps other transactions from changing the rows, but not from referring to them. */
  async lockAll<Row>(query: Query<Row>, values?: Values, mode: LockMode = 'no key update'): Promise<Row[]> {
    const locking = rendered(query, lockingStatements[mode], () => sql`${query.sql} for ${sql.raw(mode)}`);
    return Array.from(await this.execute(locking, values), (cells) => query.toRow(cells));
  }

  async lockName(name: string): Promise<void> {
    await this.run(lockName, { name });
  }

  async hold(query: Query<unknown>, values?: Values): Promise<unknown> {
    return this.lock(query, values);
  }

  async run(query: Query<unknown>, values?: Values): Promise<number> {
    return (await this.execute(asWritten(query), values)).count;
  }

  protected async execute(statement: Statement, values?: Values): Promise<Rows> {
    return inTime(this.timeoutMs, execute(this.client, statement, values));
  }
}

const asWritten = (query: Query<unknown>): Statement =>
  rendered(query, statements, () => query.postgresSql ?? query.sql);

async function execute(client: SQL, { sql, readers }: Statement, values: Values = {}): Promise<Rows> {
  const parameters = readers.map((read) => read(values));
  try {
    return await client.unsafe(sql, parameters).values();
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

  override async lockAll<Row>(query: Query<Row>, values?: Values): Promise<Row[]> {
    return this.all(query, values);
  }

  protected override execute(statement: Statement, values?: Values): Promise<Rows> {
    return reading(() =>
      withConnection(this.client, this.timeoutMs, (client, timeout) =>
        timeout.wait(execute(client, statement, values)),
      ),
    )();
  }

  #transaction<T>(work: (on: Connection) => Promise<T>, mode?: string): Promise<T> {
    const { client: pool, timeoutMs } = this;
    return reading(() =>
      withTransaction(pool, timeoutMs, (client) => work(new Connection(client, timeoutMs)), { mode }),
    )();
  }
}
