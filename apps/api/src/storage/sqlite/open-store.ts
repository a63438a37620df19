import { join } from 'node:path';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import type { CommitReport } from '../commit-report.ts';
import { migrationsIn } from '../engine/migrations.ts';
import { isStorageError } from '../engine/storage-error.ts';
import { findCredential } from '../keys.ts';
import { countSubscriptions } from '../notifications.ts';
import { readsOn } from '../repositories.ts';
import type { Store } from '../store.ts';
import { findWorkspace } from '../workspace.ts';
import { sqliteBackups } from './engine/backups.ts';
import { bytesOf, type Db, openDatabase } from './engine/database.ts';
import { type BatchReport, MAX_LOCK_WAIT_MS } from './engine/group-commit.ts';
import { explainOpenError, inspectDatabase, requireSpaceForSharedMemory } from './engine/inspect-database.ts';
import { commitsBehindDamage } from './engine/inspect-log.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from './engine/migrate.ts';
import { CommittedReads, finalizeStatements } from './engine/statements.ts';
import { adoptCopy, beginRun, findOrCreateWorkspace, rejectIfMoved } from './epoch.ts';
import { openWriter } from './open-writer.ts';

export interface OpenStoreOptions {
  /** The folder that contains `hub.db`. It must exist, and this process must hold its lock. */
  dataDir: string;
  clock: Clock;
  newId: NewId;
  /** Called after each commit, in order, before anyone else learns of its content. */
  onCommit?: (report: CommitReport) => void;
  onBatch?: (report: BatchReport) => void;
  /** Called at the start with the number of unreadable commits in the log left by the last run. */
  onDamagedLog?: (commits: number) => void;
}

export const DATABASE_FILE = 'hub.db';

export interface SqliteStore extends Store {
  waitingWrites(): number;
}

/**
 * Opens the store on one SQLite file. Throws `StartError` if that cannot be used. While a batch runs, reads use a
 * second connection, so that each sees the state after the last commit.
 */
export function openStore(options: OpenStoreOptions): SqliteStore {
  const file = join(options.dataDir, DATABASE_FILE);
  const { db, readDb, botId } = openReadyDatabase(file, options);
  const { commit, posts, counts, credentials } = openWriter(db, {
    botId,
    clock: options.clock,
    onBatch: (report, commit) => {
      if (!report.failed) options.onCommit?.(commit);
      options.onBatch?.(report);
    },
  });
  const on = new CommittedReads(db, readDb);
  const reads = readsOn(on, counts.unsaved);
  /** Asked for after each commit; `null` after each transaction, which may have changed it. */
  let subscriptions: number | null = null;
  const backups = sqliteBackups({ dataDir: options.dataDir, file, clock: options.clock });

  return {
    ...reads,
    keys: {
      ...reads.keys,
      findByTokenHash: async (tokenHash) =>
        credentials.find(tokenHash, () => on.first(findCredential, { tokenHash }) ?? null),
    },
    notifications: {
      ...reads.notifications,
      countSubscriptions: () => {
        subscriptions ??= on.first(countSubscriptions)?.all ?? 0;
        return subscriptions;
      },
    },
    posts: { write: (post, rule) => commit.submitDirect((changing) => posts.write(post, rule, changing)) },
    backups,
    probe: async () => void on.first(findWorkspace),
    sizes: () => ({ databaseBytes: bytesOf(file) ?? 0, walBytes: bytesOf(`${file}-wal`) ?? 0 }),
    transaction: (work) =>
      commit.submit(work).finally(() => {
        subscriptions = null;
      }),
    waitingWrites: () => commit.waiting,
    close: async () => {
      backups.close();
      await commit.idle();
      finalizeStatements(readDb);
      readDb.$client.close(false);
      closeDatabase(db);
    },
  };
}

/** Opens the connection that writes, and one for reads. */
function openReadyDatabase(file: string, { dataDir, clock, newId, onDamagedLog }: OpenStoreOptions) {
  let db: Db | undefined;
  try {
    requireSpaceForSharedMemory(dataDir);
    inspectDatabase({ file, dataDir, known: migrationsIn(MIGRATIONS_FOLDER) });
    rejectIfMoved(dataDir);
    const unreadable = commitsBehindDamage(`${file}-wal`);
    if (unreadable > 1) onDamagedLog?.(unreadable);
    db = openDatabase(file, { busyTimeoutMs: MAX_LOCK_WAIT_MS });
    migrateDatabase(db, { dataDir, now: clock.now() });
    adoptCopy(db, { clock, newId });
    const { botId } = findOrCreateWorkspace(db, { newId, clock });
    beginRun(db, { dataDir, newId });
    // From now on, waiting would stop all requests; the writer waits without that.
    db.$client.exec('PRAGMA busy_timeout = 0');
    return { db, readDb: openDatabase(file), botId };
  } catch (error) {
    db?.$client.close(false);
    throw explainOpenError(error, { file, dataDir });
  }
}

function closeDatabase({ $client: client }: Db): void {
  try {
    // Leaves a single file without a log. Closing alone would not, until the last statement is garbage-collected.
    client.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    // Another program is reading the database, or the disk is full. The next start uses the log, which was flushed.
    if (!isStorageError(error)) throw error;
    try {
      client.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (problem) {
      if (!isStorageError(problem)) throw problem;
    }
  } finally {
    client.close(false);
  }
}
