import { fillPlaceholders, is, Param, Placeholder, type Query } from 'drizzle-orm';
import type { Db } from './database.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Prepares a Drizzle query for the hot path of a post: the same SQL, but its values are bound in one step. Drizzle's
 * own prepared queries inspect each parameter and each column of the result on every call, which takes as long as
 * SQLite itself.
 */
export function boundStatement(db: Db, query: { toSQL(): Query }) {
  const { sql, params } = query.toSQL();
  const statement = db.$client.prepare<unknown, never[]>(sql);
  const readers = params.map((param) => reader(param));
  const bind = (values: Values) => readers.map((read) => read(values)) as never[];
  return {
    /** Returns the number of changed rows. */
    run: (values: Values): number => statement.run(...bind(values)).changes,
    /**
     * Returns the row id of an inserted row. `returning` would give the same, but SQLite builds a temporary table for
     * it, which takes longer than an insert into an index.
     */
    insert: (values: Values): number => Number(statement.run(...bind(values)).lastInsertRowid),
    /** Returns the columns of the first row, in the order of the query, as SQLite returns them. */
    first: (values: Values): unknown[] | undefined => statement.values(...bind(values))[0],
  };
}

type Reader = (values: Values) => unknown;

function reader(param: unknown): Reader {
  if (is(param, Placeholder)) return ofPlaceholder(param.name);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const read = ofPlaceholder(param.value.name);
    const { encoder } = param;
    return (values) => encoder.mapToDriverValue(read(values));
  }
  const [constant] = fillPlaceholders([param], {});
  return () => constant;
}

function ofPlaceholder(name: string): Reader {
  return (values) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for the placeholder ${name}`);
    return value;
  };
}
