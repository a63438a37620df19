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
