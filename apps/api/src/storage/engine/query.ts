import {
  and,
  Column,
  type DriverValueEncoder,
  desc,
  getTableColumns,
  is,
  lt,
  Param,
  Placeholder,
  SQL,
  sql,
  type Table,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { CasingCache } from 'drizzle-orm/casing';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { SelectedFields, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * Builds the queries of both databases. Each query is built once, with Drizzle's SQLite builder: SQLite prepares it, and
 * PostgreSQL gets it rendered by Drizzle's PostgreSQL dialect.
 */
export const build = drizzle.mock({ casing: 'snake_case' });

/** Sorts after every id, so that the first page of a list can use the same query as all other pages. */
export const AFTER_ALL_IDS = '~';

export type Values = Readonly<Record<string, unknown>>;
export type MaybePromise<T> = T | Promise<T>;

/**
 * The lock of a row that the transaction may change, or one of a row that it only depends on. The third one leaves out rows
 * that another transaction holds, instead of waiting for it.
 */
export type LockMode = 'no key update' | 'share' | 'no key update skip locked';

/** Runs queries: of committed data, or inside a transaction. SQLite answers at once, PostgreSQL after a round trip. */
export interface Connection {
  first<Row>(query: Query<Row>, values?: Values): MaybePromise<Row | undefined>;
  /**
   * Like `first`. Inside a transaction, the row stays as it is until it ends. Several can hold it at a time with `share`.
   */
  lock<Row>(query: Query<Row>, values?: Values, mode?: LockMode): MaybePromise<Row | undefined>;
  /** The same for several rows, in the order of the query. */
  lockAll<Row>(query: Query<Row>, values?: Values, mode?: LockMode): MaybePromise<Row[]>;
  /** Makes transactions that lock the same name wait for each other, where there is no row to lock. */
  lockName(name: string): MaybePromise<void>;
  /** Like `lock`, where the row need not be read. Costs nothing in SQLite, where nothing else writes meanwhile. */
  hold(query: Query<unknown>, values?: Values): MaybePromise<unknown>;
  all<Row>(query: Query<Row>, values?: Values): MaybePromise<Row[]>;
  /** Runs a query that writes, and returns the number of rows that were written. */
  run(query: Query<unknown>, values?: Values): MaybePromise<number>;
}

/** Continues with what was read: in SQLite at once, before anything in memory can change. */
export function whenRead<Read, Result>(
  read: MaybePromise<Read>,
  next: (read: Read) => Result,
): Result | Promise<Awaited<Result>> {
  return read instanceof Promise ? (read.then(next) as Promise<Awaited<Result>>) : next(read);
}

/** Reads committed data. */
export interface ReadConnection extends Connection {
  /** Runs reads that must see the same state, such as a page and the sequence numbers that it reflects. */
  snapshot<T>(read: (on: Connection) => Promise<T>): Promise<T>;
}

/** A query with placeholders, and how its rows become objects. */
export interface Query<Row> {
  readonly sql: SQL;
  /** The text for PostgreSQL, where that of SQLite is not understood, or slow. */
  readonly postgresSql?: SQL;
  /** Whether it changes anything. */
  readonly isWrite: boolean;
  toRow(cells: readonly unknown[]): Row;
}

/** The rows of a query. */
export type RowOf<Q> = Q extends Query<infer Row> ? Row : never;

interface Builder {
  getSQL(): SQL;
  prepare(): { all: unknown };
}
type BuiltRow<B extends Builder> =
  ReturnType<B['prepare']> extends { all: (...args: never[]) => (infer Row)[] } ? Row : never;

/** Makes a query of one of Drizzle's builders. It is built when it is first used: a start needs few of them. */
export function query<B extends Builder>(make: () => B): Query<BuiltRow<B>> {
  let ready: Query<BuiltRow<B>> | undefined;
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

/** The value of a call that has this name. */
export const given = (name: string) => sql.placeholder(name);

interface SelectOptions {
  orderBy?: SQLiteColumn | SQL | readonly (SQLiteColumn | SQL)[];
  /** By default, there is none. */
  limit?: number | Placeholder | SQL;
}

/** Makes a query for some columns of a table. */
export function select<Columns extends SelectedFields>(
  columns: Columns,
  table: SQLiteTable,
  where?: SQL,
  { orderBy = [], limit }: SelectOptions = {},
): Query<SelectResultFields<Columns>> {
  return query(() => {
    const all = build
      .select(columns as SelectedFields)
      .from(table)
      .where(where)
      .orderBy(...[orderBy].flat())
      .$dynamic();
    return limit === undefined ? all : all.limit(limit as number);
  }) as Query<SelectResultFields<Columns>>;
}

/** A column that has JSON, read as the value of it. */
export function json<Value>(column: SQLiteColumn): SQL<Value> {
  return sql<Value>`${column}`.mapWith((text: string): Value => JSON.parse(text));
}

/** Makes the query of a page: at most `limit` rows before the id `before`, newest first. */
export function page<Columns extends SelectedFields>(columns: Columns, id: SQLiteColumn, filter?: SQL) {
  const where = and(filter, lt(id, given('before')));
  return select(columns, id.table, where, { orderBy: desc(id), limit: given('limit') });
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

function fromBuilder<B extends Builder>(builder: B): Query<BuiltRow<B>> {
  const { config, joinsNotNullableMap } = builder as unknown as BuilderParts;
  const columns = config.returning ?? (config.fields ? listFields(config.fields) : []);
  return {
    sql: builder.getSQL(),
    isWrite: config.fields === undefined,
    toRow: (cells) => toRow(columns, cells, joinsNotNullableMap) as BuiltRow<B>,
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

/** Makes a query that Drizzle cannot build. `toRow` gets the cells of each row, in the order of the columns. */
export function rawQuery<Row, Cells extends readonly unknown[] = readonly unknown[]>(
  text: SQL,
  toRow: (cells: Cells) => Row,
  isWrite = false,
): Query<Row> {
  return { sql: text, isWrite, toRow: toRow as unknown as Query<Row>['toRow'] };
}

/** Makes a query that writes, and returns no rows. */
export function rawWrite(text: SQL): Query<never> {
  const toRow = () => {
    throw new Error('A write without "returning" returns no rows');
  };
  return rawQuery(text, toRow, true);
}

/** Returns the query with another text for PostgreSQL. */
export function inPostgres<Row>(shared: Query<Row>, textOf: (text: SQL) => SQL): Query<Row> {
  let text: SQL | undefined;
  return {
    get sql() {
      return shared.sql;
    },
    get postgresSql() {
      text ??= textOf(shared.sql);
      return text;
    },
    get isWrite() {
      return shared.isWrite;
    },
    toRow: (cells) => shared.toRow(cells),
  };
}

/** Booleans in a query. Drizzle would render the constants of JavaScript as integers, which PostgreSQL rejects. */
export const [TRUE, FALSE] = [sql`true`, sql`false`];

/**
 * Whether a column of texts has the value of a placeholder, or that value is null. PostgreSQL cannot infer the type of a
 * parameter that is only compared with null.
 */
export function matchesIfGiven(column: Column, name: string): SQL {
  return sql`(cast(${given(name)} as text) is null or ${column} = ${given(name)})`;
}

/** The values of a placeholder for a list, which is bound as JSON by `toList`. */
export function listed(name: string): SQL {
  return sql`(select value from json_each(cast(${given(name)} as text)))`;
}

/** Like `listed`, for numbers. */
export function listedNumbers(name: string): SQL {
  return sql`(select cast(value as bigint) from json_each(cast(${given(name)} as text)))`;
}

/**
 * Leaves out ids that PostgreSQL's JSON cannot have, such as one with a NUL from the path of a request: nothing is stored
 * under them.
 */
export function toList(values: readonly (string | number)[]): string {
  return JSON.stringify(values.filter((value) => typeof value !== 'string' || isStorable(value)));
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const casing = new CasingCache('snake_case');

/** The name of a column, without that of its table. */
function nameOf(column: Column): SQL {
  return sql`${sql.identifier(casing.getColumnCasing(column))}`;
}

type ColumnName<T extends SQLiteTable> = keyof T['$inferInsert'] & string;

/** Returns the columns of a table, by their names in queries, without these. */
export function columnsWithout<T extends SQLiteTable, Name extends ColumnName<T>>(table: T, ...names: Name[]) {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !(names as string[]).includes(name));
  return Object.fromEntries(columns) as Omit<T['_']['columns'], Name>;
}

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

/** Joins a part of SQL for each of these columns. */
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

/**
 * Makes an insert with a placeholder for each column. Drizzle's own would name every column of the table,
 * and write `null` to those that the database fills in.
 */
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

/** Makes updates of a table's rows: one for each set of columns, so that each is prepared once. */
export function updatesOf<T extends SQLiteTable>(table: T, where: SQL): (changes: Values) => Query<never> {
  const known = new Map<string, Query<never>>();
  return (changes) => {
    const names = Object.keys(changes).filter((name) => changes[name] !== undefined);
    const made =
      known.get(names.join()) ??
      rawWrite(
        sql`update ${table} set ${listOf(table, names, (column, name) => sql`${nameOf(column)} = ${placeholderOf(column, name)}`)}
          where ${where}`,
      );
    known.set(names.join(), made);
    return made;
  };
}
