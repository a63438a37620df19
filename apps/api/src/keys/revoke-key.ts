import type { ApiKey } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { StoreUnavailable } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { revocationNotSaved } from '../credentials/pending-revocations.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { KeyListing } from '../storage/key-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { findKey, manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';

/**
 * Revokes a key immediately: the gate reads the key from the store for every request, so no request that begins after
 * this has resolved is accepted. Revoking a revoked key changes nothing and is not an error. On a full disk, the
 * revocation takes effect in memory, and the error says so.
 */
export async function revokeKey(deps: Deps, sender: Caller, keyId: string): Promise<ApiKey> {
  const at = deps.clock.now();
  try {
    const revoked = await changeAs(deps, sender, async (tx, caller) => {
      const key = await manageableKey(tx, caller, keyId);
      return revoke(tx, key, auditEntry(deps, caller, key, at));
    });
    return keyView(deps, revoked);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // The disk can still be read, so the rights can be checked.
    const key = await manageableKey(deps.store, sender, keyId);
    // Made now, since the audit log is in the order of the entries' ids.
    const audit = auditEntry(deps, sender, key, at);
    const save = () => deps.store.transaction(async (tx) => revoke(tx, await findKey(tx, key.id), audit));
    deps.revocations.add({ id: key.id, at, save });
    deps.log.error({ err: error, keyId }, 'Failed to save a revocation; it stays in effect and will be retried');
    throw revocationNotSaved('The key is revoked');
  }
}

/** Revokes the key at the time of the audit entry, unless it is revoked already. */
async function revoke(tx: Repositories, key: KeyListing, audit: AuditRecord): Promise<KeyListing> {
  if (key.revokedAt !== null) return key;
  await tx.keys.update(key.id, { revokedAt: audit.at });
  await tx.audit.insert(audit);
  return { ...key, revokedAt: audit.at };
}

function auditEntry(deps: Deps, caller: Caller, key: KeyListing, at: number): AuditRecord {
  const entry = auditRecord(deps, caller, {
    action: 'key.revoked',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
    details: isInRotation(key, at) ? { successorId: key.successorId } : {},
  });
  return { ...entry, at };
}

/** Whether the key was still working alongside its successor, so that revoking it only cuts the 24 hours short. */
function isInRotation(key: KeyListing, now: number): boolean {
  return key.successorId !== null && isValid(key, now);
}
