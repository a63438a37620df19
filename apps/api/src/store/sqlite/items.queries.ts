import type { ItemStore } from '../item-store.ts';
import type { Db } from './database.ts';
import { itemReads } from './item-reads.queries.ts';
import { reading } from './storage-fault.ts';
import type { Writer } from './writer.ts';

export { itemWrites } from './item-writes.queries.ts';

/** `onItems` is told when new items were committed. */
export function itemStore(db: Db, writer: Writer, onItems: () => void): ItemStore {
  const reads = itemReads(db);
  const announced = async <T>(write: Promise<T>): Promise<T> => {
    const result = await write;
    onItems();
    return result;
  };
  return {
    create: (item) => announced(writer.write('createItem', item)),
    find: reading(reads.find),
    findOrigin: reading(reads.findOrigin),
    list: reading(reads.list),
    listReplies: reading(reads.listReplies),
    listAssigned: reading(reads.listAssigned),
    listMentioning: reading(reads.listMentioning),
    listByRank: reading(reads.listByRank),
    change: (change) => writer.write('changeItem', change),
    delete: (change) => writer.write('deleteItem', change),
    react: (change) => writer.write('reactToItem', change),
    convert: (change) => announced(writer.write('convertMessage', change)),
  } as ItemStore;
}
