import { clockTime, daysAgo, isSameYear, LOCALE, shortDay, shortDayAndYear } from './format.ts';

// Formats for panels and the settings, which are not part of the first load.
const longDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' });
const weekdayAndShortDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const toTheSecond = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });

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
  return isSameYear(date, nowMs) ? weekdayAndShortDay.format(date).replace(',', '') : shortDayAndYear.format(date);
}

/** Returns abbreviated weekday names, Monday first; `day` is 1 to 7. */
export function weekdayNames(): readonly { day: number; short: string }[] {
  // 1 January 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, short: weekday.format(Date.UTC(2024, 0, day)) }));
}

/** Returns "12 Nov, 05:20", with the year unless it is the current one. */
export function dayAndTime(iso: string): string {
  const date = new Date(iso);
  return `${(isSameYear(date, Date.now()) ? shortDay : shortDayAndYear).format(date)}, ${clockTime(iso)}`;
}

/** Returns the time for logs: "11:14:40" for today, "12 Nov, 05:20" for earlier days. */
export function logTime(iso: string, nowMs: number): string {
  return daysAgo(iso, nowMs) === 0 ? toTheSecond.format(new Date(iso)) : dayAndTime(iso);
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

/** Returns the day in the reader's time zone as `YYYY-MM-DD`, the value of a date input. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  const part = (number: number, length = 2) => String(number).padStart(length, '0');
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** Whether a text is such a day after 1 January 1970. The 31st of February is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text > '1970-01-01';
}

/** Returns the instant at which such a day begins in the reader's time zone, or one `daysLater`, as ISO 8601. */
export function startOfDay(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(2000, 0, 1);
  // The Date constructor maps the years 0 to 99 to 1900 to 1999.
  start.setFullYear(year, month - 1, date + daysLater);
  return start.toISOString();
}
