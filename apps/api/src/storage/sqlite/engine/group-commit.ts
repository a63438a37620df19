import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { BatchReport } from '../../store.ts';
import type { TransactionSession, Transactions } from './connection.ts';

/** How long a write waits for a lock that another program holds. */
export const MAX_LOCK_WAIT_MS = 1_000;
/** How long the writer pauses before it tries again. */
export const LOCK_PAUSE_MS = 10;
/** Senders that have just got their responses send their next posts within a turn or two. */
const MAX_GATHERING_TURNS = 5;

interface GroupCommitOptions<Tx> {
  transaction: Transactions;
  session: TransactionSession<Tx>;
  /** Writes what `submitDirect` has left in memory: called before other work reads it, and before the commit. */
  flush?: () => void;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  onBatch?: ((report: BatchReport) => void) | undefined;
  maxBatch?: number;
  maxWaiting?: number;
}

interface Waiting<Tx> {
  /** Runs the work: `submitDirect` at once, other work through the repositories. */
  run: (session: TransactionSession<Tx>) => unknown;
  isDirect: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When it first met a lock of another program, in monotonic time. */
  lockedAt?: number;
}

interface Outcome<Tx> {
  waiting: Waiting<Tx>;
  value?: unknown;
  error?: unknown;
}

/**
 * Gathers the waiting transactions, runs them one after another in one database transaction, flushes once, and only
 * then settles them all.
 *
 * One that fails is rejected if it has changed nothing. Otherwise the batch is rolled back, and runs again without it:
 * so work can run several times, and must have no other effects. Savepoints would copy every page that is changed in
 * them, which takes a quarter of the time of each batch.
 *
 * `setImmediate` starts a batch after all ready sockets have been read: a microtask would gather nothing, and a timer
 * delay a single transaction. While each turn brings more than one write, it waits for another turn, since each batch
 * has costs of its own.
 *
 * While another program (a backup tool, Litestream) holds the write lock, writes wait in the queue for at most a
 * second. SQLite's own `busy_timeout` would block the event loop.
 *
 * The whole batch runs within one turn of the event loop, because the work awaits nothing but the repositories, which
 * answer at once.
 */
export class GroupCommit<Tx> {
  readonly #maxBatch: number;
  readonly #maxWaiting: number;
  #queue: Waiting<Tx>[] = [];
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(private readonly options: GroupCommitOptions<Tx>) {
    this.#maxBatch = options.maxBatch ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Runs `work` in the next batch. Resolves after the flush. If this rejects, none of its changes are kept. */
  submit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#add((session) => session.run(work), false);
  }

  /** Like `submit`, for work without repositories: it saves a promise per statement. It calls `changing` first. */
  submitDirect<T>(work: (changing: () => void) => T): Promise<T> {
    return this.#add((session) => session.runDirect(work), true);
  }

  #add<T>(run: Waiting<Tx>['run'], isDirect: boolean): Promise<T> {
    if (this.#queue.length >= this.#maxWaiting) {
      return Promise.reject(new StoreUnavailable(new Error(`${this.#maxWaiting} writes are already waiting`)));
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, isDirect, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  idle(): Promise<void> {
    if (this.#queue.length === 0 && !this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#gather(1);
  }

  /** Starts the batch once a turn of the event loop brings nothing more, or after `MAX_GATHERING_TURNS`. */
  #gather(turn: number, before = 1): void {
    setImmediate(() => {
      const { length } = this.#queue;
      const isGrowing = length > before && length < this.#maxBatch;
      if (isGrowing && turn < MAX_GATHERING_TURNS) this.#gather(turn + 1, length);
      else void this.#runBatch();
    });
  }

  async #runBatch(): Promise<void> {
    try {
      await this.#settle(this.#queue.splice(0, this.#maxBatch));
    } finally {
      this.#scheduled = false;
      if (this.#queue.length > 0) this.#schedule();
      else for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  async #settle(batch: Waiting<Tx>[]): Promise<void> {
    const { session, onBatch } = this.options;
    const undone = new Map<Waiting<Tx>, unknown>();
    let outcomes: Outcome<Tx>[];
    let report: BatchReport;
    let isLocked = false;
    try {
      outcomes = await this.#run(batch, undone);
      session.endBatch();
      report = this.#commit(outcomes);
    } catch (cause) {
      session.endBatch();
      this.#abandon();
      const kept = batch.filter((waiting) => !undone.has(waiting));
      isLocked = this.options.transaction.isLocked(cause);
      const failed = isLocked ? this.#postpone(kept) : kept;
      const error = new StoreUnavailable(cause);
      outcomes = failed.map((waiting) => ({ waiting, error }));
      report = { writes: outcomes.length, commitMs: 0, failed: true, cause };
    }
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.waiting.reject(outcome.error);
      else outcome.waiting.resolve(outcome.value);
    }
    for (const [waiting, error] of undone) waiting.reject(error);
    // Arrives before the results, which are delivered by microtasks.
    if (report.writes > 0) onBatch?.(report);
    const lost = [...undone.values()].filter((error) => error instanceof StoreUnavailable);
    if (lost[0]) onBatch?.({ writes: lost.length, commitMs: 0, failed: true, cause: lost[0].cause });
    if (isLocked && this.#queue.length > 0) await this.options.clock.sleep(LOCK_PAUSE_MS);
  }

  /** Puts a batch that met a lock back in the queue. Returns the writes that have waited long enough instead. */
  #postpone(batch: Waiting<Tx>[]): Waiting<Tx>[] {
    const now = this.options.clock.monotonic();
    this.#queue.unshift(...batch);
    for (const waiting of this.#queue) waiting.lockedAt ??= now;
    const rest = this.#queue.findIndex(({ lockedAt = now }) => now - lockedAt < MAX_LOCK_WAIT_MS);
    return this.#queue.splice(0, rest < 0 ? this.#queue.length : rest);
  }

  /** Leaves the transaction open with the changes of the whole batch, except those in `undone`. */
  async #run(batch: Waiting<Tx>[], undone: Map<Waiting<Tx>, unknown>): Promise<Outcome<Tx>[]> {
    const { transaction, session, flush } = this.options;
    // If the disk failed during the last rollback, the last transaction is still open, and no other can begin.
    if (transaction.isOpen()) transaction.rollback();
    transaction.begin();
    const outcomes: Outcome<Tx>[] = [];
    for (const waiting of batch) {
      if (undone.has(waiting)) continue;
      try {
        if (!waiting.isDirect) flush?.();
        const result = waiting.run(session);
        outcomes.push({ waiting, value: waiting.isDirect ? result : await result });
        // The database may have rolled back by itself, even if the work ignored the error.
        if (!transaction.isOpen()) throw new Error('The database has rolled back the transaction');
      } catch (error) {
        if (transaction.isLocked(error)) throw error;
        const isLost = transaction.isStorageError(error) || !transaction.isOpen();
        if (isLost || session.hasChanges) {
          undone.set(waiting, isLost ? new StoreUnavailable(error) : error);
          transaction.rollback();
          return this.#run(batch, undone);
        }
        outcomes.push({ waiting, error });
      }
    }
    flush?.();
    return outcomes;
  }

  #commit({ length: writes }: Outcome<Tx>[]): BatchReport {
    const { transaction, clock } = this.options;
    const start = clock.monotonic();
    transaction.commit();
    return { writes, commitMs: clock.monotonic() - start, failed: false };
  }

  #abandon(): void {
    try {
      this.options.transaction.rollback();
    } catch {
      // The disk that failed the commit may fail the rollback too. The next batch tries again before it begins.
    }
  }
}
