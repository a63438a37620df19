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

/**
 * Parses an RFC 3339 date-time (section 5.6). Seconds are optional, `t` and `z` can be in lower case, digits beyond
 * milliseconds are cut off. Returns milliseconds since 1970 UTC; `null` for other text and dates that do not exist. A
 * leap second (`:60`) means the following second, at 23:59:60 UTC (section 5.7) on any day, as they are not known far
 * in advance.
 */
export function parseDateTime(text: string): number | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const isLeapSecond = match[6] === '60';
  const instant = instantIn(text.replace(/\.\d+/, (fraction) => (isLeapSecond ? '' : fraction.slice(0, 4))));
  if (instant === null) return null;
  // `Temporal` takes a leap second for the one before.
  const at = isLeapSecond ? instant + 1_000 : instant;
  if (isLeapSecond && at % DAY_MS !== 0) return null;
  return at >= YEAR_0000 && at < YEAR_10000 ? at : null;
}

function instantIn(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Returns the instant of a text that is valid or left out. */
export function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseDateTime(text) ?? undefined);
}
