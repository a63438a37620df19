import type { Block } from '@hub/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { findMentions, readableBlocks } from '../../items/find-mentions.ts';
import type { Db } from './database.ts';
import { mentions } from './tables/item-details.table.ts';
import { memberships, people } from './tables/people.table.ts';

interface Texts {
  title: string | null;
  body: string | null;
  /** JSON. They are shown in place of the body. */
  blocks: string | null;
}

interface MentioningItem extends Texts {
  rank: number;
  id: string;
  hubId: string;
}

/** Most texts name nobody: of those nothing is looked up. */
export function mayMention({ title, body, blocks }: Texts): boolean {
  return (blocks ?? body)?.includes('@') === true || title?.includes('@') === true;
}

export type MentionWrites = ReturnType<typeof mentionWrites>;

/** Each function runs inside a transaction of the writer. */
export function mentionWrites(db: Db) {
  const members = db
    .select({ id: people.id, name: people.name })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), isNull(people.disabledAt)))
    .prepare();
  const insert = db
    .insert(mentions)
    .values({
      personId: sql.placeholder('personId'),
      itemRank: sql.placeholder('rank'),
      itemId: sql.placeholder('itemId'),
    })
    .prepare();
  const remove = db
    .delete(mentions)
    .where(eq(mentions.itemId, sql.placeholder('itemId')))
    .prepare();

  const write = (item: MentioningItem): void => {
    if (!mayMention(item)) return;
    const { rank, id, hubId, title, body, blocks } = item;
    const shown = blocks === null ? body : readableBlocks(JSON.parse(blocks) as Block[]);
    for (const personId of findMentions([title ?? '', shown ?? ''], members.all({ hubId }))) {
      insert.run({ personId, rank, itemId: id });
    }
  };

  return {
    write,
    /** After an edit. */
    renew: (item: MentioningItem): void => {
      remove.run({ itemId: item.id });
      write(item);
    },
  };
}
