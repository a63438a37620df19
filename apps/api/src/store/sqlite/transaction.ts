import { SQLiteError } from 'bun:sqlite';
import type { Db } from './database.ts';
import type { Transaction } from './group-commit.ts';
import type { SearchIndex } from './search-index.ts';

/** Faults of the disk, of the file or of the lock on it, by SQLite's primary result codes (sqlite.org/rescode.html). */
const STORAGE_FAULTS = ['BUSY', 'CANTOPEN', 'CORRUPT', 'FULL', 'IOERR', 'LOCKED', 'NOMEM', 'NOTADB', 'READONLY'];

export function sqliteTransaction({ $client: client }: Db, search: SearchIndex): Transaction {
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
      search.markSavepoint();
    },
    release: () => release.run(),
    rollbackToSavepoint: () => {
      rollbackTo.run();
      release.run();
      search.rollbackToSavepoint();
    },
    beforeCommit: () => search.write(),
    commit: () => commit.run(),
    rollback: () => {
      search.discard();
      rollback.run();
    },
    isOpen: () => client.inTransaction,
    isStorageFault: (error) =>
      error instanceof SQLiteError && STORAGE_FAULTS.some((fault) => error.code?.startsWith(`SQLITE_${fault}`)),
  };
}
