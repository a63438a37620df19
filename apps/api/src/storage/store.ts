import type { KeyTimes } from '@hub/contract/key-state';
import { AppError } from '../platform/errors.ts';
import type { Admission } from '../platform/sliding-window.ts';
import type { SequencedHub } from './events.ts';
import type { FileRecord } from './files.ts';
import type { ItemQuery } from './item-pages.ts';
import type { ItemKind, NewPost } from './items.ts';
import type { KeyCredential, KeyReads, KeyRecord, NewBlock } from './keys.ts';
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

/** A batch, or a transaction of PostgreSQL, that was committed or that the database failed, for the metrics. */
export interface BatchReport {
  writes: number;
  /** How long the commit itself took, in milliseconds: mostly the flush to disk, also of a standby. */
  commitMs: number;
  failed: boolean;
  /** Why the batch failed, for the server's log; senders only learn that it did. */
  cause?: unknown;
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

/** A word or an exact phrase, taken literally. */
export interface SearchTerm {
  text: string;
  isPrefix: boolean;
}

/** `hubIds`: the Hubs to search; the caller has already checked access to them. */
export interface SearchQuery extends Pick<ItemQuery, 'hubIds' | 'keyId' | 'authorId' | 'status'> {
  /** The item must contain all of these terms. */
  terms: readonly SearchTerm[];
  kind?: ItemKind | undefined;
  from?: number | undefined;
  to?: number | undefined;
  beforeGlobalSeq?: number | undefined;
  limit: number;
}

/** Searches all items. The index lags slightly behind: read a result from the store before showing it. */
export interface ItemSearch {
  /** Returns global sequence numbers, newest first. Rejects with `unavailable` if it takes too long. */
  find(query: SearchQuery, caller: string): Promise<number[]>;
}

/** Returns the error for a search that takes too long. */
export function searchTooSlow(): AppError {
  return new AppError('unavailable', 'This search took too long. Use fewer or rarer words, or search in one Hub only.');
}

export interface CountedRequest {
  key: KeyCredential;
  /** `null`: the key is not valid, so the request is not counted. */
  admission: Admission | null;
}

/** Limits the requests of each key: in memory (`KeyLimiter`), or for all nodes in their database (`sharedLimiter`). */
export interface RequestLimiter {
  /** Finds the key for the hash of its token, and counts this request if `isValid`. Returns `null` if there is none. */
  countRequest(
    tokenHash: Uint8Array,
    find: Pick<KeyReads, 'findByTokenHash'> & { isValid: (key: KeyCredential) => boolean },
  ): Promise<CountedRequest | null>;
  /** When the block of this key ends, by a clock that shows `now`; `null` if it is not blocked. */
  blockedUntil(key: Pick<KeyRecord, 'id' | 'blockedUntil'>, now: number): number | null;
  /** Blocks that could not be saved when they began. Each is retried with its audit entry. */
  readonly unsavedBlocks: Map<string, NewBlock>;
  /** Active blocks, and ended ones whose end must be saved, if this process alone knows them. */
  blocks(): { keyId: string; remainingMs: number }[];
  forgetEndedBlock(keyId: string): void;
}
