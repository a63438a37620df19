import { constants, Database } from 'bun:sqlite';
import { existsSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { missingMigrations } from '../../engine/migrations.ts';
import { APPLICATION_ID } from './database.ts';
import { damagedDatabase, SNAPSHOTS_FOLDER, UnusableDatabase } from './unusable-database.ts';

/** The file next to the database that holds the mark of its last start. */
export const RUN_FILE = 'hub.run';
/** Up to this size, the whole file is checked at each start, which takes at most a tenth of a second. */
const WHOLE_CHECK_BYTES = 32 * 1024 * 1024;
/** The tables needed by every request. In a larger file, only these are checked. */
const VITAL_TABLES = ['__drizzle_migrations', 'workspace', 'hubs', 'api_keys'];

interface Inspection {
  file: string;
  dataDir: string;
  known: readonly MigrationMeta[];
}

/** Writes nothing. Throws `UnusableDatabase` if it is another program's, a newer version's or damaged. */
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
        `${file} is a SQLite database, but does not belong to Hub. Point HUB_DATA_DIR to another directory.`,
      );
    }
    if (missingMigrations(known, appliedMigrations(client)) === null) {
      throw new UnusableDatabase(
        `${file} was written by a newer version of Hub. Start that version, or replace the file with the snapshot ` +
          `taken before the upgrade (in ${join(dataDir, SNAPSHOTS_FOLDER)}).`,
      );
    }
    const finding = isEmpty ? null : firstDamage(client, size);
    if (finding !== null) throw damagedDatabase({ file, dataDir }, finding);
  } finally {
    client.close(false);
  }
}

/** SQLite treats an empty file as a new database, and deletes the log of a missing one. */
function rejectIfEmptied({ file, dataDir }: Omit<Inspection, 'known'>): void {
  const exists = bytesOf(file) !== null;
  if ((bytesOf(`${file}-wal`) ?? 0) > 0) {
    throw damagedDatabase({ file, dataDir }, `it is ${exists ? 'empty' : 'missing'}, but its log exists`);
  }
  // The run mark is created after the first successful start. To start over, the whole folder must be moved aside.
  if (existsSync(join(dataDir, RUN_FILE))) {
    const finding = `it is ${exists ? 'empty' : 'missing'}, although a server has used this folder`;
    throw damagedDatabase({ file, dataDir }, `${finding}; to start over, move the whole folder away`);
  }
}

/** SQLite reads the missing part of the last page as zeros. With a log, it may just not be copied from there yet. */
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
 * The log of a killed server is part of the content. Without one, the mode is immutable (sqlite.org/uri.html), since
 * SQLite would otherwise create an empty log even for reading.
 */
function openForReading(file: string): Database {
  if (existsSync(`${file}-wal`)) return new Database(file, { readonly: true });
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Database(`${pathToFileURL(resolve(file)).href}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** Returns the hashes of the migrations applied to this database, in order, as recorded by Drizzle's migrator. */
export function appliedMigrations(client: Database): string[] {
  if (client.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get() === null) return [];
  return client
    .query<{ hash: string }, []>('SELECT hash FROM __drizzle_migrations ORDER BY rowid')
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
    // The first line is a heading.
    if (finding !== 'ok')
      return (
        String(finding ?? 'the check returned nothing')
          .split('\n')
          .at(-1) ?? null
      );
  }
  return null;
}

/** The page size of SQLite and of memory. */
const PAGE_BYTES = 4096;
/** Space for `hub.db-shm` and `search.db-shm`, 32 KiB each, and for other files written before the first post. */
const SPACE_BYTES = 128 * 1024;

type Statfs = (folder: string) => { bsize: number; bavail: number };

/**
 * SQLite maps its shared memory from a file in which it has written only the last byte of each page. With blocks
 * smaller than pages, the rest is allocated when it is touched; if the disk is full then, the kernel kills the process
 * (SIGBUS). On other disks, running out of space is an error that can be handled.
 */
export function requireSpaceForSharedMemory(folder: string, statfs: Statfs = statfsSync): void {
  const { bsize, bavail } = statfs(folder);
  if (bsize >= PAGE_BYTES || bsize * bavail >= SPACE_BYTES) return;
  throw Object.assign(new Error('Not enough disk space for shared memory'), { code: 'ENOSPC' });
}
