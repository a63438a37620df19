import type { WireKind } from '@hub/contract';
import { usageError } from '../../runtime/errors.ts';
import { readSince, type Since } from './read-since.ts';

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
