import type { KeyTimes } from '@hub/contract/key-state';
import type { SequencedHub } from './events.ts';
import type { FileRecord } from './files.ts';
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
  readonly contents: FileStore;
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
  files?: PostFiles;
}

/** The files that a post attaches, and their rule. */
export interface PostFiles {
  readonly ids: readonly string[];
  /** Returns what the post shows of them, as JSON. Throws if one cannot be attached. */
  describe(rows: readonly FileRecord[]): string;
}

export interface PostWriter {
  /** Writes a post with its event and mentions, unless its rule rejects it. Resolves once everything is on disk. */
  write(post: NewPost, rule: PostRule): Promise<SequencedHub>;
}

/** Keeps the bytes of files, with the preview of each. Every promise rejects with `StoreUnavailable` if it cannot. */
export interface FileStore {
  /** Begins to store a file. Only `keep`, or the row of the file, makes it last. */
  create(id: string): Promise<FileWriter>;
  /** Returns the bytes from `start` up to `end` of a file that was kept. */
  read(id: string, range: { start: number; end: number }): Blob | AsyncIterable<Uint8Array>;
  readPreview(id: string): Promise<Uint8Array | null>;
  /** Keeps a preview, which is small, and can be made again if it is lost. */
  writePreview(id: string, bytes: Uint8Array): Promise<void>;
  /** Erases bytes from before this time that have no row, since a node was killed. */
  eraseUnknown(before: number): Promise<void>;
  /** Deletes files with their previews, and ignores those that do not exist. */
  delete(ids: readonly string[]): Promise<void>;
}

export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Writes a whole body as fast as the disk takes it. Resolves with its SHA-256 in hexadecimal, and its first bytes.
   * Absent if bytes must pass through `write`. Rejects with the error of a body that ends early.
   */
  readonly receive?: (
    body: ReadableStream<Uint8Array>,
    headBytes: number,
  ) => Promise<{ sha256: string; head: Buffer<ArrayBuffer> }>;
  /** Returns how many bytes `receive` has written. */
  readonly received?: () => number;
  /** Resolves once all bytes are on disk. */
  finish(): Promise<void>;
  /** Called once the row of the file is on disk. */
  keep(): Promise<void>;
  discard(): Promise<void>;
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
