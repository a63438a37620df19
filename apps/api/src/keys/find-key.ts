import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { KeyListing } from '../storage/store.ts';

export function keyNotFound(keyId: string | null): AppError {
  return new AppError('not_found', notFound('key', keyId));
}

/** Returns the key with this id, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findKey({ store }: Pick<Deps, 'store'>, keyId: string | null): Promise<KeyListing> {
  const key = keyId === null ? null : await store.keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
