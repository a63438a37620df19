import { type ReadonlySignal, signal } from '@preact/signals';

/** The web app is in English, so its dates and numbers are too, regardless of the language of the browser. */
export const LOCALE = 'en-GB';

const DAY_MS = 86_400_000;

const hourAndMinute = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const weekdayAndDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' });
const fullDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
export const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
export const shortDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const everything = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' });

/** Returns the time of day in the reader's time zone: "14:05". */
export function clockTime(iso: string): string {
  return hourAndMinute.format(new Date(iso));
}

export function fullTime(iso: string): string {
  return everything.format(new Date(iso));
}

/** Returns how many midnights lie between `iso` and `nowMs` here: 0 today, 1 yesterday, −1 tomorrow. */
export function daysAgo(iso: string, nowMs: number): number {
  return Math.round((midnightBefore(nowMs) - midnightBefore(Date.parse(iso))) / DAY_MS);
}

/** Returns the heading for a day in a feed: "Today" or "Thursday 12 November". */
export function dayHeading(iso: string, nowMs: number): { word: string | null; day: string } {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  return {
    word: ago === 0 ? 'Today' : ago === 1 ? 'Yesterday' : null,
    day: (isSameYear(date, nowMs) ? weekdayAndDay : fullDay).format(date),
  };
}

/** Returns the shortest clear form: "14:05", "yesterday, 14:05", "12 Nov", "12 Nov 2024". */
export function shortTime(iso: string, nowMs: number): string {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  if (ago === 0) return hourAndMinute.format(date);
  if (ago === 1) return `yesterday, ${hourAndMinute.format(date)}`;
  if (ago === -1) return `tomorrow, ${hourAndMinute.format(date)}`;
  return (isSameYear(date, nowMs) ? shortDay : shortDayAndYear).format(date);
}

export function isSameYear(date: Date, nowMs: number): boolean {
  return date.getFullYear() === new Date(nowMs).getFullYear();
}

function midnightBefore(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Days by ten-minute interval, cached because formatting thousands of items with `Date` is slow. */
const days = new Map<string, string>();
const TEN_MINUTES = 'YYYY-MM-DDTHH:M'.length;

/** Returns a string that is the same for all times (ISO 8601, UTC) of one day in the reader's time zone. */
export function dayKey(iso: string): string {
  const start = iso.slice(0, TEN_MINUTES);
  const cached = days.get(start);
  if (cached !== undefined) return cached;
  const day = new Date(iso).toDateString();
  days.set(start, day);
  return day;
}

const MINUTE_MS = 60_000;

const minute = signal(Date.now());

/** The current time, updated every minute, so that what depends on it is rendered again. */
export const now: ReadonlySignal<number> = minute;

function tick(): void {
  minute.value = Date.now();
  setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
}
setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
// A suspended tab has missed ticks. Tests import this file without a document.
globalThis.document?.addEventListener('visibilitychange', () => {
  minute.value = Date.now();
});
