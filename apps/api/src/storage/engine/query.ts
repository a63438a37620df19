import {
  Column,
  type DriverValueEncoder,
  getTableColumns,
  is,
  Param,
  Placeholder,
  SQL,
  sql,
  type Table,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { CasingCache } from 'drizzle-orm/casing';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * Builds the queries of both databases. Each query is built once, with Drizzle's SQLite builder: SQLite prepares it, and
 * PostgreSQL gets it rendered by Drizzle's PostgreSQL dialect.
 */
export const build = drizzle.mock({ casing: 'snake_case' });

/** Sorts after every id, so that the first page of a list can use the same query as all other pages. */
export const AFTER_ALL_IDS = '~';

export type Values = Readonly<Record<string, unknown>>;
export type MaybePromise<T> = T | Promise<T>;

/** Runs queries: of committed data, or inside a transaction. SQLite answers at once, PostgreSQL after a round trip. */
export interface Connection {
  first<Row>(query: Query<Row>, values?: Values): MaybePromise<Row | undefined>;
  /** Like `first`. The row stays as it is until the transaction ends. */
  lock<Row>(query: Query<Row>, values?: Values): MaybePromise<Row | undefined>;
  all<Row>(query: Query<Row>, values?: Values): MaybePromise<Row[]>;
  /** Runs a query that writes, and returns the number of rows that were written. */
  run(query: Query<unknown>, values?: Values): MaybePromise<number>;
}

/** A query with placeholders, and how its rows become objects. */
export interface Query<Row> {
  readonly sql: SQL;
  /** Whether it changes anything. */
  readonly isWrite: boolean;
  toRow(cells: readonly unknown[]): Row;
}

interface Builder {
  getSQL(): SQL;
  prepare(): { all: unknown };
}
type RowOf<B extends Builder> =
  ReturnType<B['prepare']> extends { all: (...args: never[]) => (infer Row)[] } ? Row : never;

/** Makes a query of one of Drizzle's builders. It is built when it is first used: a start needs few of them. */
export function query<B extends Builder>(make: () => B): Query<RowOf<B>> {
  let ready: Query<RowOf<B>> | undefined;
  const built = () => {
    ready ??= fromBuilder(make());
    return ready;
  };
  return {
    get sql() {
      return built().sql;
    },
    get isWrite() {
      return built().isWrite;
    },
    toRow: (cells) => built().toRow(cells),
  };
}

/** The parts of Drizzle's builders that tell how rows are read; its types keep them private. */
interface BuilderParts {
  config: { fields?: Fields; returning?: { path: string[]; field: Field }[] };
  joinsNotNullableMap?: Record<string, boolean>;
}
type Field = Column | SQL | SQL.Aliased;
interface Fields {
  [name: string]: Field | Fields | Table;
}

function fromBuilder<B extends Builder>(builder: B): Query<RowOf<B>> {
  const { config, joinsNotNullableMap } = builder as unknown as BuilderParts;
  const columns = config.returning ?? (config.fields ? listFields(config.fields) : []);
  return {
    sql: builder.getSQL(),
    isWrite: config.fields === undefined,
    toRow: (cells) => toRow(columns, cells, joinsNotNullableMap) as RowOf<B>,
  };
}

interface SelectedColumn {
  path: string[];
  field: Field;
}

function listFields(fields: Fields, parents: string[] = []): SelectedColumn[] {
  return Object.entries(fields).flatMap(([name, field]): SelectedColumn[] => {
    const path = [...parents, name];
    if (is(field, Column) || is(field, SQL) || is(field, SQL.Aliased)) return [{ path, field }];
    return listFields(field as Fields, path);
  });
}

/** Builds the object of a row. A group of columns that an outer join left empty is `null`. */
function toRow(
  columns: readonly SelectedColumn[],
  cells: readonly unknown[],
  isJoined: BuilderParts['joinsNotNullableMap'],
) {
  const row: Record<string, unknown> = {};
  const emptyGroups = new Map<string, boolean>();
  columns.forEach(({ path: [name = '', inner], field }, index) => {
    const value = decode(field, cells[index]);
    if (inner === undefined) {
      row[name] = value;
      return;
    }
    const group = (row[name] ?? {}) as Record<string, unknown>;
    group[inner] = value;
    row[name] = group;
    const table = is(field, Column) ? tableName(field) : undefined;
    const mayBeEmpty = table !== undefined && isJoined?.[table] === false;
    emptyGroups.set(name, (emptyGroups.get(name) ?? true) && mayBeEmpty && value === null);
  });
  for (const [name, isEmpty] of emptyGroups) if (isEmpty) row[name] = null;
  return row;
}

function tableName({ table }: Column): string {
  return (table as unknown as Record<symbol, string>)[Symbol.for('drizzle:Name')] ?? '';
}

function decode(field: Field, cell: unknown): unknown {
  if (cell === null || cell === undefined) return null;
  const decoder = decoderOf(field);
  // PostgreSQL's client returns 64-bit integers as text.
  if (is(decoder, Column) && decoder.dataType === 'number') return Number(cell);
  return decoder.mapFromDriverValue(cell);
}

function decoderOf(field: Field): Column | { mapFromDriverValue(cell: unknown): unknown } {
  if (is(field, Column)) return field;
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  return (expression as unknown as { decoder: { mapFromDriverValue(cell: unknown): unknown } }).decoder;
}

/** Makes a query that Drizzle cannot build. `toRow` gets the cells of each row, in the order of the columns. */
export function rawQuery<Row>(text: SQL, toRow: (cells: readonly unknown[]) => Row): Query<Row> {
  return { sql: text, isWrite: false, toRow };
}

/** Booleans in a query. Drizzle would render the constants of JavaScript as integers, which PostgreSQL rejects. */
export const [TRUE, FALSE] = [sql`true`, sql`false`];

/** The values of a placeholder for a list, which is bound as JSON by `toList`. */
export function listed(name: string): SQL {
  return sql`(select value from json_each(cast(${sql.placeholder(name)} as text)))`;
}

export function toList(values: readonly string[]): string {
  return JSON.stringify(values);
}

export type ParameterReader = (values: Values) => unknown;

/**
 * Returns a function that reads a parameter of a rendered query from the values of a call: faster than Drizzle's
 * `fillPlaceholders`, which inspects each parameter every time. `encode` adapts a value that belongs to a column.
 */
export function parameterReader(
  param: unknown,
  encode = (value: unknown, encoder: DriverValueEncoder<unknown, unknown>): unknown => encoder.mapToDriverValue(value),
): ParameterReader {
  if (is(param, Placeholder)) return ofPlaceholder(param.name);
  if (!is(param, Param)) return () => param;
  const { encoder, value } = param;
  if (is(value, Placeholder)) {
    const read = ofPlaceholder(value.name);
    return (values) => encode(read(values), encoder);
  }
  const constant = encode(value, encoder);
  return () => constant;
}

function ofPlaceholder(name: string): ParameterReader {
  return (values) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for the placeholder ${name}`);
    return value;
  };
}

const casing = new CasingCache('snake_case');

/** The name of a column, without that of its table. */
function nameOf(column: Column): SQL {
  return sql`${sql.identifier(casing.getColumnCasing(column))}`;
}

type ColumnName<T extends SQLiteTable> = keyof T['$inferInsert'] & string;

/**
 * Makes an insert with a placeholder for each of the named columns. Drizzle's own would name every column of the table,
 * and write `null` to those that the database fills in.
 *
 * If a row with the same `key` exists, `replace` names the columns that get the new values.
 */
export function insertInto<T extends SQLiteTable>(
  table: T,
  names: readonly ColumnName<T>[],
  onConflict?: { key: readonly ColumnName<T>[]; replace: readonly ColumnName<T>[] },
): Query<never> {
  const columns = getTableColumns(table) as Record<string, Column>;
  const list = (of: readonly string[], part: (column: Column, name: string) => SQL) =>
    sql.join(
      of.map((name) => part(columns[name] as Column, name)),
      sql`, `,
    );
  const insert = sql`insert into ${table} (${list(names, nameOf)}) values (${list(names, (column, name) => sql`${sql.param(new Placeholder(name), column)}`)})`;
  const replaced = (column: Column) => sql`${nameOf(column)} = excluded.${nameOf(column)}`;
  return {
    sql: onConflict
      ? sql`${insert} on conflict (${list(onConflict.key, nameOf)}) do update set ${list(onConflict.replace, replaced)}`
      : insert,
    isWrite: true,
    toRow: () => {
      throw new Error('An insert returns no rows');
    },
  };
}
