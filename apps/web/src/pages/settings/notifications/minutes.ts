import { clockTime } from '../../../lib/time/format.ts';

/** Formats minutes after midnight as the value of a time input: `22:00`. */
export function timeText(minute: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** Formats minutes after midnight in the locale of the web app: "22:00". */
export function clockOf(minute: number): string {
  return clockTime(new Date(2024, 0, 1, 0, minute).toISOString());
}

/** Parses the value of a time input to minutes after midnight; `null` if it is not a time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : null;
}
