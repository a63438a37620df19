import { Database } from 'bun:sqlite';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createPrivateFile, type Db } from './database.ts';
import { SNAPSHOTS_FOLDER } from './unusable-database.ts';

const KEPT_SNAPSHOTS = 3;

/**
 * Copies the database into `snapshots/` before it is migrated, completely or not at all, and removes all but the newest
 * three copies.
 */
export function takeSnapshot(db: Db, { dataDir, now }: { dataDir: string; now: number }): string {
  const folder = join(dataDir, SNAPSHOTS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `hub-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    // The copy is written into the empty file, which determines its mode. It is consistent and compact, and SQLite
    // flushes it.
    createPrivateFile(unfinished);
    db.$client.query('VACUUM INTO ?').run(unfinished);
    markCopy(unfinished, now, { flushed: true });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  removeOldSnapshots(folder, basename(file));
  return file;
}

/** The copy just made is kept even if it appears to be the oldest by name because the clock was set back. */
function removeOldSnapshots(folder: string, taken: string): void {
  const others = readdirSync(folder).filter((name) => /^hub-.*\.db$/.test(name) && name !== taken);
  for (const name of others.sort().slice(0, -(KEPT_SNAPSHOTS - 1))) rmSync(join(folder, name));
}

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
