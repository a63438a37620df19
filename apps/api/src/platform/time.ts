import { DATE_TIME_PATTERN } from '@hub/contract/schema-parts';

/** Formats milliseconds since 1970 as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
  return lastTime.text;
}

/** The posts of one turn, and their log records, mostly have the same time. */
let lastTime = { ms: Number.NaN, text: '' };

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** Converts milliseconds since 1970 to days since 1970, in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Formats days since 1970 as `2026-03-01`. */
export function isoDay(day: number): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}

const FORM = new RegExp(DATE_TIME_PATTERN);

/** The limits of RFC 3339's four-digit years, which a date with an offset can exceed. */
const YEAR_0000 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00Z');

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses an RFC 3339 date-time (section 5.6). Seconds are optional, `t` and `z` can be in lower case, digits beyond
 * milliseconds are cut off. Returns milliseconds since 1970 UTC; `null` for other text and dates that do not exist. A
 * leap second (`:60`) means the following second, at 23:59:60 UTC (section 5.7) on any day, as they are not known far
 * in advance.
 */
export function parseDateTime(text: string): number | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(10), part(11)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null;

  const millisecond = Number(`${(match[7] ?? '.').slice(1, 4)}`.padEnd(3, '0'));
  const date = new Date(0);
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999; these setters do not.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, second === 60 ? 0 : millisecond);
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000;
  const instant = date.getTime() - (match[9] === '-' ? -offsetMs : offsetMs);
  if (second === 60 && instant % DAY_MS !== 0) return null;
  return instant >= YEAR_0000 && instant < YEAR_10000 ? instant : null;
}

/** Returns the instant of a text that is valid or left out. */
export function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseDateTime(text) ?? undefined);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}
