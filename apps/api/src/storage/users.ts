import { and, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { AFTER_ALL_IDS, columnsWithout, given, listed, page, select, toList } from './engine/query.ts';
import { insertInto, update, updatesOf } from './engine/write.ts';
import { users } from './schema/users.table.ts';

/** The fields of a user, without secrets. */
export const userColumns = columnsWithout(users, 'caselessName', 'skeletonName', 'passwordHash');
const isOfId = eq(users.id, given('id'));
const find = select(userColumns, users, isOfId);
const { passwordHash } = users;
const findForSignIn = select({ user: userColumns, passwordHash }, users, eq(users.email, given('email')));
const findPasswordHash = select({ passwordHash }, users, isOfId);
const isOther = ne(users.id, given('exceptId'));
const hasName = or(eq(users.caselessName, given('caselessName')), eq(users.skeletonName, given('skeletonName')));
const findByName = select(userColumns, users, and(hasName, isOther), { limit: 1 });
const list = page(userColumns, users.id);
const firstOwner = select(
  { id: users.id },
  users,
  // A literal, because SQLite uses the partial index of owners only for exactly its condition.
  and(sql`${users.role} = 'owner'`, isNull(users.disabledAt), isOther),
  { orderBy: users.id, limit: 1 },
);

export type UserRecord = RowOf<typeof find>;
/** Forms of a name that no two users may share: ignoring case, and by what its letters look like. */
export type NameKeys = Pick<typeof users.$inferSelect, 'caselessName' | 'skeletonName'>;
type UserChanges = Partial<
  Pick<UserRecord, 'name' | 'email' | 'role' | 'disabledAt' | 'factorDueAt'> & NameKeys & { passwordHash: string }
>;

export function userReads(on: Connection) {
  return {
    /** A user whom a transaction finds keeps their role until it ends. */
    find: async (id: string) => (await on.lock(find, { id }, 'share')) ?? null,
    /** The address must be in lower case. Without the lock, a new session would survive a change of the password. */
    findForSignIn: async (email: string) => (await on.lock(findForSignIn, { email })) ?? null,
    findPasswordHash: async (id: string) => (await on.first(findPasswordHash, { id }))?.passwordHash ?? null,
    /** Finds a user, disabled or not, with one of these forms of a name, other than `exceptId`. */
    findByName: async (keys: NameKeys, exceptId: string | null) =>
      (await on.first(findByName, { ...keys, exceptId: exceptId ?? '' })) ?? null,
    list: async ({ limit, before = AFTER_ALL_IDS }: PageRequest) => on.all(list, { limit, before }),
    /**
     * Whether there is an active owner besides `exceptId`. Everyone who asks locks the first one, so that no two
     * transactions can each rely on the owner that the other takes away.
     */
    hasOwner: async (exceptId?: string): Promise<boolean> => {
      const first = await on.lock(firstOwner, { exceptId: '' });
      if (exceptId === undefined || first?.id !== exceptId) return first !== undefined;
      return (await on.lock(firstOwner, { exceptId })) !== undefined;
    },
  };
}

const insert = insertInto(users);
const updates = updatesOf(users, isOfId);
const wasSeenBefore = or(isNull(users.lastSeenAt), lt(users.lastSeenAt, given('at')));
const recordSeen = update(users, { lastSeenAt: sql`${given('at')}` }, and(isOfId, wasSeenBefore));
const idsInOrder = select({ id: users.id }, users, sql`${users.id} in ${listed('ids')}`, { orderBy: users.id });

export function userChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged' | 'hubsChanged'>) {
  return {
    ...userReads(on),
    /**
     * Locks these users, and with them their sessions and tokens, before anything else is read, and only once: two
     * transactions that have both found the same user first would each wait for the other.
     */
    lock: async (ids: readonly string[]) => on.lockAll(idsInOrder, { ids: toList(ids) }),
    /** The same without waiting. Returns the ids of those users whom no other transaction holds. */
    lockFree: async (ids: readonly string[]) =>
      (await on.lockAll(idsInOrder, { ids: toList(ids) }, 'no key update skip locked')).map(({ id }) => id),
    /** Every e-mail address has at most one account, and so has each form of a name. */
    insert: async (user: UserRecord, more: NameKeys & { passwordHash: string }) => on.run(insert, { ...user, ...more }),
    update: async (id: string, changes: UserChanges): Promise<void> => {
      await on.run(updates(changes), { id, ...changes });
      if (changes.disabledAt !== undefined) report.rightsChanged();
      // Admins also see Hubs that they are not members of.
      if (changes.role !== undefined) report.hubsChanged();
    },
    seen: async (id: string, at: number) => on.run(recordSeen, { id, at }),
  };
}
