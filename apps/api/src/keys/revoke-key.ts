import type { ApiKey } from '@hub/contract';
import { auditRecord, type Caller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { keyNotFound } from './find-key.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';

/**
 * Ends a key at once: the gate reads the key from the store at every request, so none that begins after this has
 * resolved is accepted. Revoking a revoked key changes nothing and is no error.
 */
export async function revokeKey(deps: Deps, caller: Caller, keyId: string): Promise<ApiKey> {
  const key = await manageableKey(deps, caller, keyId);
  const audit = auditRecord(deps, caller, {
    action: 'key.revoked',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
  });
  const revoked = await deps.store.keys.revoke({ keyId, at: deps.clock.now(), audit, by: standingOf(caller) });
  if (!revoked) throw keyNotFound(keyId);
  return keyView(deps, revoked);
}
