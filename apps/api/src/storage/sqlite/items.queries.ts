import type { ItemStore } from '../item-store.ts';
import { assignedCounts } from './assigned-counts.queries.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import { itemReads } from './item-reads.queries.ts';
import type { Writer } from './writes.ts';

export { itemWrites } from './item-writes.queries.ts';

export function itemStore(db: Db, writer: Writer): ItemStore {
  const reads = itemReads(db);
  return {
    create: (item) => writer.write('createItem', item),
    find: reading(reads.find),
    findOrigin: reading(reads.findOrigin),
    list: reading(reads.list),
    listReplies: reading(reads.listReplies),
    listAssigned: reading(reads.listAssigned),
    countAssigned: reading(assignedCounts(db)),
    listMentioning: reading(reads.listMentioning),
    listByRank: reading(reads.listByRank),
    change: (change) => writer.write('changeItem', change),
    delete: (change) => writer.write('deleteItem', change),
    react: (change) => writer.write('reactToItem', change),
    convert: (change) => writer.write('convertMessage', change),
  };
}
