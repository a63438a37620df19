import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { StartError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { migrationsIn } from '../engine/migrations.ts';
import { insertInto } from '../engine/write.ts';
import { sharedTables } from '../repositories.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { sharedColumns } from '../schema/columns.ts';
import { finalizeStatements, SqliteConnection } from '../sqlite/engine/connection.ts';
import { lockDataDir } from '../sqlite/engine/data-dir-lock.ts';
import { type Db, openDatabase } from '../sqlite/engine/database.ts';
import { appliedMigrations, explainOpenError, inspectDatabase } from '../sqlite/engine/inspect-database.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from '../sqlite/engine/migrate.ts';
import { MOVED_MARK, readRunMark, rejectIfMoved, writeRunMark } from '../sqlite/epoch.ts';
import { FILES_FOLDER, fileFolder, filePath } from '../sqlite/file-folder.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { createPostCounts } from '../sqlite/posts.ts';
import type { FileStore } from '../store.ts';
import type { MoveSource, MoveTarget, UncountedPosts } from './move-workspace.ts';

/** Opens a data folder, or a database file such as a backup, for the time that `work` takes. */
export async function withSqliteSource<T>(path: string, work: (source: MoveSource) => Promise<T>): Promise<T> {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, DATABASE_FILE) : path;
  if (!existsSync(file)) throw new StartError(`${resolve(file)} does not exist. Specify a data directory or a backup.`);
  const dataDir = dirname(file);
  // Servers use no other name, so a backup beside a running server needs no lock.
  const lock = basename(file) === DATABASE_FILE ? lockDataDir(dataDir) : undefined;
  const mark = readRunMark(dataDir);
  try {
    if (lock) rejectIfMoved(dataDir);
    const known = migrationsIn(MIGRATIONS_FOLDER);
    inspectDatabase({ file, dataDir, known });
    const client = new Database(file, { readonly: true, strict: true });
    const db = drizzle(client, { casing: 'snake_case' }) as Db;
    try {
      if (appliedMigrations(client).length < known.length)
        throw new StartError(
          `${resolve(file)} was written by an older version of Hub. Start this version on it once, stop it, and move it then.`,
        );
      client.exec('BEGIN');
      const number = (sql: string): number => Number(client.query(sql).values()[0]?.[0] ?? 0);
      const takenAtSeconds = number('PRAGMA user_version');
      return await work({
        on: new SqliteConnection(db),
        isCopy: takenAtSeconds !== 0,
        takenAt: takenAtSeconds === 0 ? null : takenAtSeconds * 1_000,
        isEpochOver: mark !== client.query('SELECT run_id FROM workspace').values()[0]?.[0],
        lastGlobalSeq: number("SELECT seq FROM sqlite_sequence WHERE name = 'items'"),
        uncounted: uncountedPosts(db),
        // A backup has its files beside it, where all backups of a folder share them.
        readFile: ({ id }) => Bun.file(filePath(join(dataDir, lock ? FILES_FOLDER : 'hub-files'), id)),
        retire: async (to) => {
          // The mark of the folder does not belong to a backup in it.
          if (lock) writeRunMark(dataDir, `${MOVED_MARK}${to}`);
        },
      });
    } finally {
      // The connection lives until the last of its statements is garbage-collected, and so would its lock.
      finalizeStatements(db);
      if (client.inTransaction) client.exec('ROLLBACK');
      client.close(false);
    }
  } catch (error) {
    if (lock && readRunMark(dataDir) !== mark) writeRunMark(dataDir, mark);
    throw explainOpenError(error, { file, dataDir });
  } finally {
    lock?.release();
  }
}

function uncountedPosts(db: Db): UncountedPosts[] {
  const counts = createPostCounts(db);
  const keys = db.select({ id: apiKeys.id }).from(apiKeys).all();
  return keys.flatMap(({ id: keyId }) => {
    const posts = counts.unsaved(keyId);
    return posts ? [{ keyId, ...posts }] : [];
  });
}

/** The leftovers of a move, a restore or a node that was killed, and what does not belong to a workspace. */
const IGNORED_NAMES = /^(lost\+found|hub\.lock|admin\.sock|\.hub\.db\..*\.part(-journal|-wal|-shm)?)$/;
/** No server opens a file with this name. */
const PART_FILE = '.hub.db.move.part';

/** Creates the database of an empty data folder, which must exist, in a file that gets its name only once `work` is done. */
export async function withSqliteTarget<T>(
  dataDir: string,
  { newId, clock }: { newId: NewId; clock: Clock },
  work: (target: MoveTarget) => Promise<T>,
): Promise<T> {
  const lock = lockDataDir(dataDir);
  const part = join(dataDir, PART_FILE);
  const removePart = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(part + suffix, { force: true });
  };
  try {
    const found = readdirSync(dataDir).find((name) => !IGNORED_NAMES.test(name));
    if (found !== undefined)
      throw new StartError(
        `${resolve(dataDir)} is not empty: it has ${found}. Choose another directory, or move this one away. To move from it, use --from.`,
      );
    removePart();
    const runId = newId('run');
    const db = openDatabase(part);
    const { $client: client } = db;
    let result: T;
    try {
      migrateDatabase(db, { dataDir, now: clock.now() });
      // Nobody uses the file if this process ends early, so it is flushed only once, at the end.
      client.exec('PRAGMA journal_mode = DELETE');
      client.exec('PRAGMA journal_mode = OFF');
      client.exec('PRAGMA synchronous = OFF');
      client.exec('BEGIN');
      const contents = fileFolder(dataDir, () => true);
      result = await work(sqliteTarget(db, runId, contents));
      client.exec('COMMIT');
    } finally {
      finalizeStatements(db);
      client.close(false);
    }
    flush(part);
    renameSync(part, join(dataDir, DATABASE_FILE));
    writeRunMark(dataDir, runId);
    flush(dataDir);
    return result;
  } finally {
    removePart();
    if (!existsSync(join(dataDir, DATABASE_FILE)))
      rmSync(join(dataDir, FILES_FOLDER), { recursive: true, force: true });
    lock.release();
  }
}

const INSERTS = new Map(
  sharedTables.map((table) => [table, insertInto(table, { columns: Object.keys(sharedColumns(table)) })]),
);

function sqliteTarget(db: Db, runId: string, contents: FileStore): MoveTarget {
  const { $client: client } = db;
  const on = new SqliteConnection(db);
  return {
    on,
    insert: async (table, rows) => {
      const insert = INSERTS.get(table);
      if (insert) for (const row of rows) on.run(insert, row);
    },
    createFile: contents.create,
    settle: async ({ lastGlobalSeq }) => {
      client.query('UPDATE workspace SET run_id = ?, counted_global_seq = ?').run(runId, lastGlobalSeq);
      client.query('UPDATE api_keys SET counted_global_seq = ?').run(lastGlobalSeq);
      client.query("DELETE FROM sqlite_sequence WHERE name = 'items'").run();
      client.query("INSERT INTO sqlite_sequence (name, seq) VALUES ('items', ?)").run(lastGlobalSeq);
    },
  };
}

function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
