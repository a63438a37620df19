import type { CommitReport } from '../commit-report.ts';
import type { KeyDayRecord } from '../key-use.ts';
import type { KeyListing, KeyPageRequest } from '../store.ts';
import { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { keyDayReads, keyReads } from './key-lists.queries.ts';
import { createPostCounts } from './post-counts.ts';
import { reading } from './storage-error.ts';
import { sqliteTransaction } from './transaction.ts';
import { prepareWrites, type WriteInput, type WriteName, type WriteOutput } from './writes.ts';

/** The one that writes. There is one for a database, on this thread or on one of its own. */
export interface Writer {
  /** Resolves after the flush of its transaction, or rejects, with nothing of it kept. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteOutput<Name>>;
  /** Keys are read here, because the writer counts the posts that are not written down yet. */
  findKey(keyId: string): Promise<KeyListing | null>;
  listKeys(page: KeyPageRequest): Promise<KeyListing[]>;
  keyUsage(query: { keyIds: readonly string[]; fromDay: number }): Promise<ReadonlyMap<string, KeyDayRecord[]>>;
  /** Writes that wait for their batch. */
  waiting(): number;
  /** Commits what waits, and lets go of the database. */
  close(): Promise<void>;
}

/** Of one batch. It comes before the answers to its senders. */
export interface WriterReport extends BatchReport {
  commit: CommitReport;
}

export interface WriterOptions {
  botId: string;
  monotonic: () => number;
  onBatch?: ((report: WriterReport) => void) | undefined;
}

/** A writer on this thread. Its batches are synchronous, so that no read can see half of one. */
export function createWriter(db: Db, { botId, monotonic, onBatch }: WriterOptions): Writer {
  const counts = createPostCounts(db);
  const notes = new CommitNotes();
  const writes = prepareWrites(db, { counts, notes, botId });
  const reads = keyReads(db, counts);
  const usageByDay = keyDayReads(db, counts);
  const commit = new GroupCommit({
    transaction: sqliteTransaction(db, counts),
    monotonic,
    onBatch: (report) => onBatch?.({ ...report, commit: notes.take() }),
  });

  return {
    write: (name, input) => {
      // The table is typed by name; that a name and its input belong together is lost inside of this function.
      const run = writes[name] as (value: unknown) => never;
      return commit.submit(() => run(input));
    },
    findKey: reading(reads.find),
    listKeys: reading(reads.list),
    keyUsage: reading(({ keyIds, fromDay }) => usageByDay(keyIds, fromDay)),
    waiting: () => commit.waiting,
    close: () => commit.idle(),
  };
}
