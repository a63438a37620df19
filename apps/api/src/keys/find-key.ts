import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import type { KeyListing } from '../storage/key-store.ts';
import type { Repositories } from '../storage/repositories.ts';

export function keyNotFound(keyId: string | null): AppError {
  return new AppError('not_found', notFound('key', keyId));
}

/** Returns the key with this id, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findKey(
  { keys }: { keys: Pick<Repositories['keys'], 'find'> },
  keyId: string | null,
): Promise<KeyListing> {
  const key = keyId === null ? null : await keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
