import { migrate } from 'drizzle-orm/bun-sqlite/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { programFile } from '../../../platform/program-files.ts';
import { APPLICATION_ID, type Db } from './database.ts';
import { appliedMigrations } from './inspect-database.ts';
import { takeSnapshot } from './snapshots.ts';

export const MIGRATIONS_FOLDER = programFile(import.meta.dir, '../migrations');

export function knownMigrations(folder = MIGRATIONS_FOLDER): string[] {
  return readMigrationFiles({ migrationsFolder: folder }).map((migration) => migration.hash);
}

/**
 * Migrates the schema to the current version, in one transaction. A database with data is copied first, since a
 * migration cannot be undone.
 */
export function migrateDatabase(db: Db, options: { dataDir: string; now: number; migrationsFolder?: string }): void {
  const { migrationsFolder = MIGRATIONS_FOLDER } = options;
  const applied = appliedMigrations(db.$client);
  if (applied.length === knownMigrations(migrationsFolder).length) return;
  if (applied.length > 0) takeSnapshot(db, options);
  db.$client.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(db, { migrationsFolder });
}
