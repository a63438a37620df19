import type { KeyTimes } from '@hub/contract/key-state';
import type { SequencedHub } from './events.ts';
import type { NewPost } from './items.ts';
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

/** Decides on a post inside its transaction. Its functions may be called twice. */
export interface PostRule {
  /** Throws if the post must not be written. `key`: `null` if it has not changed since it was authenticated. */
  check(key: KeyTimes | null, hub: Pick<SequencedHub, 'deletedAt'> | undefined): void;
  /** Returns which of the active members of the Hub the post mentions. Absent if it cannot mention anyone. */
  mentioned?: (members: readonly { id: string; name: string }[]) => Iterable<string>;
}

export interface PostWriter {
  /** Writes a post with its event and mentions, unless its rule rejects it. Resolves once everything is on disk. */
  write(post: NewPost, rule: PostRule): Promise<SequencedHub>;
}

/** Makes copies of the whole database, to be stored elsewhere. */
export interface BackupStore {
  /**
   * Copies everything committed before the call. Rejects with `conflict` until the previous copy is closed, and with
   * `unavailable` if there is not enough disk space.
   */
  take(id: string): Promise<BackupCopy>;
  /** Records that the recipient has verified and stored the copy. `null`: no such copy was recently read to its end. */
  confirm(id: string): Promise<BackupRecord | null>;
  history(): BackupHistory;
}

export interface BackupCopy extends BackupFacts {
  pieces(): AsyncIterable<Uint8Array>;
  /** Releases the copy. Only a copy that was read to its end can be confirmed. Closing it again changes nothing. */
  close(outcome: 'whole' | 'broken'): Promise<void>;
}

export interface BackupFacts {
  id: string;
  takenAt: number;
  bytes: number;
  sha256: string;
}

export interface BackupRecord extends BackupFacts {
  /** Milliseconds from the start of the copy until it was confirmed. */
  durationMs: number;
}

export interface BackupHistory {
  /** The last copy confirmed in this process or an earlier one; `null` if there was none. */
  last: BackupRecord | null;
  confirmed: number;
  /** Copies since the process started that failed or were not read to the end. */
  broken: number;
}
