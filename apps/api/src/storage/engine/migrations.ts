import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';

/** Returns all migrations in a folder, in order. */
export function migrationsIn(migrationsFolder: string): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/** Returns the migrations that a database lacks, by the hashes of those it has; `null` if a newer version wrote it. */
export function missingMigrations(known: readonly MigrationMeta[], applied: readonly string[]): MigrationMeta[] | null {
  const isNewer = applied.some((hash, index) => hash !== known[index]?.hash);
  return isNewer ? null : known.slice(applied.length);
}
