import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';

/** Returns all migrations in a folder, in order. */
export function migrationsIn(migrationsFolder: string): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/**
 * Returns the migrations that a database lacks, by the hashes of those it has; `null` if a version wrote it that is newer
 * by more than `maxAhead` migrations.
 */
export function missingMigrations(
  known: readonly MigrationMeta[],
  applied: readonly string[],
  maxAhead = 0,
): MigrationMeta[] | null {
  const isOther = known.some(({ hash }, index) => index < applied.length && applied[index] !== hash);
  return isOther || applied.length > known.length + maxAhead ? null : known.slice(applied.length);
}
