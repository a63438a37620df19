import type { WireKind } from '@hub/contract';
import { usageError } from '../../runtime/errors.ts';
import { readSince, type Since } from './read-since.ts';

/** As the command line gives them. */
export interface TailFlags {
  since?: string;
  limit?: string;
  kind?: string;
}

/** What somebody wants to see. */
export interface TailOptions {
  since: Since | undefined;
  /** How many of the earlier items are shown; `undefined`: all since then. */
  limit: number | undefined;
  /** `undefined`: everything, also what is of no item. */
  kinds: ReadonlySet<WireKind> | undefined;
}

/** As `tail` and `journalctl` begin for people. Programs get nothing that they did not ask for. */
const READABLE_LINES = 10;
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
    throw usageError('--since with the number of an event shows all events after it.', 'Leave --limit out.');
  }
  const byDefault = since !== undefined ? undefined : isJson ? 0 : READABLE_LINES;
  return { since, limit: given ?? byDefault, kinds: flags.kind === undefined ? undefined : readKinds(flags.kind) };
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX) return Number(text);
  throw usageError(
    `--limit must be a whole number from 0 to ${MAX}.`,
    'For more there is --since: --since 3d, --since all.',
  );
}

function readKinds(text: string): ReadonlySet<WireKind> {
  const kinds = new Set<WireKind>();
  for (const word of text.split(',')) {
    const kind = Object.hasOwn(KINDS, word.trim()) ? KINDS[word.trim()] : undefined;
    if (kind === undefined) {
      throw usageError(
        `--kind ${word.trim()} is no kind of post.`,
        'There are messages, notes and todos: --kind notes,todos',
      );
    }
    kinds.add(kind);
  }
  return kinds;
}
