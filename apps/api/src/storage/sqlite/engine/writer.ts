import type { Clock } from '../../../platform/ports.ts';
import type { CommitReport, CommitReportBuilder } from '../../commit-report.ts';
import type { Connection } from '../../engine/connection.ts';
import { isLocked, isStorageError } from '../../engine/storage-error.ts';
import type { Repositories } from '../../repositories.ts';
import type { Db } from './database.ts';
import { type BatchReport, GroupCommit, type Transaction } from './group-commit.ts';
import { SqliteConnection } from './statements.ts';
import { TransactionSession, type TransactionState } from './transaction-session.ts';

/** The report on one batch. It arrives before the results of its transactions. */
export interface WriterReport extends BatchReport {
  commit: CommitReport;
}

interface WriterOptions {
  commitReport: CommitReportBuilder;
  /** Writes what `submitDirect` has left in memory. */
  flush: () => void;
  /** In-memory state that follows each transaction, besides the commit report. */
  states: readonly TransactionState[];
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  onBatch?: ((report: WriterReport) => void) | undefined;
}

/** Returns the only writer of a database: a group commit whose work is passed the repositories on this connection. */
export function createWriter(
  db: Db,
  repositories: (on: Connection) => Repositories,
  { commitReport, flush, states, clock, onBatch }: WriterOptions,
): GroupCommit<Repositories> {
  return new GroupCommit({
    transaction: sqliteTransaction(db, [...states, commitReport]),
    session: new TransactionSession(new SqliteConnection(db), repositories),
    flush,
    clock,
    onBatch: (report) => onBatch?.({ ...report, commit: commitReport.take() }),
  });
}

function sqliteTransaction({ $client: client }: Db, states: readonly TransactionState[]): Transaction {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const negateCreatedAt = client.prepare('UPDATE workspace SET created_at = -created_at');

  /**
   * A commit whose flush has failed is void, but it stays in the log as if it were valid until the next transaction
   * overwrites it. If this process were killed, the next server would apply the commit, although its senders were
   * rejected. So a harmless change is immediately written in its place; whether that is flushed does not matter.
   */
  const overwriteCommit = (): void => {
    try {
      if (client.inTransaction) rollback.run();
      begin.run();
      // Twice, back and forth, since SQLite writes no page for an unchanged value.
      negateCreatedAt.run();
      negateCreatedAt.run();
      commit.run();
    } catch {
      // The disk accepts no writes, so hardly any of the commit can be in the log either.
      if (client.inTransaction) rollback.run();
    }
  };

  return {
    begin: () => begin.run(),
    commit: () => {
      try {
        commit.run();
      } catch (error) {
        overwriteCommit();
        throw error;
      }
      for (const state of states) state.committed();
    },
    rollback: () => {
      // Needed even if SQLite has already rolled back, because no part of this batch was kept.
      for (const state of states) state.rolledBack();
      if (client.inTransaction) rollback.run();
    },
    isOpen: () => client.inTransaction,
    isStorageError,
    isLocked,
  };
}
