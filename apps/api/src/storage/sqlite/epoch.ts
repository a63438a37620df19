import type { Database } from 'bun:sqlite';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { isoTime } from '../../platform/time.ts';
import { isStorageError } from '../engine/storage-error.ts';
import { workspace } from '../schema/workspace.table.ts';
import { adoptRestored, findWorkspace, insertWorkspace, newWorkspace, type WorkspaceRecord } from '../workspace.ts';
import { SqliteConnection } from './engine/connection.ts';
import type { Db } from './engine/database.ts';
import { RUN_FILE } from './engine/inspect-database.ts';

/** Returns the workspace; the first start creates it. */
export function findOrCreateWorkspace(db: Db, context: { newId: NewId; clock: Clock }): Pick<WorkspaceRecord, 'botId'> {
  const on = new SqliteConnection(db);
  const found = on.first(findWorkspace);
  if (found) return found;
  const created = newWorkspace(context);
  on.run(insertWorkspace, created);
  return created;
}

/** Begins the mark of a folder whose workspace was moved away, before the address of the new one. */
export const MOVED_MARK = 'moved to ';

/**
 * Marks this start both in the database and next to it. If the marks of the last start differ, the database is an older
 * copy put in its place, whose sequence numbers will be used again: a new epoch begins, and followers reload.
 *
 * An interrupted start, or the loss of the file, only causes an unnecessary new epoch. A copy of the whole folder is
 * not detected: `hub.run` must not be restored with the database.
 */
export function beginRun(db: Db, { dataDir, newId }: { dataDir: string; newId: NewId }): void {
  const isUnchanged = db.select({ runId: workspace.runId }).from(workspace).get()?.runId === readRunMark(dataDir);
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
    writeRunMark(dataDir, runId);
  } catch {
    // The next start begins a new epoch.
  }
}

/** Throws `StartError` if the workspace of the folder was moved away: its posts would be missing there. */
export function rejectIfMoved(dataDir: string): void {
  const mark = readRunMark(dataDir);
  if (!mark.startsWith(MOVED_MARK)) return;
  throw new StartError(
    `The workspace in ${resolve(dataDir)} was moved to ${mark.slice(MOVED_MARK.length)}. Set HUB_DATABASE_URL. To use this directory again, without what was ` +
      `posted there, delete ${resolve(dataDir, RUN_FILE)}.`,
  );
}

export function readRunMark(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, RUN_FILE), 'utf8');
  } catch {
    return '';
  }
}

export function writeRunMark(dataDir: string, mark: string): void {
  const file = join(dataDir, RUN_FILE);
  writeFileSync(`${file}.new`, mark, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function takenAtOf(client: Database): number | null {
  const mark = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
  return mark === 0 ? null : mark * 1000;
}

/** Turns a restored copy into a live database, in one transaction. */
export function adoptCopy(db: Db, context: { newId: NewId; clock: Clock }): void {
  const takenAt = takenAtOf(db.$client);
  if (takenAt === null) return;
  db.$client.transaction(() => {
    void adoptRestored(new SqliteConnection(db), context, { takenAt: isoTime(takenAt) });
    db.$client.exec('PRAGMA user_version = 0');
  })();
}
