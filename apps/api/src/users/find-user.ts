import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { UserRecord } from '../store/users-store.ts';

/** The person with this id, disabled or not, or a `not_found` refusal. Of an undecodable path the router makes `null`. */
export async function findUser({ store }: Pick<Deps, 'store'>, personId: string | null): Promise<UserRecord> {
  const user = personId === null ? null : await store.users.find(personId);
  if (!user) throw new AppError('not_found', notFound('person', personId));
  return user;
}
