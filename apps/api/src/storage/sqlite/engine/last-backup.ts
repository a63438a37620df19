import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupRecord } from '../../backup-store.ts';

/**
 * Stored next to the database, not in it: the record says when this data folder was backed up, which would be wrong for
 * a copy of the database restored into another folder.
 */
const LAST_BACKUP_FILE = 'last-backup.json';
export const UNFINISHED_LAST_BACKUP = `${LAST_BACKUP_FILE}.unfinished`;

/** Returns `null` if there was none. An unreadable record is treated as missing: taking another backup does no harm. */
export function readLastBackup(dataDir: string): BackupRecord | null {
  try {
    const found = JSON.parse(readFileSync(join(dataDir, LAST_BACKUP_FILE), 'utf8')) as Partial<BackupRecord> | null;
    const { id, takenAt, bytes, sha256, durationMs } = found ?? {};
    if (typeof takenAt !== 'number' || typeof bytes !== 'number' || typeof durationMs !== 'number') return null;
    if (typeof id !== 'string' || typeof sha256 !== 'string') return null;
    return { id, takenAt, bytes, sha256, durationMs };
  } catch {
    return null;
  }
}

/** Writes the record atomically. */
export async function writeLastBackup(dataDir: string, record: BackupRecord): Promise<void> {
  const unfinished = join(dataDir, UNFINISHED_LAST_BACKUP);
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(dataDir, LAST_BACKUP_FILE));
}
