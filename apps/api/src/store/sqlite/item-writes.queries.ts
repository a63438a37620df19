import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Changing, Conversion, Deletion, ItemRecord, NewItem, Reacting } from '../item-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import { conversionWrites } from './conversions.queries.ts';
import type { Db } from './database.ts';
import type { EventWrites } from './events.queries.ts';
import { itemBasics } from './item-basics.queries.ts';
import { changeWrites } from './item-changes.queries.ts';
import type { MentionWrites } from './mentions.queries.ts';
import { reactionWrites } from './reactions.queries.ts';
import { replyWrites } from './replies.queries.ts';
import type { StandingReads } from './state.queries.ts';
import { items } from './tables/items.table.ts';

export interface ItemWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  mentions: MentionWrites;
  state: StandingReads;
}

/** Each function runs inside a transaction of the writer. */
export function itemWrites(db: Db, { audit, events, mentions, state }: ItemWriteDeps) {
  const basics = itemBasics(db, { events, mentions, state });
  const replies = replyWrites(db, basics);
  const changes = changeWrites(db, basics, { mentions, audit });
  const conversions = conversionWrites(db, basics, changes);
  const reactions = reactionWrites(db, basics);
  const blank = db
    .update(items)
    .set({ deletedAt: sql`${sql.placeholder('at')}` })
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();

  const leaveRemoval = db
    .update(items)
    .set({ removalId: null })
    .where(and(eq(items.id, sql.placeholder('id')), isNotNull(items.removalId)))
    .returning({ id: items.id })
    .prepare();

  return {
    createItem: (item: NewItem): ItemRecord => {
      if (item.kind === 'reply') return replies.create(item);
      state.requireMember(item.by, item.hubId, ['Hub', item.hubId]);
      changes.requireAssignee(item.hubId, item.assigneeId);
      return basics.create(item);
    },
    changeItem: (change: Changing): ItemRecord => changes.change(change),
    reactToItem: (reacting: Reacting): ItemRecord => reactions.react(reacting),
    convertMessage: (conversion: Conversion): { item: ItemRecord; isNew: boolean } => conversions.convert(conversion),
    /** Deleting what was deleted changes nothing, but that it is not brought back with the rest of a removal. */
    deleteItem: ({ itemId, at, audit: entry, by }: Deletion): ItemRecord => {
      const item = basics.known(itemId, by);
      if (item.deletedAt !== null) {
        if (leaveRemoval.get({ id: itemId })) audit.insert(entry);
        return item;
      }
      blank.run({ id: itemId, at });
      basics.report({ item, change: 'deleted', at, addedItems: -1 });
      basics.touch(item, at);
      if (item.parentId !== null) replies.recount(item.parentId, -1, at);
      conversions.unlink(item, at);
      audit.insert(entry);
      return { ...item, deletedAt: at };
    },
  };
}
