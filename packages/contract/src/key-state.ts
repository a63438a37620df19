import type { ApiKey, KeyState } from './workspace.ts';

/** What ends a key, in milliseconds since 1970; `null`: it is not set. */
export interface KeyTimes {
  expiresAt: number | null;
  overlapEndsAt: number | null;
  revokedAt: number | null;
}

/** The end of validity that was set: the earlier of expiry and the end of a rotation's overlap. `null`: none. */
export function validUntil({ expiresAt, overlapEndsAt }: Omit<KeyTimes, 'revokedAt'>): number | null {
  if (expiresAt === null) return overlapEndsAt;
  if (overlapEndsAt === null) return expiresAt;
  return Math.min(expiresAt, overlapEndsAt);
}

/** Whether the key authenticates: not revoked, and now is before its end. */
export function isValid(key: KeyTimes, now: number): boolean {
  const end = validUntil(key);
  return key.revokedAt === null && (end === null || now < end);
}

/** The state of a key for lists: what ends a key comes before what hinders it, and that before what is planned. */
export function keyState(
  key: KeyTimes & { blockedUntil: number | null; successorId: string | null },
  now: number,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (!isValid(key, now)) return 'expired';
  if (key.blockedUntil !== null && now < key.blockedUntil) return 'blocked';
  return key.successorId === null ? 'active' : 'rotated';
}

/** When a key that the server described stops by itself, in milliseconds since 1970; `null`: never. */
export function endOf({ expiresAt, overlapEndsAt }: Pick<ApiKey, 'expiresAt' | 'overlapEndsAt'>): number | null {
  return validUntil({ expiresAt: instant(expiresAt), overlapEndsAt: instant(overlapEndsAt) });
}

/**
 * The present state of a key that the server described a while ago. No key comes back from a state that is final, so the
 * server's word for it counts more than a clock here that is behind.
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
