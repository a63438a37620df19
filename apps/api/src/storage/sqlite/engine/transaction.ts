import type { Connection } from '../../engine/connection.ts';
import { isLocked, isStorageError } from '../../engine/storage-error.ts';
import type { Db } from './database.ts';

export type Transactions = ReturnType<typeof sqliteTransactions>;

/** In-memory state that follows every step of the transaction, so that it never keeps what was rolled back. */
export interface TransactionState {
  committed(): void;
  rolledBack(): void;
}

export function sqliteTransactions({ $client: client }: Db, states: readonly TransactionState[]) {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const negateCreatedAt = client.prepare('UPDATE workspace SET created_at = -created_at');

  /**
   * A commit whose flush has failed is void, but stays in the log until the next transaction overwrites it: if this
   * process were killed, the next server would apply it. So a harmless change is written in its place; whether that is
   * flushed does not matter.
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
      // The disk accepts no writes, so at most a small part of the commit can be in the log.
      if (client.inTransaction) rollback.run();
    }
  };

  return {
    begin: (): void => {
      begin.run();
    },
    /** Returns once the log has been flushed to disk. */
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
    /** False once the database has rolled back by itself, as it may on a full disk. */
    isOpen: () => client.inTransaction,
    isStorageError,
    isLocked,
  };
}

/** Runs one transaction after another, with repositories that throw once its work has settled. */
export class TransactionSession<Tx> {
  readonly #make: (on: Connection) => Tx;
  readonly #connection: Connection;
  #tx: Tx;
  /** Shared with the repositories in use. Work that is abandoned keeps its own, which stays closed. */
  #state = { isOpen: false, hasChanges: false };
  #abandon: (error: Error) => void = () => {};
  #watch: NodeJS.Immediate | undefined;

  constructor(connection: Connection, make: (on: Connection) => Tx) {
    this.#connection = connection;
    this.#make = make;
    this.#tx = make(this.#guarded());
  }

  /** Whether the work that ran last has called a function that changes anything. */
  get hasChanges(): boolean {
    return this.#state.hasChanges;
  }

  /** Rejects if the work has not settled when this turn of the event loop ends. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#watch ??= setImmediate(() => this.#endTurn());
    this.#state.isOpen = true;
    this.#state.hasChanges = false;
    const state = this.#state;
    return new Promise<T>((resolve, reject) => {
      this.#abandon = reject;
      // Work that throws before it returns a promise is closed with its batch.
      work(this.#tx)
        .finally(() => {
          state.isOpen = false;
        })
        .then(resolve, reject);
    });
  }

  /** Runs work that returns at once and uses no repositories. */
  runDirect<T>(work: (changing: () => void) => T): T {
    this.#state.hasChanges = false;
    return work(this.#changing);
  }

  readonly #changing = (): void => {
    this.#state.hasChanges = true;
  };

  /** Must be called after the last work of a turn. */
  endBatch(): void {
    this.#state.isOpen = false;
    if (this.#watch) clearImmediate(this.#watch);
    this.#watch = undefined;
  }

  #endTurn(): void {
    this.#watch = undefined;
    if (!this.#state.isOpen) return;
    this.#state.isOpen = false;
    this.#state = { isOpen: false, hasChanges: true };
    this.#tx = this.#make(this.#guarded());
    this.#abandon(new Error('A transaction can only await its repositories, but this one awaited something else'));
  }

  /** Returns the connection of repositories that only work while the work they were passed to is running. */
  #guarded(): Connection {
    const state = this.#state;
    const use = ({ isWrite }: { isWrite: boolean }): Connection => {
      if (!state.isOpen) throw new Error('A repository was called after its transaction');
      if (isWrite) state.hasChanges = true;
      return this.#connection;
    };
    return {
      first: (query, values) => use(query).first(query, values),
      lock: (query, values, mode) => use(query).lock(query, values, mode),
      lockAll: (query, values, mode) => use(query).lockAll(query, values, mode),
      lockName: (name) => use({ isWrite: false }).lockName(name),
      hold: (query, values) => use(query).hold(query, values),
      all: (query, values) => use(query).all(query, values),
      run: (query, values) => use(query).run(query, values),
    };
  }
}
