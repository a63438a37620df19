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
