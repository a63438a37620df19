import type { Db } from './database.ts';
import type { Transaction } from './group-commit.ts';
import { isStorageError } from './storage-error.ts';

/** In-memory state that follows every step of the transaction, so that it never keeps what was rolled back. */
export interface TransactionState {
  committed(): void;
  rolledBack(): void;
}

export function sqliteTransaction({ $client: client }: Db, states: readonly TransactionState[]): Transaction {
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
  };
}
