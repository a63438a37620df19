import type { ApiKey } from './workspace.ts';

const DAY_MS = 86_400_000;
/** So many days before a key's end somebody should see to its successor. */
const WARNING_DAYS = [1, 7, 14] as const;

/**
 * Which warning of a key's end is due: the last that was given, 14, 7 or 1 day before; `null` for none. What is longer than
 * the key's whole life is no warning: a key for ten days is warned of from the seventh day before its end on. Says nothing of
 * whether it was revoked or has a successor.
 */
export function dueWarning({ createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>, nowMs: number) {
  if (expiresAt === null) return null;
  const end = Date.parse(expiresAt);
  const lifetime = end - Date.parse(createdAt);
  return WARNING_DAYS.find((days) => days * DAY_MS < lifetime && end - nowMs <= days * DAY_MS) ?? null;
}

/** By less than half a minute: what was just set to 90 days has 90 days left. */
const ROUNDED_UP_MS = 29_000;

/**
 * How many days something still lasts, wherever it is told: rounded down, so that what is left is not overstated. `null` below two
 * days, which are told in hours.
 */
export function daysLeft(ms: number): number | null {
  const days = Math.floor((ms + ROUNDED_UP_MS) / DAY_MS);
  return days < 2 ? null : days;
}
