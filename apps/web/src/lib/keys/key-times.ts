import type { ApiKey, RotateKeyBody } from '@hub/contract';
import { outlastsMaxLifetime } from '@hub/contract/key-findings';
import { daysLeft } from '@hub/contract/key-warnings';
import { countText } from '../count-text.ts';
import { dayAndYear, isDay, localDay, startOfDay } from '../time/dates.ts';
import { clockTime, daysAgo, isSameYear, LOCALE, shortTime } from '../time/format.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** At or below this, `timeLeft` shows seconds. */
const BY_SECOND_MS = 5 * MINUTE_MS;
const NEAR_MS = 48 * 60 * MINUTE_MS;
const WHOLE_DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long' });
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' });

/** Formats when something was used: "Just now", "38 min ago", "Today, 09:02", "30 October". */
export function usedText(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS);
  if (minutes < 1) return 'Just now';
  if (minutes < 60) return `${minutes} min ago`;
  const ago = daysAgo(iso, nowMs);
  if (ago === 0) return `Today, ${clockTime(iso)}`;
  if (ago === 1) return `Yesterday, ${clockTime(iso)}`;
  return dayText(iso, nowMs);
}

/** Formats when something happened: "6 h ago", "4 November". */
export function agoText(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return shortTime(iso, nowMs);
}

/** "2 March", with the year unless it is the current one. */
export function dayText(iso: string, nowMs: number): string {
  const date = new Date(iso);
  return isSameYear(date, nowMs) ? WHOLE_DAY.format(date) : dayAndYear(iso);
}

/** Whether an end is so near that it needs a time as well as a date. */
export function isNearEnd(iso: string, nowMs: number): boolean {
  const leftMs = Date.parse(iso) - nowMs;
  return leftMs > 0 && leftMs <= NEAR_MS;
}

/** Formats when something ends: "2 March", and near the end "tomorrow, 14:05" and "today, 14:05, in 3 h 10 min". */
export function endText(iso: string, nowMs: number): string {
  if (!isNearEnd(iso, nowMs)) return dayText(iso, nowMs);
  const ago = daysAgo(iso, nowMs);
  const leftMs = Date.parse(iso) - nowMs;
  const left = leftMs <= NEAR_MS / 2 ? `, in ${timeLeft(leftMs)}` : '';
  if (ago < -1) return dayAndClock(iso, nowMs);
  return `${ago === 0 ? 'today' : 'tomorrow'}, ${clockTime(iso)}${left}`;
}

/** "18 November, 09:00". */
export function dayAndClock(iso: string, nowMs: number): string {
  return `${dayText(iso, nowMs)}, ${clockTime(iso)}`;
}

/** "Friday 13 November, 11:20", for dates to remember. */
export function exactText(ms: number): string {
  return `${WEEKDAY.format(new Date(ms))}, ${clockTime(new Date(ms).toISOString())}`;
}

/** Formats a duration: "4:12", "42 min", "17 h 42 min", "6 days". Days are counted as in hubctl. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return '0:00';
  if (ms <= BY_SECOND_MS) {
    const seconds = Math.ceil(ms / SECOND_MS);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
  const days = daysLeft(ms);
  if (days !== null) return `${days} days`;
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the milliseconds until the text changes, so that nothing is rendered in between. */
export function nextTick(ms: number): number {
  const step = ms <= BY_SECOND_MS ? SECOND_MS : MINUTE_MS;
  return ms % step === 0 ? step : ms % step;
}

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
