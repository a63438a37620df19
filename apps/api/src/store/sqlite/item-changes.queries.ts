import { and, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { Changing, ItemChanges, ItemRecord } from '../item-store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import { type ItemBasics, NOUN } from './item-basics.queries.ts';
import type { MentionWrites } from './mentions.queries.ts';
import { items } from './tables/items.table.ts';
import { memberships, users } from './tables/users.table.ts';

/** What an edit is of, and what search and mentions are made of. */
const WORDS = ['title', 'body', 'blocks'] as const;

export type ChangeWrites = ReturnType<typeof changeWrites>;

/** Each function runs inside a transaction of the writer. */
export function changeWrites(
  db: Db,
  { present, report, touch }: ItemBasics,
  { mentions, audit }: { mentions: MentionWrites; audit: AuditWrites },
) {
  const findMember = db
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.personId))
    .where(
      and(
        eq(memberships.hubId, sql.placeholder('hubId')),
        eq(memberships.personId, sql.placeholder('personId')),
        isNull(users.disabledAt),
      ),
    )
    .prepare();

  /** Only who can see a to-do can have it to do. */
  const requireAssignee = (hubId: string, personId: string | null): void => {
    if (personId === null || findMember.get({ hubId, personId })) return;
    throw new AppError('invalid', 'assigneeId must be the id of an active member of this Hub');
  };

  return {
    requireAssignee,
    change: ({ itemId, at, personId, changes: asked, baseVersion, by, audit: entry }: Changing): ItemRecord => {
      const item = present(itemId, by);
      if (baseVersion !== undefined && baseVersion !== item.version) throw changedSince(item, baseVersion);
      const changes = differing(item, asked);
      if (Object.keys(changes).length === 0) return item;
      if (changes.assigneeId !== undefined) requireAssignee(item.hubId, changes.assigneeId);
      const isEdit = WORDS.some((name) => name in changes);
      db.update(items)
        .set({
          ...changes,
          // Of every field, so that none can be undone unseen by who saw the item before.
          version: item.version + 1,
          ...(isEdit ? { editedAt: at, ...editorOf(item, personId) } : {}),
          ...(changes.status === 'done' ? { finishedAt: at, finishedById: personId } : {}),
          ...(changes.status === 'open' ? { finishedAt: null, finishedById: null } : {}),
        })
        .where(eq(items.id, itemId))
        .run();
      if (entry) audit.insert(entry);
      // What it says, and whether it is done, is in the search index.
      if (isEdit || changes.status !== undefined) touch(item, at);
      // Who is told of it must know whom it is from: the item itself does not say.
      const assignment = changes.assigneeId && { assigneeId: changes.assigneeId, byId: personId };
      report({ item, change: 'changed', at, data: assignment || undefined });
      const changed = present(itemId);
      if (!isEdit) return changed;
      mentions.renew({ ...changed, authorId: changed.authorKind === 'person' ? changed.authorId : null }, personId);
      return present(itemId);
    },
  };
}

/** An author who edits their own item is not named once more. */
function editorOf({ authorKind, authorId }: ItemRecord, personId: string | null) {
  const isAuthor = authorKind === 'person' && authorId === personId;
  return {
    editedByKind: isAuthor ? null : personId === null ? ('local' as const) : ('person' as const),
    editedById: isAuthor ? null : personId,
  };
}

/** What is other than it was. */
function differing(item: ItemRecord, changes: ItemChanges): ItemChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && value !== item[name as keyof ItemChanges]),
  );
}

function changedSince({ kind, version }: ItemRecord, baseVersion: number): AppError {
  return new AppError(
    'conflict',
    `This ${NOUN[kind]} was changed meanwhile: it is at version ${version}, and yours is based on ${baseVersion}. Load it again, and repeat what you changed.`,
  );
}
