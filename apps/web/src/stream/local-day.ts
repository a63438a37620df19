/** As `Date` would say it for each of ten thousand items, only that the ten minutes in which they came are asked for once. */
const days = new Map<string, string>();
const TEN_MINUTES = 'YYYY-MM-DDTHH:M'.length;

/** A text that is the same for all times of one day, where the reader is. */
export function localDay(iso: string): string {
  const start = iso.slice(0, TEN_MINUTES);
  const known = days.get(start);
  if (known !== undefined) return known;
  const day = new Date(iso).toDateString();
  days.set(start, day);
  return day;
}
