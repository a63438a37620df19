import type { WireKind } from '@hub/contract';
import { usageError } from '../../runtime/errors.ts';
import { DURATIONS, isDay, isInstant, parseDuration } from '../../runtime/format.ts';

/** The options from the command line. */
export interface TailFlags {
  since?: string;
  limit?: string;
  kind?: string;
}

/** The parsed options. */
export interface TailOptions {
  since: Since | undefined;
  /** The number of earlier items to show; `undefined`: all since `since`. */
  limit: number | undefined;
  /** `undefined`: everything, including events of the Hubs themselves. */
  kinds: ReadonlySet<WireKind> | undefined;
}

/** The default for text output, as in `tail` and `journalctl`. JSON output defaults to 0. */
const DEFAULT_ITEMS = 10;
const MAX = 10_000;

const KINDS: Readonly<Record<string, WireKind>> = {
  message: 'message',
  messages: 'message',
  note: 'note',
  notes: 'note',
  todo: 'todo',
  todos: 'todo',
};

/** @throws a usage error that says what to change. */
export function readTailFlags(flags: TailFlags, { isJson, nowMs }: { isJson: boolean; nowMs: number }): TailOptions {
  const since = flags.since === undefined ? undefined : readSince(flags.since, nowMs);
  const given = flags.limit === undefined ? undefined : readLimit(flags.limit);
  if (given !== undefined && since?.kind === 'event') {
    throw usageError('--limit cannot be combined with an event number in --since.', 'Remove --limit.');
  }
  const byDefault = since !== undefined ? undefined : isJson ? 0 : DEFAULT_ITEMS;
  return { since, limit: given ?? byDefault, kinds: flags.kind === undefined ? undefined : readKinds(flags.kind) };
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX) return Number(text);
  throw usageError(`--limit must be a whole number from 0 to ${MAX}.`, 'To show more, use --since 3d or --since all.');
}

function readKinds(text: string): ReadonlySet<WireKind> {
  const kinds = new Set<WireKind>();
  for (const word of text.split(',')) {
    const kind = Object.hasOwn(KINDS, word.trim()) ? KINDS[word.trim()] : undefined;
    if (kind === undefined) {
      throw usageError(`Unknown kind "${word.trim()}".`, 'Use messages, notes or todos.');
    }
    kinds.add(kind);
  }
  return kinds;
}

/** The start of the earlier items to show. */
export type Since =
  | { kind: 'all' }
  /** Milliseconds since 1970. */
  | { kind: 'time'; at: number }
  /** Events after this event number. */
  | { kind: 'event'; seq: number };

const FORMS =
  `Use how long ago (${DURATIONS}), a time (2026-03-01T09:30Z, or in local time 2026-03-01, ` +
  '2026-03-01T09:30, 09:30), an event number (for one Hub), or all.';

/** @throws a usage error if `text` is malformed or in the future. */
export function readSince(text: string, nowMs: number): Since {
  if (text === 'all') return { kind: 'all' };
  if (/^\d{1,15}$/.test(text)) return { kind: 'event', seq: Number(text) };
  const seconds = parseDuration(text);
  const at = seconds === null ? timeOf(text, nowMs) : nowMs - seconds * 1000;
  if (at === undefined) throw usageError(`Invalid --since "${text}".`, FORMS);
  if (at > nowMs) throw usageError(`--since ${text} is in the future.`);
  return { kind: 'time', at: Math.max(0, at) };
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
