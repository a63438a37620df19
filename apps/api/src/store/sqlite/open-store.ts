import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NewId } from '../../ids.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../store.ts';
import { auditReads } from './audit.queries.ts';
import { CredentialCache } from './credential-cache.ts';
import { type Db, openDatabase } from './database.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { hubReads } from './hubs.queries.ts';
import { inspectDatabase } from './inspect-database.ts';
import { keyReads } from './keys.queries.ts';
import { knownMigrations, migrateDatabase } from './migrate.ts';
import { createPostCounts } from './post-counts.ts';
import { isStorageFault, reading } from './storage-fault.ts';
import { totalsReads } from './totals.queries.ts';
import { sqliteTransaction } from './transaction.ts';
import { explainOpenFault } from './unusable-database.ts';
import { findOrCreateWorkspace, probeReads } from './workspace.queries.ts';
import { prepareWrites } from './writes.ts';

export interface OpenStoreOptions {
  /** The folder that holds `hub.db`. It exists, and this process holds the lock on it. */
  dataDir: string;
  clock: Clock;
  newId: NewId;
  /** Told when new items were committed, for the search index. */
  onItems?: () => void;
  /** Told after each batch, for the metrics. */
  onBatch?: (report: BatchReport) => void;
  /** Only the proof of the flush order lowers this, to see itself fail. */
  synchronous?: 'FULL' | 'NORMAL';
}

export const DATABASE_FILE = 'hub.db';

export interface SqliteStore extends Store {
  /** Writes that wait for their batch, for the metrics. */
  waitingWrites(): number;
}

/**
 * The store on one SQLite file. Throws `UnusableDatabase` if the file is not ours, of a newer program, damaged or out of
 * reach. Reads and writes share one connection: a batch is synchronous, so that no read can see half of one.
 */
export function openStore(options: OpenStoreOptions): SqliteStore {
  const file = join(options.dataDir, DATABASE_FILE);
  const db = openReadyDatabase(file, options);
  const ownWorkspace = findOrCreateWorkspace(db, options);

  const counts = createPostCounts(db);
  const writes = prepareWrites(db, counts, ownWorkspace.botId);
  const reads = { hubs: hubReads(db), keys: keyReads(db, counts), audit: auditReads(db), ...totalsReads(db) };
  const writer = new GroupCommit({
    transaction: sqliteTransaction(db, counts),
    monotonic: () => options.clock.monotonic(),
    onBatch: options.onBatch,
  });

  const credentials = new CredentialCache();
  /** A write that may change what a key may do. */
  const change = <T>(write: () => T): Promise<T> =>
    writer.submit(() => {
      credentials.clear();
      return write();
    });

  return {
    hubs: {
      create: (hub, audit) => writer.submit(() => writes.hubs.create({ hub, audit })),
      rename: (renaming) => change(() => writes.hubs.rename(renaming)),
      delete: (deletion) => change(() => writes.hubs.delete(deletion)),
      restore: (restoration) => change(() => writes.hubs.restore(restoration)),
      find: reading(reads.hubs.find),
      list: reading(reads.hubs.list),
    },
    keys: {
      issue: (newKey) => writer.submit(() => writes.keys.insert(newKey)),
      succeed: (succession) => change(() => writes.keys.succeed(succession)),
      revoke: (revocation) => change(() => writes.keys.revoke(revocation)),
      block: (block) => writer.submit(() => writes.keys.block(block)),
      noteBlocks: (blocks, at) => writer.submit(() => writes.keys.noteBlocks(blocks, at)),
      addUsage: (tallies) => writer.submit(() => writes.keys.addUsage(tallies)),
      findByTokenHash: reading((tokenHash: Uint8Array) => credentials.find(tokenHash, reads.keys.findByTokenHash)),
      find: reading(reads.keys.find),
      list: reading(reads.keys.list),
      listBlocked: reading(reads.keys.listBlocked),
    },
    posts: {
      create: async (post) => {
        const created = await writer.submit(() => writes.posts.create(post));
        options.onItems?.();
        return created;
      },
    },
    audit: { list: reading(reads.audit.list) },
    workspace: async () => ownWorkspace,
    totals: reading(reads.totals),
    probe: reading(probeReads(db)),
    sizes: () => ({ databaseBytes: fileBytes(file), walBytes: fileBytes(`${file}-wal`) }),
    waitingWrites: () => writer.waiting,
    close: async () => {
      await writer.idle();
      closeDatabase(db);
    },
  };
}

function openReadyDatabase(file: string, { dataDir, clock, synchronous = 'FULL' }: OpenStoreOptions): Db {
  let db: Db | undefined;
  try {
    inspectDatabase({ file, dataDir, known: knownMigrations() });
    db = openDatabase(file, { synchronous });
    migrateDatabase(db, { dataDir, now: clock.now() });
    return db;
  } catch (error) {
    db?.$client.close(false);
    throw explainOpenFault(error, { file, dataDir });
  }
}

function closeDatabase({ $client: client }: Db): void {
  try {
    // Leaves one file behind, without a log beside it, which is the simplest thing to copy or to move. Closing alone
    // would not: the connection lives on until the last of its statements is collected.
    client.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    // Somebody else reads it, or the disk is full. The log stays then, emptied if that can be; the next start takes it up.
    if (!isStorageFault(error)) throw error;
    client.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    client.close(false);
  }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
