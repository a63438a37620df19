import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { apiKeys } from './api-keys.table.ts';
import { auditEntries } from './audit-entries.table.ts';
import { avatars } from './avatars.table.ts';
import { events } from './events.table.ts';
import { hubs } from './hubs.table.ts';
import { keyAddresses, keyDays, mentions, reactions, removals, touchedItems } from './item-details.table.ts';
import { items } from './items.table.ts';
import { notificationModes, notificationSettings, pushIdentity, pushSubscriptions } from './notifications.table.ts';
import { links, memberships, personalTokens, sessions, users } from './users.table.ts';
import { workspace } from './workspace.table.ts';

/** The tables that both databases have, in an order in which none refers to a later one. */
export const sharedTables: readonly SQLiteTable[] = [
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
];

/** In PostgreSQL, an item's search terms are saved with it (`postgres.ts`). */
export const sqliteTables: readonly SQLiteTable[] = [...sharedTables, touchedItems];

/** Tables that SQLite stores in the order of the primary key, without a second B-tree. Drizzle cannot express it. */
export const WITHOUT_ROWID: readonly SQLiteTable[] = [events, keyDays, memberships, reactions];

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
