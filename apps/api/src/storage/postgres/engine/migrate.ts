import type { SQL } from 'bun';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { StartError } from '../../../platform/errors.ts';
import { programFile } from '../../../platform/program-files.ts';

export const MIGRATIONS_FOLDER = programFile(import.meta.dir, '../postgres-migrations');

/** PostgreSQL 15. */
const MIN_VERSION = 150_000;
/** Identifies the advisory lock: any number that no other program uses in this database. */
export const MIGRATION_LOCK = 4_827_001;

/** How an administrator creates a database, for error messages. The role must own it, to create tables in it. */
export const createStatement = (name: string): string =>
  `CREATE DATABASE ${name} OWNER hub ENCODING 'UTF8' TEMPLATE template0`;

/** Returns the error for a database with tables that are not those of Hub. */
export const foreignDatabase = (table: string): StartError =>
  new StartError(
    `The database belongs to another program: it has the table ${table}. Use one for Hub alone: ${createStatement('hub')}`,
  );

/** Returns all migrations of this version, in order. */
export function knownMigrations(migrationsFolder = MIGRATIONS_FOLDER) {
  return readMigrationFiles({ migrationsFolder });
}

/**
 * Migrates the schema to the current version, in one transaction. If several nodes start at the same time, one of them
 * migrates and the others wait. `prepare` runs in the same transaction afterwards. Throws `StartError` if the database
 * cannot be used.
 */
export async function migrateDatabase(
  pool: SQL,
  prepare: (tx: SQL) => Promise<unknown>,
  migrationsFolder = MIGRATIONS_FOLDER,
): Promise<void> {
  const known = knownMigrations(migrationsFolder);
  await pool.begin(async (tx) => {
    await tx`SET LOCAL statement_timeout = 0`;
    await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await requireUsableServer(tx);
    const [hub] = await tx<{ name: string | null }[]>`SELECT to_regclass('hub_migrations')::text AS name`;
    const table = hub?.name === null ? await findTable(tx) : undefined;
    if (table !== undefined) throw foreignDatabase(table);
    await tx`CREATE TABLE IF NOT EXISTS hub_migrations (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
    const applied = await tx<{ hash: string }[]>`SELECT hash FROM hub_migrations ORDER BY number`;
    if (applied.length > known.length || applied.some(({ hash }, index) => hash !== known[index]?.hash)) {
      throw new StartError(
        'The database was written by a newer version of Hub. Start that version, or restore a dump from before the upgrade.',
      );
    }
    for (const { sql, hash } of known.slice(applied.length)) {
      for (const each of sql) await tx.unsafe(each);
      await tx`INSERT INTO hub_migrations (hash) VALUES (${hash})`;
    }
    await prepare(tx);
  });
}

/** Returns the name of any table. Those of extensions, which managed services install, do not count. */
export async function findTable(client: SQL): Promise<string | undefined> {
  const [table] = await client<{ name: string }[]>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1`;
  return table?.name;
}

async function requireUsableServer(tx: SQL): Promise<void> {
  const [server] = await tx<{ version: number; name: string; encoding: string }[]>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding`;
  if (!server) throw new Error('PostgreSQL has not told its version');
  if (server.version < MIN_VERSION)
    throw new StartError(`Hub needs PostgreSQL 15 or newer, but the server has version ${server.name}.`);
  if (server.encoding !== 'UTF8')
    throw new StartError(`The database has the encoding ${server.encoding}. Create it with: ${createStatement('hub')}`);
}
