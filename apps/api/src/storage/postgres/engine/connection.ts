import type { SQL } from 'bun';
import { type DriverValueEncoder, is, type SQL as SqlText, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { SQLiteBoolean } from 'drizzle-orm/sqlite-core';
import type {
  LockMode,
  Query,
  Connection as SharedConnection,
  ReadConnection as SharedReads,
  Values,
} from '../../engine/connection.ts';
import { given, type ParameterReader, parameterReader } from '../../engine/query.ts';
import { errorOfStatement, isConflict, reading } from '../../engine/storage-error.ts';
import { rawWrite } from '../../engine/write.ts';
import type { Pool } from './pool.ts';
import { inTime, withConnection, withTransaction } from './use-connection.ts';

/** The class of the advisory locks: any number that no other program uses in this database. */
const NAMES_LOCK = 4_827_003;
const lockName = rawWrite(
  sql`select pg_advisory_xact_lock(${sql.raw(String(NAMES_LOCK))}, hashtext(${given('name')}))`,
);

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

/** How often a statement or a transaction runs if others keep getting in its way. */
const MAX_RUNS = 8;

/** Runs again what PostgreSQL has undone because of another transaction, and whatever else `isRetried` says. */
export async function retryConflicts<T>(
  run: () => Promise<T>,
  isRetried: (error: unknown, runs: number) => boolean = () => false,
): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (runs === MAX_RUNS || !(isConflict(error) || isRetried(error, runs))) throw error;
    }
  }
}

abstract class QueryRunner implements SharedConnection {
  protected abstract execute(statement: Statement, values?: Values): Promise<Rows>;

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
}

/** The connection of a transaction. Errors of the server are thrown as they are. */
export class Connection extends QueryRunner {
  readonly client: SQL;
  readonly timeoutMs: number;

  constructor(client: SQL, timeoutMs: number) {
    super();
    this.client = client;
    this.timeoutMs = timeoutMs;
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

/** For reads of committed data, since all connections of transactions may be waiting for the row of one Hub. */
export class ReadConnection extends QueryRunner implements SharedReads {
  readonly pool: Pool;
  readonly timeoutMs: number;

  constructor(pool: Pool, timeoutMs: number) {
    super();
    this.pool = pool;
    this.timeoutMs = timeoutMs;
  }

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

  protected execute(statement: Statement, values?: Values): Promise<Rows> {
    return retrying(() =>
      withConnection(this.pool, this.timeoutMs, (client, timeout) => timeout.wait(execute(client, statement, values))),
    );
  }

  #transaction<T>(work: (on: Connection) => Promise<T>, mode?: string): Promise<T> {
    const { pool, timeoutMs } = this;
    return retrying(() =>
      withTransaction(pool, timeoutMs, (client) => work(new Connection(client, timeoutMs)), { mode }),
    );
  }
}

const retrying = <T>(run: () => Promise<T>): Promise<T> => reading(() => retryConflicts(run))();
