import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { apiKeys } from './api-keys.table.ts';
import { workspace } from './workspace.table.ts';

/** Columns that mean something only in SQLite: which server has opened it, and how far its counters are. */
const SQLITE_COLUMNS: readonly SQLiteColumn[] = [workspace.runId, workspace.countedGlobalSeq, apiKeys.countedGlobalSeq];

/** Returns the columns of a table that both databases have, by their names in queries. */
export function sharedColumns(table: SQLiteTable): Record<string, SQLiteColumn> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(([, column]) => !SQLITE_COLUMNS.includes(column)),
  );
}

export function columnName(column: SQLiteColumn): string {
  return column.keyAsName ? toSnakeCase(column.name) : column.name;
}
