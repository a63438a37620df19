import { chmodSync, closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 1024 * 1024;

/**
 * Creates a file of mode 0600 if there is none, regardless of the umask. An existing one is not opened: closing it
 * would drop every lock that SQLite holds on it in this process. Threads for searches import this without Drizzle, which
 * would take most of the time of their start.
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export function sha256Of(path: string): string {
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
