import { usageError } from '../../runtime/errors.ts';
import { isDay, isInstant } from '../keys/expiry.ts';

/** The start of the earlier items to show. */
export type Since =
  | { kind: 'all' }
  /** Milliseconds since 1970. */
  | { kind: 'time'; at: number }
  /** Events after this event number. */
  | { kind: 'event'; seq: number };

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 60 * 60 * SECOND_MS,
  d: DAY_MS,
};

const FORMS =
  'Use a duration (90s, 10m, 2h, 3d), a time (2026-03-01T09:30Z, or in local time 2026-03-01, 2026-03-01T09:30, 09:30),\n' +
  'an event number (for one Hub), or all.';

/** @throws a usage error if `text` is malformed or in the future. */
export function readSince(text: string, nowMs: number): Since {
  if (text === 'all') return { kind: 'all' };
  if (/^\d{1,15}$/.test(text)) return { kind: 'event', seq: Number(text) };
  const at = durationBefore(text, nowMs) ?? timeOf(text, nowMs);
  if (at === undefined) throw usageError(`Invalid --since date "${text}".`, FORMS);
  if (at > nowMs) throw usageError(`--since ${text} is in the future.`);
  return { kind: 'time', at: Math.max(0, at) };
}

function durationBefore(text: string, nowMs: number): number | undefined {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  return match ? nowMs - Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0) : undefined;
}

/** Parses a time. Without an offset it is local time, like the times that `tail` shows. */
function timeOf(text: string, nowMs: number): number | undefined {
  if (isInstant(text)) return milliseconds(text.toUpperCase());
  if (/^\d{2}:\d{2}(:\d{2})?$/.test(text)) return lastTimeOfDay(text, nowMs);
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text);
  return match ? milliseconds(`${match[1]}T${match[2] ?? '00:00'}`) : undefined;
}

/** Returns this time today, or yesterday if it is still in the future today. */
function lastTimeOfDay(text: string, nowMs: number): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const time = new Date(nowMs);
  time.setHours(hours, minutes, seconds, 0);
  if (time.getTime() > nowMs) time.setDate(time.getDate() - 1);
  return time.getTime();
}

/** Returns undefined for an invalid day, which `Date` would roll over into the next month. */
function milliseconds(text: string): number | undefined {
  if (!isDay(text.slice(0, 10))) return undefined;
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? undefined : time;
}
