import type { CommitReport } from '../commit-report.ts';
import type { KeyDayRecord } from '../key-use.ts';
import type { KeyListing, KeyPageRequest } from '../store.ts';
import { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { type BatchReport, GroupCommit } from './engine/group-commit.ts';
import { reading } from './engine/storage-error.ts';
import { sqliteTransaction } from './engine/transaction.ts';
import { keyDayReads, keyReads } from './key-lists.queries.ts';
import { createPostCounts } from './post-counts.ts';
import { prepareWrites, type WriteInput, type WriteName, type WriteOutput } from './writes.ts';

/** The only writer of a database, on this thread or on a separate one. */
export interface Writer {
  /** Resolves once the transaction has been flushed. If this rejects, none of the write's changes are kept. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteOutput<Name>>;
  /** Keys are read through the writer, because it counts the posts that are not saved yet. */
  findKey(keyId: string): Promise<KeyListing | null>;
  listKeys(page: KeyPageRequest): Promise<KeyListing[]>;
  keyUsage(query: { keyIds: readonly string[]; fromDay: number }): Promise<ReadonlyMap<string, KeyDayRecord[]>>;
  /** The number of writes waiting for their batch. */
  waiting(): number;
  /** Commits waiting writes, and closes the database. */
  close(): Promise<void>;
}

/** The report on one batch. It arrives before the results of its writes. */
export interface WriterReport extends BatchReport {
  commit: CommitReport;
}

export interface WriterOptions {
  botId: string;
  monotonic: () => number;
  onBatch?: ((report: WriterReport) => void) | undefined;
}

/** Creates a writer on this thread. Its batches are synchronous, so that no read can see half of one. */
export function createWriter(db: Db, { botId, monotonic, onBatch }: WriterOptions): Writer {
  const counts = createPostCounts(db);
  const commitReport = new CommitReportBuilder();
  const writes = prepareWrites(db, { counts, commitReport, botId });
  const reads = keyReads(db, counts);
  const usageByDay = keyDayReads(db, counts);
  const commit = new GroupCommit({
    transaction: sqliteTransaction(db, [counts, commitReport]),
    monotonic,
    onBatch: (report) => onBatch?.({ ...report, commit: commitReport.take() }),
  });

  return {
    write: (name, input) => {
      // The table is typed by name, but inside this function the type link between a name and its input is lost.
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
