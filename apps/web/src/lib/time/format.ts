/** The web app is in English, so its dates and numbers are too, regardless of the language of the browser. */
export const LOCALE = 'en-GB';

const DAY_MS = 86_400_000;

const hourAndMinute = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const weekdayAndDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' });
const fullDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const shortDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const longDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' });
const weekdayAndShortDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const toTheSecond = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const everything = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' });

/** Returns the time of day in the reader's time zone: "14:05". */
export function clockTime(iso: string): string {
  return hourAndMinute.format(new Date(iso));
}

/** Returns the full date and time, for tooltips. */
export function fullTime(iso: string): string {
  return everything.format(new Date(iso));
}

/** Returns "10 February 2027". */
export function dayAndYear(iso: string): string {
  return longDayAndYear.format(new Date(iso));
}

/** Returns "12 Nov 2026". */
export function shortDate(iso: string): string {
  return shortDayAndYear.format(new Date(iso));
}

/** Returns "Fri 13 Nov", or "13 Nov 2027" in another year than `nowMs`. */
export function weekdayAndDate(iso: string, nowMs: number): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return isThisYear ? weekdayAndShortDay.format(date).replace(',', '') : shortDayAndYear.format(date);
}

/** Returns abbreviated weekday names, Monday first; `day` is 1 to 7. */
export function weekdayNames(): readonly { day: number; short: string }[] {
  // 1 January 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, short: weekday.format(Date.UTC(2024, 0, day)) }));
}

/** Returns "12 Nov, 05:20", with the year unless it is the current one. */
export function dayAndTime(iso: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return `${(isThisYear ? shortDay : shortDayAndYear).format(date)}, ${hourAndMinute.format(date)}`;
}

/** Returns the time for logs: "11:14:40" for today, "12 Nov, 05:20" for earlier days. */
export function logTime(iso: string, nowMs: number): string {
  return daysAgo(iso, nowMs) === 0 ? toTheSecond.format(new Date(iso)) : dayAndTime(iso);
}

/** Returns how many midnights lie between `iso` and `nowMs` here: 0 today, 1 yesterday, −1 tomorrow. */
export function daysAgo(iso: string, nowMs: number): number {
  return Math.round((startOfDay(nowMs) - startOfDay(Date.parse(iso))) / DAY_MS);
}

/** Returns the heading for a day in a feed: "Today" or "Thursday 12 November". */
export function dayHeading(iso: string, nowMs: number): { word: string | null; day: string } {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return {
    word: ago === 0 ? 'Today' : ago === 1 ? 'Yesterday' : null,
    day: (isThisYear ? weekdayAndDay : fullDay).format(date),
  };
}

/** Returns the shortest clear form: "14:05", "yesterday, 14:05", "12 Nov", "12 Nov 2024". */
export function shortTime(iso: string, nowMs: number): string {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  if (ago === 0) return hourAndMinute.format(date);
  if (ago === 1) return `yesterday, ${hourAndMinute.format(date)}`;
  if (ago === -1) return `tomorrow, ${hourAndMinute.format(date)}`;
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? shortDay : shortDayAndYear).format(date);
}

/** Returns the time zone of this browser, or the given one, with its offset at `atMs`: "Europe/Berlin, UTC+1". */
export function zoneText(atMs: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' });
  const zone = format.resolvedOptions().timeZone;
  const offset = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined || zone === 'UTC'
    ? zone
    : `${zone.replaceAll('_', ' ')}, ${offset.replace('GMT', 'UTC')}`;
}

function startOfDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
