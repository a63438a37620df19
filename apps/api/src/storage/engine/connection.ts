import type { SQL } from 'drizzle-orm';

export type Values = object;
export type MaybePromise<T> = T | Promise<T>;

/** For a row that may change, or one that must only stay. The third leaves out locked rows instead of waiting. */
export type LockMode = 'no key update' | 'share' | 'no key update skip locked';

/** Runs queries: of committed data, or inside a transaction. SQLite answers at once, PostgreSQL after a round trip. */
export interface Connection {
  first<Row>(query: Query<Row>, values?: Values): MaybePromise<Row | undefined>;
  /** Like `first`. In a transaction, the row stays as it is until its end. Several can hold it with `share`. */
  lock<Row>(query: Query<Row>, values?: Values, mode?: LockMode): MaybePromise<Row | undefined>;
  lockAll<Row>(query: Query<Row>, values?: Values, mode?: LockMode): MaybePromise<Row[]>;
  /** Makes transactions that lock the same name wait for each other, where there is no row to lock. */
  lockName(name: string): MaybePromise<void>;
  /** Like `lock`, where the row need not be read. Costs nothing in SQLite, where nothing else writes meanwhile. */
  hold(query: Query<unknown>, values?: Values): MaybePromise<unknown>;
  all<Row>(query: Query<Row>, values?: Values): MaybePromise<Row[]>;
  /** Runs a query that writes, and returns the number of rows that were written. */
  run(query: Query<unknown>, values?: Values): MaybePromise<number>;
}

export interface ReadConnection extends Connection {
  /** Runs reads that must see the same state, such as a page and the sequence numbers that it reflects. */
  snapshot<T>(read: (on: Connection) => Promise<T>): Promise<T>;
}

/** A query with placeholders, and how its rows become objects. */
export interface Query<Row> {
  readonly sql: SQL;
  /** The text for PostgreSQL, where that of SQLite is not understood, or slow. */
  readonly postgresSql?: SQL | undefined;
  readonly isWrite: boolean;
  toRow(cells: readonly unknown[]): Row;
}

export type RowOf<Q> = Q extends Query<infer Row> ? Row : never;
