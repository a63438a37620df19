import type { Actor, Role } from '@hub/contract';
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { PageRequest } from '../records.ts';
import type { UserRecord } from '../users-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
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

export function userReads(db: Db) {
  const find = db
    .select(userColumns)
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare();
  const findForSignIn = db
    .select({ user: userColumns, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, sql.placeholder('email')))
    .prepare();
  const findPasswordHash = db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare();
  const list = db
    .select(userColumns)
    .from(users)
    .where(lt(users.id, sql.placeholder('before')))
    .orderBy(desc(users.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const activeOwners = db
    .select({ id: users.id })
    .from(users)
    // A literal, because SQLite uses the partial index of owners only for exactly its condition.
    .where(and(sql`${users.role} = 'owner'`, isNull(users.disabledAt)))
    .limit(2)
    .prepare();

  return {
    find: (id: string): UserRecord | null => find.get({ id }) ?? null,
    findByEmail: (email: string): UserRecord | null => findForSignIn.get({ email })?.user ?? null,
    findForSignIn: (email: string) => findForSignIn.get({ email }) ?? null,
    findPasswordHash: (id: string): string | null => findPasswordHash.get({ id })?.passwordHash ?? null,
    list: ({ limit, before = AFTER_ALL_IDS }: PageRequest): UserRecord[] => list.all({ limit, before }),
    hasOwner: (): boolean => activeOwners.all().length > 0,
    isLastOwner: (id: string): boolean => {
      const [first, second] = activeOwners.all();
      return first?.id === id && second === undefined;
    },
  };
}

export function accountExists({ email, disabledAt }: UserRecord): AppError {
  return new AppError(
    'conflict',
    disabledAt === null
      ? `${email} already has an account. Add it to the Hubs it should have access to.`
      : `${email} already has an account, which is disabled. Enable it instead.`,
  );
}

/**
 * Rejects a write by an actor who has just lost the required rights: an account, a role or a link created by the write
 * would outlast those rights. Runs inside the transaction. `roles` are the roles granted or affected.
 */
export function rejectFormerAdmin(
  { find }: Pick<ReturnType<typeof userReads>, 'find'>,
  actor: Actor,
  roles: readonly (Role | null)[],
): void {
  if (actor.kind !== 'person') return;
  const required = roles.includes('owner') ? 'owner' : 'admin';
  const user = actor.id === null ? null : find(actor.id);
  const isAllowed = user?.role === 'owner' || (required === 'admin' && user?.role === 'admin');
  if (isAllowed && user.disabledAt === null) return;
  throw new AppError('forbidden', `Your role was just changed: this requires the ${required} role.`);
}

export function rejectTouchingOwner({ name, role }: UserRecord): void {
  if (role !== 'owner') return;
  throw new AppError('forbidden', `${name} is an owner. Only another owner can do this. Ask an owner.`);
}
