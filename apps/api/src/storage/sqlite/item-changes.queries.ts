import { and, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { ItemChanges, ItemRecord, ItemUpdate } from '../item-store.ts';
import type { AuditWrites } from './audit.ts';
import type { Db } from './engine/database.ts';
import { type ItemBasics, NOUN } from './item-basics.queries.ts';
import type { MentionWrites } from './mentions.queries.ts';
import { items } from './tables/items.table.ts';
import { memberships, users } from './tables/users.table.ts';

/** A change to one of these fields counts as an edit, and updates the mentions and the search index. */
const TEXT_FIELDS = ['title', 'body', 'blocks'] as const;

export type ChangeWrites = ReturnType<typeof changeWrites>;

/** Each function runs inside a writer transaction. */
export function changeWrites(
  db: Db,
  { requireUndeleted, report, touch }: ItemBasics,
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

  /** Only users who can see a to-do can be assigned to it. */
  const requireAssignee = (hubId: string, personId: string | null): void => {
    if (personId === null || findMember.get({ hubId, personId })) return;
    throw new AppError('invalid', 'assigneeId must be the id of an active member of this Hub');
  };

  return {
    requireAssignee,
    change: ({
      itemId,
      at,
      personId,
      changes: requested,
      baseVersion,
      actingUser,
      audit: entry,
    }: ItemUpdate): ItemRecord => {
      const item = requireUndeleted(itemId, actingUser);
      if (baseVersion !== undefined && baseVersion !== item.version) throw changedSince(item, baseVersion);
      const changes = differing(item, requested);
      if (Object.keys(changes).length === 0) return item;
      if (changes.assigneeId !== undefined) requireAssignee(item.hubId, changes.assigneeId);
      const isEdit = TEXT_FIELDS.some((name) => name in changes);
      db.update(items)
        .set({
          ...changes,
          // The version rises with a change to any field, so that no change can be overwritten by someone who has not
          // seen it.
          version: item.version + 1,
          ...(isEdit ? { editedAt: at, ...editorOf(item, personId) } : {}),
          ...(changes.status === 'done' ? { finishedAt: at, finishedById: personId } : {}),
          ...(changes.status === 'open' ? { finishedAt: null, finishedById: null } : {}),
        })
        .where(eq(items.id, itemId))
        .run();
      if (entry) audit.insert(entry);
      // The text and the status are in the search index.
      if (isEdit || changes.status !== undefined) touch(item, at);
      // The notification must say who assigned the to-do, which the item itself does not record.
      const assignment = changes.assigneeId && { assigneeId: changes.assigneeId, byId: personId };
      report({ item, change: 'changed', at, data: assignment || undefined });
      const changed = requireUndeleted(itemId);
      if (!isEdit) return changed;
      mentions.renew({ ...changed, authorId: changed.authorKind === 'person' ? changed.authorId : null }, personId);
      return requireUndeleted(itemId);
    },
  };
}

/** Authors who edit their own items are not recorded as editors. */
function editorOf({ authorKind, authorId }: ItemRecord, personId: string | null) {
  const isAuthor = authorKind === 'person' && authorId === personId;
  return {
    editedByKind: isAuthor ? null : personId === null ? ('local' as const) : ('person' as const),
    editedById: isAuthor ? null : personId,
  };
}

/** Returns the changes whose values differ from the item's. */
function differing(item: ItemRecord, changes: ItemChanges): ItemChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== undefined && value !== item[name as keyof ItemChanges]),
  );
}

function changedSince({ kind, version }: ItemRecord, baseVersion: number): AppError {
  return new AppError(
    'conflict',
    `This ${NOUN[kind]} was changed by someone else: it is at version ${version}, and your change is based on ${baseVersion}. Reload it and repeat your change.`,
  );
}
