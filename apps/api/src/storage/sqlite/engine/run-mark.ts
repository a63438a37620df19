import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewId } from '../../../core/ids.ts';
import { workspace } from '../tables/workspace.table.ts';
import type { Db } from './database.ts';
import { isStorageError } from './storage-error.ts';

/** The file next to the database that holds the mark of its last start. */
export const RUN_FILE = 'hub.run';

/**
 * Marks this start both in the database and next to it. If the two marks of the last start differ, the database is not
 * the one that was last used here, but an older copy put in its place: its sequence numbers will be used again for
 * other events. So a new epoch begins, and all followers of Hubs reload.
 *
 * A start that is interrupted between the two writes, or the loss of the file, only causes an unnecessary new epoch. A
 * copy of the whole folder is not detected: `hub.run` must not be restored with the database.
 */
export function beginRun(db: Db, { dataDir, newId }: { dataDir: string; newId: NewId }): void {
  const file = join(dataDir, RUN_FILE);
  const isUnchanged = db.select({ runId: workspace.runId }).from(workspace).get()?.runId === readMark(file);
  const runId = newId('run');
  try {
    db.update(workspace)
      .set({ runId, ...(isUnchanged ? {} : { epoch: newId('epoch') }) })
      .run();
  } catch (error) {
    // A server with a full disk still starts, to serve its data, but never in an epoch that is over.
    if (isUnchanged && isStorageError(error)) return;
    throw error;
  }
  try {
    writeFileSync(`${file}.new`, runId, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The next start begins a new epoch.
  }
}

function readMark(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
