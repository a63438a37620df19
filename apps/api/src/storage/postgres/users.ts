import { and, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import type { NameKeys, UserChanges, UserRecord } from '../users-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { users } from './tables/users.table.ts';

export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  lastSeenAt: users.lastSeenAt,
};

const byId = () =>
  build
    .select(userColumns)
    .from(users)
    .where(eq(users.id, sql.placeholder('id')));
const find = statement(byId());
const findLocked = statement(byId().for('share'));
const forSignIn = () =>
  build
    .select({ user: userColumns, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, sql.placeholder('email')));
const findForSignIn = statement(forSignIn());
/** The new session would otherwise survive a concurrent change of the password. A shared lock could not be updated. */
const findForSignInLocked = statement(forSignIn().for('no key update'));
const findPasswordHash = statement(
  build
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
);
const findByName = statement(
  build
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
const list = statement(
  build
    .select(userColumns)
    .from(users)
    .where(lt(users.id, sql.placeholder('before')))
    .orderBy(desc(users.id))
    .limit(sql.placeholder('limit')),
);
const owners = () =>
  build
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${users.role} = 'owner'`, isNull(users.disabledAt)))
    .orderBy(users.id);
const activeOwners = statement(owners().limit(2));
/** All of them, so that no two transactions can each rely on the owner that the other one takes away. */
const activeOwnersLocked = statement(owners().for('no key update'));

export function userReads(on: Connection, queries = { find, activeOwners }) {
  return {
    find: async (id: string): Promise<UserRecord | null> => (await on.first(queries.find, { id })) ?? null,
    findForSignIn: async (email: string) => (await on.first(findForSignIn, { email })) ?? null,
    findPasswordHash: async (id: string): Promise<string | null> =>
      (await on.first(findPasswordHash, { id }))?.passwordHash ?? null,
    findByName: async (keys: NameKeys, exceptId: string | null): Promise<UserRecord | null> =>
      (await on.first(findByName, { ...keys, exceptId: exceptId ?? '' })) ?? null,
    list: ({ limit, before = AFTER_ALL_IDS }: PageRequest): Promise<UserRecord[]> => on.all(list, { limit, before }),
    hasOwner: async (exceptId?: string): Promise<boolean> =>
      (await on.all(queries.activeOwners)).some(({ id }) => id !== exceptId),
  };
}

// Without reading the user first: two nodes that share that lock could not both update the row.
const recordSeen = statement(
  build
    .update(users)
    .set({ lastSeenAt: sql`${sql.placeholder('at')}::bigint` })
    .where(
      and(
        eq(users.id, sql.placeholder('userId')),
        or(isNull(users.lastSeenAt), lt(users.lastSeenAt, sql.placeholder('at'))),
      ),
    ),
);

/** A user whom a transaction reads keeps their role until it ends. */
export function userChanges(on: Connection, report: CommitReportBuilder) {
  return {
    ...userReads(on, { find: findLocked, activeOwners: activeOwnersLocked }),
    findForSignIn: async (email: string) => (await on.first(findForSignInLocked, { email })) ?? null,
    insert: async (user: UserRecord, more: NameKeys & { passwordHash: string }): Promise<void> => {
      await on.run(statement(build.insert(users).values({ ...user, ...more })));
    },
    update: async (userId: string, changes: UserChanges): Promise<void> => {
      await on.run(statement(build.update(users).set(changes).where(eq(users.id, userId))));
      if (changes.disabledAt !== undefined) report.rightsChanged();
      // Admins also see Hubs that they are not members of.
      if (changes.role !== undefined) report.hubsChanged();
    },
    seen: async (userId: string, at: number): Promise<void> => {
      await on.run(recordSeen, { userId, at });
    },
  };
}
