import { constants, Database } from 'bun:sqlite';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { StartError } from '../../../platform/errors.ts';
import { missingMigrations } from '../../engine/migrations.ts';
import { APPLICATION_ID, bytesOf } from './database.ts';

export const SNAPSHOTS_FOLDER = 'snapshots';
/** The file next to the database that holds the mark of its last start. */
export const RUN_FILE = 'hub.run';
/** Up to this size, the whole file is checked at each start, which takes at most a tenth of a second. */
const WHOLE_CHECK_BYTES = 32 * 1024 * 1024;
/** The tables needed by every request. In a larger file, only these are checked. */
const VITAL_TABLES = ['__drizzle_migrations', 'workspace', 'hubs', 'api_keys'];

interface DatabasePaths {
  file: string;
  dataDir: string;
}

/** Writes nothing. Throws `StartError` if the database is of another program, of a newer version, or damaged. */
export function inspectDatabase({ file, dataDir, known }: DatabasePaths & { known: readonly MigrationMeta[] }): void {
  const rejectIf = (finding: string | null): void => {
    if (finding !== null) throw damagedDatabase({ file, dataDir }, finding);
  };
  const size = bytesOf(file) ?? 0;
  const hasLog = (bytesOf(`${file}-wal`) ?? 0) > 0;
  if (size === 0) {
    rejectIf(whyEmptied({ file, dataDir, hasLog }));
    return;
  }
  const client = openForReading(file);
  try {
    const isEmpty = client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null;
    // SQLite reads the missing part of the last page as zeros. With a log, it may just not be copied from there yet.
    const isCut = !hasLog && size % numberOf(client, 'PRAGMA page_size') !== 0;
    rejectIf(isCut ? 'it ends in the middle of a page' : null);
    if (numberOf(client, 'PRAGMA application_id') !== APPLICATION_ID && !isEmpty)
      throw new StartError(
        `${file} is a SQLite database, but does not belong to Hub. Point HUB_DATA_DIR to another directory.`,
      );
    if (missingMigrations(known, appliedMigrations(client)) === null)
      throw new StartError(
        `${file} was written by a newer version of Hub. Start that version, or replace the file with the snapshot ` +
          `taken before the upgrade (in ${join(dataDir, SNAPSHOTS_FOLDER)}).`,
      );
    rejectIf(isEmpty ? null : firstDamage(client, size));
  } finally {
    client.close(false);
  }
}

/** SQLite treats an empty file as a new database, and deletes the log of a missing one. */
function whyEmptied({ file, dataDir, hasLog }: DatabasePaths & { hasLog: boolean }): string | null {
  const finding = `it is ${bytesOf(file) === null ? 'missing' : 'empty'}`;
  if (hasLog) return `${finding}, but its log exists`;
  // The run mark is created after the first successful start.
  if (!existsSync(join(dataDir, RUN_FILE))) return null;
  return `${finding}, although a server has used this folder; to start over, move the whole folder away`;
}

const numberOf = (client: Database, pragma: string): number => Number(client.query(pragma).values()[0]?.[0]);

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

/** Explains errors of SQLite or the operating system when the database is opened. */
export function explainOpenError(error: unknown, { file, dataDir }: DatabasePaths): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') return error;
  const is = (...names: string[]): boolean => names.some((name) => code.startsWith(name));
  if (is('SQLITE_NOTADB')) {
    return new StartError(
      `${file} is not a SQLite database. Move it away to start with an empty database, or put a backup in its place.`,
    );
  }
  if (is('SQLITE_CORRUPT')) return damagedDatabase({ file, dataDir }, message);
  if (is('SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return new StartError(`Another program has locked ${file}. Close it (an open sqlite3 shell?) and start again.`);
  }
  // SHMSIZE: there was no space for hub.db-shm.
  if (is('SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'))
    return new StartError(`The disk of ${file} is full. Free some space and start again.`);
  if (is('EROFS')) {
    return new StartError(
      `${file} is on a read-only file system. If it was not mounted that way on purpose, the disk had an error: check the ` +
        'kernel log (dmesg), check the file system, mount it writable and start again.',
    );
  }
  if (is('SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_IOERR', 'EACCES', 'EPERM', 'EIO', 'EISDIR')) {
    return new StartError(
      `${file} cannot be opened for writing (${code}). Check that its folder exists, that this user can write to the ` +
        'folder and to the file, and that the disk is healthy.',
    );
  }
  return error;
}

function damagedDatabase({ file, dataDir }: DatabasePaths, finding: string): StartError {
  return new StartError(
    `${file} is damaged (${finding}). Make a copy of the whole folder, then replace the database with a backup or the newest ` +
      `snapshot of ${join(dataDir, SNAPSHOTS_FOLDER)}. Then delete hub.db-wal, hub.db-shm and search.db beside it.`,
  );
}

/** From sqlite.org/fileformat2.html, section 4. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The part of a frame header that the checksum covers in addition to the page. */
const COVERED_BYTES = 8;
/** A larger log, which could not be emptied for hours, would delay the start too long. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const LITTLE_ENDIAN_MAGIC = 0x377f0682;

/**
 * Counts the commits that follow a damaged frame in the log. SQLite uses a log only up to that frame, since after a
 * power failure nothing intact can follow it. If intact commits do follow, they are lost; one of them may be left over
 * from a failed flush, which is no loss. Must run before SQLite opens the database and overwrites the log.
 */
export function commitsBehindDamage(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LOG_HEADER_BYTES || size > MAX_LOG_BYTES) return 0;
  const log = readFileSync(file);
  if (log.readUInt32BE(0) !== LITTLE_ENDIAN_MAGIC) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let sums: Sums = [log.readUInt32BE(24), log.readUInt32BE(28)];
  let isWhole = true;
  let behind = 0;
  for (let start = LOG_HEADER_BYTES; start + frameBytes <= log.length; start += frameBytes) {
    const frame = log.subarray(start, start + frameBytes);
    // The rest of the log is left over from before it was last reused.
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (isWhole) {
      sums = add(add(sums, frame.subarray(0, COVERED_BYTES)), frame.subarray(FRAME_HEADER_BYTES));
      isWhole = sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20);
    }
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (!isWhole && isCommit) behind += 1;
  }
  return behind;
}

type Sums = [number, number];

/** Continues the cumulative checksum of the log, which is computed over pairs of 32-bit words. */
function add([first, second]: Sums, bytes: Buffer): Sums {
  let [sum, other] = [first, second];
  for (let offset = 0; offset < bytes.length; offset += 8) {
    sum = (sum + bytes.readUInt32LE(offset) + other) >>> 0;
    other = (other + bytes.readUInt32LE(offset + 4) + sum) >>> 0;
  }
  return [sum, other];
}
