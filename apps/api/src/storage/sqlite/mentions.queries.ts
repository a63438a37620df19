import type { Block } from '@hub/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { findMentions, mayMention, readableBlocks } from '../../items/find-mentions.ts';
import type { AddressedItem } from '../repositories.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { mentions } from './tables/item-details.table.ts';
import { memberships, users } from './tables/users.table.ts';
import { threadWriters } from './thread-writers.queries.ts';

export type MentionWrites = ReturnType<typeof mentionWrites>;

/** Each function runs inside a writer transaction. */
export function mentionWrites(db: Db, commitReport: CommitReportBuilder) {
  const members = db
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.personId))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), isNull(users.disabledAt)))
    .prepare();
  const insert = db
    .insert(mentions)
    .values({
      personId: sql.placeholder('personId'),
      itemRank: sql.placeholder('rank'),
      itemId: sql.placeholder('id'),
      hubId: sql.placeholder('hubId'),
      kind: sql.placeholder('kind'),
      isNamed: sql.placeholder('isNamed'),
      hasResponse: sql.placeholder('hasResponse'),
      isUnread: sql.placeholder('isUnread'),
    })
    .prepare();
  const known = db
    .select({ personId: mentions.personId, isNamed: mentions.isNamed, hasResponse: mentions.hasResponse })
    .from(mentions)
    .where(eq(mentions.itemId, sql.placeholder('id')))
    .prepare();
  const ofUser = and(eq(mentions.itemId, sql.placeholder('id')), eq(mentions.personId, sql.placeholder('personId')));
  const name = db
    .update(mentions)
    .set({ isNamed: sql`${sql.placeholder('isNamed')}` })
    .where(ofUser)
    .prepare();
  const remove = db.delete(mentions).where(ofUser).prepare();
  const writersOf = threadWriters(db);

  const named = (item: AddressedItem): Set<string> => {
    if (!mayMention(item)) return new Set();
    const { hubId, title, body, blocks } = item;
    const shown = blocks === null ? body : readableBlocks(JSON.parse(blocks) as Block[]);
    return findMentions([title ?? '', shown ?? ''], members.all({ hubId }));
  };

  /** A mention of yourself is stored with the item, but it is already read. */
  const add = (
    { rank, id, hubId, kind }: AddressedItem,
    row: { personId: string; isNamed: boolean; hasResponse: boolean; isUnread: boolean },
  ): void => {
    insert.run({ rank, id, hubId, kind, ...row });
    if (row.isUnread) commitReport.unreadChanged({ personId: row.personId, hubId });
  };

  return {
    write: (item: AddressedItem): void => {
      const { hubId, authorId, parentId } = item;
      const isNamed = named(item);
      const participants = new Set(parentId === null ? [] : writersOf({ messageId: parentId, hubId }));
      if (authorId !== null) participants.delete(authorId);
      for (const personId of isNamed.union(participants)) {
        const reasons = { isNamed: isNamed.has(personId), hasResponse: participants.has(personId) };
        add(item, { personId, ...reasons, isUnread: personId !== authorId });
      }
    },
    /**
     * Updates the mentions after an edit by this user. Thread participants remain recipients, and read items stay read.
     */
    renew: (item: AddressedItem, byId: string | null): void => {
      const { id, hubId } = item;
      const left = named(item);
      for (const { personId, isNamed, hasResponse } of known.all({ id })) {
        const isStillNamed = left.delete(personId);
        if (isStillNamed !== isNamed && (isStillNamed || hasResponse)) {
          name.run({ id, personId, isNamed: isStillNamed ? 1 : 0 });
        } else if (!isStillNamed && !hasResponse) {
          remove.run({ id, personId });
          commitReport.unreadChanged({ personId, hubId });
        }
      }
      for (const personId of left) {
        const isOwn = personId === item.authorId || personId === byId;
        add(item, { personId, isNamed: true, hasResponse: false, isUnread: !isOwn });
      }
    },
  };
}
