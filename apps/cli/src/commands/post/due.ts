import { usageError } from '../../runtime/errors.ts';
import { isDay, isInstant, parseDuration, showDistance } from '../../runtime/format.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_SECONDS = 86_400;

const FORMS =
  'Use a day (today, tomorrow, fri, 3d, 2w, 2027-01-31), if you like with a time (tomorrow 17:00), ' +
  'a time from now (90s, 15m, 12h), or a date and time with Z or an offset (2027-01-31T09:00+01:00).';

/** A due date: `iso` for the server, and `note` for the user if the time depends on the time zone or the clock. */
export interface Due {
  iso: string;
  note: string | null;
}

/**
 * Parses `--due`. Durations count from now, in days and weeks from today. A day without a time is due at 23:59, as in the web app. Times without an offset are in the local time
 * zone. A weekday is the next one after today.
 *
 * @throws a usage error if `text` is malformed, or a form other than a complete date and time is in the past.
 */
export function readDue(text: string, nowMs: number): Due {
  if (isInstant(text)) return { iso: text, note: null };
  const due = afterNow(text, nowMs) ?? onDay(text.trim().toLowerCase(), nowMs);
  if (due === undefined) throw usageError(`Invalid --due "${text}".`, FORMS);
  const iso = due.toISOString();
  if (due.getTime() < nowMs) throw usageError(`--due ${text} is in the past: ${localTime(due)}.`, FORMS);
  return { iso, note: `Due ${localTime(due)}, ${showDistance(iso, nowMs)} (${iso}).` };
}

/** `90m`, `+2h`. Days and weeks are days of the calendar, see `dayOf`. */
function afterNow(text: string, nowMs: number): Date | undefined {
  const seconds = /[smh]$/.test(text) ? parseDuration(text) : null;
  return seconds === null ? undefined : validDate(new Date(nowMs + seconds * 1000));
}

/** Returns undefined for a time that is too late for a date. */
function validDate(date: Date): Date | undefined {
  return date.getTime() <= MAX_MS ? date : undefined;
}

/** The end of the year 9999: the last time that the server accepts. */
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

function onDay(text: string, nowMs: number): Date | undefined {
  const [, word = '', hours = '23', minutes = '59'] =
    /^([a-z0-9+-]+?)(?:(?:\s+|t)(\d{1,2}):(\d{2}))?$/.exec(text) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const day = dayOf(word, new Date(nowMs));
  day?.setHours(Number(hours), Number(minutes), 0, 0);
  return day;
}

function dayOf(word: string, today: Date): Date | undefined {
  const after = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
  if (word === 'today') return after(0);
  if (word === 'tomorrow') return after(1);
  const seconds = /[dw]$/.test(word) ? parseDuration(word) : null;
  if (seconds !== null) return validDate(after(seconds / DAY_SECONDS));
  const weekday = word.length < 3 ? -1 : DAYS.findIndex((name) => name.startsWith(word));
  if (weekday >= 0) return after(((weekday - today.getDay() + 6) % 7) + 1);
  return /^\d{4}-\d{2}-\d{2}$/.test(word) && isDay(word) ? new Date(`${word}T00:00`) : undefined;
}

/** `Fri 2026-11-27 17:00 +01:00` */
function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const name = DAYS[date.getDay()]?.slice(0, 3) ?? '';
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${day} ${two(date.getHours())}:${two(date.getMinutes())} ${zone}`;
}
