import type { KeyState } from '@hub/contract';

export interface KeyTimes {
  expiresAt: number | null;
  overlapEndsAt: number | null;
  revokedAt: number | null;
}

/** The end of validity that was set: the earlier of expiry and the end of a rotation's overlap. `null`: none. */
export function validUntil(key: KeyTimes): number | null {
  if (key.expiresAt === null) return key.overlapEndsAt;
  if (key.overlapEndsAt === null) return key.expiresAt;
  return Math.min(key.expiresAt, key.overlapEndsAt);
}

/** Whether the key authenticates: not revoked, and now is before its end. */
export function isValid(key: KeyTimes, now: number): boolean {
  const end = validUntil(key);
  return key.revokedAt === null && (end === null || now < end);
}

/** One word for a list. What ends a key comes before what hinders it, and that before what is planned. */
export function keyState(key: KeyTimes & { successorId: string | null }, now: number, blockedMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (!isValid(key, now)) return 'expired';
  if (blockedMs > 0) return 'blocked';
  return key.successorId === null ? 'active' : 'rotated';
}
