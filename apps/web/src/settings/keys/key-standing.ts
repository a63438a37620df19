import type { ApiKey } from '@hub/contract';

const DAY_MS = 86_400_000;
/** From so many days before its end on somebody should see to a key. */
export const WARNING_DAYS = [14, 7, 1] as const;
/** A key that was made for so short a time is near its end only when little of that is left. */
const SHORT_LIFE_DAYS = 30;
const LAST_SHARE = 0.1;

/** How a key stands, as the list shows it. `hubless`: its Hub was deleted, and may be restored. */
export type Standing = 'active' | 'expiring' | 'rotated' | 'blocked' | 'hubless' | 'expired' | 'revoked';

/** As the server told it, with what has ended by itself since. */
export function standingOf(key: ApiKey, nowMs: number): Standing {
  if (key.state === 'revoked') return 'revoked';
  const end = endOf(key);
  if (key.state === 'expired' || (end !== null && end <= nowMs)) return 'expired';
  if (key.isHubDeleted) return 'hubless';
  if (key.blockedUntil !== null && Date.parse(key.blockedUntil) > nowMs) return 'blocked';
  if (key.successorId !== null) return 'rotated';
  return isExpiring(key, nowMs) ? 'expiring' : 'active';
}

/** Whether it is refused for good. */
export function isOver(key: ApiKey, nowMs: number): boolean {
  const standing = standingOf(key, nowMs);
  return standing === 'revoked' || standing === 'expired';
}

/** Whether no program can post with it, for good or until its Hub is restored. A block ends by itself. */
export function isIdle(key: ApiKey, nowMs: number): boolean {
  return key.isHubDeleted || isOver(key, nowMs);
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

/** Whether somebody should see to its successor. */
export function isExpiring(key: ApiKey, nowMs: number): boolean {
  if (key.expiresAt === null) return false;
  const end = Date.parse(key.expiresAt);
  const lifetime = end - Date.parse(key.createdAt);
  if (lifetime > SHORT_LIFE_DAYS * DAY_MS) return warningDays(key, nowMs) !== null;
  return end - nowMs <= lifetime * LAST_SHARE;
}
