/** Formats milliseconds since 1970 as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Converts milliseconds since 1970 to days since 1970, in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Formats days since 1970 as `2026-03-01`. */
export function isoDay(day: number): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}
