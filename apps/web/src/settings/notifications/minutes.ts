import { LOCALE } from '../../time/format.ts';

/** `22:00`, as a field of time has it, from minutes after midnight. */
export function timeText(minute: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** "22:00", as all times are written. */
export function clockOf(minute: number): string {
  const at = new Date(2024, 0, 1, 0, minute);
  return at.toLocaleTimeString(LOCALE, { timeStyle: 'short' });
}

/** The other way round; `null` of what is no time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : null;
}

/** The days of the week, Monday first, abbreviated. */
export function dayNames(): readonly { day: number; short: string }[] {
  // 1 January 2024 was a Monday.
  const short = (day: number) =>
    new Date(Date.UTC(2024, 0, day)).toLocaleDateString(LOCALE, { weekday: 'short', timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, short: short(day) }));
}
