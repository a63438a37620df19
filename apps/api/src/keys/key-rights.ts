import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import type { KeyListing } from '../store/store.ts';
import { findKey, keyNotFound } from './find-key.ts';

type RightsDeps = Pick<Deps, 'store'>;

/**
 * The key, if the caller may manage it: admins those of every Hub, a member those of the Hubs that he belongs to, unless
 * the workspace keeps that to admins. To others it is as if there were none.
 */
export async function manageableKey(deps: RightsDeps, caller: Caller, keyId: string | null): Promise<KeyListing> {
  const key = await findKey(deps, keyId);
  if (isAdmin(caller)) return key;
  const hub = await deps.store.hubs.find(key.hubId);
  if (hub?.deletedAt !== null || !(await isReader(deps, caller, hub.id))) throw keyNotFound(keyId);
  await requireKeyManager(deps, caller);
  return key;
}

/** Refuses who may not make keys for this Hub. Of admins the store judges whether it is there. */
export async function requireKeyManagerOf(deps: RightsDeps, caller: Caller, hubId: string): Promise<void> {
  if (!isAdmin(caller)) await readableHub(deps, caller, hubId);
  await requireKeyManager(deps, caller);
}

/** Refuses members where the workspace keeps its keys to admins. */
export async function requireKeyManager(deps: RightsDeps, caller: Caller): Promise<void> {
  if (!(await isKeyManager(deps, caller))) throw adminsManageKeys();
}

/** Whether the caller manages keys: as an admin all, as a member those of his Hubs. */
export async function isKeyManager({ store }: RightsDeps, caller: Caller): Promise<boolean> {
  return isAdmin(caller) || (await store.workspace()).membersManageKeys;
}

export function adminsManageKeys(): AppError {
  return new AppError('forbidden', 'In this workspace only admins manage keys. Ask one of them.');
}
