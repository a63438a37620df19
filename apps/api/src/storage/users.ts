import type { Role } from '@hub/contract';
import { and, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import { userColumns } from './columns.ts';
import type { CommitReportBuilder } from './commit-report-builder.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, listed, query, toList, updatesOf } from './engine/query.ts';
import { users } from './schema/users.table.ts';

export interface UserRecord {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  role: Role;
  createdAt: number;
  disabledAt: number | null;
  lastSeenAt: number | null;
}

/** Forms of a name that no two users may share: ignoring case, and by what its letters look like. */
export interface NameKeys {
  caselessName: string;
  skeletonName: string;
}

/** A new name comes with its forms. */
export type UserChanges = Partial<
  Pick<UserRecord, 'name' | 'role' | 'disabledAt'> & NameKeys & { passwordHash: string }
>;

const isOfId = eq(users.id, sql.placeholder('id'));
const find = query(() => build.select(userColumns).from(users).where(isOfId));
const findForSignIn = query(() =>
  build
    .select({ user: userColumns, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, sql.placeholder('email'))),
);
const findPasswordHash = query(() => build.select({ passwordHash: users.passwordHash }).from(users).where(isOfId));
const isOther = ne(users.id, sql.placeholder('exceptId'));
const findByName = query(() =>
  build
    .select(userColumns)
    .from(users)
    .where(
      and(
        or(
          eq(users.caselessName, sql.placeholder('caselessName')),
          eq(users.skeletonName, sql.placeholder('skeletonName')),
        ),
        isOther,
      ),
    )
    .limit(1),
);
const list = query(() =>
  build
    .select(userColumns)
    .from(users)
    .where(lt(users.id, sql.placeholder('before')))
    .orderBy(desc(users.id))
    .limit(sql.placeholder('limit')),
);
const firstOwner = query(() =>
  build
    .select({ id: users.id })
    .from(users)
    // A literal, because SQLite uses the partial index of owners only for exactly its condition.
    .where(and(sql`${users.role} = 'owner'`, isNull(users.disabledAt), isOther))
    .orderBy(users.id)
    .limit(1),
);

export type UserReads = ReturnType<typeof userReads>;

export function userReads(on: Connection) {
  return {
    /** A user whom a transaction finds keeps their role until it ends. */
    find: async (id: string): Promise<UserRecord | null> => (await on.lock(find, { id }, 'share')) ?? null,
    /**
     * Finds the data needed for signing in. The address must be in lower case. Without the lock, a new session would
     * survive a change of the password at the same time.
     */
    findForSignIn: async (email: string) => (await on.lock(findForSignIn, { email })) ?? null,
    findPasswordHash: async (id: string): Promise<string | null> =>
      (await on.first(findPasswordHash, { id }))?.passwordHash ?? null,
    /** Finds a user, disabled or not, with one of these forms of a name, other than `exceptId`. */
    findByName: async (keys: NameKeys, exceptId: string | null): Promise<UserRecord | null> =>
      (await on.first(findByName, { ...keys, exceptId: exceptId ?? '' })) ?? null,
    list: async ({ limit, before = AFTER_ALL_IDS }: PageRequest): Promise<UserRecord[]> =>
      on.all(list, { limit, before }),
    /**
     * Whether there is an owner, besides `exceptId`, who is not disabled. Every transaction that asks locks the first
     * one, so that no two can each rely on the owner that the other one takes away.
     */
    hasOwner: async (exceptId?: string): Promise<boolean> => {
      const first = await on.lock(firstOwner, { exceptId: '' });
      if (exceptId === undefined || first?.id !== exceptId) return first !== undefined;
      return (await on.lock(firstOwner, { exceptId })) !== undefined;
    },
  };
}

const insert = insertInto(users, [
  'id',
  'email',
  'name',
  'caselessName',
  'skeletonName',
  'role',
  'passwordHash',
  'createdAt',
  'disabledAt',
  'lastSeenAt',
]);
const updates = updatesOf(users, isOfId);
const recordSeen = query(() =>
  build
    .update(users)
    .set({ lastSeenAt: sql`${sql.placeholder('at')}` })
    .where(and(isOfId, or(isNull(users.lastSeenAt), lt(users.lastSeenAt, sql.placeholder('at'))))),
);

const idsInOrder = query(() =>
  build
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.id} in ${listed('ids')}`)
    .orderBy(users.id),
);

export function userChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged' | 'hubsChanged'>) {
  return {
    ...userReads(on),
    /**
     * Locks these users, and with them their sessions and tokens, so that the transaction can change them. It comes before
     * whatever else the transaction reads, and only once: two transactions that have found the same user first, which
     * they can do at the same time, would each wait for the other one.
     */
    lock: async (ids: readonly string[]): Promise<void> => {
      await on.lockAll(idsInOrder, { ids: toList(ids) });
    },
    /** The same without waiting. Returns the ids of those users whom no other transaction holds. */
    lockFree: async (ids: readonly string[]): Promise<string[]> =>
      (await on.lockAll(idsInOrder, { ids: toList(ids) }, 'no key update skip locked')).map(({ id }) => id),
    /** Every e-mail address has at most one account, and so has each form of a name. */
    insert: async (user: UserRecord, more: NameKeys & { passwordHash: string }): Promise<void> => {
      await on.run(insert, { ...user, ...more });
    },
    update: async (id: string, changes: UserChanges): Promise<void> => {
      await on.run(updates(changes), { id, ...changes });
      if (changes.disabledAt !== undefined) report.rightsChanged();
      // Admins also see Hubs that they are not members of.
      if (changes.role !== undefined) report.hubsChanged();
    },
    /** Records that the user was seen, unless they were seen later. */
    seen: async (id: string, at: number): Promise<void> => {
      await on.run(recordSeen, { id, at });
    },
  };
}
