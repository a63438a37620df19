import { count, type SQLChunk, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Connection, Query } from '../engine/connection.ts';
import { given, select } from '../engine/query.ts';
import { columnName, sharedColumns } from '../schema/columns.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A page ends after this many rows or bytes, so that the memory that a move needs does not grow with the workspace. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 1024 * 1024;

/** Makes the query of the first or a later page. Databases know the bytes of a long value without reading it. */
function page(table: SQLiteTable, isNext = false): Query<Row> {
  const columns = sharedColumns(table);
  const { primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? Object.values(columns).filter(({ primary }) => primary);
  const nameInQueries = new Map(Object.entries(columns).map(([name, column]) => [column, name]));
  const list = (part: (column: SQLiteColumn) => SQLChunk) =>
    sql.join(
      key.map((column) => sql`${part(column)}`),
      sql`, `,
    );
  const keyColumns = list((column) => column);
  const keyNames = list((column) => sql.identifier(columnName(column)));
  const after = list((column) => given(nameInQueries.get(column) ?? ''));
  const long = Object.values(columns).filter(({ dataType }) => dataType === 'string' || dataType === 'buffer');
  const bytes = sql.join([sql`0`, ...long.map((column) => sql`coalesce(octet_length(${column}), 0)`)], sql` + `);
  const sized = sql`select ${keyColumns}, ${bytes} as bytes from ${table}
    ${isNext ? sql`where (${keyColumns}) > (${after})` : sql``} order by ${keyColumns} limit ${sql.raw(String(PAGE_ROWS))}`;
  const summed = sql`select ${keyNames}, sum(bytes) over (order by ${keyNames}) - bytes as before from (${sized}) as sized`;
  return select(
    columns,
    table,
    sql`(${keyColumns}) in (select ${keyNames} from (${summed}) as summed where before < ${sql.raw(String(PAGE_BYTES))})`,
    { orderBy: key },
  );
}

export async function* readRows(on: Connection, table: SQLiteTable): AsyncGenerator<Row[]> {
  const nextPage = page(table, true);
  for (let rows = await on.all(page(table)); rows.length > 0; rows = await on.all(nextPage, rows.at(-1))) yield rows;
}

export async function countRows(on: Connection, table: SQLiteTable): Promise<number> {
  return (await on.first(select({ rows: count() }, table)))?.rows ?? 0;
}
