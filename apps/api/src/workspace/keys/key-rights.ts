import { type Caller, isAdmin } from '../../access/caller.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { KeyListing } from '../../storage/keys.ts';
import type { Reads } from '../../storage/repositories.ts';
import { isReader, type RightsReads } from '../hubs/hub-rights.ts';

interface KeyRightsReads extends RightsReads {
  keys: Pick<Reads['keys'], 'find'>;
  workspace: Pick<Reads['workspace'], 'find'>;
}

/** Returns the key if the caller may manage it: an admin, or a member of its Hub if members manage keys here. */
export async function manageableKey(reads: KeyRightsReads, caller: Caller, keyId: string | null): Promise<KeyListing> {
  const key = await findKey(reads, keyId);
  if (isAdmin(caller)) return key;
  const hub = await reads.hubs.find(key.hubId);
  if (hub?.deletedAt !== null || !(await isReader(reads, caller, hub.id))) throw keyNotFound(keyId);
  await requireKeyManager(reads, caller);
  return key;
}

/** Throws for members, if only admins manage keys in this workspace. */
export async function requireKeyManager(reads: Pick<KeyRightsReads, 'workspace'>, caller: Caller): Promise<void> {
  if (await isKeyManager(reads, caller)) return;
  throw new AppError('forbidden', 'In this workspace, only admins can manage keys. Ask an admin.');
}

/** Whether the caller can manage keys: admins can manage all keys, members those of their own Hubs. */
export async function isKeyManager(reads: Pick<KeyRightsReads, 'workspace'>, caller: Caller): Promise<boolean> {
  return isAdmin(caller) || (await reads.workspace.find()).membersManageKeys;
}

export function keyNotFound(keyId: string | null): AppError {
  return notFound('key', keyId);
}

/** Returns the key with this id, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findKey({ keys }: Pick<KeyRightsReads, 'keys'>, keyId: string | null): Promise<KeyListing> {
  const key = keyId === null ? null : await keys.find(keyId);
  if (!key) throw keyNotFound(keyId);
  return key;
}
