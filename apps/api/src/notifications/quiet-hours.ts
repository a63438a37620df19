import type { QuietHours } from '@hub/contract';

const DAY_MINUTES = 24 * 60;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns whether `now` (milliseconds since 1970) is within the quiet hours, in their time zone. */
export function isQuiet({ fromMinute, toMinute, days, timeZone }: QuietHours, now: number): boolean {
  const { day, minute } = localTime(now, timeZone);
  const isToday = days.includes(day);
  if (fromMinute < toMinute) return isToday && minute >= fromMinute && minute < toMinute;
  // Across midnight: the span that begins today, or the rest of the one that began yesterday.
  const yesterday = day === 1 ? 7 : day - 1;
  return (isToday && minute >= fromMinute) || (days.includes(yesterday) && minute < toMinute);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the day of the week, 1 for Monday, and the minutes after midnight. */
function localTime(now: number, timeZone: string): { day: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const minute = (Number(part('hour')) * 60 + Number(part('minute'))) % DAY_MINUTES;
  return { day: WEEKDAYS.indexOf(part('weekday')) + 1, minute };
}
