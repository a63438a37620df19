import type { ApiKey, RotateKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { countText } from '../count-text.ts';
import { isDay, localDay, startOfDay } from '../time/local-day.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const OFFERED_DAYS = [30, 90, 365];

/** How long a new key works: a number of days, until the end of a date, or without expiry. */
export type Lifetime = { days: number } | { until: string } | 'never';

/** Returns the lifetimes that a form offers, in days. `maxDays` is the maximum; `null` for no limit. */
export function offeredDays(maxDays: number | null): number[] {
  if (maxDays === null) return OFFERED_DAYS;
  return [...OFFERED_DAYS.filter((days) => days < maxDays), maxDays];
}

/** Returns the expiry as the API expects it. `until` is a local date and includes the whole day. */
export function expiryOf(lifetime: Lifetime): RotateKeyBody {
  if (lifetime === 'never') return {};
  if ('days' in lifetime) return { lifetimeSeconds: lifetime.days * DAY_SECONDS };
  return { expiresAt: endOfDay(lifetime.until) };
}

/** Returns when a key with this lifetime expires, as an ISO 8601 instant; `null` for never and for an invalid date. */
export function endOf(lifetime: Lifetime, nowMs: number): string | null {
  if (lifetime === 'never') return null;
  if ('days' in lifetime) return new Date(nowMs + lifetime.days * DAY_MS).toISOString();
  return isDay(lifetime.until) ? endOfDay(lifetime.until) : null;
}

/** Returns the last date whose end is within the maximum lifetime. */
export function latestDay(maxDays: number, nowMs: number): string {
  const end = new Date(nowMs + maxDays * DAY_MS);
  return localDay(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1).getTime());
}

/** Returns why a key cannot expire at the end of that date, or an empty string if it can. */
export function dayProblem(day: string, maxDays: number | null, nowMs: number): string {
  if (!isDay(day)) return 'Choose an expiry date.';
  if (Date.parse(endOfDay(day)) <= nowMs) return 'That date has passed. Choose a later one.';
  if (maxDays === null || day <= latestDay(maxDays, nowMs)) return '';
  return `Keys can last at most ${countText(maxDays, 'day')}. Choose an earlier date.`;
}

/** Returns why a lifetime that ends on a date is not possible, or an empty string. */
export function lifetimeProblem(lifetime: Lifetime | null, maxDays: number | null, nowMs: number): string {
  return typeof lifetime === 'object' && lifetime !== null && 'until' in lifetime
    ? dayProblem(lifetime.until, maxDays, nowMs)
    : '';
}

/** Returns the expiry to send with a rotation or replacement: empty unless the old lifetime is too long. */
export function successorExpiry(key: Pick<ApiKey, 'createdAt' | 'expiresAt'>, maxDays: number | null): RotateKeyBody {
  return maxDays !== null && outlastsMaxLifetime(key, maxDays) ? expiryOf({ days: maxDays }) : {};
}

function endOfDay(day: string): string {
  return startOfDay(day, 1);
}
