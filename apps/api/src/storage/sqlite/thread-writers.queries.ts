import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

/** Early writers are left out only in very long threads. */
const REPLIES_EXAMINED = 100;

/**
 * Returns the users who started a thread or wrote any of its newest hundred replies, deleted or not, and are members of
 * its Hub.
 */
export function threadWriters(db: Db): (thread: { messageId: string; hubId: string }) => string[] {
  const id = sql.placeholder('messageId');
  const author = db
    .select({ id: items.authorId })
    .from(items)
    .where(and(eq(items.id, id), eq(items.authorKind, 'person')))
    .prepare();
  const repliers = db
    .select({ id: items.authorId, kind: items.authorKind })
    .from(items)
    .where(eq(items.parentId, id))
    .orderBy(desc(items.rank))
    .limit(REPLIES_EXAMINED)
    .prepare();
  const member = db
    .select({ id: memberships.personId })
    .from(memberships)
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))))
    .prepare();
  return ({ messageId, hubId }) => {
    const users = repliers.all({ messageId }).filter(({ kind }) => kind === 'person');
    const writers = new Set([...author.all({ messageId }), ...users].map((writer) => writer.id));
    return [...writers].filter((personId) => member.get({ hubId, personId }));
  };
}
