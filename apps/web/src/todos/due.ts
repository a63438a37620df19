import { clockTime, daysAgo, LOCALE } from '../time/format.ts';

export type DueGroup = 'overdue' | 'today' | 'tomorrow' | 'week' | 'later' | 'none';

const shortDay = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });
const shortDayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });

/** A day alone is kept as its last minute, where the reader is. */
const LAST_HOUR = 23;
const LAST_MINUTE = 59;

/** Where a due date belongs, by the days and weeks of the reader. */
export function dueGroup(dueDate: string | null, nowMs: number): DueGroup {
  if (dueDate === null) return 'none';
  const dueMs = Date.parse(dueDate);
  if (dueMs <= nowMs) return 'overdue';
  const { tomorrowMs, nextWeekMs } = boundsAt(nowMs);
  if (dueMs < tomorrowMs) return 'today';
  if (dueMs < nextWeekMs) return 'week';
  // On the last day of the week, tomorrow is of the next one, and is not later for that.
  return daysAgo(dueDate, nowMs) === -1 ? 'tomorrow' : 'later';
}

/** Those of the last minute that was asked for: a list asks for the same ones for each of its to-dos. */
let bounds = { nowMs: Number.NaN, tomorrowMs: 0, nextWeekMs: 0 };

function boundsAt(nowMs: number): typeof bounds {
  if (bounds.nowMs !== nowMs) {
    const today = new Date(nowMs);
    const midnight = (days: number) =>
      new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
    bounds = { nowMs, tomorrowMs: midnight(1), nextWeekMs: midnight(daysToNextWeek(nowMs)) };
  }
  return bounds;
}

/** As short as it stands in a row: "18:00" and "Today" of today, "Tomorrow, 09:00", "Fri 13 Nov", "13 Nov 2027". */
export function dueText(dueDate: string, nowMs: number): string {
  const days = -daysAgo(dueDate, nowMs);
  const date = new Date(dueDate);
  if (days === 0) return isDayAlone(date) ? 'Today' : clockTime(dueDate);
  if (days === 1) return isDayAlone(date) ? 'Tomorrow' : `Tomorrow, ${clockTime(dueDate)}`;
  return dayText(date, nowMs);
}

/** As long as it stands in the panel: "Today, 18:00", "Fri 13 Nov, 18:00". */
export function dueSentence(dueDate: string, nowMs: number): string {
  const days = -daysAgo(dueDate, nowMs);
  const date = new Date(dueDate);
  const named: Record<string, string> = { '-1': 'Yesterday', '0': 'Today', '1': 'Tomorrow' };
  const day = named[String(days)] ?? dayText(date, nowMs);
  return isDayAlone(date) ? day : `${day}, ${clockTime(dueDate)}`;
}

function dayText(date: Date, nowMs: number): string {
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? shortDay : shortDayAndYear).format(date).replace(/^(\p{L}+\.?), /u, '$1 ');
}

/** What the two fields of the browser show: "2026-11-13" and "18:00", or an empty time for a day alone. */
export function dueFields(dueDate: string | null): { day: string; time: string } {
  if (dueDate === null) return { day: '', time: '' };
  const date = new Date(dueDate);
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return { day, time: isDayAlone(date) ? '' : `${pad(date.getHours())}:${pad(date.getMinutes())}` };
}

/** The instant that the two fields mean, where the reader is; `null` if there is no day. */
export function dueInstant({ day, time }: { day: string; time: string }): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined || Number.isNaN(year + month + date)) return null;
  const [hours = LAST_HOUR, minutes = LAST_MINUTE] = time === '' ? [] : time.split(':').map(Number);
  return new Date(year, month - 1, date, hours, minutes).toISOString();
}

/** So many days from now, as a day alone. */
export function dayFromNow(days: number, nowMs: number): string {
  const today = new Date(nowMs);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, LAST_HOUR, LAST_MINUTE).toISOString();
}

/** How many days to the first day of the next week. */
export function daysToNextWeek(nowMs: number): number {
  return daysLeftInWeek(nowMs) + 1;
}

function isDayAlone(date: Date): boolean {
  return date.getHours() === LAST_HOUR && date.getMinutes() === LAST_MINUTE;
}

function daysLeftInWeek(nowMs: number): number {
  const lastDay = (FIRST_DAY_OF_WEEK + 6) % 7;
  return (lastDay - new Date(nowMs).getDay() + 7) % 7;
}

/** As `Date.getDay` counts: 0 is Sunday. Monday (ISO 8601) where the browser does not tell. */
const FIRST_DAY_OF_WEEK = firstDayOfWeek();

function firstDayOfWeek(): number {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

function pad(number: number, length = 2): string {
  return String(number).padStart(length, '0');
}
