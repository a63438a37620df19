import { type ApiKey, type ChangeKeyBody, type IssuedKey, ROTATION_OVERLAP_SECONDS } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { type Caller, changeAs } from '../../access/caller.ts';
import { revocationNotSaved } from '../../access/credentials.ts';
import { AppError, StoreUnavailable } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import type { AuditRecord } from '../../storage/audit.ts';
import type { KeyListing } from '../../storage/keys.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { allowedExpiry, type ExpiryChoice, insertKey, keyAudit, notesOf } from './issue-key.ts';
import type { KeyDeps } from './key-usage.ts';
import { findKey, keyView, manageableKey } from './show-keys.ts';

/** Changes the description or the link of a key. */
export async function changeKey(deps: KeyDeps, caller: Caller, keyId: string, input: ChangeKeyBody): Promise<ApiKey> {
  const changed = await changeAs(deps, caller, async (tx, current) => {
    const key = await manageableKey(tx, current, keyId);
    const notes = { ...notesOf(input), ...(input.name !== undefined && { name: input.name.trim() }) };
    if (Object.entries(notes).every(([name, value]) => key[name as keyof ChangeKeyBody] === value)) return key;
    await tx.keys.update(keyId, notes);
    await tx.audit.insert(keyAudit(deps, current, 'key.changed', key, notes));
    return { ...key, ...notes };
  });
  return keyView(deps, changed);
}

/** Issues a successor. The old key works for exactly 24 more hours, or until its own expiry if that is earlier. */
export function rotateKey(deps: KeyDeps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return issueSuccessor(deps, caller, {
    keyId,
    expiry,
    overlapMs: ROTATION_OVERLAP_SECONDS * 1000,
    action: 'key.rotated',
  });
}

/** Replaces a leaked key: issues a successor and revokes the old key in the same transaction. */
export function replaceKey(deps: KeyDeps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return issueSuccessor(deps, caller, { keyId, expiry, overlapMs: 0, action: 'key.replaced' });
}

interface Succession {
  keyId: string;
  expiry: ExpiryChoice;
  /** How long the old key keeps working; 0 revokes it in the same transaction. */
  overlapMs: number;
  action: 'key.rotated' | 'key.replaced';
}

/** Issues a successor with the same name, Hub and scopes. Used for both rotation and replacement. */
function issueSuccessor(
  deps: KeyDeps,
  caller: Caller,
  { keyId, expiry, overlapMs, action }: Succession,
): Promise<IssuedKey> {
  return changeAs(deps, caller, async (tx, current) => {
    const now = deps.clock.now();
    const listing = await manageableKey(tx, current, keyId);
    const predecessor = { ...listing, revokedAt: listing.revokedAt ?? deps.revocations.revokedAt(listing.id) ?? null };
    requireReplaceable(predecessor, now);
    const { id: predecessorId, hubId, name, description, link, scopes, generation } = predecessor;
    const successor = await insertKey(deps, tx, current, {
      ...{ hubId, name, description, link, scopes, predecessorId },
      // A replaced key is revoked at exactly this time, which shows that both happened in one step.
      createdAt: now,
      expiresAt: await allowedExpiry(tx, expiry, now, sameLifetime(predecessor, now)),
      generation: generation + 1,
    });
    const overlapEndsAt = Math.min(now + overlapMs, predecessor.expiresAt ?? Number.POSITIVE_INFINITY);
    const isReplaced = overlapEndsAt <= now;
    await tx.keys.update(predecessorId, {
      successorId: successor.id,
      overlapEndsAt: isReplaced ? null : overlapEndsAt,
      revokedAt: isReplaced ? now : null,
    });
    // To users, the successor is the same program, so the mode of a muted key must carry over.
    await tx.notifications.copyModes(predecessorId, successor.id);
    const details = {
      successorId: successor.id,
      expiresAt: successor.expiresAt,
      ...(overlapMs > 0 ? { overlapEndsAt: isoTime(overlapEndsAt) } : {}),
    };
    await tx.audit.insert(keyAudit(deps, current, action, predecessor, details));
    return successor;
  });
}

function requireReplaceable(key: KeyListing, now: number): void {
  if (key.successorId !== null) {
    const end = isValid(key, now) ? ` To stop ${key.id} now, revoke it.` : '';
    throw new AppError(
      'conflict',
      `${key.id} already has a successor. Rotate or replace the successor instead: ${key.successorId}.${end}`,
    );
  }
  if (!isValid(key, now)) {
    const how = key.revokedAt === null ? 'has expired' : 'was revoked';
    throw new AppError('conflict', `${key.id} ${how} and cannot have a successor. Issue a new key.`);
  }
}

function sameLifetime(key: KeyListing, now: number): number | null {
  return key.expiresAt === null ? null : now + (key.expiresAt - key.createdAt);
}

/** Revokes a key for all requests that begin later. On a full disk, only in memory, and the error says so. */
export async function revokeKey(deps: KeyDeps, caller: Caller, keyId: string): Promise<ApiKey> {
  const at = deps.clock.now();
  try {
    const revoked = await changeAs(deps, caller, async (tx, current) => {
      const key = await manageableKey(tx, current, keyId);
      return revoke(tx, key, revocationAudit(deps, current, key, at));
    });
    return keyView(deps, revoked);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // The disk can still be read, so the rights can be checked.
    const key = await manageableKey(deps.store, caller, keyId);
    // Made now, since the audit log is in the order of the entries' ids.
    const audit = revocationAudit(deps, caller, key, at);
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

function revocationAudit(deps: KeyDeps, caller: Caller, key: KeyListing, at: number): AuditRecord {
  // During a rotation, the revocation only cuts the 24 hours of the old key short.
  const isInRotation = key.successorId !== null && isValid(key, at);
  const details = isInRotation ? { successorId: key.successorId } : {};
  return { ...keyAudit(deps, caller, 'key.revoked', key, details), at };
}
