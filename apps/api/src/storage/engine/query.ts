import {
  and,
  Column,
  type DriverValueEncoder,
  desc,
  getTableColumns,
  getTableName,
  is,
  lt,
  Param,
  Placeholder,
  SQL,
  sql,
  type Table,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { SelectedFields, SQLiteColumn, SQLiteSelect, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { MaybePromise, Query, Values } from './connection.ts';

/** Builds the queries of both databases, each once. PostgreSQL gets them rendered by Drizzle's own dialect. */
export const build = drizzle.mock({ casing: 'snake_case' });

/** Sorts after every id, so that the first page of a list can use the same query as all other pages. */
export const AFTER_ALL_IDS = '~';

/** Returns the values for the query of a page, which begins with the newest row by default. */
export function fromNewest<Request extends { before?: string | undefined }>(request: Request) {
  return { ...request, before: request.before ?? AFTER_ALL_IDS };
}

interface Builder {
  getSQL(): SQL;
  prepare(): { all: unknown };
}
type BuiltRow<B extends Builder> =
  ReturnType<B['prepare']> extends { all: (...args: never[]) => (infer Row)[] } ? Row : never;

/** Makes a query of one of Drizzle's builders. It is built when it is first used: a start needs few of them. */
export function query<B extends Builder>(make: () => B): Query<BuiltRow<B>> {
  return deferred(() => fromBuilder(make()));
}

function deferred<Row>(make: () => Query<Row>): Query<Row> {
  let made: Query<Row> | undefined;
  const ready = () => {
    made ??= make();
    return made;
  };
  return {
    get sql() {
      return ready().sql;
    },
    get postgresSql() {
      return ready().postgresSql;
    },
    get isWrite() {
      return ready().isWrite;
    },
    toRow: (cells) => ready().toRow(cells),
  };
}

/** The value of a call that has this name. */
export const given = (name: string) => sql.placeholder(name);

interface SelectOptions {
  /** Inner joins. PostgreSQL locks the rows in the order of the tables. */
  joins?: readonly (readonly [table: SQLiteTable, on: SQL | undefined])[];
  orderBy?: SQLiteColumn | SQL | readonly (SQLiteColumn | SQL)[];
  limit?: number | Placeholder | SQL;
}

/** Makes a query for some columns of a table, or of several. */
export function select<Columns extends SelectedFields>(
  columns: Columns,
  table: SQLiteTable,
  where?: SQL,
  { joins = [], orderBy = [], limit }: SelectOptions = {},
): Query<SelectResultFields<Columns>> {
  return query(() => {
    let all = build
      .select(columns as SelectedFields)
      .from(table)
      .$dynamic() as SQLiteSelect;
    for (const [joined, on] of joins) all = all.innerJoin(joined, on) as SQLiteSelect;
    all = all.where(where).orderBy(...[orderBy].flat());
    return limit === undefined ? all : all.limit(limit as number);
  }) as Query<SelectResultFields<Columns>>;
}

/** A column that has JSON, read as the value of it. */
export function json<Value>(column: SQLiteColumn): SQL<Value> {
  return sql<Value>`${column}`.mapWith((text: string): Value => JSON.parse(text));
}

/** Makes the query of a page: at most `limit` rows before the id `before`, newest first. */
export function page<Columns extends SelectedFields>(
  columns: Columns,
  id: SQLiteColumn,
  filter?: SQL,
  joins: SelectOptions['joins'] = [],
) {
  const where = and(filter, lt(id, given('before')));
  return select(columns, id.table, where, { joins, orderBy: desc(id), limit: given('limit') });
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
    const mayBeEmpty = is(field, Column) && isJoined?.[getTableName(field.table)] === false;
    emptyGroups.set(name, (emptyGroups.get(name) ?? true) && mayBeEmpty && value === null);
  });
  for (const [name, isEmpty] of emptyGroups) if (isEmpty) row[name] = null;
  return row;
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
export function rawQuery<Row, Cells extends readonly unknown[] = readonly unknown[]>(
  text: SQL,
  toRow: (cells: Cells) => Row,
  isWrite = false,
): Query<Row> {
  return { sql: text, isWrite, toRow: toRow as unknown as Query<Row>['toRow'] };
}

/** Returns the query with another text for PostgreSQL. */
export function inPostgres<Row>(shared: Query<Row>, textOf: (text: SQL) => SQL): Query<Row> {
  const { toRow } = shared;
  return deferred(() => ({ sql: shared.sql, postgresSql: textOf(shared.sql), isWrite: shared.isWrite, toRow }));
}

/** Booleans in a query. Drizzle would render the constants of JavaScript as integers, which PostgreSQL rejects. */
export const [TRUE, FALSE] = [sql`true`, sql`false`];

/** Whether a column has the given value, or that is null. PostgreSQL needs the cast to infer its type. */
export function matchesIfGiven(column: Column, name: string): SQL {
  return sql`(cast(${given(name)} as text) is null or ${column} = ${given(name)})`;
}

/** The values of a placeholder for a list, which is bound as JSON by `toList`. */
export function listed(name: string): SQL {
  return sql`(select value from json_each(cast(${given(name)} as text)))`;
}

export function listedNumbers(name: string): SQL {
  return sql`(select cast(value as bigint) from json_each(cast(${given(name)} as text)))`;
}

/** Leaves out ids that PostgreSQL's JSON cannot have, such as one with a NUL: nothing is stored under them. */
export function toList(values: readonly (string | number)[]): string {
  return JSON.stringify(values.filter((value) => typeof value !== 'string' || isStorable(value)));
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns the columns of a table, by their names in queries, without these. */
export function columnsWithout<T extends SQLiteTable, Name extends keyof T['_']['columns'] & string = never>(
  table: T,
  ...names: Name[]
) {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !(names as string[]).includes(name));
  return Object.fromEntries(columns) as Omit<T['_']['columns'], Name>;
}

/** Continues with what was read: in SQLite at once, before anything in memory can change. */
export function whenRead<Read, Result>(
  read: MaybePromise<Read>,
  next: (read: Read) => Result,
): Result | Promise<Awaited<Result>> {
  return read instanceof Promise ? (read.then(next) as Promise<Awaited<Result>>) : next(read);
}

export type ParameterReader = (values: Values) => unknown;

/**
 * Returns what reads a parameter from the values of a call: faster than Drizzle's `fillPlaceholders`, which inspects
 * each parameter every time. `encode` adapts a value that belongs to a column.
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
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) throw new Error(`No value for the placeholder ${name}`);
    return value;
  };
}
