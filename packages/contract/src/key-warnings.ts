import type { ApiKey } from './keys.ts';

const DAY_MS = 86_400_000;
/** The days before a key's expiry on which a warning is due. */
const WARNING_DAYS = [1, 7, 14] as const;

/**
 * Returns the warning that is due for a key's expiry: 14, 7 or 1 (days before it), or `null` for none. A warning is
 * skipped if the key's whole lifetime is no longer than that many days: the first warning for a ten-day key is due 7
 * days before its expiry. Does not check whether the key was revoked or has a successor.
 */
export function dueWarning({ createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>, nowMs: number) {
  if (expiresAt === null) return null;
  const end = Date.parse(expiresAt);
  const lifetime = end - Date.parse(createdAt);
  return WARNING_DAYS.find((days) => days * DAY_MS < lifetime && end - nowMs <= days * DAY_MS) ?? null;
}

/**
 * The remaining time is rounded up by just under half a minute, so that a lifetime just set to 90 days has 90 days
 * left.
 */
const ROUNDED_UP_MS = 29_000;

/**
 * Returns the remaining days for display, rounded down so that the time left is not overstated. Returns `null` for less
 * than two days, which are shown in hours.
 */
export function daysLeft(ms: number): number | null {
  const days = Math.floor((ms + ROUNDED_UP_MS) / DAY_MS);
  return days < 2 ? null : days;
}
