import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { migrate } from 'drizzle-orm/bun-sqlite/migrator';
import { programFile } from '../../../platform/program-files.ts';
import { migrationsIn } from '../../engine/migrations.ts';
import { APPLICATION_ID, type Db, markCopy } from './database.ts';
import { appliedMigrations, SNAPSHOTS_FOLDER } from './inspect-database.ts';
import { createPrivateFile } from './private-file.ts';

export const MIGRATIONS_FOLDER = programFile(import.meta.dir, '../migrations');

/** Migrates the schema in one transaction, after a copy of a database with data: it cannot be undone. */
export function migrateDatabase(db: Db, options: { dataDir: string; now: number; migrationsFolder?: string }): void {
  const { migrationsFolder = MIGRATIONS_FOLDER } = options;
  const applied = appliedMigrations(db.$client);
  if (applied.length === migrationsIn(migrationsFolder).length) return;
  if (applied.length > 0) takeSnapshot(db, options);
  db.$client.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(db, { migrationsFolder });
}

const KEPT_SNAPSHOTS = 3;

/** Copies the database into `snapshots/`, completely or not at all, and keeps the newest three copies. */
export function takeSnapshot(db: Db, { dataDir, now }: { dataDir: string; now: number }): string {
  const folder = join(dataDir, SNAPSHOTS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `hub-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    // The copy is written into the empty file, which determines its mode. SQLite flushes it.
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
