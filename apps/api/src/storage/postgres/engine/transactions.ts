import type { SQL } from 'bun';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/ports.ts';
import { type CommitReport, CommitReportBuilder, type Witness } from '../../commit-report.ts';
import type { Values } from '../../engine/connection.ts';
import { isStorageError, isUniqueViolation } from '../../engine/storage-error.ts';
import type { BatchReport } from '../../store.ts';
import { Connection, type Rows, retryConflicts, type Statement } from './connection.ts';
import type { Pool } from './pool.ts';
import { type Turn, withTransaction } from './use-connection.ts';

const MAX_WAITING = 10_000;

/** How often the status of a transaction is looked up whose COMMIT got no response. */
const LOOK_UP_MS = 100;

export type TransactionStatus = 'in progress' | 'committed' | 'aborted';

interface TransactionOutcome {
  status: TransactionStatus | null;
  isWitnessed: boolean;
}

export function tooManyWaiting(): StoreUnavailable {
  return new StoreUnavailable(new Error(`${MAX_WAITING} transactions are already waiting`));
}

interface TransactionsOptions<Tx> {
  pool: Pool;
  timeoutMs: number;
  /** Makes the repositories of one run. They add what they change to the report. */
  repositories: (on: Connection, report: CommitReportBuilder) => Tx;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Returns the status of an earlier transaction, and whether the row that only it can have written is there. */
  outcomeOf: (transactionId: string, witness: Witness | null) => Promise<TransactionOutcome | undefined>;
  onCommitting: (on: Connection, report: CommitReport) => Promise<void>;
  onCommit: (report: CommitReport) => void;
  onBatch: (report: BatchReport) => void;
}

/**
 * Returns what runs transactions, each on a connection of its own, in "read committed". Rows on which one decides are
 * locked when it reads them (`repositories.ts`).
 */
export function transactionsOn<Tx>(options: TransactionsOptions<Tx>) {
  const { pool, timeoutMs, repositories, clock, outcomeOf, onCommitting, onCommit, onBatch } = options;
  let running = 0;

  const failed = (error: unknown): StoreUnavailable => {
    const unavailable = error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
    onBatch({ writes: 1, commitMs: 0, failed: true, cause: unavailable.cause });
    return unavailable;
  };

  /**
   * Returns whether a transaction was committed whose connection was lost; null if it is still unclear at `deadline`.
   * After a crash, PostgreSQL gives the ids of transactions that it had not yet flushed to new ones, so the status is
   * not enough: what counts is a row that only this transaction can have written.
   */
  const isCommitted = async (id: string, witness: Witness | null, deadline: number): Promise<boolean | null> => {
    for (let isSeenCommitted = false; ; ) {
      // While the database is away, the look-up fails.
      const outcome = await outcomeOf(id, witness).catch(
        () => ({ status: 'in progress', isWitnessed: false }) as const,
      );
      const { status = null, isWitnessed = false } = outcome ?? {};
      if (isWitnessed) return true;
      const isOver = status === 'committed';
      if (status !== 'in progress' && !isOver) return false;
      if (isOver && witness === null) return true;
      // The commit may have taken place between the look at the row and the look at the status.
      if (isOver && isSeenCommitted) return false;
      isSeenCommitted = isOver;
      if (clock.monotonic() >= deadline) return null;
      await clock.sleep(LOOK_UP_MS);
    }
  };

  const runOnce = async <T>(work: (tx: Tx) => Promise<T>, turn: Turn | undefined): Promise<T> => {
    let id: string | undefined;
    /** From here on, an error of the connection does not say whether the transaction was committed. */
    let committing: { at: number; value: T; report: CommitReport; witness: Witness | null } | undefined;
    try {
      const inTransaction = async (client: SQL): Promise<void> => {
        // Sent together with the first statement of the work, so it takes no time.
        const readId = client`SELECT pg_current_xact_id()::text`.values();
        readId.then(
          ([[found]]: [[string]]) => {
            id = found;
          },
          () => {},
        );
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
      const isUnclear = error instanceof StoreUnavailable || isStorageError(error);
      if (!isUnclear || !committing) throw error;
      const isStored = id ? await isCommitted(id, committing.witness, committing.at + timeoutMs) : null;
      if (isStored === null)
        throw new StoreUnavailable(error instanceof StoreUnavailable ? error.cause : error, { mayBeStored: true });
      if (!isStored) throw error;
    }
    if (!committing) throw new Error('A transaction was committed before its work was done');
    onCommit(committing.report);
    onBatch({ writes: 1, commitMs: clock.monotonic() - committing.at, failed: false });
    return committing.value;
  };

  return {
    /** The number of transactions that run or wait for a connection. */
    running: () => running,
    /** Resolves once the changes are on disk. If this rejects, none are kept, unless the error says so. */
    run: async <T>(work: (tx: Tx) => Promise<T>, turn?: Turn): Promise<T> => {
      if (running >= MAX_WAITING) throw tooManyWaiting();
      running += 1;
      try {
        // With a row that another transaction has just inserted, the work may decide otherwise, or fail again.
        const isRetried = (error: unknown, runs: number) => isUniqueViolation(error) && runs === 1;
        return await retryConflicts(() => runOnce(work, turn), isRetried);
      } catch (error) {
        throw error instanceof StoreUnavailable || isStorageError(error) ? failed(error) : error;
      } finally {
        running -= 1;
      }
    },
  };
}

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
