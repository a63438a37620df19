import { StoreUnavailable } from '../../errors.ts';

/** One transaction at a time over one connection, with savepoints inside. Every method is synchronous and may throw. */
export interface Transaction {
  begin(): void;
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
  /** Returns when the log is flushed to disk. */
  commit(): void;
  /** Undoes what is open, if anything is. */
  rollback(): void;
  /** False once the database has given up the transaction by itself, as it may on a full disk. */
  isOpen(): boolean;
  /** Whether an error of a write is the database's or the disk's, and no judgement on the write itself. */
  isStorageError(error: unknown): boolean;
}

/** What a committed or failed batch looked like, for the metrics. */
export interface BatchReport {
  writes: number;
  /** Milliseconds of the commit alone: mostly the disk's flush. */
  commitMs: number;
  failed: boolean;
  /** Why the batch failed, for the log: senders are told only that it did. */
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
 * Gathers the writes that are waiting, runs them in one transaction in the order in which they came, flushes once, and only
 * then answers them all. A write that fails harms no other: then they run once more, each in a savepoint of its own. So a
 * write may run twice before it is committed, and must do nothing but write. So a flush is shared by everyone who waits for one, and a
 * lone write does not wait for company.
 *
 * `setImmediate` does the gathering: it runs after the sockets that are ready have been read, so that all requests that
 * arrived meanwhile join. A microtask would run before them and gather nothing; a timer would delay a lone write.
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

  /** Writes that wait for their batch. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `write` in the next batch. Resolves with its result after the flush, or rejects, with nothing of it kept. */
  submit<T>(write: () => T): Promise<T> {
    if (this.#queue.length >= this.#maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${this.#maxWaiting} writes are waiting already`)));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting. */
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

  /** `failure` is set if the whole batch is lost: then none of it is on disk and every sender must be told so. */
  #commit(batch: Waiting[]): { outcomes: Outcome[]; commitMs: number; failure?: StoreUnavailable } {
    const { transaction, monotonic } = this.#options;
    try {
      // Left open by a rollback that failed with its disk: without this, no transaction could ever begin again.
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
   * All writes without savepoints, which would copy every page that they touch: a quarter of a batch's time. Hardly ever
   * does one fail; if one does, the batch is undone and `null` is returned, to run it again with savepoints.
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

  /** Each write in a savepoint of its own, so that one's failure undoes it alone. */
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
      // The database has undone the whole batch by itself.
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

/** A write that awaits anything would go on after its savepoint was released, in nobody's transaction. */
function rejectPromise<T>(value: T): T {
  if (value instanceof Promise) {
    value.catch(() => {});
    throw new Error('A write must be synchronous, but this one returned a promise');
  }
  return value;
}
