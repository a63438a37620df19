import type { Connection } from '../../engine/connection.ts';

/** In-memory state that follows every step of the transaction, so that it never keeps what was rolled back. */
export interface TransactionState {
  committed(): void;
  rolledBack(): void;
}

/**
 * Runs the work of one transaction after another. Each is passed the repositories `Tx`, which throw once it has
 * settled: whatever it did later would end up in another transaction, or in none.
 */
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

  /** Runs the work. It rejects if it has not settled when this turn of the event loop ends. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#watch ??= setImmediate(() => this.#endTurn());
    this.#state.isOpen = true;
    this.#state.hasChanges = false;
    const state = this.#state;
    return new Promise<T>((resolve, reject) => {
      this.#abandon = reject;
      // Work that throws before it returns a promise is closed with its batch.
      work(this.#tx).then(
        (value) => {
          state.isOpen = false;
          resolve(value);
        },
        (error) => {
          state.isOpen = false;
          reject(error);
        },
      );
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
