import type { ApiKey } from '@hub/contract';
import { dueWarning } from '@hub/contract/key-warnings';

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
  return dueWarning(key, nowMs) === null ? 'active' : 'expiring';
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

/** How many programs can post with them now, as the server counts them for a Hub: of a rotation both, and who is blocked is let in again. */
export function countWorking(keys: readonly ApiKey[], nowMs: number): number {
  return keys.filter((key) => !isIdle(key, nowMs)).length;
}

/** Whether the one before it was revoked in the same step, as one that leaked is. After a rotation it goes on for a while. */
export function tookThePlaceOf(key: ApiKey, before: ApiKey | undefined): boolean {
  return before?.revokedAt === key.createdAt;
}

/** When it stops by itself: at its expiry, or when its successor has taken over. `null`: never. */
export function endOf({ expiresAt, overlapEndsAt }: ApiKey): number | null {
  const ends = [expiresAt, overlapEndsAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return ends.length === 0 ? null : Math.min(...ends);
}
