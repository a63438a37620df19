import type { Actor, Role } from '@hub/contract';
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import type { PersonRecord } from '../people-store.ts';
import type { PageRequest } from '../store.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import { people } from './tables/people.table.ts';

export const personColumns = {
  id: people.id,
  email: people.email,
  name: people.name,
  role: people.role,
  createdAt: people.createdAt,
  disabledAt: people.disabledAt,
  lastSeenAt: people.lastSeenAt,
};

export function personReads(db: Db) {
  const find = db
    .select(personColumns)
    .from(people)
    .where(eq(people.id, sql.placeholder('id')))
    .prepare();
  const findForSignIn = db
    .select({ person: personColumns, passwordHash: people.passwordHash })
    .from(people)
    .where(eq(people.email, sql.placeholder('email')))
    .prepare();
  const findPasswordHash = db
    .select({ passwordHash: people.passwordHash })
    .from(people)
    .where(eq(people.id, sql.placeholder('id')))
    .prepare();
  const list = db
    .select(personColumns)
    .from(people)
    .where(lt(people.id, sql.placeholder('before')))
    .orderBy(desc(people.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const activeOwners = db
    .select({ id: people.id })
    .from(people)
    // As a literal: the partial index of the owners is only used for the very words of its condition.
    .where(and(sql`${people.role} = 'owner'`, isNull(people.disabledAt)))
    .limit(2)
    .prepare();

  return {
    find: (id: string): PersonRecord | null => find.get({ id }) ?? null,
    findByEmail: (email: string): PersonRecord | null => findForSignIn.get({ email })?.person ?? null,
    findForSignIn: (email: string) => findForSignIn.get({ email }) ?? null,
    findPasswordHash: (id: string): string | null => findPasswordHash.get({ id })?.passwordHash ?? null,
    list: ({ limit, before = AFTER_ALL_IDS }: PageRequest): PersonRecord[] => list.all({ limit, before }),
    hasOwner: (): boolean => activeOwners.all().length > 0,
    isLastOwner: (id: string): boolean => {
      const [first, second] = activeOwners.all();
      return first?.id === id && second === undefined;
    },
  };
}

export function accountExists({ email, disabledAt }: PersonRecord): Refusal {
  return new Refusal(
    'conflict',
    disabledAt === null
      ? `${email} has an account already. Add it to the Hubs that it should belong to.`
      : `${email} has an account already, which is disabled. Enable it again instead.`,
  );
}

/**
 * Refuses what somebody makes who may have lost his rights since he asked, an instant ago: an account, a role or a link
 * would outlast them. Judged inside the transaction. `roles` are those that are given or touched.
 */
export function refuseFormerAdmin(
  { find }: Pick<ReturnType<typeof personReads>, 'find'>,
  actor: Actor,
  roles: readonly (Role | null)[],
): void {
  if (actor.kind !== 'person') return;
  const least = roles.includes('owner') ? 'owner' : 'admin';
  const person = actor.id === null ? null : find(actor.id);
  const isAllowed = person?.role === 'owner' || (least === 'admin' && person?.role === 'admin');
  if (isAllowed && person.disabledAt === null) return;
  throw new Refusal('forbidden', `Your rights have just changed: you are no ${least} of the workspace any more.`);
}

export function refuseTouchingOwner({ name, role }: PersonRecord): void {
  if (role !== 'owner') return;
  throw new Refusal('forbidden', `${name} is an owner, and only owners may do this to owners. Ask one of them.`);
}
