import type { Db } from './database.ts';
import type { Transaction } from './group-commit.ts';
import type { PostCounts } from './post-counts.ts';
import { isStorageFault } from './storage-fault.ts';

export function sqliteTransaction({ $client: client }: Db, counts: PostCounts): Transaction {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const savepoint = client.prepare('SAVEPOINT write');
  const release = client.prepare('RELEASE write');
  const rollbackTo = client.prepare('ROLLBACK TO write');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');

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
      commit.run();
      counts.committed();
    },
    rollback: () => {
      // Also if SQLite has rolled back by itself: what was counted in this batch was not kept.
      counts.rolledBack();
      if (client.inTransaction) rollback.run();
    },
    isOpen: () => client.inTransaction,
    isStorageFault,
  };
}
