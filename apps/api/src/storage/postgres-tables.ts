import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  foreignKey,
  getTableConfig as getPgTableConfig,
  index,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { sharedTables } from './repositories.ts';
import { columnName, sharedColumns } from './schema/columns.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
import { workspace } from './schema/workspace.table.ts';

/** Text that is compared byte by byte, like SQLite does, whatever the locale of the database. */
const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const integer = () => bigint({ mode: 'number' });
/** SQLite numbers the rows of each table with such a key by itself. */
const NUMBERED: readonly SQLiteColumn[] = [hubs.number, items.globalSeq];

interface Additions {
  columns?: Record<string, PgColumnBuilderBase>;
  indexes?(own: (column: SQLiteColumn) => AnyPgColumn): PgTableExtraConfigValue[];
}

/** Columns and indexes that only PostgreSQL has. */
const ADDITIONS = new Map<SQLiteTable, Additions>([
  // Where this workspace was last opened. It differs after a dump was restored (`postgres/prepare-database.ts`).
  [workspace, { columns: { database_id: text().notNull().default('') } }],
  // SQLite finds the posts of a key with `items_by_hub`: this index would cost a page on disk per post.
  [
    items,
    {
      indexes: (own) => [
        index('items_by_key').on(own(items.keyId), own(items.globalSeq)).where(sql`${items.keyId} is not null`),
      ],
    },
  ],
]);

const converted = new Map(sharedTables.map((table) => [table, toPostgres(table)]));

/** For searches (`postgres/search.ts`). A table of its own, so that other changes to an item do not touch the index. */
const itemTerms = pgTable(
  'item_terms',
  {
    globalSeq: integer()
      .primaryKey()
      .references(() => counterpart(items.globalSeq), { onDelete: 'cascade' }),
    /** The distinct words, and the facets of the item. */
    words: tsvector().notNull(),
    /** All words in their order, for phrases. */
    phrases: text().notNull(),
  },
  // Twice what is merged into the index at a time (`mergeTerms`), so that hardly any post waits for that.
  (row) => [index('item_terms_by_word').using('gin', row.words).with({ gin_pending_list_limit: 16_384 })],
);

/** The bytes of files (`postgres/file-chunks.ts`). Without a reference to the row of the file, which comes last. */
const fileChunks = pgTable(
  'file_chunks',
  { fileId: text().notNull(), n: integer().notNull(), bytes: bytes().notNull() },
  (chunk) => [primaryKey({ columns: [chunk.fileId, chunk.n] })],
);

/** The tables of PostgreSQL, from which its migrations are generated. `postgres.sql` has those that nodes share. */
export const postgresTables: readonly PgTable[] = [...converted.values(), itemTerms, fileChunks];

function counterpart(column: SQLiteColumn): AnyPgColumn {
  const table = converted.get(column.table);
  const found = table && getPgTableConfig(table).columns.find(({ name }) => name === columnName(column));
  if (!found) throw new Error(`PostgreSQL has no column ${columnName(column)}`);
  return found;
}

function toPostgres(table: SQLiteTable): PgTable {
  const { name, indexes, foreignKeys, primaryKeys } = getTableConfig(table);
  const added = ADDITIONS.get(table);
  const shared = Object.values(sharedColumns(table)).map((column) => [columnName(column), toColumnBuilder(column)]);
  return pgTable(name, { ...Object.fromEntries(shared), ...added?.columns }, (columns: Record<string, AnyPgColumn>) => {
    const own = (column: SQLiteColumn) => columns[columnName(column)] as AnyPgColumn;
    const list = (of: readonly unknown[]) => of.map((each) => own(each as SQLiteColumn)) as [AnyPgColumn];
    return [
      ...primaryKeys.map((key) => primaryKey({ columns: list(key.columns) })),
      ...indexes.map(({ config }) => {
        const builder = (config.unique ? uniqueIndex : index)(config.name).on(...list(config.columns));
        return config.where ? builder.where(config.where) : builder;
      }),
      ...foreignKeys.map(({ reference, onDelete }) =>
        foreignKey({
          columns: list(reference().columns),
          foreignColumns: reference().foreignColumns.map(counterpart) as [AnyPgColumn],
        }).onDelete(onDelete ?? 'no action'),
      ),
      ...(added?.indexes?.(own) ?? []),
    ];
  });
}

function toColumnBuilder(column: SQLiteColumn) {
  let builder = toType(column);
  if (column.notNull) builder = builder.notNull();
  if (column.primary) builder = builder.primaryKey();
  if (column.isUnique) builder = builder.unique(column.uniqueName);
  return column.default === undefined ? builder : builder.default(column.default as never);
}

function toType(column: SQLiteColumn) {
  switch (column.columnType) {
    case 'SQLiteInteger':
      return NUMBERED.includes(column) ? integer().generatedByDefaultAsIdentity() : integer();
    case 'SQLiteBoolean':
      return boolean();
    case 'SQLiteBlobBuffer':
      return bytes();
    case 'SQLiteText':
      return text();
    default:
      throw new Error(`No type of PostgreSQL is known for ${column.columnType}`);
  }
}
