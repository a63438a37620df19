/** `22:00`, as a field of time has it, from minutes after midnight. */
export function timeText(minute: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The other way round; `null` of what is no time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : null;
}

/** The names of the days of the week, Monday first, in the reader's language. */
export function dayNames(locale?: string): readonly { day: number; name: string; short: string }[] {
  const name = (day: number, weekday: 'long' | 'short') =>
    // 1 January 2024 was a Monday.
    new Date(Date.UTC(2024, 0, day)).toLocaleDateString(locale, { weekday, timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, name: name(day, 'long'), short: name(day, 'short') }));
}
