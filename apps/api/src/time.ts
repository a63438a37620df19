/** ISO 8601 in UTC with milliseconds, from milliseconds since 1970. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day in UTC, counted from 1970, from milliseconds since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-03-01`, from days since 1970. */
export function isoDay(day: number): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}
