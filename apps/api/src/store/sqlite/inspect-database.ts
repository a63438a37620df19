import { constants, Database } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { APPLICATION_ID } from './database.ts';
import { RUN_FILE } from './run-mark.ts';
import { damagedDatabase, SNAPSHOTS_FOLDER, UnusableDatabase } from './unusable-database.ts';

/** Up to this size the whole file is checked at each start, indexes and all, which takes a tenth of a second at most. */
const WHOLE_CHECK_BYTES = 32 * 1024 * 1024;
/** What every request needs. In a larger file only these are checked. */
const VITAL_TABLES = ['__drizzle_migrations', 'workspace', 'hubs', 'api_keys'];

interface Inspection {
  file: string;
  dataDir: string;
  /** The hashes of all migrations that this program has. */
  known: readonly string[];
}

/**
 * Looks at the database through a connection that cannot write, so that a file that is refused stays as it is. Throws
 * `UnusableDatabase` if it is not ours, was written by a newer program (this one does not know what its columns mean)
 * or is damaged.
 */
export function inspectDatabase({ file, dataDir, known }: Inspection): void {
  const size = bytesOf(file) ?? 0;
  if (size === 0) {
    rejectIfEmptied({ file, dataDir });
    return;
  }
  const client = openForReading(file);
  try {
    const isEmpty = client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null;
    rejectIfCutInPage(client, { file, dataDir, size });
    if (applicationId(client) !== APPLICATION_ID && !isEmpty) {
      throw new UnusableDatabase(
        `${file} is a SQLite database, but not one of Hub. Point HUB_DATA_DIR to another folder.`,
      );
    }
    if (appliedMigrations(client).some((hash) => !known.includes(hash))) {
      throw new UnusableDatabase(
        `${file} was written by a newer version of Hub than this one. Start that version, or put the snapshot in its ` +
          `place that it took before it changed the database (in ${join(dataDir, SNAPSHOTS_FOLDER)}).`,
      );
    }
    const finding = isEmpty ? null : firstDamage(client, size);
    if (finding !== null) throw damagedDatabase({ file, dataDir }, finding);
  } finally {
    client.close(false);
  }
}

/** SQLite takes an empty file for a new database, and throws away the log of one that is gone. */
function rejectIfEmptied({ file, dataDir }: Omit<Inspection, 'known'>): void {
  const isThere = bytesOf(file) !== null;
  if ((bytesOf(`${file}-wal`) ?? 0) > 0) {
    throw damagedDatabase({ file, dataDir }, `it is ${isThere ? 'empty' : 'missing'}, while its log is there`);
  }
  // The mark is made once a first start has succeeded. Who wants to begin anew moves the file away.
  if (existsSync(join(dataDir, RUN_FILE))) {
    const finding = `it is ${isThere ? 'empty' : 'missing'}, though a server has run here`;
    throw damagedDatabase({ file, dataDir }, `${finding}; to begin anew, move the whole folder away`);
  }
}

/**
 * SQLite reads what is missing of the last page as zeros, which its check may take for content. With a log beside it, the page may
 * be one that was being copied from there.
 */
function rejectIfCutInPage(
  client: Database,
  { file, dataDir, size }: Omit<Inspection, 'known'> & { size: number },
): void {
  if ((bytesOf(`${file}-wal`) ?? 0) > 0) return;
  const pageSize = client.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 1;
  if (size % pageSize !== 0) throw damagedDatabase({ file, dataDir }, 'it ends in the middle of a page');
}

function bytesOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/**
 * A server that was killed leaves a log, which belongs to the content. Without one, SQLite is told that nobody changes
 * the file (sqlite.org/uri.html), or it would make an empty log even to read.
 */
function openForReading(file: string): Database {
  if (existsSync(`${file}-wal`)) return new Database(file, { readonly: true });
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Database(`${pathToFileURL(resolve(file)).href}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** The hashes of the migrations that this database has had, as Drizzle's migrator notes them. */
export function appliedMigrations(client: Database): string[] {
  if (client.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === null) return [];
  return client
    .query<{ hash: string }, []>('SELECT hash FROM __drizzle_migrations')
    .all()
    .map((row) => row.hash);
}

function applicationId(client: Database): number | undefined {
  return client.query<{ application_id: number }, []>('PRAGMA application_id').get()?.application_id;
}

function firstDamage(client: Database, size: number): string | null {
  const checks =
    size <= WHOLE_CHECK_BYTES
      ? ['PRAGMA integrity_check(1)']
      : VITAL_TABLES.map((table) => `PRAGMA quick_check('${table}')`);
  for (const check of checks) {
    const finding = client.query(check).values()[0]?.[0];
    // A heading on a line of its own comes first.
    if (finding !== 'ok')
      return (
        String(finding ?? 'the check gave no answer')
          .split('\n')
          .at(-1) ?? null
      );
  }
  return null;
}
