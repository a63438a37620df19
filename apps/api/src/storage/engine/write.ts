import { type Column, getTableColumns, Placeholder, type SQL, sql } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { Query, Values } from './connection.ts';
import { build, query, rawQuery } from './query.ts';

/** Makes a query that writes, and returns no rows. */
export function rawWrite(text: SQL): Query<never> {
  const toRow = () => {
    throw new Error('A write without "returning" returns no rows');
  };
  return rawQuery(text, toRow, true);
}

/** Makes a query that deletes rows of a table; by default, all of them. */
export function deleteFrom(table: SQLiteTable, where?: SQL): Query<unknown> {
  return query(() => build.delete(table).where(where));
}

const casing = new CasingCache('snake_case');

function nameOf(column: Column): SQL {
  return sql`${sql.identifier(casing.getColumnCasing(column))}`;
}

type ColumnName<T extends SQLiteTable> = keyof T['$inferInsert'] & string;

interface InsertOptions<T extends SQLiteTable> {
  /** By default, all columns. */
  columns?: readonly ColumnName<T>[];
  /** Expressions for columns that do not get the value of a placeholder. */
  values?: Partial<Record<ColumnName<T>, SQL>>;
  /** If a row with the same `key` exists, it stays, but for the columns in `replace`, which get the new values. */
  key?: readonly ColumnName<T>[];
  replace?: readonly ColumnName<T>[];
  /** Columns of such a row to which the new values are added. */
  add?: readonly ColumnName<T>[];
}

function listOf<T extends SQLiteTable>(
  table: T,
  names: readonly string[],
  part: (column: Column, name: string) => SQL,
) {
  const columns = getTableColumns(table) as Record<string, Column>;
  return sql.join(
    names.map((name) => part(columns[name] as Column, name)),
    sql`, `,
  );
}

const placeholderOf = (column: Column, name: string): SQL => sql`${sql.param(new Placeholder(name), column)}`;

/** Makes an insert with a placeholder for each column. Drizzle's own writes `null` to columns that are left out. */
export function insertInto<T extends SQLiteTable>(
  table: T,
  { columns = Object.keys(getTableColumns(table)), values = {}, key, replace = [], add = [] }: InsertOptions<T> = {},
): Query<never> {
  const expressions = values as Record<string, SQL | undefined>;
  const list = (of: readonly string[], part: (column: Column, name: string) => SQL) => listOf(table, of, part);
  const row = list(columns, (column, name) => expressions[name] ?? placeholderOf(column, name));
  const insert = sql`insert into ${table} (${list(columns, nameOf)}) values (${row})`;
  if (!key) return rawWrite(insert);
  const isAdded = new Set<string>(add);
  const changed = list([...replace, ...add], (column, name) => {
    const excluded = sql`excluded.${nameOf(column)}`;
    return sql`${nameOf(column)} = ${isAdded.has(name) ? sql`${column} + ${excluded}` : excluded}`;
  });
  const change = replace.length + add.length > 0 ? sql`update set ${changed}` : sql`nothing`;
  return rawWrite(sql`${insert} on conflict (${list(key, nameOf)}) do ${change}`);
}

/** Makes an update of rows to these values. */
export function update<T extends SQLiteTable>(table: T, values: SQLiteUpdateSetSource<T>, where?: SQL): Query<unknown> {
  return query(() => build.update(table).set(values).where(where));
}

/** Makes updates of a table's rows: one for each set of columns, so that each is prepared once. */
export function updatesOf<T extends SQLiteTable>(table: T, where: SQL): (changes: Values) => Query<never> {
  const updates = new Map<string, Query<never>>();
  return (changes) => {
    const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const key = names.join();
    let update = updates.get(key);
    if (!update) {
      const set = listOf(table, names, (column, name) => sql`${nameOf(column)} = ${placeholderOf(column, name)}`);
      update = rawWrite(sql`update ${table} set ${set} where ${where}`);
      updates.set(key, update);
    }
    return update;
  };
}
