import type { User } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, pageOf } from '../core/paging.ts';
import type { PageRequest } from '../storage/records.ts';
import { userView } from './user-view.ts';

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
