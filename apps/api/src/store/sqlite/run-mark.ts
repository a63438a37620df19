import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewId } from '../../ids.ts';
import type { Db } from './database.ts';
import { isStorageError } from './storage-error.ts';
import { workspace } from './tables/workspace.table.ts';

/** Beside the database: the mark of its last start. */
export const RUN_FILE = 'hub.run';

/**
 * Marks this start in the database and beside it. If the two marks of the last start differ, the database is not the one that
 * ran here last, but an older copy that somebody has put in its place: its numbers will be given a second time, for other events. So
 * another epoch begins, and everyone who follows Hubs loads anew.
 *
 * A start that is cut off between the two writes, or a lost file, only makes an epoch more than needed. A copy of the whole folder goes
 * unnoticed: `hub.run` must not be restored with the database.
 */
export function beginRun(db: Db, { dataDir, newId }: { dataDir: string; newId: NewId }): void {
  const file = join(dataDir, RUN_FILE);
  const isLastOne = db.select({ runId: workspace.runId }).from(workspace).get()?.runId === readMark(file);
  const runId = newId('run');
  try {
    db.update(workspace)
      .set({ runId, ...(isLastOne ? {} : { epoch: newId('epoch') }) })
      .run();
  } catch (error) {
    // A server whose disk is full starts all the same, to serve what it has; but not in an epoch that is over.
    if (isLastOne && isStorageError(error)) return;
    throw error;
  }
  try {
    writeFileSync(`${file}.new`, runId, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The next start begins another epoch.
  }
}

function readMark(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
