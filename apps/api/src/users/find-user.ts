import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import type { UserReads, UserRecord } from '../storage/users-store.ts';

/** Returns the user, disabled or not, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findUser(
  { users }: { users: Pick<UserReads, 'find'> },
  personId: string | null,
): Promise<UserRecord> {
  const user = personId === null ? null : await users.find(personId);
  if (!user) throw new AppError('not_found', notFound('user', personId));
  return user;
}
