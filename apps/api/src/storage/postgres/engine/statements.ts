import type { SQL } from 'bun';
import { type DriverValueEncoder, fillPlaceholders, is, type SQL as Query, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { SQLiteBoolean } from 'drizzle-orm/sqlite-core';
import { parameterReader } from '../../engine/parameters.ts';
import type { LockMode, Query as SharedQuery, Values } from '../../engine/query.ts';

/** A query of Drizzle's that was turned into SQL once. */
export interface Statement<Result> {
  execute(values?: Values): Promise<Result>;
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
      const rows: Columns[] = await this.client.unsafe(sql, fillPlaceholders(params, { ...values })).values();
      return rows.map((columns) => toRow(columns));
    },
  } as Statement<Row[]>;
}

const statements = new WeakMap<SharedQuery<never>, Statement<unknown[]>>();
const lockingStatements: Record<LockMode, typeof statements> = {
  'no key update': new WeakMap(),
  share: new WeakMap(),
  'no key update skip locked': new WeakMap(),
};

export function toStatement<Row>(query: Statement<Row[]> | SharedQuery<Row>): Statement<Row[]> {
  return 'execute' in query ? query : rendered(query, query.postgresSql ?? query.sql, statements);
}

/** Returns a statement that keeps other transactions from changing the row, but not from referring to it. */
export function lockingStatement<Row>(query: SharedQuery<Row>, mode: LockMode = 'no key update'): Statement<Row[]> {
  return rendered(query, sql`${query.sql} for ${sql.raw(mode)}`, lockingStatements[mode]);
}

function rendered<Row>(query: SharedQuery<Row>, text: Query, known: typeof statements): Statement<Row[]> {
  const key = query as SharedQuery<never>;
  let made = known.get(key) as Statement<Row[]> | undefined;
  if (!made) {
    made = sharedStatement(query, text);
    known.set(key, made as Statement<unknown[]>);
  }
  return made;
}

function sharedStatement<Row>(query: SharedQuery<Row>, text: Query): Statement<Row[]> {
  const { sql, params } = dialect.sqlToQuery(text);
  const readers = params.map((param) => parameterReader(param, encodeParameter));
  // SQLite's function that lists the values of a JSON array has another name here.
  const nativeSql = sql.replace(/json_each\((cast\(\$\d+ as text\))\)/g, 'json_array_elements_text($1::json)');
  return {
    async execute(this: { client: SQL }, values: Values = {}) {
      const parameters = readers.map((read) => read(values));
      const result = await this.client.unsafe(nativeSql, parameters).values();
      const rows = Array.from(result as unknown[][], (cells) => query.toRow(cells));
      // The number of rows that were written.
      return Object.defineProperty(rows, 'count', { value: result.count });
    },
  } as Statement<Row[]>;
}

/** SQLite has integers for booleans, and the columns of the queries are its own. */
function encodeParameter(value: unknown, encoder: DriverValueEncoder<unknown, unknown>): unknown {
  const encoded = encoder.mapToDriverValue(value);
  return is(encoder, SQLiteBoolean) ? encoded === 1 : encoded;
}
