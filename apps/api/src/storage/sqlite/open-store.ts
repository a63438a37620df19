import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { type CommitReport, CommitReportBuilder } from '../commit-report.ts';
import type { Connection } from '../engine/connection.ts';
import { migrationsIn } from '../engine/migrations.ts';
import { given, toList } from '../engine/query.ts';
import { isStorageError } from '../engine/storage-error.ts';
import { deleteFrom, rawWrite } from '../engine/write.ts';
import { isKnownFile } from '../files.ts';
import type { ItemIndexing } from '../items.ts';
import { findCredential, type KeyCredential } from '../keys.ts';
import { countSubscriptions } from '../notifications.ts';
import { readsOn, repositoriesOn } from '../repositories.ts';
import { touchedItems } from '../schema/items.table.ts';
import type { BatchReport, Store } from '../store.ts';
import { findWorkspace } from '../workspace.ts';
import { sqliteBackups } from './engine/backups.ts';
import {
  CommittedReads,
  finalizeStatements,
  SqliteConnection,
  sqliteTransactions,
  TransactionSession,
  type TransactionState,
} from './engine/connection.ts';
import { bytesOf, type Db, openDatabase } from './engine/database.ts';
import { GroupCommit, MAX_LOCK_WAIT_MS } from './engine/group-commit.ts';
import { commitsBehindDamage, explainOpenError, inspectDatabase } from './engine/inspect-database.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from './engine/migrate.ts';
import { adoptCopy, beginRun, findOrCreateWorkspace, rejectIfMoved } from './epoch.ts';
import { fileFolder } from './file-folder.ts';
import { createPostCounts, postWrites } from './posts.ts';

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
    contents: fileFolder(options.dataDir, (id) => on.first(isKnownFile, { id }) !== undefined),
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

interface WriterOptions {
  botId: string;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Called after each batch, before its results arrive. */
  onBatch: (report: BatchReport, commit: CommitReport) => void;
}

/** Returns the only writer of a database, with what it keeps in memory. */
export function openWriter(db: Db, { botId, clock, onBatch }: WriterOptions) {
  const commitReport = new CommitReportBuilder();
  const counts = createPostCounts(db);
  const credentials = new CredentialCache();
  const posts = postWrites(db, { counts, commitReport, botId, credentials });
  const keysChanged = (keyId?: string) => credentials.invalidate(keyId);
  const commit = new GroupCommit({
    transaction: sqliteTransactions(db, [counts, credentials, posts.state, commitReport]),
    session: new TransactionSession(new SqliteConnection(db), (on) =>
      repositoriesOn(on, commitReport, { indexing: touchedItemsOn(on), counts, keysChanged }),
    ),
    flush: posts.flush,
    clock,
    onBatch: (report) => onBatch(report, commitReport.take()),
  });
  return { commit, posts, counts, credentials };
}

/** About 30 MB. A full cache is cleared, and the next requests read their keys from the database. */
const MAX_CREDENTIALS = 131_072;

/**
 * Caches recently used keys by the hash of their token. Never stale: every write that may change what a key may do
 * clears it with the commit. Unknown keys are not cached, so guessed ones take no memory.
 */
class CredentialCache implements TransactionState {
  readonly #known = new Map<string, KeyCredential>();
  readonly #changed = new Set<string>();
  #isStale = false;

  /** Returns the credential from the cache, or from `read`. */
  find(tokenHash: Uint8Array, read: (tokenHash: Uint8Array) => KeyCredential | null): KeyCredential | null {
    const id = (Buffer.isBuffer(tokenHash) ? tokenHash : Buffer.from(tokenHash)).toString('latin1');
    const known = this.#known.get(id);
    if (known) return known;
    const credential = read(tokenHash);
    if (!credential) return null;
    if (this.#known.size >= MAX_CREDENTIALS) this.#known.clear();
    this.#known.set(id, credential);
    return credential;
  }

  /** Must be called by every write that may change what keys may do; `keyId`: what one key may do. */
  invalidate(keyId?: string): void {
    this.#isStale = true;
    if (keyId !== undefined) this.#changed.add(keyId);
  }

  /** Whether the validity of this key may have changed since the start. For all others, a post needs no look-up. */
  mayHaveChanged(keyId: string): boolean {
    return this.#changed.has(keyId);
  }

  committed(): void {
    if (this.#isStale) this.#known.clear();
    this.#isStale = false;
  }

  /** Clears too often rather than too rarely: after a failed commit, the disk may hold either state. */
  rolledBack(): void {
    this.committed();
  }
}

/** Changes to these fields are in the search index. */
const INDEXED_FIELDS = ['title', 'body', 'blocks', 'files', 'status', 'deletedAt'];

const touch = rawWrite(
  sql`insert into ${touchedItems} (global_seq, at) select value, ${given('at')}
    from json_each(cast(${given('globalSeqs')} as text))`,
);
const eraseTouched = deleteFrom(
  touchedItems,
  sql`${touchedItems.id} <= (select max(id) from (select id, at from touched_items order by id
    limit ${given('limit')}) where at < ${given('cutoff')})`,
);

/** Records items for the search index to read again, which is a file of its own. It follows new items by `globalSeq`. */
function touchedItemsOn(on: Connection): ItemIndexing {
  return {
    inserted: () => {},
    changed: async (globalSeqs, fields, at) => {
      if (globalSeqs.length === 0 || !fields.some((field) => INDEXED_FIELDS.includes(field))) return;
      await on.run(touch, { globalSeqs: toList(globalSeqs), at });
    },
    // The index has already followed the deletion.
    erased: () => {},
    eraseTouched: (range) => on.run(eraseTouched, range),
  };
}
