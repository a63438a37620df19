import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Conversion, ItemDeletion, ItemRecord, ItemUpdate, NewItem, ReactionChange } from '../item-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.ts';
import { conversionWrites } from './conversions.queries.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { itemBasics } from './item-basics.queries.ts';
import { changeWrites } from './item-changes.queries.ts';
import type { MentionWrites } from './mentions.queries.ts';
import { reactionWrites } from './reactions.queries.ts';
import { replyWrites } from './replies.queries.ts';
import { items } from './tables/items.table.ts';

export interface ItemWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  mentions: MentionWrites;
  access: AccessChecks;
}

/** Each function runs inside a writer transaction. */
export function itemWrites(db: Db, { audit, events, mentions, access }: ItemWriteDeps) {
  const basics = itemBasics(db, { events, mentions, access });
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
      access.requireMember(item.actingUser, item.hubId, ['Hub', item.hubId]);
      changes.requireAssignee(item.hubId, item.assigneeId);
      return basics.create(item);
    },
    changeItem: (change: ItemUpdate): ItemRecord => changes.change(change),
    reactToItem: (change: ReactionChange): ItemRecord => reactions.react(change),
    convertMessage: (conversion: Conversion): { item: ItemRecord; isNew: boolean } => conversions.convert(conversion),
    /** Deleting a deleted item changes nothing, except that undoing a removal no longer restores it. */
    deleteItem: ({ itemId, at, audit: entry, actingUser }: ItemDeletion): ItemRecord => {
      const item = basics.requireItem(itemId, actingUser);
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
