import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NewId } from '../../ids.ts';
import type { Clock } from '../../ports.ts';
import type { CommitReport } from '../commit-report.ts';
import type { Store } from '../store.ts';
import { auditReads } from './audit.queries.ts';
import { avatarStore } from './avatars.queries.ts';
import { CredentialCache } from './credential-cache.ts';
import { sqliteBackups } from './engine/backups.ts';
import { adoptCopy } from './engine/copy-mark.ts';
import { type Db, openDatabase } from './engine/database.ts';
import type { BatchReport } from './engine/group-commit.ts';
import { inspectDatabase } from './engine/inspect-database.ts';
import { commitsBehindDamage } from './engine/inspect-log.ts';
import { knownMigrations, migrateDatabase } from './engine/migrate.ts';
import { beginRun } from './engine/run-mark.ts';
import { requireSpaceForSharedMemory } from './engine/shared-memory.ts';
import { isStorageError, reading } from './engine/storage-error.ts';
import { explainOpenError } from './engine/unusable-database.ts';
import { eventLog } from './event-log.queries.ts';
import { hubCountReads } from './hub-counts.queries.ts';
import { hubReads } from './hubs.queries.ts';
import { itemStore } from './items.queries.ts';
import { keyAddressReads } from './key-addresses.queries.ts';
import { credentialReads } from './key-credentials.queries.ts';
import { membershipStore } from './memberships.queries.ts';
import { mentionStore } from './mention-marks.queries.ts';
import { notificationStore } from './notifications.queries.ts';
import { pruneStore } from './prune.queries.ts';
import { removalStore } from './removals.queries.ts';
import { totalsReads } from './totals.queries.ts';
import { userStore } from './users.queries.ts';
import { findOrCreateWorkspace, probeReads, workspaceReads } from './workspace.queries.ts';
import { createWriter, type WriterReport } from './writer.ts';
import { startWriterThread } from './writer-thread.ts';

export interface OpenStoreOptions {
  /** The folder that contains `hub.db`. It must exist, and this process must hold its lock. */
  dataDir: string;
  clock: Clock;
  newId: NewId;
  /** Called after each commit, in order, before anyone else learns of its content. */
  onCommit?: (report: CommitReport) => void;
  /** Called after each batch, for the metrics. */
  onBatch?: (report: BatchReport) => void;
  /** Called at the start with the number of unreadable commits in the log left by the last run. */
  onDamagedLog?: (commits: number) => void;
  /**
   * Whether to write on a separate thread, in parallel with requests. The server does; a short job does not need to.
   */
  writerThread?: boolean;
  /** Called once if that thread ends unexpectedly. From then on, every write is rejected as unavailable. */
  onWriterLost?: (error: Error) => void;
}

export const DATABASE_FILE = 'hub.db';

export interface SqliteStore extends Store {
  /** The number of writes waiting for their batch, for the metrics. */
  waitingWrites(): number;
}

/**
 * Opens the store on one SQLite file. Throws `UnusableDatabase` if the file does not belong to Hub, was written by a
 * newer version, is damaged or cannot be accessed. Without a writer thread, reads and writes share one connection; with
 * one, SQLite's log gives each read the state after the last commit. Either way, no read sees half of a batch.
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
  /** Clears the cache after a write that may have changed what a key may do, before anyone learns of the write. */
  const changed = <T>(write: Promise<T>): Promise<T> => write.finally(() => credentials.clear());

  return {
    hubs: {
      create: (hub, audit, memberId) => writer.write('createHub', { hub, audit, memberId: memberId ?? null }),
      change: (change) => writer.write('changeHub', change),
      delete: (change) => changed(writer.write('deleteHub', change)),
      restore: (change) => changed(writer.write('restoreHub', change)),
      recordExport: (change) => writer.write('recordExport', change),
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
      saveBlocks: (blocks, time) => writer.write('saveBlocks', { blocks, time }),
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
    requireSpaceForSharedMemory(dataDir);
    inspectDatabase({ file, dataDir, known: knownMigrations() });
    const unreadable = commitsBehindDamage(`${file}-wal`);
    if (unreadable > 1) onDamagedLog?.(unreadable);
    db = openDatabase(file);
    migrateDatabase(db, { dataDir, now: clock.now() });
    adoptCopy(db, { clock, newId });
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
    // Leaves a single file without a log, which is the easiest to copy or move. Closing alone would not do this: the
    // connection lives until the last of its statements is garbage-collected.
    client.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    // Another program is reading the database, or the disk is full. The log then remains, emptied if possible, and the
    // next start uses it.
    if (!isStorageError(error)) throw error;
    emptyLog(client);
  } finally {
    client.close(false);
  }
}

/**
 * Empties the log if the disk allows it. The log has been flushed, so its content is as safe there as in the database.
 */
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
