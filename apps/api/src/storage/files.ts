import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PageRequest } from '../platform/paging.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, fromNewest, given, inPostgres, listed, page, select, toList } from './engine/query.ts';
import { deleteFrom, insertInto, update } from './engine/write.ts';
import { idOf } from './schema/column-types.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
import { workspace } from './schema/workspace.table.ts';

/** Files, without their bytes, which a `FileStore` has. An item repeats in `items.files` what it shows of them. */
export const files = sqliteTable(
  'files',
  {
    id: text().primaryKey(),
    hubId: idOf(() => hubs.id),
    name: text().notNull(),
    size: integer().notNull(),
    contentType: text().notNull(),
    sha256: text().notNull(),
    /** The size of an image that can have a preview. */
    width: integer(),
    height: integer(),
    /** The average color of an image, once its preview was made. */
    color: text(),
    createdAt: integer().notNull(),
    /** `null` until the file is attached, and again after its item was erased. */
    itemId: text(),
  },
  (file) => [
    index('files_by_hub').on(file.hubId, file.id),
    index('files_by_item').on(file.itemId).where(sql`${file.itemId} is not null`),
    index('files_unattached').on(file.createdAt, file.id).where(sql`${file.itemId} is null`),
  ],
);

const isListed = sql`${files.id} in ${listed('ids')}`;
const find = select({ ...columnsWithout(files), itemDeletedAt: items.deletedAt }, files, eq(files.id, given('id')), {
  joins: [[items, eq(items.id, files.itemId)]],
});
const listOfHub = page(
  {
    ...columnsWithout(files, 'hubId', 'sha256'),
    itemId: items.id,
    parentId: items.parentId,
    authorId: items.authorId,
    authorKind: items.authorKind,
    authorName: sql<string>`coalesce((select name from users where id = ${items.authorId}),
      (select bot_name from workspace))`,
    keyId: items.keyId,
    keyName: sql<string | null>`(select name from api_keys where id = ${items.keyId})`,
  },
  files.id,
  and(eq(files.hubId, given('hubId')), isNull(items.deletedAt)),
  [[items, eq(items.id, files.itemId)]],
);
/** Files that a new item lists. In PostgreSQL, no other item can attach them at the same time. */
export const findListed = inPostgres(
  select(columnsWithout(files), files, isListed),
  (query) => sql`${query} for update`,
);
/** Takes the ids as `toList` returns them. */
export const attach = update(files, { itemId: sql`${given('itemId')}` }, isListed);
const insert = insertInto(files);
const setColor = update(files, { color: sql`${given('color')}` }, eq(files.id, given('id')));
const unattached = select(
  { id: files.id, size: files.size },
  files,
  and(isNull(files.itemId), lt(files.createdAt, given('before'))),
  { orderBy: [asc(files.createdAt), asc(files.id)], limit: given('limit') },
);
/** From then on, nothing can attach them, and they are erased like those that never were attached. */
const released = { itemId: null, createdAt: 0 };
export const release = update(files, released, sql`${files.itemId} in ${listed('ids')}`);
const releaseListed = update(files, released, isListed);
const remove = deleteFrom(files, and(isListed, isNull(files.itemId)));
const findAny = select({ size: files.size }, files, eq(files.id, given('id')));
export const isKnownFile = select({ id: files.id }, files, eq(files.id, given('id')));
const totalBytes = select({ bytes: workspace.fileBytes }, workspace);
const addBytes = update(workspace, { fileBytes: sql`${workspace.fileBytes} + ${given('bytes')}` });

export type FileRecord = RowOf<typeof findListed>;

export function fileReads(on: Connection) {
  return {
    /** Finds a file that is attached to an item, deleted or not. */
    find: async (id: string) => (await on.first(find, { id })) ?? null,
    /** A page of the files of a Hub that an item shows. */
    listOfHub: async (request: PageRequest & { hubId: string }) => on.all(listOfHub, fromNewest(request)),
    /** Returns the size of a file, whether it is attached or not. */
    findSize: async (id: string) => (await on.first(findAny, { id }))?.size ?? null,
    /** The sum of the sizes of all files. */
    totalBytes: async (): Promise<number> => (await on.first(totalBytes))?.bytes ?? 0,
  };
}

export function fileChanges(on: Connection) {
  return {
    /** Like the one for reads; no other transaction can add files until this one ends. */
    totalBytes: async (): Promise<number> => (await on.lock(totalBytes))?.bytes ?? 0,
    insert: async (file: FileRecord): Promise<void> => {
      await on.run(insert, file);
      await on.run(addBytes, { bytes: file.size });
    },
    listed: async (ids: readonly string[]): Promise<FileRecord[]> => on.all(findListed, { ids: toList(ids) }),
    setColor: async (id: string, color: string) => on.run(setColor, { id, color }),
    attach: async (ids: readonly string[], itemId: string) => on.run(attach, { ids: toList(ids), itemId }),
    /** Takes files from their items. Nothing can attach them again. */
    release: async (ids: readonly string[]) => on.run(releaseListed, { ids: toList(ids) }),
    /** Lists files that belong to no item, oldest first. */
    listUnattached: async (before: number, limit: number) => on.all(unattached, { before, limit }),
    remove: async (rows: readonly { id: string; size: number }[]): Promise<void> => {
      await on.run(remove, { ids: toList(rows.map(({ id }) => id)) });
      await on.run(addBytes, { bytes: -rows.reduce((sum, { size }) => sum + size, 0) });
    },
  };
}
