import { type IssuedKey, ROTATION_OVERLAP_SECONDS } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { hashToken } from '../credentials/tokens.ts';
import type { KeyListing } from '../storage/key-store.ts';
import { liveHub, newKeyRecord, newListing } from './issue-key.ts';
import { chosenExpiry, type ExpiryChoice, requireWithinMaxLifetime } from './key-expiry.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';

/** Issues a successor. The old key works for exactly 24 more hours, or until its own expiry if that is earlier. */
export function rotateKey(deps: Deps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return succeedKey(deps, caller, {
    keyId,
    expiry,
    overlapMs: ROTATION_OVERLAP_SECONDS * 1000,
    action: 'key.rotated',
  });
}

/** Replaces a leaked key: issues a successor and revokes the old key in the same transaction. */
export function replaceKey(deps: Deps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return succeedKey(deps, caller, { keyId, expiry, overlapMs: 0, action: 'key.replaced' });
}

interface Succession {
  keyId: string;
  expiry: ExpiryChoice;
  /** How long the old key keeps working; 0 revokes it in the same transaction. */
  overlapMs: number;
  action: 'key.rotated' | 'key.replaced';
}

/** Issues a successor with the same name, Hub and scopes. Used for both rotation and replacement. */
export function succeedKey(deps: Deps, sender: Caller, input: Succession): Promise<IssuedKey> {
  return changeAs(deps, sender, async (tx, caller) => {
    const now = deps.clock.now();
    const found = await manageableKey(tx, caller, input.keyId);
    const predecessor = { ...found, revokedAt: found.revokedAt ?? deps.revocations.revokedAt(found.id) ?? null };
    requireReplaceable(predecessor, now);
    const expiresAt = chosenExpiry(input.expiry, now, sameLifetime(predecessor, now));
    requireWithinMaxLifetime(expiresAt, now, (await tx.workspace.find()).longestKeyLifetimeDays);
    const hub = await liveHub(tx, predecessor.hubId);
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
    const isReplaced = overlapEndsAt <= now;
    await tx.keys.update(predecessor.id, {
      successorId: key.id,
      overlapEndsAt: isReplaced ? null : overlapEndsAt,
      revokedAt: isReplaced ? now : null,
    });
    await tx.keys.insert(key, hashToken(token));
    // To users, the successor is the same program, so the mode of a muted key must carry over.
    await tx.notifications.copyModes(predecessor.id, key.id);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: input.action,
        hubId: key.hubId,
        targetId: predecessor.id,
        targetName: predecessor.name,
        details: {
          successorId: key.id,
          expiresAt: isoTimeOrNull(key.expiresAt),
          ...(input.overlapMs > 0 ? { overlapEndsAt: isoTime(overlapEndsAt) } : {}),
        },
      }),
    );
    return { ...keyView(deps, newListing(key, hub)), key: token };
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
