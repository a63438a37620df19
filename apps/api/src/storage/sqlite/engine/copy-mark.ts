import { Database } from 'bun:sqlite';

/**
 * Marks a copy by storing the time it was taken in `user_version`, as seconds since 1970. This value is 0 in a database
 * that a server has used. So a copy is recognized regardless of how it got into a data folder.
 */
export function markCopy(file: string, takenAt: number, { flushed }: { flushed: boolean }): void {
  const copy = new Database(file, { readwrite: true, create: false });
  try {
    if (!flushed) copy.exec('PRAGMA synchronous = OFF');
    copy.exec(`PRAGMA user_version = ${Math.max(1, Math.floor(takenAt / 1000))}`);
  } finally {
    copy.close(false);
  }
}
