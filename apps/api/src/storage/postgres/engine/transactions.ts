import type { SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/ports.ts';
import { type CommitReport, CommitReportBuilder, type Witness } from '../../commit-report.ts';
import type { Values } from '../../engine/connection.ts';
import { isConnectionLost, isStorageError, isUniqueViolation } from '../../engine/storage-error.ts';
import type { BatchReport } from '../../store.ts';
import { Connection, type Rows, retryConflicts, type Statement } from './connection.ts';
import type { Pool } from './pool.ts';
import { type ResponseTimeout, type Turn, withConnection, withTransaction } from './use-connection.ts';

const MAX_WAITING = 10_000;

/** How often what a commit without a response has left is looked up. */
const LOOK_UP_MS = 100;

export function tooManyWaiting(): StoreUnavailable {
  return new StoreUnavailable(new Error(`${MAX_WAITING} transactions are already waiting`));
}

interface TransactionsOptions<Tx> {
  pool: Pool;
  timeoutMs: number;
  /** Makes the repositories of one run. They add what they change to the report. */
  repositories: (on: Connection, report: CommitReportBuilder) => Tx;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Returns whether this row is there. */
  isStored: (witness: Witness) => Promise<boolean>;
  /** Returns whether a process of the server has ended, which served a connection. */
  hasEnded: (session: number) => Promise<boolean>;
  onCommitting: (on: Connection, report: CommitReport) => Promise<void>;
  onCommit: (report: CommitReport) => void;
  onBatch: (report: BatchReport) => void;
}

export interface RunOptions<T> {
  turn?: Turn | undefined;
  /**
   * Given if the work is a single statement, which then runs without a transaction around it. Returns what the work would
   * have returned, from what it has stored; `undefined`: nothing.
   */
  recover?: ((report: CommitReportBuilder) => Promise<T | undefined>) | undefined;
}

/**
 * Returns what runs transactions, each on a connection of its own, in "read committed". Rows on which one decides are
 * locked when it reads them (`repositories.ts`).
 */
export function transactionsOn<Tx>(options: TransactionsOptions<Tx>) {
  const { pool, timeoutMs, repositories, clock, isStored, hasEnded, onCommitting, onCommit, onBatch } = options;
  let running = 0;

  const failed = (error: unknown): StoreUnavailable => {
    const unavailable = error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
    onBatch({ writes: 1, commitMs: 0, failed: true, cause: unavailable.cause });
    return unavailable;
  };

  /**
   * Returns what `find` finds of a commit whose connection was lost. Nothing is certain only once its session has ended:
   * until then, it may still take place. The ids of transactions would not tell, since after a crash PostgreSQL gives
   * those that it had not flushed to new ones.
   */
  const findCommitted = async <T>(
    find: () => Promise<T | undefined>,
    { session, deadline, error }: { session: number; deadline: number; error: unknown },
  ): Promise<T | undefined> => {
    for (;;) {
      try {
        const isOver = await hasEnded(session);
        const stored = await find();
        if (stored !== undefined || isOver) return stored;
      } catch {
        // The database is away.
      }
      if (clock.monotonic() >= deadline) throw mayBeStored(error);
      await clock.sleep(LOOK_UP_MS);
    }
  };

  const runTransaction = async <T>(work: (tx: Tx) => Promise<T>, turn: Turn | undefined): Promise<T> => {
    let session = 0;
    /** From here on, an error of the connection does not say whether the transaction was committed. */
    let committing: { at: number; value: T; report: CommitReport; witness: Witness | null } | undefined;
    try {
      const inTransaction = async (client: SQL, process: number): Promise<void> => {
        session = process;
        const on = new TransactionConnection(client, timeoutMs);
        const result = await on.during(async () => {
          const builder = new CommitReportBuilder();
          const value = await work(repositories(on, builder));
          const { witness } = builder;
          const report = builder.take();
          await onCommitting(on, report);
          return { value, report, witness };
        });
        committing = { ...result, at: clock.monotonic() };
      };
      await withTransaction(pool, timeoutMs, inTransaction, { turn });
    } catch (error) {
      if (!isLost(error) || !committing) throw error;
      const { witness, at } = committing;
      if (!witness) throw mayBeStored(error);
      const find = async () => (await isStored(witness)) || undefined;
      if (!(await findCommitted(find, { session, deadline: at + timeoutMs, error }))) throw error;
    }
    if (!committing) throw new Error('A transaction was committed before its work was done');
    onCommit(committing.report);
    onBatch({ writes: 1, commitMs: clock.monotonic() - committing.at, failed: false });
    return committing.value;
  };

  const runStatement = async <T>(
    work: (tx: Tx) => Promise<T>,
    { turn, recover }: { turn: Turn | undefined; recover: NonNullable<RunOptions<T>['recover']> },
  ): Promise<T> => {
    const report = new CommitReportBuilder();
    let sent: { session: number; at: number } | undefined;
    const statement = (client: SQL, timeout: ResponseTimeout, session: number): Promise<T> => {
      sent = { session, at: clock.monotonic() };
      // Its own limit is later than that of `timeout`, after which a late response still keeps the connection open.
      return timeout.wait(work(repositories(new Connection(client, 2 * timeoutMs), report)));
    };
    const value = await withConnection(pool, timeoutMs, statement, turn).catch(async (error) => {
      if (!isLost(error) || !sent) throw error;
      const { session, at } = sent;
      const stored = await findCommitted(() => recover(report), { session, deadline: at + timeoutMs, error });
      if (stored === undefined) throw error;
      return stored;
    });
    onCommit(report.take());
    onBatch({ writes: 1, commitMs: clock.monotonic() - (sent?.at ?? 0), failed: false });
    return value;
  };

  return {
    /** The number of transactions that run or wait for a connection. */
    running: () => running,
    /** Resolves once the changes are on disk. If this rejects, none are kept, unless the error says so. */
    run: async <T>(work: (tx: Tx) => Promise<T>, { turn, recover }: RunOptions<T> = {}): Promise<T> => {
      if (running >= MAX_WAITING) throw tooManyWaiting();
      running += 1;
      try {
        // With a row that another transaction has just inserted, the work may decide otherwise, or fail again.
        const isRetried = (error: unknown, runs: number) => isUniqueViolation(error) && runs === 1;
        const runOnce = () => (recover ? runStatement(work, { turn, recover }) : runTransaction(work, turn));
        return await retryConflicts(runOnce, isRetried);
      } catch (error) {
        throw error instanceof StoreUnavailable || isStorageError(error) ? failed(error) : error;
      } finally {
        running -= 1;
      }
    },
  };
}

/** Whether an error leaves open if a commit took place. */
const isLost = (error: unknown): boolean => error instanceof StoreUnavailable || isConnectionLost(error);

const mayBeStored = (error: unknown): StoreUnavailable =>
  new StoreUnavailable(error instanceof StoreUnavailable ? error.cause : error, { mayBeStored: true });

/** Closed once the work has settled, so that what it does later does not end up in another transaction. */
class TransactionConnection extends Connection {
  #isOpen = true;
  #pending = 0;
  #failure: { error: unknown } | undefined;
  #watch: NodeJS.Immediate | undefined;
  readonly #abandoned = Promise.withResolvers<never>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#expectStatement();
    try {
      const value = await Promise.race([work(), this.#abandoned.promise]);
      // PostgreSQL has rolled back, and would answer COMMIT with ROLLBACK, even if the work ignored the error.
      if (this.#failure) throw this.#failure.error;
      return value;
    } finally {
      this.#isOpen = false;
      if (this.#watch) clearImmediate(this.#watch);
    }
  }

  protected override async execute(statement: Statement, values?: Values): Promise<Rows> {
    if (!this.#isOpen) throw new Error('A repository was called after its transaction');
    this.#pending += 1;
    try {
      return await super.execute(statement, values);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#pending -= 1;
      this.#expectStatement();
    }
  }

  /**
   * While no statement runs, the work has to settle or to begin the next one in this turn of the event loop. Otherwise
   * it awaits something else, while it holds its locks.
   */
  #expectStatement(): void {
    this.#watch ??= setImmediate(() => {
      this.#watch = undefined;
      if (!this.#isOpen || this.#pending > 0) return;
      this.#abandoned.reject(
        new Error('A transaction can only await its repositories, but this one awaited something else'),
      );
    });
  }
}
