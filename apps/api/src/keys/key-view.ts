import { type ApiKey, KEY_PREFIX } from '@hub/contract';
import { isValid, keyState } from '@hub/contract/key-state';
import type { Deps } from '../context/deps.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { KeyListing } from '../storage/key-store.ts';

/** Returns a key as the API shows it: never with its hash or its secret. */
export function keyView(
  { clock, limiter, usage, revocations }: Pick<Deps, 'clock' | 'limiter' | 'usage' | 'revocations'>,
  key: KeyListing,
): ApiKey {
  const now = clock.now();
  const blockedMs = limiter.blockRemainingMs(key.id);
  const blockedUntil = blockedMs > 0 ? now + Math.ceil(blockedMs) : null;
  const revokedAt = key.revokedAt ?? revocations.revokedAt(key.id) ?? null;
  const state = keyState({ ...key, revokedAt, blockedUntil }, now);
  const pending = usage.pending(key.id);
  return {
    id: key.id,
    hubId: key.hubId,
    hubName: key.hubName,
    isHubDeleted: key.isHubDeleted,
    name: key.name,
    hint: `${KEY_PREFIX}…${key.lastFour}`,
    scopes: key.scopes,
    state,
    generation: key.generation,
    predecessorId: key.predecessorId,
    successorId: key.successorId,
    createdAt: isoTime(key.createdAt),
    createdBy: key.createdBy,
    isIssuerGone: key.isIssuerGone,
    expiresAt: isoTimeOrNull(key.expiresAt),
    overlapEndsAt: isoTimeOrNull(key.overlapEndsAt),
    blockedUntil: state === 'blocked' ? isoTimeOrNull(blockedUntil) : null,
    revokedAt: isoTimeOrNull(revokedAt),
    lastUsedAt: isoTimeOrNull(pending?.lastUsedAt ?? key.lastUsedAt),
    lastUsedAddress: pending?.lastUsedAddress ?? key.lastUsedAddress,
    // A kill can lose the most recently counted requests, but no posts, and each post was a request.
    requestCount: Math.max(key.requestCount + (pending?.requestCount ?? 0), key.postCount),
    postCount: key.postCount,
    unusedScopes: key.scopes.filter((scope) => !key.usedScopes.includes(scope)),
  };
}

/** Whether the key is valid. This includes blocked keys, since a block ends by itself. */
export function canPost({ clock }: Pick<Deps, 'clock'>, key: KeyListing): boolean {
  return isValid(key, clock.now());
}
