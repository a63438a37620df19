import type { CommitReport } from '../../commit-report.ts';
import type { Repositories } from '../../repositories.ts';
import type { CommitReportBuilder } from './commit-report-builder.ts';
import type { Db } from './database.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { sqliteTransaction, type TransactionState } from './transaction.ts';
import { type RepositoryMaker, TransactionSession } from './transaction-session.ts';

/** The report on one batch. It arrives before the results of its transactions. */
export interface WriterReport extends BatchReport {
  commit: CommitReport;
}

export interface WriterOptions {
  commitReport: CommitReportBuilder;
  /** In-memory state that follows each transaction, besides the commit report. */
  states: readonly TransactionState[];
  monotonic: () => number;
  onBatch?: ((report: WriterReport) => void) | undefined;
}

/** Returns the only writer of a database: a group commit whose work is passed the repositories on this connection. */
export function createWriter(
  db: Db,
  repositories: (maker: RepositoryMaker) => Repositories,
  { commitReport, states, monotonic, onBatch }: WriterOptions,
): GroupCommit<Repositories> {
  return new GroupCommit({
    transaction: sqliteTransaction(db, [...states, commitReport]),
    session: new TransactionSession(repositories),
    monotonic,
    onBatch: (report) => onBatch?.({ ...report, commit: commitReport.take() }),
  });
}
