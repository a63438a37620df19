import { StoreUnavailable } from '../../../errors.ts';

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
  /** Whether an error comes from the database or the disk, and not from the write itself. */
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

export interface GroupCommitOptions {
  transaction: Transaction;
  monotonic: () => number;
  onBatch?: ((report: BatchReport) => void) | undefined;
  maxBatch?: number;
  maxWaiting?: number;
}

interface Waiting {
  write: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Outcome {
  waiting: Waiting;
  value?: unknown;
  error?: unknown;
}

/**
 * Gathers the waiting writes, runs them in order in one transaction, flushes once, and only then settles them all. A
 * failing write does not affect the others: the batch then runs once more, with each write in its own savepoint. So a
 * write can run twice before it is committed, and must have no effects outside the database. In this way all waiting
 * writes share one flush, and a single write does not wait for others.
 *
 * The batch is started with `setImmediate`, which runs after all ready sockets have been read, so that all requests
 * that have arrived by then join the batch. A microtask would run before that and gather nothing; a timer would delay a
 * single write.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #maxBatch: number;
  readonly #maxWaiting: number;
  #queue: Waiting[] = [];
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#maxBatch = options.maxBatch ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** The number of writes waiting for their batch. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Runs `write` in the next batch. Resolves with its result after the flush. If this rejects, none of the write's
   * changes are kept.
   */
  submit<T>(write: () => T): Promise<T> {
    if (this.#queue.length >= this.#maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${this.#maxWaiting} writes are already waiting`)));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Resolves when no write is waiting. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 && !this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#runBatch());
  }

  #runBatch(): void {
    const batch = this.#queue.splice(0, this.#maxBatch);
    const { outcomes, commitMs, failure } = this.#commit(batch);
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

  /** `failure` is set if the whole batch is lost: none of its writes are kept, and every sender must be rejected. */
  #commit(batch: Waiting[]): { outcomes: Outcome[]; commitMs: number; failure?: StoreUnavailable } {
    const { transaction, monotonic } = this.#options;
    try {
      // If the disk failed during the last rollback, the last transaction is still open, and no other can begin.
      if (transaction.isOpen()) transaction.rollback();
      const outcomes = this.#runTogether(batch) ?? this.#runApart(batch);
      const start = monotonic();
      transaction.commit();
      return { outcomes, commitMs: monotonic() - start };
    } catch (error) {
      this.#abandon();
      return { outcomes: batch.map((waiting) => ({ waiting })), commitMs: 0, failure: new StoreUnavailable(error) };
    }
  }

  /**
   * Runs all writes without savepoints, which would copy every page that the writes touch and take a quarter of
   * each batch's time. A write hardly ever fails; if one does, the batch is rolled back and `null` is returned, so that
   * it is run again with savepoints.
   */
  #runTogether(batch: Waiting[]): Outcome[] | null {
    const { transaction } = this.#options;
    transaction.begin();
    try {
      return batch.map((waiting) => ({ waiting, value: rejectPromise(waiting.write()) }));
    } catch {
      transaction.rollback();
      return null;
    }
  }

  /** Runs each write in a separate savepoint, so that only a failing write is rolled back. */
  #runApart(batch: Waiting[]): Outcome[] {
    this.#options.transaction.begin();
    return batch.map((waiting) => this.#runInSavepoint(waiting));
  }

  #runInSavepoint(waiting: Waiting): Outcome {
    const { transaction } = this.#options;
    transaction.savepoint();
    try {
      const value = rejectPromise(waiting.write());
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

/** A write that awaits anything would continue after its savepoint was released, outside any transaction. */
function rejectPromise<T>(value: T): T {
  if (value instanceof Promise) {
    value.catch(() => {});
    throw new Error('A write must be synchronous, but this one returned a promise');
  }
  return value;
}
