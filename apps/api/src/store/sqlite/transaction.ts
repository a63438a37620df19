import type { BatchRider } from './batch-rider.ts';
import type { Db } from './database.ts';
import type { Transaction } from './group-commit.ts';
import { isStorageFault } from './storage-fault.ts';

export function sqliteTransaction({ $client: client }: Db, riders: readonly BatchRider[]): Transaction {
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
      for (const rider of riders) rider.markSavepoint();
    },
    release: () => release.run(),
    rollbackToSavepoint: () => {
      rollbackTo.run();
      release.run();
      for (const rider of riders) rider.rollbackToSavepoint();
    },
    beforeCommit: () => {
      for (const rider of riders) rider.beforeCommit();
    },
    commit: () => {
      commit.run();
      for (const rider of riders) rider.committed();
    },
    rollback: () => {
      // Also if SQLite has rolled back by itself: what was gathered in this batch must not join the next one.
      for (const rider of riders) rider.rolledBack();
      if (client.inTransaction) rollback.run();
    },
    isOpen: () => client.inTransaction,
    isStorageFault,
  };
}
