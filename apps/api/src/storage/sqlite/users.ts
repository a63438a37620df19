import { and, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { userColumns } from '../columns.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { users } from '../schema/users.table.ts';
import type { NameKeys, UserChanges, UserRecord } from '../users-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

export function userReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select(userColumns)
      .from(users)
      .where(eq(users.id, sql.placeholder('id'))),
  );
  const findForSignIn = prepared(db, () =>
    db
      .select({ user: userColumns, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.email, sql.placeholder('email'))),
  );
  const findPasswordHash = prepared(db, () =>
    db
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, sql.placeholder('id'))),
  );
  const findByName = prepared(db, () =>
    db
      .select(userColumns)
      .from(users)
      .where(
        and(
          or(
            eq(users.caselessName, sql.placeholder('caselessName')),
            eq(users.skeletonName, sql.placeholder('skeletonName')),
          ),
          ne(users.id, sql.placeholder('exceptId')),
        ),
      )
      .limit(1),
  );
  const list = prepared(db, () =>
    db
      .select(userColumns)
      .from(users)
      .where(lt(users.id, sql.placeholder('before')))
      .orderBy(desc(users.id))
      .limit(sql.placeholder('limit')),
  );
  const activeOwners = prepared(db, () =>
    db
      .select({ id: users.id })
      .from(users)
      // A literal, because SQLite uses the partial index of owners only for exactly its condition.
      .where(and(sql`${users.role} = 'owner'`, isNull(users.disabledAt)))
      .limit(2),
  );

  return {
    find: (id: string): UserRecord | null => find.get({ id }) ?? null,
    findForSignIn: (email: string) => findForSignIn.get({ email }) ?? null,
    findPasswordHash: (id: string): string | null => findPasswordHash.get({ id })?.passwordHash ?? null,
    findByName: (keys: NameKeys, exceptId: string | null): UserRecord | null =>
      findByName.get({ ...keys, exceptId: exceptId ?? '' }) ?? null,
    list: ({ limit, before = AFTER_ALL_IDS }: PageRequest): UserRecord[] => list.all({ limit, before }),
    hasOwner: (exceptId?: string): boolean => activeOwners.all().some(({ id }) => id !== exceptId),
  };
}

/** Each function runs inside a transaction. */
export function userChanges(db: Db, commitReport: CommitReportBuilder) {
  return {
    insert: (user: UserRecord, more: NameKeys & { passwordHash: string }): void => {
      db.insert(users)
        .values({ ...user, ...more })
        .run();
    },
    update: (userId: string, changes: UserChanges): void => {
      db.update(users).set(changes).where(eq(users.id, userId)).run();
      if (changes.disabledAt !== undefined) commitReport.rightsChanged();
      // Admins also see Hubs that they are not members of.
      if (changes.role !== undefined) commitReport.hubsChanged();
    },
    seen: (userId: string, at: number): void => {
      const isEarlier = or(isNull(users.lastSeenAt), lt(users.lastSeenAt, at));
      db.update(users)
        .set({ lastSeenAt: at })
        .where(and(eq(users.id, userId), isEarlier))
        .run();
    },
  };
}
