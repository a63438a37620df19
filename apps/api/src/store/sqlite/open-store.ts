import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NewId } from '../../ids.ts';
import type { Clock } from '../../ports.ts';
import type { CommitReport } from '../commit-report.ts';
import type { Store } from '../store.ts';
import { auditReads } from './audit.queries.ts';
import { avatarStore } from './avatars.queries.ts';
import { sqliteBackups } from './backups.ts';
import { takeUpCopy } from './copy-mark.ts';
import { CredentialCache } from './credential-cache.ts';
import { type Db, openDatabase } from './database.ts';
import { eventLog } from './event-log.queries.ts';
import type { BatchReport } from './group-commit.ts';
import { hubCountReads } from './hub-counts.queries.ts';
import { hubReads } from './hubs.queries.ts';
import { inspectDatabase } from './inspect-database.ts';
import { commitsBehindDamage } from './inspect-log.ts';
import { itemStore } from './items.queries.ts';
import { keyAddressReads } from './key-addresses.queries.ts';
import { credentialReads } from './key-credentials.queries.ts';
import { membershipStore } from './memberships.queries.ts';
import { mentionStore } from './mention-marks.queries.ts';
import { knownMigrations, migrateDatabase } from './migrate.ts';
import { notificationStore } from './notifications.queries.ts';
import { pruneStore } from './prune.queries.ts';
import { removalStore } from './removals.queries.ts';
import { beginRun } from './run-mark.ts';
import { requireRoomForSharedMemory } from './shared-memory.ts';
import { isStorageError, reading } from './storage-error.ts';
import { totalsReads } from './totals.queries.ts';
import { explainOpenError } from './unusable-database.ts';
import { userStore } from './users.queries.ts';
import { findOrCreateWorkspace, probeReads, workspaceReads } from './workspace.queries.ts';
import { createWriter, type WriterReport } from './writer.ts';
import { startWriterThread } from './writer-thread.ts';

export interface OpenStoreOptions {
  /** The folder that holds `hub.db`. It exists, and this process holds the lock on it. */
  dataDir: string;
  clock: Clock;
  newId: NewId;
  /** Told of each commit, in order, before anybody else hears of what is in it. */
  onCommit?: (report: CommitReport) => void;
  /** Told after each batch, for the metrics. */
  onBatch?: (report: BatchReport) => void;
  /** Told at the start of so many commits in the log of the last run that cannot be read. */
  onDamagedLog?: (commits: number) => void;
  /** Writes on a thread of their own, beside which requests go on. The server does; a short job need not. */
  writerThread?: boolean;
  /** Told once if that thread ends by itself: every write is unavailable from there on. */
  onWriterLost?: (error: Error) => void;
}

export const DATABASE_FILE = 'hub.db';

export interface SqliteStore extends Store {
  /** Writes that wait for their batch, for the metrics. */
  waitingWrites(): number;
}

/**
 * The store on one SQLite file. Throws `UnusableDatabase` if the file is not ours, of a newer program, damaged or out of
 * reach. Without a thread for the writer, reads and writes share one connection; with one, SQLite's log gives each
 * read the state of the last commit. Either way no read sees half of a batch.
 */
export function openStore(options: OpenStoreOptions): SqliteStore {
  const file = join(options.dataDir, DATABASE_FILE);
  const { db, botId } = openReadyDatabase(file, options);
  const onBatch = ({ commit, ...report }: WriterReport): void => {
    if (!report.failed) options.onCommit?.(commit);
    options.onBatch?.(report);
  };
  const writer = options.writerThread
    ? startWriterThread({
        file,
        botId,
        onBatch,
        onLost: options.onWriterLost ?? (() => {}),
      })
    : createWriter(db, { botId, monotonic: () => options.clock.monotonic(), onBatch });
  const reads = {
    hubs: hubReads(db),
    counts: hubCountReads(db),
    keys: credentialReads(db),
    keyAddresses: keyAddressReads(db),
    audit: auditReads(db),
    ...totalsReads(db),
  };
  const workspace = workspaceReads(db);
  const backups = sqliteBackups({ dataDir: options.dataDir, file, clock: options.clock, writer });

  const credentials = new CredentialCache();
  /** After a write that may have changed what a key may do, and before anyone hears of it. */
  const changed = <T>(write: Promise<T>): Promise<T> => write.finally(() => credentials.clear());

  return {
    hubs: {
      create: (hub, audit, memberId) => writer.write('createHub', { hub, audit, memberId: memberId ?? null }),
      change: (change) => writer.write('changeHub', change),
      delete: (change) => changed(writer.write('deleteHub', change)),
      restore: (change) => changed(writer.write('restoreHub', change)),
      noteExport: (change) => writer.write('noteExport', change),
      find: reading(reads.hubs.find),
      list: reading(reads.hubs.list),
      countContents: reading(reads.counts.contents),
      countMembers: reading(reads.counts.members),
      countKeys: reading(reads.counts.keys),
      countOlder: reading(reads.counts.older),
    },
    keys: {
      issue: (newKey) => writer.write('issueKey', newKey),
      succeed: (succession) => changed(writer.write('succeedKey', succession)),
      revoke: (change) => changed(writer.write('revokeKey', change)),
      block: (change) => writer.write('blockKey', change),
      noteBlocks: (blocks, note) => writer.write('noteBlocks', { blocks, note }),
      addUsage: (tallies) => writer.write('addUsage', tallies),
      findByTokenHash: reading((tokenHash: Uint8Array) => credentials.find(tokenHash, reads.keys.findByTokenHash)),
      find: writer.findKey,
      list: writer.listKeys,
      usageByDay: (keyIds, fromDay) => writer.keyUsage({ keyIds, fromDay }),
      addresses: reading(reads.keyAddresses),
      listBlocked: reading(reads.keys.listBlocked),
    },
    posts: {
      create: (post) => writer.write('createPost', post),
    },
    audit: { list: reading(reads.audit.list), search: reading(reads.audit.search) },
    users: userStore(db, writer),
    avatars: avatarStore(db, writer, { botId }),
    memberships: membershipStore(db, writer),
    items: { ...itemStore(db, writer), ...removalStore(db, writer), ...pruneStore(writer) },
    events: eventLog(db),
    mentions: mentionStore(db, writer),
    notifications: notificationStore(db, writer),
    backups,
    workspace: reading(workspace.find),
    changeWorkspace: (change) => writer.write('changeWorkspace', change),
    totals: reading(reads.totals),
    probe: reading(probeReads(db)),
    sizes: () => ({ databaseBytes: fileBytes(file), walBytes: fileBytes(`${file}-wal`) }),
    waitingWrites: writer.waiting,
    close: async () => {
      backups.close();
      await writer.close();
      closeDatabase(db);
    },
  };
}

function openReadyDatabase(
  file: string,
  { dataDir, clock, newId, onDamagedLog }: OpenStoreOptions,
): { db: Db; botId: string } {
  let db: Db | undefined;
  try {
    requireRoomForSharedMemory(dataDir);
    inspectDatabase({ file, dataDir, known: knownMigrations() });
    const unreadable = commitsBehindDamage(`${file}-wal`);
    if (unreadable > 1) onDamagedLog?.(unreadable);
    db = openDatabase(file);
    migrateDatabase(db, { dataDir, now: clock.now() });
    takeUpCopy(db, { clock, newId });
    const { botId } = findOrCreateWorkspace(db, { newId, clock });
    beginRun(db, { dataDir, newId });
    return { db, botId };
  } catch (error) {
    db?.$client.close(false);
    throw explainOpenError(error, { file, dataDir });
  }
}

function closeDatabase({ $client: client }: Db): void {
  try {
    // Leaves one file behind, without a log beside it, which is the simplest thing to copy or to move. Closing alone
    // would not: the connection lives on until the last of its statements is collected.
    client.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    // Somebody else reads it, or the disk is full. The log stays then, emptied if that can be; the next start takes it up.
    if (!isStorageError(error)) throw error;
    emptyLog(client);
  } finally {
    client.close(false);
  }
}

/** As far as the disk lets it. What is in the log was flushed there: it is as safe as in the database. */
function emptyLog(client: Db['$client']): void {
  try {
    client.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isStorageError(error)) throw error;
  }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
