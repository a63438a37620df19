import { sql } from 'drizzle-orm';
import type { Connection } from '../engine/connection.ts';
import { given, toList } from '../engine/query.ts';
import { deleteFrom, rawWrite } from '../engine/write.ts';
import type { ItemIndexing } from '../item-changes.ts';
import { touchedItems } from '../schema/item-details.table.ts';

/** Changes to these fields are in the search index. */
const INDEXED_FIELDS = ['title', 'body', 'blocks', 'status', 'deletedAt'];

const touch = rawWrite(
  sql`insert into ${touchedItems} (global_seq, at) select value, ${given('at')}
    from json_each(cast(${given('globalSeqs')} as text))`,
);
const eraseTouched = deleteFrom(
  touchedItems,
  sql`${touchedItems.id} <= (select max(id) from (select id, at from touched_items order by id
    limit ${given('limit')}) where at < ${given('cutoff')})`,
);

/** Records items for the search index to read again, which is a file of its own. It follows new items by `globalSeq`. */
export function touchedItemsOn(on: Connection): ItemIndexing {
  return {
    inserted: () => {},
    changed: async (globalSeqs, fields, at) => {
      if (globalSeqs.length === 0 || !fields.some((field) => INDEXED_FIELDS.includes(field))) return;
      await on.run(touch, { globalSeqs: toList(globalSeqs), at });
    },
    // The index has already followed the deletion.
    erased: () => {},
    eraseTouched: (range) => on.run(eraseTouched, range),
  };
}
