import type { ApiKey } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { StoreUnavailable } from '../errors.ts';
import type { KeyListing } from '../storage/store.ts';
import { keyNotFound } from './find-key.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';
import { revocationNotSaved } from './pending-revocations.ts';

/**
 * Revokes a key immediately: the gate reads the key from the store for every request, so no request that begins after
 * this has resolved is accepted. Revoking a revoked key changes nothing and is not an error. On a full disk, the
 * revocation takes effect in memory, and the error says so.
 */
export async function revokeKey(deps: Deps, caller: Caller, keyId: string): Promise<ApiKey> {
  const key = await manageableKey(deps, caller, keyId);
  const audit = auditRecord(deps, caller, {
    action: 'key.revoked',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
    details: isInRotation(deps, key) ? { successorId: key.successorId } : {},
  });
  const revocation = { keyId, at: deps.clock.now(), audit };
  const revoked = await deps.store.keys.revoke({ ...revocation, actingUser: actingUserOf(caller) }).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    deps.revocations.add({ id: keyId, at: revocation.at, save: () => deps.store.keys.revoke(revocation) });
    deps.log.error({ err: error, keyId }, 'Failed to save a revocation; it stays in effect and will be retried');
    throw revocationNotSaved('The key is revoked');
  });
  if (!revoked) throw keyNotFound(keyId);
  return keyView(deps, revoked);
}

/** Whether the key was still working alongside its successor, so that revoking it only cuts the 24 hours short. */
function isInRotation({ clock }: Pick<Deps, 'clock'>, key: KeyListing): boolean {
  return key.successorId !== null && isValid(key, clock.now());
}
