import type { ApiKey, KeyState } from './keys.ts';

/** The times at which a key stops working, in milliseconds since 1970. `null`: not set. */
export interface KeyTimes {
  expiresAt: number | null;
  overlapEndsAt: number | null;
  revokedAt: number | null;
}

/** Returns the end of validity: the earlier of the expiry and the end of a rotation's overlap. `null`: none. */
export function validUntil({ expiresAt, overlapEndsAt }: Omit<KeyTimes, 'revokedAt'>): number | null {
  if (expiresAt === null) return overlapEndsAt;
  if (overlapEndsAt === null) return expiresAt;
  return Math.min(expiresAt, overlapEndsAt);
}

/** Returns whether the key authenticates: it is neither revoked nor past the end of its validity. */
export function isValid(key: KeyTimes, now: number): boolean {
  const end = validUntil(key);
  return key.revokedAt === null && (end === null || now < end);
}

/** Returns the state of a key for lists. Final states take precedence over a block, and a block over a rotation. */
export function keyState(
  key: KeyTimes & { blockedUntil: number | null; successorId: string | null },
  now: number,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (!isValid(key, now)) return 'expired';
  if (key.blockedUntil !== null && now < key.blockedUntil) return 'blocked';
  return key.successorId === null ? 'active' : 'rotated';
}

/** Returns when a key in a response stops working by itself, in milliseconds since 1970; `null`: never. */
export function endOf({ expiresAt, overlapEndsAt }: Pick<ApiKey, 'expiresAt' | 'overlapEndsAt'>): number | null {
  return validUntil({ expiresAt: instant(expiresAt), overlapEndsAt: instant(overlapEndsAt) });
}

/**
 * Returns the current state of a key from an earlier response. A final state from the server is kept even if the local
 * clock is behind, because a key never leaves a final state.
 */
export function currentState(key: ApiKey, now: number): KeyState {
  if (key.state === 'revoked' || key.state === 'expired') return key.state;
  const { expiresAt, overlapEndsAt, revokedAt, blockedUntil, successorId } = key;
  const times = {
    expiresAt: instant(expiresAt),
    overlapEndsAt: instant(overlapEndsAt),
    revokedAt: instant(revokedAt),
    blockedUntil: instant(blockedUntil),
  };
  return keyState({ ...times, successorId }, now);
}

function instant(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
