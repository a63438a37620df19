import { SQL } from 'bun';
import { fillPlaceholders, type SQL as Query } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sql';
import { PgDialect } from 'drizzle-orm/pg-core';
import { StoreUnavailable } from '../../../core/errors.ts';
import { errorOfStatement, isStorageError } from './storage-error.ts';

/** Builds queries, without a connection. `statement` makes them executable on any. */
export const build = drizzle.mock({ casing: 'snake_case' });

/** Sorts after every id, so that the first page of a list can use the same statement as all other pages. */
export const AFTER_ALL_IDS = '~';

/**
 * How long a statement may take, including the wait for a lock, before its request fails as unavailable. A network that
 * swallows packets otherwise keeps a request waiting for minutes.
 */
export const STATEMENT_TIMEOUT_MS = 1_800;

/** How long the server lets a transaction wait for its client, which may have died without closing the connection. */
const IDLE_TIMEOUT_MS = 5_000;

type Values = Record<string, unknown>;

/** A query of Drizzle's that was turned into SQL once. */
export interface Statement<Result> {
  execute(values?: Values): Promise<Result>;
}

/** Makes a query executable, for as often as it is needed. Bun prepares it on each connection when it is first used there. */
export function statement<Prepared>(query: { prepare(name: string): Prepared }): Prepared {
  return query.prepare('');
}

const dialect = new PgDialect({ casing: 'snake_case' });

/** Reads a number from a row of `rawStatement`, which has texts. */
export function numberOrNull(text: string | null | undefined): number | null {
  return text == null ? null : Number(text);
}

/**
 * Makes a query executable that Drizzle cannot build, such as one that writes to several tables at once. `toRow` gets the
 * columns of each row in their order.
 */
export function rawStatement<Columns extends readonly unknown[], Row>(
  query: Query,
  toRow: (columns: Columns) => Row,
): Statement<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query);
  return {
    async execute(this: { client: SQL }, values: Values = {}) {
      const rows: Columns[] = await this.client.unsafe(sql, fillPlaceholders(params, values)).values();
      return rows.map((columns) => toRow(columns));
    },
  } as Statement<Row[]>;
}

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

/** A connection of a pool, or of a transaction. Errors of the server are thrown as they are, without Drizzle's wrapper. */
export class Connection {
  readonly client: SQL;
  readonly timeoutMs: number;

  constructor(client: SQL, timeoutMs: number) {
    this.client = client;
    this.timeoutMs = timeoutMs;
  }

  async all<Row>(query: Statement<Row[]>, values?: Values): Promise<Row[]> {
    return this.execute(query, values);
  }

  async first<Row>(query: Statement<Row[]>, values?: Values): Promise<Row | undefined> {
    return (await this.execute(query, values))[0];
  }

  /** Returns the number of rows that were written. */
  async run(query: Statement<unknown>, values?: Values): Promise<number> {
    return ((await this.execute(query, values)) as { count?: number }).count ?? 0;
  }

  protected async execute<Result>(query: Statement<Result>, values?: Values): Promise<Result> {
    // A prepared query of Drizzle's holds its connection in this property, and nothing else that belongs to one.
    const onThis: Statement<Result> = Object.assign(Object.create(query), { client: this.client });
    const timeout = Promise.withResolvers<never>();
    // A little later than the server, which says more about the cause.
    const timer = setTimeout(() => timeout.reject(new StoreUnavailable(noResponse())), this.timeoutMs + 150);
    try {
      return await Promise.race([onThis.execute(values), timeout.promise]);
    } catch (error) {
      throw errorOfStatement(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function noResponse(): Error {
  return new Error('PostgreSQL did not respond in time');
}

/**
 * The connections for reads of committed data. They are separate from those of transactions, all of which may be waiting
 * for the row of one Hub.
 */
export class ReadConnection extends Connection {
  /** Runs reads that must see the same state, such as a page and the sequence numbers that it reflects. */
  async snapshot<T>(read: (on: Connection) => Promise<T>): Promise<T> {
    try {
      const work = (client: SQL) => read(new Connection(client, this.timeoutMs));
      return (await this.client.begin('isolation level repeatable read read only', work)) as T;
    } catch (error) {
      throw unavailableIfStorage(errorOfStatement(error));
    }
  }

  /** Runs a short transaction on what nodes share, which no commit report mentions. */
  async locked<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    try {
      return (await this.client.begin((client: SQL) => work(new Connection(client, this.timeoutMs)))) as T;
    } catch (error) {
      throw unavailableIfStorage(errorOfStatement(error));
    }
  }

  protected override async execute<Result>(query: Statement<Result>, values?: Values): Promise<Result> {
    try {
      return await super.execute(query, values);
    } catch (error) {
      throw unavailableIfStorage(error);
    }
  }
}

function unavailableIfStorage(error: unknown): unknown {
  return isStorageError(error) ? new StoreUnavailable(error) : error;
}
