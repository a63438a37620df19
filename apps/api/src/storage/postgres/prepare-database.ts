import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { StartError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { programFile } from '../../platform/program-files.ts';
import { migrationsIn, missingMigrations } from '../engine/migrations.ts';
import { given, rawQuery } from '../engine/query.ts';
import { isConflict, isLockTimeout } from '../engine/storage-error.ts';
import { rawWrite } from '../engine/write.ts';
import { adoptRestored, insertWorkspace, newWorkspace, type WorkspaceRecord } from '../workspace.ts';
import { Connection } from './engine/connection.ts';
import { STATEMENT_TIMEOUT_MS } from './engine/use-connection.ts';

export const MIGRATIONS_FOLDER = programFile(import.meta.dir, 'postgres-migrations');

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

/** While a migration waits for the lock of a table, statements of other nodes wait behind it, for up to 1.8 seconds. */
const LOCK_TIMEOUT_MS = 1_000;
const MAX_RUNS = 30;
/**
 * A release adds at most one migration, and works with the schema of the next one (CONTRIBUTING.md): nodes of both run
 * together during an upgrade, and one of the older ones may have to start again.
 */
const MAX_AHEAD = 1;

/**
 * Migrates the schema in one transaction, in which `prepare` then runs. Nodes that start at the same time wait for each
 * other. If another transaction keeps a table locked, everything is undone, and tried again a moment later. Throws
 * `StartError` if the database cannot be used.
 */
export async function migrateDatabase(
  pool: SQL,
  prepare: (tx: SQL) => Promise<unknown>,
  migrationsFolder = MIGRATIONS_FOLDER,
): Promise<void> {
  const migrate = () =>
    pool.begin(async (tx) => {
      await tx`SET LOCAL statement_timeout = 0`;
      await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await tx`SELECT set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
      await requireUsableServer(tx);
      const [hub] = await tx<{ name: string | null }[]>`SELECT to_regclass('hub_migrations')::text AS name`;
      const table = hub?.name === null ? await findTable(tx) : undefined;
      if (table !== undefined) throw foreignDatabase(table);
      await tx`CREATE TABLE IF NOT EXISTS hub_migrations (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
      const missing = await missingIn(tx, { migrationsFolder, maxAhead: MAX_AHEAD });
      if (!missing)
        throw new StartError(
          'The database was written by a newer version of Hub, and this one works only with the schema of the next release. ' +
            'Start that version, or restore a dump from before the upgrade.',
        );
      for (const { sql, hash } of missing) {
        for (const each of sql) await tx.unsafe(each);
        await tx`INSERT INTO hub_migrations (hash) VALUES (${hash})`;
      }
      await prepare(tx);
    });
  for (let runs = 1; ; runs += 1) {
    try {
      await migrate();
      return;
    } catch (error) {
      if (runs === MAX_RUNS || !(isLockTimeout(error) || isConflict(error))) throw error;
      await pool`SELECT pg_sleep(1)`;
    }
  }
}

/** Returns the migrations that the database lacks; `null` if a version wrote it that is too new. */
export async function missingIn(tx: SQL, { migrationsFolder = MIGRATIONS_FOLDER, maxAhead = 0 } = {}) {
  const applied = await tx<{ hash: string }[]>`SELECT hash FROM hub_migrations ORDER BY number`;
  const hashes = Array.from(applied, ({ hash }) => hash);
  return missingMigrations(migrationsIn(migrationsFolder), hashes, maxAhead);
}

/** Returns the name of any table. Those of extensions, which managed services install, do not count. */
export async function findTable(client: SQL): Promise<string | undefined> {
  const [table] = await client<{ name: string }[]>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1`;
  return table?.name;
}

/**
 * Throws `StartError` if a pooler gives the session of one connection to another one between its transactions: then
 * notifications, settings and locks of sessions get lost.
 */
export async function rejectSharedSessions(client: SQL, other: SQL): Promise<void> {
  const sessionOf = async (on: SQL): Promise<number | undefined> => {
    // A prepared statement would fail there, too.
    const [row] = await on<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`.simple();
    return row?.pid;
  };
  const session = await sessionOf(client);
  const isShared = await other.begin(
    async (tx) => (await sessionOf(tx)) === session || (await sessionOf(client)) !== session,
  );
  if (!isShared) return;
  throw new StartError(
    'The connection pooler in front of the database is in transaction mode, in which LISTEN and locks of sessions do not work. ' +
      'Set it to session mode, or connect directly.',
  );
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

const findDatabaseId = rawQuery(
  sql`select bot_id, database_id from workspace for update`,
  ([botId, databaseId]): { botId: string; databaseId: string } => ({
    botId: String(botId),
    databaseId: String(databaseId),
  }),
);
const setDatabaseId = rawWrite(sql`update workspace set database_id = ${given('databaseId')}`);
/** The cluster, which a standby shares with its primary, and the database in it. */
const presentDatabase = rawQuery(
  sql`select (select system_identifier from pg_control_system())::text || '/' ||
    (select oid from pg_database where datname = current_database())::text`,
  ([id]) => String(id),
);

/** Begins the database ID of a workspace that was moved away, before the address of the new one. */
export const MOVED_MARK = 'moved to ';

/** Identifies the database that a client is connected to. */
export async function readDatabaseId(client: SQL): Promise<string> {
  return (await new Connection(client, STATEMENT_TIMEOUT_MS).first(presentDatabase)) ?? '';
}

/** Returns the row of the workspace; the first node creates it. Must run under the lock of migrations. */
export async function findOrCreateWorkspace(
  on: Connection,
  context: { newId: NewId; clock: Clock },
): Promise<Pick<WorkspaceRecord, 'botId'>> {
  const databaseId = (await on.first(presentDatabase)) ?? '';
  const found = await on.first(findDatabaseId);
  if (!found) {
    const created = newWorkspace(context);
    await on.run(insertWorkspace, created);
    await on.run(setDatabaseId, { databaseId });
    return created;
  }
  rejectIfMoved(found);
  if (found.databaseId !== databaseId) {
    await on.run(setDatabaseId, { databaseId });
    await adoptRestored(on, context);
  }
  return found;
}

/** Throws `StartError` if the workspace was moved away: its posts would be missing there. */
export function rejectIfMoved({ databaseId }: { databaseId: string }): void {
  if (!databaseId.startsWith(MOVED_MARK)) return;
  throw new StartError(
    `This workspace was moved to ${databaseId.slice(MOVED_MARK.length)}. Start the server there. To use this database ` +
      "again, without what was posted there and without sessions, run this in it: UPDATE workspace SET database_id = ''",
  );
}
