import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { KeyListing } from '../store/store.ts';

export function keyNotFound(keyId: string | null): AppError {
  return new AppError('not_found', notFound('key', keyId));
}

/** The key with this id, or a `not_found` refusal. Of an undecodable path the router makes `null`. */
export async function findKey({ store }: Pick<Deps, 'store'>, keyId: string | null): Promise<KeyListing> {
  const key = keyId === null ? null : await store.keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
