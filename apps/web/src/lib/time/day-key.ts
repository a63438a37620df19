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
