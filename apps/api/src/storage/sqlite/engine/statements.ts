import type { Statement } from 'bun:sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { StoreUnavailable } from '../../../platform/errors.ts';
import {
  type ParameterReader,
  parameterReader,
  type Query,
  type ReadConnection,
  type Values,
} from '../../engine/connection.ts';
import { isStorageError, reading } from '../../engine/storage-error.ts';
import type { Db } from './database.ts';

const statementsOf = new WeakMap<Db['$client'], { finalize(): void }[]>();

/** Prepares a statement, and records it for `finalizeStatements`. */
function prepared({ $client: client }: Db, sql: string): Statement<unknown, never[]> {
  const statement = client.prepare<unknown, never[]>(sql);
  const known = statementsOf.get(client) ?? [];
  statementsOf.set(client, known);
  known.push(statement);
  return statement;
}

/** Finalizes the statements of a connection, which lives until then, and keeps others from turning off the log. */
export function finalizeStatements({ $client: client }: Db): void {
  for (const statement of statementsOf.get(client) ?? []) statement.finalize();
}

const dialect = new SQLiteSyncDialect({ casing: 'snake_case' });

interface BoundQuery {
  statement: Statement<unknown, never[]>;
  readers: ParameterReader[];
}

/** Runs the queries of both databases on a connection. Each is prepared when it is first run. */
export class SqliteConnection implements ReadConnection {
  readonly #db: Db;
  readonly #bound = new Map<Query<never>, BoundQuery>();

  constructor(db: Db) {
    this.#db = db;
  }

  first<Row>(query: Query<Row>, values?: Values): Row | undefined {
    return this.all(query, values)[0];
  }

  /** Nothing else writes until the transaction ends. */
  lock<Row>(query: Query<Row>, values?: Values): Row | undefined {
    return this.first(query, values);
  }

  lockAll<Row>(query: Query<Row>, values?: Values): Row[] {
    return this.all(query, values);
  }

  lockName(): void {}

  hold(): void {}

  all<Row>(query: Query<Row>, values: Values = {}): Row[] {
    const { statement, readers } = this.#bind(query);
    return statement.values(...parametersOf(readers, values)).map((cells) => query.toRow(cells as unknown[]));
  }

  run(query: Query<unknown>, values: Values = {}): number {
    const { statement, readers } = this.#bind(query);
    return statement.run(...parametersOf(readers, values)).changes;
  }

  /** Inserts a row, and returns its row id. For `returning`, SQLite would build a temporary table. */
  insert(query: Query<never>, values: Values): number {
    const { statement, readers } = this.#bind(query);
    return Number(statement.run(...parametersOf(readers, values)).lastInsertRowid);
  }

  /** A batch begins with a turn of the event loop. The reads end before, since each has its result at once. */
  snapshot<T>(read: (on: SqliteConnection) => Promise<T>): Promise<T> {
    return read(this);
  }

  #bind<Row>(query: Query<Row>): BoundQuery {
    const key = query as Query<never>;
    let bound = this.#bound.get(key);
    if (!bound) {
      const { sql, params } = dialect.sqlToQuery(query.sql);
      const statement = prepared(this.#db, sql);
      bound = { statement, readers: params.map((param) => parameterReader(param)) };
      this.#bound.set(key, bound);
    }
    return bound;
  }
}

/**
 * Reads committed data on the connection that writes, or on another one while that has a transaction open, which few
 * reads meet. Only the other one would be slow: SQLite drops its cached pages whenever another one has committed.
 */
export class CommittedReads extends SqliteConnection {
  readonly #writing: Db;
  readonly #idle: SqliteConnection;
  readonly #duringBatch: SqliteConnection;
  readonly #begin: Statement;
  readonly #end: Statement;
  #snapshots = 0;

  constructor(writing: Db, other: Db) {
    super(other);
    this.#writing = writing;
    this.#idle = new SqliteConnection(writing);
    this.#duringBatch = new SqliteConnection(other);
    [this.#begin, this.#end] = [prepared(other, 'BEGIN'), prepared(other, 'COMMIT')];
  }

  override all<Row>(query: Query<Row>, values?: Values): Row[] {
    try {
      return (this.#writing.$client.inTransaction ? this.#duringBatch : this.#idle).all(query, values);
    } catch (error) {
      throw isStorageError(error) ? new StoreUnavailable(error) : error;
    }
  }

  override snapshot<T>(read: (on: SqliteConnection) => Promise<T>): Promise<T> {
    return reading(() => (this.#writing.$client.inTransaction ? this.#snapshotDuringBatch(read) : read(this.#idle)))();
  }

  /**
   * The batch may be committed between two reads. All snapshots that are open at the same time began during the same
   * batch, so they can share one.
   */
  async #snapshotDuringBatch<T>(read: (on: SqliteConnection) => Promise<T>): Promise<T> {
    if (this.#snapshots === 0) this.#begin.run();
    this.#snapshots += 1;
    try {
      return await read(this.#duringBatch);
    } finally {
      this.#snapshots -= 1;
      if (this.#snapshots === 0) this.#end.run();
    }
  }
}

function parametersOf(readers: readonly ParameterReader[], values: Values): never[] {
  return readers.map((read) => read(values)) as never[];
}
