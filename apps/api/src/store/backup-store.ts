import type { AuditRecord } from './audit-store.ts';

/** Copies of all that is kept, for somebody to keep elsewhere. */
export interface BackupStore {
  /**
   * Copies all that is committed when it is called, while reads and writes go on. One at a time: refused with `conflict` until
   * the former copy is let go of, and with `unavailable` if there is no room for it.
   */
  take(id: string): Promise<BackupCopy>;
  /** Writes down who is given a copy. */
  note(audit: AuditRecord): Promise<void>;
  /** Who was given it has checked it and keeps it. `null` if no such copy was handed out to its end lately. */
  confirm(id: string): Promise<BackupRecord | null>;
  /** Of this process and of those before it. */
  history(): BackupHistory;
}

export interface BackupCopy extends BackupFacts {
  /** The bytes from the first to the last. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Lets go of it. Only one that was handed out to its end can be confirmed. To close it once more changes nothing. */
  close(outcome: 'whole' | 'broken'): Promise<void>;
}

export interface BackupFacts {
  id: string;
  takenAt: number;
  bytes: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string;
}

/** A copy that somebody keeps. */
export interface BackupRecord extends BackupFacts {
  /** From the beginning of the copy until it was confirmed. */
  durationMs: number;
}

export interface BackupHistory {
  /** The last one that was confirmed, also to a former process; `null` if there was none. */
  last: BackupRecord | null;
  /** Since the process began. */
  confirmed: number;
  /** That could not be made, or did not reach their end. */
  broken: number;
}
