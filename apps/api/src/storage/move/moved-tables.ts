import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { apiKeys } from '../postgres/tables/api-keys.table.ts';
import { auditEntries } from '../postgres/tables/audit-entries.table.ts';
import { avatars } from '../postgres/tables/avatars.table.ts';
import { events } from '../postgres/tables/events.table.ts';
import { hubs } from '../postgres/tables/hubs.table.ts';
import { keyAddresses, keyDays, mentions, reactions, removals } from '../postgres/tables/item-details.table.ts';
import { items } from '../postgres/tables/items.table.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from '../postgres/tables/notifications.table.ts';
import { links, memberships, personalTokens, sessions, users } from '../postgres/tables/users.table.ts';
import { workspace } from '../postgres/tables/workspace.table.ts';

type ColumnType = 'text' | 'integer' | 'boolean' | 'bytes';

/** A table that both storages have, with the columns that both have. */
export interface MovedTable {
  name: string;
  columns: readonly { name: string; type: ColumnType }[];
  /** The columns of the primary key, by which rows are read in the same order from both storages. */
  key: readonly string[];
}

/** A row in the same form for both storages: in the order of the columns, with booleans as 0 or 1, and bytes in hexadecimal. */
export type MovedRow = (string | number | null)[];

/** Columns that mean something only in PostgreSQL. */
const POSTGRES_COLUMNS: readonly string[] = ['workspace.database_id'];

const TYPES: Readonly<Record<string, ColumnType>> = { bigint: 'integer', boolean: 'boolean', bytea: 'bytes' };

/** In an order in which no row refers to a later one. */
export const MOVED_TABLES: readonly MovedTable[] = [
  workspace,
  users,
  hubs,
  memberships,
  sessions,
  personalTokens,
  links,
  apiKeys,
  keyDays,
  keyAddresses,
  items,
  events,
  reactions,
  mentions,
  removals,
  auditEntries,
  avatars,
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
].map(movedTable);

function movedTable(table: PgTable): MovedTable {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const nameOf = (column: { name: string; keyAsName: boolean }) =>
    column.keyAsName ? toSnakeCase(column.name) : column.name;
  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return {
    name,
    columns: columns
      .map((column) => ({ name: nameOf(column), type: TYPES[column.getSQLType()] ?? ('text' as const) }))
      .filter((column) => !POSTGRES_COLUMNS.includes(`${name}.${column.name}`)),
    key: keyColumns.map(nameOf),
  };
}

/** Returns the value of a column in a row. */
export function cellOf(table: MovedTable, row: MovedRow, column: string): string | number | null {
  return row[table.columns.findIndex(({ name }) => name === column)] ?? null;
}
