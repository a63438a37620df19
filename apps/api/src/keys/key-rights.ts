import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import type { KeyListing } from '../storage/store.ts';
import { findKey, keyNotFound } from './find-key.ts';

type RightsDeps = Pick<Deps, 'store'>;

/**
 * Returns the key, if the caller may manage it: admins in every Hub; members in their own Hubs, unless only admins
 * manage keys in this workspace. For all others, the key is not found.
 */
export async function manageableKey(deps: RightsDeps, caller: Caller, keyId: string | null): Promise<KeyListing> {
  const key = await findKey(deps, keyId);
  if (isAdmin(caller)) return key;
  const hub = await deps.store.hubs.find(key.hubId);
  if (hub?.deletedAt !== null || !(await isReader(deps, caller, hub.id))) throw keyNotFound(keyId);
  await requireKeyManager(deps, caller);
  return key;
}

/** Throws if the caller may not issue keys for this Hub. For admins, the store checks that the Hub exists. */
export async function requireKeyManagerOf(deps: RightsDeps, caller: Caller, hubId: string): Promise<void> {
  if (!isAdmin(caller)) await readableHub(deps, caller, hubId);
  await requireKeyManager(deps, caller);
}

/** Throws for members, if only admins manage keys in this workspace. */
export async function requireKeyManager(deps: RightsDeps, caller: Caller): Promise<void> {
  if (!(await isKeyManager(deps, caller))) throw adminsManageKeys();
}

/** Whether the caller can manage keys: admins can manage all keys, members those of their own Hubs. */
export async function isKeyManager({ store }: RightsDeps, caller: Caller): Promise<boolean> {
  return isAdmin(caller) || (await store.workspace()).membersManageKeys;
}

export function adminsManageKeys(): AppError {
  return new AppError('forbidden', 'In this workspace, only admins can manage keys. Ask an admin.');
}
