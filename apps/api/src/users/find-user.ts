import type { User } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { notFound } from '../core/printable.ts';
import type { UserReads, UserRecord } from '../storage/users-store.ts';
import { userView } from './user-view.ts';

/** Returns the user, disabled or not, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findUser(
  { users }: { users: Pick<UserReads, 'find'> },
  personId: string | null,
): Promise<UserRecord> {
  const user = personId === null ? null : await users.find(personId);
  if (!user) throw new AppError('not_found', notFound('user', personId));
  return user;
}

/** Returns a page of all accounts, newest first, including disabled ones. Every member can see them. */
export async function listUsers(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { limit, before }: PageRequest,
): Promise<Page<User>> {
  const users = await store.users.list({ limit: limit + 1, before });
  const isForAdmin = isAdmin(caller);
  return pageOf(
    users.map((user) => userView(user, { isForAdmin })),
    limit,
  );
}
