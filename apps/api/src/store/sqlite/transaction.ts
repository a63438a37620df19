import type { Db } from './database.ts';
import type { Transaction } from './group-commit.ts';
import type { PostCounts } from './post-counts.ts';
import { isStorageError } from './storage-error.ts';

export function sqliteTransaction({ $client: client }: Db, counts: PostCounts): Transaction {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const savepoint = client.prepare('SAVEPOINT write');
  const release = client.prepare('RELEASE write');
  const rollbackTo = client.prepare('ROLLBACK TO write');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const turnOver = client.prepare('UPDATE workspace SET created_at = -created_at');

  /**
   * A commit whose flush has failed is void, yet it stands in the log as if it were good, where the next transaction goes. Who
   * started after a kill of this process would take it up, though its senders were told that nothing was stored. So something
   * harmless is written in its place at once; whether that is flushed does not matter.
   */
  const withdraw = (): void => {
    try {
      if (client.inTransaction) rollback.run();
      begin.run();
      // There and back, since SQLite writes no page for a value that stays the same.
      turnOver.run();
      turnOver.run();
      commit.run();
    } catch {
      // The disk takes nothing at all. Then hardly any of the commit can be in the log either.
      if (client.inTransaction) rollback.run();
    }
  };

  return {
    begin: () => begin.run(),
    savepoint: () => {
      savepoint.run();
      counts.markSavepoint();
    },
    release: () => release.run(),
    rollbackToSavepoint: () => {
      rollbackTo.run();
      release.run();
      counts.rollbackToSavepoint();
    },
    commit: () => {
      try {
        commit.run();
      } catch (error) {
        withdraw();
        throw error;
      }
      counts.committed();
    },
    rollback: () => {
      // Also if SQLite has rolled back by itself: what was counted in this batch was not kept.
      counts.rolledBack();
      if (client.inTransaction) rollback.run();
    },
    isOpen: () => client.inTransaction,
    isStorageError,
  };
}
