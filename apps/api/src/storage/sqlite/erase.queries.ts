import { sql } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import type { PostCounts } from './post-counts.ts';
import { mentions, reactions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

export interface ErasedRow {
  rank: number;
  id: string;
}

export type EraseWrites = ReturnType<typeof eraseWrites>;

/** Each function runs inside a writer transaction. */
export function eraseWrites(db: Db, counts: PostCounts) {
  const ids = sql`(select value from json_each(${sql.placeholder('ids')}))`;
  const ranks = sql`(select value from json_each(${sql.placeholder('ranks')}))`;
  const eraseReactions = db.delete(reactions).where(sql`${reactions.itemId} in ${ids}`).prepare();
  const eraseMentions = db.delete(mentions).where(sql`${mentions.itemId} in ${ids}`).prepare();
  const eraseItems = db.delete(items).where(sql`${items.rank} in ${ranks}`).prepare();
  const blankItems = db
    .update(items)
    .set({ title: null, body: null, blocks: null, address: null, requestId: null })
    .where(sql`${items.rank} in ${ranks}`)
    .prepare();

  const eraseDetails = (rows: readonly ErasedRow[]): void => {
    const list = { ids: JSON.stringify(rows.map(({ id }) => id)) };
    eraseReactions.run(list);
    eraseMentions.run(list);
  };
  const ranksOf = (rows: readonly ErasedRow[]) => ({ ranks: JSON.stringify(rows.map(({ rank }) => rank)) });

  return {
    /** Erases the rows, with their reactions and mentions. */
    items: (rows: readonly ErasedRow[]): void => {
      if (rows.length === 0) return;
      // If the server is killed, posts not yet counted are counted from their rows later, so those rows must still
      // exist.
      counts.save(new Map());
      eraseDetails(rows);
      eraseItems.run(ranksOf(rows));
    },
    /** Erases the content. The rows stay, because their threads need them. */
    content: (rows: readonly ErasedRow[]): void => {
      if (rows.length === 0) return;
      eraseDetails(rows);
      blankItems.run(ranksOf(rows));
    },
  };
}
