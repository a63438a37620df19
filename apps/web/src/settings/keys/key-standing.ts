import type { ApiKey } from '@hub/contract';

const DAY_MS = 86_400_000;
/** From so many days before its end on somebody should see to a key. */
export const WARNING_DAYS = [14, 7, 1] as const;

/** How a key stands, as the list shows it. */
export type Standing = 'active' | 'expiring' | 'rotated' | 'blocked' | 'expired' | 'revoked';

/** As the server told it, with what has ended by itself since. */
export function standingOf(key: ApiKey, nowMs: number): Standing {
  if (key.state === 'revoked') return 'revoked';
  const end = endOf(key);
  if (key.state === 'expired' || (end !== null && end <= nowMs)) return 'expired';
  if (key.blockedUntil !== null && Date.parse(key.blockedUntil) > nowMs) return 'blocked';
  if (key.successorId !== null) return 'rotated';
  return warningDays(key, nowMs) === null ? 'active' : 'expiring';
}

/** Whether it is refused for good. */
export function isOver(key: ApiKey, nowMs: number): boolean {
  const standing = standingOf(key, nowMs);
  return standing === 'revoked' || standing === 'expired';
}

/** When it stops by itself: at its expiry, or when its successor has taken over. `null`: never. */
export function endOf({ expiresAt, overlapEndsAt }: ApiKey): number | null {
  const ends = [expiresAt, overlapEndsAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Which warning is due: 14, 7 or 1 day before the end; `null` for none. */
export function warningDays({ expiresAt }: ApiKey, nowMs: number): 14 | 7 | 1 | null {
  if (expiresAt === null) return null;
  const left = Date.parse(expiresAt) - nowMs;
  return WARNING_DAYS.findLast((days) => left <= days * DAY_MS) ?? null;
}
