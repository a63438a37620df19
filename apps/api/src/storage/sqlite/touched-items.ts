import { sql } from 'drizzle-orm';
import { build, type Connection, query, rawWrite, toList } from '../engine/query.ts';
import type { ItemIndexing } from '../item-changes.ts';
import { touchedItems } from '../schema/item-details.table.ts';

/** Changes to these fields are in the search index. */
const INDEXED_FIELDS = ['title', 'body', 'blocks', 'status', 'deletedAt'];

const touch = rawWrite(
  sql`insert into ${touchedItems} (rank, at) select value, ${sql.placeholder('at')}
    from json_each(cast(${sql.placeholder('ranks')} as text))`,
);
const eraseTouched = query(() =>
  build.delete(touchedItems).where(
    sql`${touchedItems.id} <= (select max(id) from (select id, at from touched_items order by id
        limit ${sql.placeholder('limit')}) where at < ${sql.placeholder('cutoff')})`,
  ),
);

/** Records items for the search index, a file of its own, to read again. It follows new items by their rank. */
export function touchedItemsOn(on: Connection): ItemIndexing {
  return {
    inserted: () => {},
    changed: async (ranks, fields, at) => {
      if (ranks.length === 0 || !fields.some((field) => INDEXED_FIELDS.includes(field))) return;
      await on.run(touch, { ranks: toList(ranks), at });
    },
    // The index has already followed the deletion.
    erased: () => {},
    eraseTouched: (range) => on.run(eraseTouched, range),
  };
}
