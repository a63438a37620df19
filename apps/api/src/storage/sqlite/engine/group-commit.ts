import { StoreUnavailable } from '../../../core/errors.ts';
import type { TransactionSession } from './transaction-session.ts';

/**
 * One transaction at a time on one connection, with savepoints inside it. Every method is synchronous and may throw.
 */
export interface Transaction {
  begin(): void;
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
  /** Returns once the log has been flushed to disk. */
  commit(): void;
  /** Rolls back the open transaction, if any. */
  rollback(): void;
  /** False once the database has rolled back the transaction by itself, as it may on a full disk. */
  isOpen(): boolean;
  /** Whether an error comes from the database or the disk, and not from the work itself. */
  isStorageError(error: unknown): boolean;
}

/** A committed or failed batch, for the metrics. */
export interface BatchReport {
  writes: number;
  /** How long the commit itself took, in milliseconds: mostly the flush to disk. */
  commitMs: number;
  failed: boolean;
  /** Why the batch failed, for the server's log; senders only learn that it did. */
  cause?: unknown;
}

export interface GroupCommitOptions<Tx> {
  transaction: Transaction;
  session: TransactionSession<Tx>;
  monotonic: () => number;
  onBatch?: ((report: BatchReport) => void) | undefined;
  maxBatch?: number;
  maxWaiting?: number;
}

interface Waiting<Tx> {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Outcome<Tx> {
  waiting: Waiting<Tx>;
  value?: unknown;
  error?: unknown;
}

/**
 * Gathers the waiting transactions, runs them one after another in one database transaction, flushes once, and only
 * then settles them all. One that fails does not affect the others: unless it has changed nothing, the batch runs once
 * more, with each of them in its own savepoint. So the work can run twice before it is committed, and must have no
 * effects outside the database. In this way all waiting transactions share one flush, and a single one does not wait
 * for others.
 *
 * The batch is started with `setImmediate`, which runs after all ready sockets have been read, so that all requests
 * that have arrived by then join the batch. A microtask would run before that and gather nothing; a timer would delay a
 * single transaction.
 *
 * The whole batch runs within this one turn of the event loop, because the work awaits nothing but the repositories,
 * and those answer at once. Work that is still running at the end of the turn awaits something else, and fails.
 */
export class GroupCommit<Tx> {
  readonly #options: GroupCommitOptions<Tx>;
  readonly #maxBatch: number;
  readonly #maxWaiting: number;
  #queue: Waiting<Tx>[] = [];
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Tx>) {
    this.#options = options;
    this.#maxBatch = options.maxBatch ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** The number of transactions waiting for their batch. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Runs `work` in the next batch. Resolves with its result after the flush. If this rejects, none of its changes are
   * kept.
   */
  submit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#queue.length >= this.#maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${this.#maxWaiting} writes are already waiting`)));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Resolves when no transaction is waiting or running. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 && !this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.#runBatch());
  }

  async #runBatch(): Promise<void> {
    const batch = this.#queue.splice(0, this.#maxBatch);
    const { outcomes, commitMs, failure } = await this.#commit(batch);
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();

    for (const outcome of outcomes) {
      if (failure !== undefined) outcome.waiting.reject(failure);
      else if ('error' in outcome) outcome.waiting.reject(outcome.error);
      else outcome.waiting.resolve(outcome.value);
    }
    if (!this.#scheduled) for (const resolve of this.#idle.splice(0)) resolve();
    this.#options.onBatch?.({
      writes: batch.length,
      commitMs,
      ...(failure ? { failed: true, cause: failure.cause } : { failed: false }),
    });
  }

  /** `failure` is set if the whole batch is lost: none of its changes are kept, and every sender must be rejected. */
  async #commit(
    batch: Waiting<Tx>[],
  ): Promise<{ outcomes: Outcome<Tx>[]; commitMs: number; failure?: StoreUnavailable }> {
    const { transaction, session, monotonic } = this.#options;
    try {
      // If the disk failed during the last rollback, the last transaction is still open, and no other can begin.
      if (transaction.isOpen()) transaction.rollback();
      const outcomes = (await this.#runTogether(batch)) ?? (await this.#runApart(batch));
      session.endBatch();
      const start = monotonic();
      transaction.commit();
      return { outcomes, commitMs: monotonic() - start };
    } catch (error) {
      session.endBatch();
      this.#abandon();
      return { outcomes: batch.map((waiting) => ({ waiting })), commitMs: 0, failure: new StoreUnavailable(error) };
    }
  }

  /**
   * Runs all work without savepoints, which would copy every page that it touches and take a quarter of each batch's
   * time. Work that fails has usually changed nothing yet, such as for a caller without the right to do it. If it has,
   * the batch is rolled back and `null` is returned, so that it is run again with savepoints.
   */
  async #runTogether(batch: Waiting<Tx>[]): Promise<Outcome<Tx>[] | null> {
    const { transaction, session } = this.#options;
    transaction.begin();
    const outcomes: Outcome<Tx>[] = [];
    for (const waiting of batch) {
      try {
        outcomes.push({ waiting, value: await session.run(waiting.work) });
        // The database may have rolled back by itself, even if the work did not mind the error.
        if (!transaction.isOpen()) throw new Error('The database has rolled back the transaction');
      } catch (error) {
        if (session.hasChanges || transaction.isStorageError(error) || !transaction.isOpen()) {
          transaction.rollback();
          return null;
        }
        outcomes.push({ waiting, error });
      }
    }
    return outcomes;
  }

  /** Runs the work of each in a separate savepoint, so that only what has failed is rolled back. */
  async #runApart(batch: Waiting<Tx>[]): Promise<Outcome<Tx>[]> {
    this.#options.transaction.begin();
    const outcomes: Outcome<Tx>[] = [];
    for (const waiting of batch) outcomes.push(await this.#runInSavepoint(waiting));
    return outcomes;
  }

  async #runInSavepoint(waiting: Waiting<Tx>): Promise<Outcome<Tx>> {
    const { transaction, session } = this.#options;
    transaction.savepoint();
    try {
      const value = await session.run(waiting.work);
      transaction.release();
      return { waiting, value };
    } catch (error) {
      // The database has rolled back the whole batch by itself.
      if (!transaction.isOpen()) throw error;
      transaction.rollbackToSavepoint();
      return { waiting, error: transaction.isStorageError(error) ? new StoreUnavailable(error) : error };
    }
  }

  #abandon(): void {
    try {
      this.#options.transaction.rollback();
    } catch {
      // The disk that failed the commit may fail the rollback too. The next batch tries again before it begins.
    }
  }
}
