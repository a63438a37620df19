import type { Todo } from '@hub/contract';
import { localDay, weekdayAndDate } from './dates.ts';
import { clockTime, daysAgo } from './format.ts';

export type DueGroup = 'overdue' | 'today' | 'week' | 'future' | 'none';

/** A day without a time is stored as its last minute in the reader's time zone. */
const LAST_HOUR = 23;
const LAST_MINUTE = 59;

/** Returns the group of a due date in the reader's time zone. `week`: within the seven days after today. */
export function dueGroup(dueDate: string | null, nowMs: number): DueGroup {
  if (dueDate === null) return 'none';
  const dueMs = Date.parse(dueDate);
  if (dueMs <= nowMs) return 'overdue';
  const { tomorrowMs, laterMs } = boundsAt(nowMs);
  if (dueMs < tomorrowMs) return 'today';
  return dueMs < laterMs ? 'week' : 'future';
}

/** The bounds for the most recent `nowMs`, cached because a list needs the same ones for each to-do. */
let bounds = { nowMs: Number.NaN, tomorrowMs: 0, laterMs: 0 };

function boundsAt(nowMs: number): typeof bounds {
  if (bounds.nowMs !== nowMs) {
    const today = new Date(nowMs);
    const midnight = (days: number) =>
      new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
    bounds = { nowMs, tomorrowMs: midnight(1), laterMs: midnight(8) };
  }
  return bounds;
}

/** Returns the short form for a row: "18:00" or "Today", "Tomorrow, 09:00", "Yesterday", "Fri 13 Nov", "13 Nov 2027". */
export function dueText(dueDate: string, nowMs: number): string {
  const days = -daysAgo(dueDate, nowMs);
  const date = new Date(dueDate);
  if (days === 0) return isWholeDay(date) ? 'Today' : clockTime(dueDate);
  if (days === -1) return 'Yesterday';
  if (days === 1) return isWholeDay(date) ? 'Tomorrow' : `Tomorrow, ${clockTime(dueDate)}`;
  return weekdayAndDate(dueDate, nowMs);
}

/** Returns the long form for the panel: "Today, 18:00", "Fri 13 Nov, 18:00". */
export function dueSentence(dueDate: string, nowMs: number): string {
  const days = -daysAgo(dueDate, nowMs);
  const date = new Date(dueDate);
  const names: Record<string, string> = { '-1': 'Yesterday', '0': 'Today', '1': 'Tomorrow' };
  const day = names[String(days)] ?? weekdayAndDate(dueDate, nowMs);
  return isWholeDay(date) ? day : `${day}, ${clockTime(dueDate)}`;
}

/** Returns the values of the date and time inputs: "2026-11-13" and "18:00", or an empty time for a day without one. */
export function dueFields(dueDate: string | null): { day: string; time: string } {
  if (dueDate === null) return { day: '', time: '' };
  const date = new Date(dueDate);
  const time = isWholeDay(date) ? '' : date.toTimeString().slice(0, 5);
  return { day: localDay(date.getTime()), time };
}

/** Returns the instant for the two inputs in the reader's time zone; `null` without a day. */
export function dueInstant({ day, time }: { day: string; time: string }): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined || Number.isNaN(year + month + date)) return null;
  const [hours = LAST_HOUR, minutes = LAST_MINUTE] = time === '' ? [] : time.split(':').map(Number);
  return new Date(year, month - 1, date, hours, minutes).toISOString();
}

/** Returns the day this many days from now, without a time. */
export function dayFromNow(days: number, nowMs: number): string {
  const today = new Date(nowMs);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, LAST_HOUR, LAST_MINUTE).toISOString();
}

/** Returns the number of days until the next Monday, on which a week begins wherever dates look as they do here. */
export function daysToMonday(nowMs: number): number {
  return 7 - ((new Date(nowMs).getDay() + 6) % 7);
}

function isWholeDay(date: Date): boolean {
  return date.getHours() === LAST_HOUR && date.getMinutes() === LAST_MINUTE;
}

/** Returns a summary: "open · Tomás · due Fri 13 Nov", "done · Ines". */
export function todoStatusText({ status, assignee, finishedBy, dueDate }: Todo, nowMs: number): string {
  const who = (status === 'done' ? finishedBy : assignee)?.name.split(' ')[0];
  const due = status === 'open' && dueDate !== null ? dueStatus(dueDate, nowMs) : undefined;
  return [status, who, due].filter(Boolean).join(' · ');
}

function dueStatus(dueDate: string, nowMs: number): string {
  const group = dueGroup(dueDate, nowMs);
  if (group === 'overdue') return group;
  const text = dueText(dueDate, nowMs);
  if (group === 'today') return text === 'Today' ? 'due today' : `due today, ${text}`;
  return `due ${text.replace(/^Tomorrow/, 'tomorrow')}`;
}
