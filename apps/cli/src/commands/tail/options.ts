import type { WireKind } from '@hub/contract';
import { usageError } from '../../runtime/errors.ts';
import { readPast } from '../../runtime/format.ts';

/** The options from the command line. */
export interface TailFlags {
  since?: string;
  limit?: string;
  kind?: string;
}

/** The start of what is shown: an event number, or milliseconds since 1970 (0 for everything). */
export type Since = { seq: number } | { at: number };

/** The parsed options. */
export interface TailOptions {
  since: Since | undefined;
  /** The number of earlier items to show. */
  limit: number;
  /** `undefined`: everything, including events of the Hubs themselves. */
  kinds: ReadonlySet<WireKind> | undefined;
}

/** The default for text output, as in `tail` and `journalctl`. JSON output defaults to 0. */
const DEFAULT_ITEMS = 10;
const MAX = 10_000;

/** @throws a usage error that says what to change. */
export function readTailFlags(flags: TailFlags, { isJson, nowMs }: { isJson: boolean; nowMs: number }): TailOptions {
  const given = flags.limit === undefined ? undefined : readLimit(flags.limit);
  let since = flags.since === undefined ? undefined : readSince(flags.since, nowMs);
  // JSON output has the events themselves instead of items. If the server no longer has them all, it sends a reset.
  if (flags.since === 'all' && isJson && given === undefined) since = { seq: 0 };
  else if (given !== undefined && since && 'seq' in since) {
    throw usageError('--limit cannot be combined with an event number in --since.', 'Remove --limit.');
  }
  const limit = given ?? (since ? Infinity : isJson ? 0 : DEFAULT_ITEMS);
  return { since, limit, kinds: flags.kind === undefined ? undefined : readKinds(flags.kind) };
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX) return Number(text);
  throw usageError(`--limit must be a whole number from 0 to ${MAX}.`, 'To show more, use --since 3d or --since all.');
}

function readKinds(text: string): ReadonlySet<WireKind> {
  const kinds = text.split(',').map((word) => word.trim().replace(/s$/, ''));
  const unknown = kinds.find((kind) => !['message', 'note', 'todo'].includes(kind));
  if (unknown !== undefined) throw usageError(`Unknown kind "${unknown}".`, 'Use messages, notes or todos.');
  return new Set(kinds as WireKind[]);
}

/** @throws a usage error if `text` is malformed. */
export function readSince(text: string, nowMs: number): Since {
  if (text === 'all') return { at: 0 };
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  return { at: Date.parse(readPast('--since', text, nowMs).toUpperCase()) };
}
