/** The web app is in English, and so are its dates and numbers, whatever the language of the browser is. */
export const LOCALE = 'en-GB';

const DAY_MS = 86_400_000;

const hourAndMinute = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const weekdayAndDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' });
const fullDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const shortDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const longDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' });
const toTheSecond = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const everything = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' });

/** The time of day, where the reader is. */
export function clockTime(iso: string): string {
  return hourAndMinute.format(new Date(iso));
}

/** All of it, for whoever asks. */
export function fullTime(iso: string): string {
  return everything.format(new Date(iso));
}

/** "10 February 2027". */
export function dayAndYear(iso: string): string {
  return longDayAndYear.format(new Date(iso));
}

/** "12 Nov, 05:20", with the year unless it is this one. */
export function dayAndTime(iso: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return `${(isThisYear ? shortDay : shortDayAndYear).format(date)}, ${hourAndMinute.format(date)}`;
}

/** For logs: "11:14:40" today, "12 Nov, 05:20" before. */
export function logTime(iso: string, nowMs: number): string {
  return daysAgo(iso, nowMs) === 0 ? toTheSecond.format(new Date(iso)) : dayAndTime(iso);
}

/** How many midnights of the reader lie between `iso` and `nowMs`: 0 today, 1 yesterday, −1 tomorrow. */
export function daysAgo(iso: string, nowMs: number): number {
  return Math.round((startOfDay(nowMs) - startOfDay(Date.parse(iso))) / DAY_MS);
}

/** The head of a day in a feed: "Today" and "Thursday 12 November". */
export function dayHead(iso: string, nowMs: number): { word: string | null; day: string } {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return {
    word: ago === 0 ? 'Today' : ago === 1 ? 'Yesterday' : null,
    day: (isThisYear ? weekdayAndDay : fullDay).format(date),
  };
}

/** As short as it can be understood: "14:05", "yesterday, 14:05", "12 Nov", "12 Nov 2024". */
export function shortTime(iso: string, nowMs: number): string {
  const ago = daysAgo(iso, nowMs);
  const date = new Date(iso);
  if (ago === 0) return hourAndMinute.format(date);
  if (ago === 1) return `yesterday, ${hourAndMinute.format(date)}`;
  if (ago === -1) return `tomorrow, ${hourAndMinute.format(date)}`;
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? shortDay : shortDayAndYear).format(date);
}

function startOfDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
