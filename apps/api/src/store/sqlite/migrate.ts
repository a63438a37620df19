import { join } from 'node:path';
import { migrate } from 'drizzle-orm/bun-sqlite/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { APPLICATION_ID, type Db } from './database.ts';
import { takeSnapshot } from './snapshots.ts';

const migrationsFolder = join(import.meta.dir, 'migrations');

/** The database cannot be used as it is. The message says what to do; nothing was changed. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/**
 * Brings the schema up to date. A database that already holds data is copied first, since a migration cannot be taken
 * back. One that a newer program has written is refused: this program does not know what its columns mean.
 */
export function migrateDatabase(db: Db, options: { file: string; dataDir: string; now: number }): void {
  const known = readMigrationFiles({ migrationsFolder });
  const applied = appliedMigrations(db);
  const applicationId = db.$client.query<{ application_id: number }, []>('PRAGMA application_id').get()?.application_id;

  if (applicationId !== APPLICATION_ID && hasTables(db)) {
    throw new UnusableDatabase(
      `${options.file} is a SQLite database, but not one of Hub. Point HUB_DATA_DIR to another folder.`,
    );
  }
  const unknown = applied.filter((hash) => !known.some((migration) => migration.hash === hash));
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      `${options.file} was written by a newer version of Hub than this one. Start that version, or restore the ` +
        `snapshot that it took before it changed the database (in ${join(options.dataDir, 'snapshots')}).`,
    );
  }
  if (applied.length === known.length) return;
  if (applied.length > 0) takeSnapshot(db, options);
  db.$client.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(db, { migrationsFolder });
}

function hasTables(db: Db): boolean {
  return db.$client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== null;
}

/** The hashes of the migrations that this database has had, as Drizzle's migrator notes them. */
function appliedMigrations({ $client }: Db): string[] {
  if ($client.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === null) return [];
  return $client
    .query<{ hash: string }, []>('SELECT hash FROM __drizzle_migrations')
    .all()
    .map((row) => row.hash);
}
