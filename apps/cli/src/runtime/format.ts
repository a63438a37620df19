import { daysLeft } from '@hub/contract/key-warnings';
import { usageError } from './errors.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/** The durations that every option takes, for help and errors. */
export const DURATIONS = '90s, 15m, 12h, 3d or 2w';

/** Parses a duration, with or without `+`. Returns seconds, or `null` for any other text. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = ''] = /^\+?(\d{1,9})([smhdw])$/.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * (UNIT_SECONDS[unit] ?? 0);
}

/** Returns the seconds of a duration that `option` was set to. @throws a usage error for any other text. */
export function readDuration(option: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== null) return seconds;
  throw usageError(`Invalid ${option} "${text}".`, `Use a duration: ${DURATIONS}.`);
}

/** Returns the instant of an option: an instant, or a duration before now. @throws a usage error for other text. */
export function readPast(option: string, text: string, nowMs: number): string {
  if (isInstant(text)) return text;
  const seconds = parseDuration(text);
  if (seconds !== null) return new Date(Math.max(0, nowMs - seconds * 1000)).toISOString();
  throw usageError(
    `Invalid ${option} "${text}".`,
    `Use how long ago (${DURATIONS}), or a date and time with Z or an offset (2027-01-31T09:00+01:00).`,
  );
}

/** `2026-03-01 09:30 UTC` */
export function showTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/**
 * `in 6 days`, `3 hours ago`, `just now`: rounded down, so that the remaining time is not overstated; but differences
 * of less than half a minute are ignored, so that a period that was just set to 90 days reads as 90 days.
 */
export function showDistance(iso: string, nowMs: number): string {
  const days = daysLeft(Date.parse(iso) - nowMs);
  if (days !== null) return `in ${count(days, 'day')}`;
  const exact = (Date.parse(iso) - nowMs) / 1000;
  const seconds = Math.trunc(exact > MINUTE ? exact + 29 : exact);
  const span = showSpan(Math.abs(seconds));
  if (Math.abs(seconds) < MINUTE) return seconds > 0 ? 'in less than a minute' : 'just now';
  return seconds > 0 ? `in ${span}` : `${span} ago`;
}

/** `2026-03-01 09:30 UTC (in 6 days)` */
export function showTimeAndDistance(iso: string, nowMs: number): string {
  return `${showTime(iso)} (${showDistance(iso, nowMs)})`;
}

/** Formats a duration in the largest unit that fits, such as `6 days`. */
export function showSpan(seconds: number): string {
  if (seconds < MINUTE) return count(seconds, 'second');
  if (seconds < HOUR) return count(Math.floor(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return count(Math.floor(seconds / HOUR), 'hour');
  return count(Math.floor(seconds / DAY), 'day');
}

/** Formats the time that something took: `0.4 s`, `42 s`, `3 min 12 s`, `1 h 4 min`. */
export function showDuration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / MINUTE);
  if (seconds < MINUTE) return `${seconds} s`;
  return seconds < HOUR ? `${minutes} min ${seconds % MINUTE} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Returns whether two versions have the same API: the same major and minor version (semver.org), whatever the patch and
 * the build, such as `1.0.0+b0c3f6c2` or `1.0.0-dev.gb0c3f6c2`.
 */
export function hasSameApi(version: string, other: string): boolean {
  const release = (text: string) => /^\d+\.\d+\./.exec(text)?.[0] ?? text;
  return release(version) === release(other);
}

export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Returns whether a string is a date and time with an offset, on a valid calendar day. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text) && isDay(text.slice(0, 10));
}

/** Returns whether `YYYY-MM-DD` is a calendar day. `Date` reads February 31 as March 3. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function showBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}
