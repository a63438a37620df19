import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { UserRecord } from '../storage/users-store.ts';

/** Returns the user, disabled or not, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findUser({ store }: Pick<Deps, 'store'>, personId: string | null): Promise<UserRecord> {
  const user = personId === null ? null : await store.users.find(personId);
  if (!user) throw new AppError('not_found', notFound('user', personId));
  return user;
}
