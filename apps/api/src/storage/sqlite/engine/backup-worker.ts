/** The thread that copies the database for a backup; `copyInThread` in backups.ts starts it. */
import { constants, setPriority } from 'node:os';
import { markCopy, openDatabase } from './database.ts';
import { createPrivateFile, sha256Of } from './private-file.ts';

declare const self: Worker;

/** Another program may lock the file briefly. */
const BUSY_TIMEOUT_MS = 5_000;

export interface CopyOrder {
  /** The database, which may be read and written during the copy. */
  file: string;
  copy: string;
  takenAt: number;
}

export type FromBackupWorker = { sha256: string } | { code: string | null; message: string };

// Linux gives each thread its own priority: requests come before a backup, which must still finish on a busy machine.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => self.postMessage(copied(data));

/** An error loses its code when it is sent to another thread, so the code is sent separately. */
function copied(order: CopyOrder): FromBackupWorker {
  try {
    return { sha256: copyDatabase(order) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code: typeof code === 'string' ? code : null, message };
  }
}

/**
 * Copies a database in use, in its state at the start of the call, and returns the SHA-256 in hexadecimal. The copy is
 * not flushed: flushing would delay every commit made in the meantime (ADR 10).
 */
function copyDatabase({ file, copy, takenAt }: CopyOrder): string {
  createPrivateFile(copy);
  const { $client: source } = openDatabase(file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    // The copy inherits this setting. While it is off, this connection writes nothing to the database itself.
    source.exec('PRAGMA synchronous = OFF');
    source.query('VACUUM INTO ?').run(copy);
    source.exec('PRAGMA synchronous = FULL');
    // The log could not be reused during the copy, so it has grown. Otherwise the writer would move its content into
    // the database in the middle of its next commit.
    source.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    source.close(false);
  }
  markCopy(copy, takenAt, { flushed: false });
  return sha256Of(copy);
}
