import type { Statement } from 'bun:sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Connection, Query, ReadConnection, Values } from '../../engine/connection.ts';
import { type ParameterReader, parameterReader } from '../../engine/query.ts';
import { isLocked, isStorageError, reading } from '../../engine/storage-error.ts';
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
  readonly #bound = new Map<Query<never>, BoundQuery>();

  constructor(private readonly db: Db) {}

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
      const statement = prepared(this.db, sql);
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

  /** The batch may be committed between two reads. Snapshots that are open at the same time can share one. */
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

export type Transactions = ReturnType<typeof sqliteTransactions>;

/** In-memory state that follows every step of the transaction, so that it never keeps what was rolled back. */
export interface TransactionState {
  committed(): void;
  rolledBack(): void;
}

export function sqliteTransactions({ $client: client }: Db, states: readonly TransactionState[]) {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const negateCreatedAt = client.prepare('UPDATE workspace SET created_at = -created_at');

  /**
   * A commit whose flush has failed is void, but stays in the log until the next transaction overwrites it: if this
   * process were killed, the next server would apply it. So a harmless change is written in its place; whether that is
   * flushed does not matter.
   */
  const overwriteCommit = (): void => {
    try {
      if (client.inTransaction) rollback.run();
      begin.run();
      // Twice, back and forth, since SQLite writes no page for an unchanged value.
      negateCreatedAt.run();
      negateCreatedAt.run();
      commit.run();
    } catch {
      // The disk accepts no writes, so at most a small part of the commit can be in the log.
      if (client.inTransaction) rollback.run();
    }
  };

  return {
    begin: (): void => {
      begin.run();
    },
    /** Returns once the log has been flushed to disk. */
    commit: () => {
      try {
        commit.run();
      } catch (error) {
        overwriteCommit();
        throw error;
      }
      for (const state of states) state.committed();
    },
    rollback: () => {
      // Needed even if SQLite has already rolled back, because no part of this batch was kept.
      for (const state of states) state.rolledBack();
      if (client.inTransaction) rollback.run();
    },
    /** False once the database has rolled back by itself, as it may on a full disk. */
    isOpen: () => client.inTransaction,
    isStorageError,
    isLocked,
  };
}

/** Runs one transaction after another, with repositories that throw once its work has settled. */
export class TransactionSession<Tx> {
  readonly #make: (on: Connection) => Tx;
  readonly #connection: Connection;
  #tx: Tx;
  /** Shared with the repositories in use. Work that is abandoned keeps its own, which stays closed. */
  #state = { isOpen: false, hasChanges: false };
  #abandon: (error: Error) => void = () => {};
  #watch: NodeJS.Immediate | undefined;

  constructor(connection: Connection, make: (on: Connection) => Tx) {
    this.#connection = connection;
    this.#make = make;
    this.#tx = make(this.#guarded());
  }

  /** Whether the work that ran last has called a function that changes anything. */
  get hasChanges(): boolean {
    return this.#state.hasChanges;
  }

  /** Rejects if the work has not settled when this turn of the event loop ends. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#watch ??= setImmediate(() => this.#endTurn());
    this.#state.isOpen = true;
    this.#state.hasChanges = false;
    const state = this.#state;
    return new Promise<T>((resolve, reject) => {
      this.#abandon = reject;
      // Work that throws before it returns a promise is closed with its batch.
      work(this.#tx)
        .finally(() => {
          state.isOpen = false;
        })
        .then(resolve, reject);
    });
  }

  /** Runs work that returns at once and uses no repositories. */
  runDirect<T>(work: (changing: () => void) => T): T {
    this.#state.hasChanges = false;
    return work(this.#changing);
  }

  readonly #changing = (): void => {
    this.#state.hasChanges = true;
  };

  /** Must be called after the last work of a turn. */
  endBatch(): void {
    this.#state.isOpen = false;
    if (this.#watch) clearImmediate(this.#watch);
    this.#watch = undefined;
  }

  #endTurn(): void {
    this.#watch = undefined;
    if (!this.#state.isOpen) return;
    this.#state.isOpen = false;
    this.#state = { isOpen: false, hasChanges: true };
    this.#tx = this.#make(this.#guarded());
    this.#abandon(new Error('A transaction can only await its repositories, but this one awaited something else'));
  }

  /** Returns the connection of repositories that only work while the work they were passed to is running. */
  #guarded(): Connection {
    const state = this.#state;
    const use = ({ isWrite }: { isWrite: boolean }): Connection => {
      if (!state.isOpen) throw new Error('A repository was called after its transaction');
      if (isWrite) state.hasChanges = true;
      return this.#connection;
    };
    return {
      first: (query, values) => use(query).first(query, values),
      lock: (query, values, mode) => use(query).lock(query, values, mode),
      lockAll: (query, values, mode) => use(query).lockAll(query, values, mode),
      lockName: (name) => use({ isWrite: false }).lockName(name),
      hold: (query, values) => use(query).hold(query, values),
      all: (query, values) => use(query).all(query, values),
      run: (query, values) => use(query).run(query, values),
    };
  }
}
