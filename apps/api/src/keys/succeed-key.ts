import type { IssuedKey } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { KeyListing } from '../storage/store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';
import { findKey } from './find-key.ts';
import { hashToken } from './hash-token.ts';
import { newKeyRecord } from './issue-key.ts';
import { chosenExpiry, type ExpiryChoice, requireWithinMaxLifetime } from './key-expiry.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';

interface Succession {
  keyId: string;
  expiry: ExpiryChoice;
  /** How long the old key keeps working; 0 revokes it in the same transaction. */
  overlapMs: number;
  action: 'key.rotated' | 'key.replaced';
}

/** Issues a successor with the same name, Hub and scopes. Used for both rotation and replacement. */
export async function succeedKey(deps: Deps, caller: Caller, input: Succession): Promise<IssuedKey> {
  const now = deps.clock.now();
  const found = await manageableKey(deps, caller, input.keyId);
  const predecessor = { ...found, revokedAt: found.revokedAt ?? deps.revocations.revokedAt(found.id) ?? null };
  requireReplaceable(predecessor, now);
  const expiresAt = chosenExpiry(input.expiry, now, sameLifetime(predecessor, now));
  requireWithinMaxLifetime(expiresAt, now, (await deps.store.workspace()).longestKeyLifetimeDays);

  const { token, key } = newKeyRecord(deps, caller, {
    hubId: predecessor.hubId,
    name: predecessor.name,
    scopes: predecessor.scopes,
    // A replaced key is revoked at exactly this time, which shows that both happened in one step.
    createdAt: now,
    expiresAt,
    generation: predecessor.generation + 1,
    predecessorId: predecessor.id,
  });
  const overlapEndsAt = Math.min(now + input.overlapMs, predecessor.expiresAt ?? Number.POSITIVE_INFINITY);
  const audit = auditRecord(deps, caller, {
    action: input.action,
    hubId: key.hubId,
    targetId: predecessor.id,
    targetName: predecessor.name,
    details: {
      successorId: key.id,
      expiresAt: isoTimeOrNull(key.expiresAt),
      ...(input.overlapMs > 0 ? { overlapEndsAt: isoTime(overlapEndsAt) } : {}),
    },
  });
  const result = await deps.store.keys.succeed({
    predecessorId: predecessor.id,
    key,
    tokenHash: hashToken(token),
    audit,
    at: now,
    overlapEndsAt,
    actingUser: actingUserOf(caller),
  });
  if (result.outcome === 'too_late') {
    // A concurrent change came first. The new state of the key determines the error.
    requireReplaceable(await findKey(deps, input.keyId), now);
    throw new AppError('conflict', `${input.keyId} was just changed by someone else. Check it and try again.`);
  }
  return { ...keyView(deps, result.successor), key: token };
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
