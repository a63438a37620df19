import type { BackupStore } from './backup-store.ts';
import type { PostWriter } from './posts.ts';
import type { Reads, Repositories } from './repositories.ts';

/**
 * The port to the data store: reads of committed data, and `transaction`. Times are milliseconds since 1970 UTC. Every
 * promise rejects with `StoreUnavailable` if data could not be read or committed.
 */
export interface Store extends Reads {
  readonly notifications: Reads['notifications'] & { countSubscriptions(): number };
  readonly posts: PostWriter;
  readonly backups: BackupStore;
  /**
   * Runs `work` in one transaction, and resolves with its result once everything is on disk. If it rejects, nothing is
   * kept.
   *
   * `work` can run twice, so it must have no other effects, and can await nothing but `tx`; otherwise it is rejected.
   *
   * `sender` caused it, by default the server. PostgreSQL runs a few transactions of each sender at a time.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>, sender?: string): Promise<T>;
  /** Rejects if the store cannot serve requests. */
  probe(): Promise<void>;
  sizes(): { databaseBytes: number; walBytes: number };
  /** Commits waiting writes, then closes the files. */
  close(): Promise<void>;
}
