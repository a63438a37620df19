import type { BackupStore } from './backup-store.ts';
import type { PostWriter } from './posts.ts';
import type { Reads, Repositories } from './repositories.ts';

/**
 * The port to the data store. Times are milliseconds since 1970 UTC.
 *
 * Its properties read committed data. Everything is written by `transaction`. A promise rejects with `StoreUnavailable`
 * if the data could not be read, or if a transaction could not be committed, in which case nothing is kept.
 * `contract-suite/` has the tests of every adapter.
 */
export interface Store extends Reads {
  readonly notifications: Reads['notifications'] & { countSubscriptions(): number };
  readonly posts: PostWriter;
  readonly backups: BackupStore;
  /**
   * Runs `work` in one transaction, and resolves with its result once everything it has written is on disk. If it
   * rejects, nothing is kept; with `StoreUnavailable`, if the data could not be read or the transaction not committed.
   *
   * `work` can run twice, so it must have no effects other than through `tx`. It can await nothing but `tx`: a
   * transaction that awaits anything else is rejected.
   *
   * `sender` is who caused it, by default the server. PostgreSQL, which runs several transactions at the same time, runs a
   * few of each sender at a time.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>, sender?: string): Promise<T>;
  /** Rejects if the store cannot serve requests. */
  probe(): Promise<void>;
  /** Bytes on disk. */
  sizes(): { databaseBytes: number; walBytes: number };
  /** Commits waiting writes, then closes the files. */
  close(): Promise<void>;
}
