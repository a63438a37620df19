import { closeSync, openSync, readSync } from 'node:fs';
import { markCopy } from './copy-mark.ts';
import { createPrivateFile, openDatabase } from './database.ts';

/** What is read at once to work out the digest. */
const PIECE_BYTES = 1024 * 1024;
/** Another program may hold the file for a moment. */
const BUSY_TIMEOUT_MS = 5_000;

export interface CopyOrder {
  /** The database, which others may be reading and writing. */
  file: string;
  /** The file to make. */
  copy: string;
  takenAt: number;
}

/**
 * Copies a database that is in use, as it is when this begins, and marks the copy as one. Nothing is flushed: the copy is read
 * again at once and then removed, and flushing it would hold up every commit meanwhile (ADR 10). Returns the SHA-256
 * of the copy in hexadecimal.
 */
export function copyDatabase({ file, copy, takenAt }: CopyOrder): string {
  createPrivateFile(copy);
  const { $client: source } = openDatabase(file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    // The setting of the database is that of its copy. On this connection nothing is ever written into the database meanwhile.
    source.exec('PRAGMA synchronous = OFF');
    source.query('VACUUM INTO ?').run(copy);
    source.exec('PRAGMA synchronous = FULL');
    // The log could not be used anew while it was being read, so it has grown. What is in it goes into the database here, beside
    // the writer, who would otherwise do it in the middle of its next commit.
    source.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    source.close(false);
  }
  markCopy(copy, takenAt, { flushed: false });
  return sha256Of(copy);
}

function sha256Of(path: string): string {
  const hasher = new Bun.CryptoHasher('sha256');
  const piece = new Uint8Array(PIECE_BYTES);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, piece);
      if (length === 0) return hasher.digest('hex');
      hasher.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
