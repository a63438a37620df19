import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { KeyListing } from '../store/store.ts';

export function keyNotFound(keyId: string): Refusal {
  return new Refusal('not_found', `There is no key ${keyId}.`);
}

/** The key with this id, or a `not_found` refusal. */
export async function findKey({ store }: Pick<Deps, 'store'>, keyId: string): Promise<KeyListing> {
  const key = await store.keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
