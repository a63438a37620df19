import type { IssuedKey } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord, type Caller, stateOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { KeyListing } from '../store/store.ts';
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
  /** How long the old key works on; 0 revokes it in the same transaction. */
  overlapMs: number;
  action: 'key.rotated' | 'key.replaced';
}

/** What rotation and replacement share: a new key in the place of an old one, with the same name, Hub and scopes. */
export async function succeedKey(deps: Deps, caller: Caller, input: Succession): Promise<IssuedKey> {
  const now = deps.clock.now();
  const found = await manageableKey(deps, caller, input.keyId);
  const predecessor = { ...found, revokedAt: found.revokedAt ?? deps.revocations.revokedAt(found.id) ?? null };
  rejectIfSpent(predecessor, now);
  const expiresAt = chosenExpiry(input.expiry, now, sameLifetime(predecessor, now));
  requireWithinMaxLifetime(expiresAt, now, (await deps.store.workspace()).longestKeyLifetimeDays);

  const { token, key } = newKeyRecord(deps, caller, {
    hubId: predecessor.hubId,
    name: predecessor.name,
    scopes: predecessor.scopes,
    // The very instant at which a replaced one is revoked: whoever looks at both sees that it was one step.
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
    by: stateOf(caller),
  });
  if (result.outcome === 'too_late') {
    // Somebody was quicker. What the key has become says which refusal is due.
    rejectIfSpent(await findKey(deps, input.keyId), now);
    throw new AppError('conflict', `${input.keyId} was changed by somebody else just now. Look at it and try again.`);
  }
  return { ...keyView(deps, result.successor), key: token };
}

function rejectIfSpent(key: KeyListing, now: number): void {
  if (key.successorId !== null) {
    const end = isValid(key, now) ? ` To end ${key.id} now, revoke it.` : '';
    throw new AppError(
      'conflict',
      `${key.id} has a successor already. Rotate or replace that one: ${key.successorId}.${end}`,
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
