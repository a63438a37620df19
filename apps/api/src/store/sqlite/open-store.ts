import { statSync } from 'node:fs';
import { join } from 'node:path';
import { and, count, gt, isNull, or } from 'drizzle-orm';
import { StoreUnavailable } from '../../errors.ts';
import type { NewId } from '../../ids.ts';
import type { Clock } from '../../ports.ts';
import type { Store, Totals, WorkspaceRecord } from '../store.ts';
import { auditReads } from './audit.queries.ts';
import { type Db, openDatabase } from './database.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { hubReads } from './hubs.queries.ts';
import { keyReads } from './keys.queries.ts';
import { migrateDatabase } from './migrate.ts';
import { createSearchIndex } from './search-index.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';
import { sqliteTransaction } from './transaction.ts';
import { prepareWrites } from './writes.ts';

export interface OpenStoreOptions {
  /** The folder that holds `hub.db`. It exists, and this process holds the lock on it. */
  dataDir: string;
  clock: Clock;
  newId: NewId;
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
 * The store on one SQLite file. Throws `UnusableDatabase` if the file is of a newer program or not ours.
 * Reads and writes share one connection: a batch is synchronous, so that no read can see half of one.
 */
export function openStore(options: OpenStoreOptions): SqliteStore {
  const file = join(options.dataDir, DATABASE_FILE);
  const db = openDatabase(file, options.synchronous ? { synchronous: options.synchronous } : {});
  migrateDatabase(db, { file, dataDir: options.dataDir, now: options.clock.now() });
  const ownWorkspace = findOrCreateWorkspace(db, options);

  const search = createSearchIndex(db.$client);
  const writes = prepareWrites(db, search, ownWorkspace.botId);
  const reads = { hubs: hubReads(db), keys: keyReads(db), audit: auditReads(db) };
  const writer = new GroupCommit({
    transaction: sqliteTransaction(db, search),
    monotonic: () => options.clock.monotonic(),
    onBatch: options.onBatch,
  });

  return {
    hubs: {
      create: (hub, audit) => writer.submit(() => writes.hubs.create({ hub, audit })),
      rename: (change) => writer.submit(() => writes.hubs.rename(change)),
      delete: (change) => writer.submit(() => writes.hubs.delete(change)),
      restore: (change) => writer.submit(() => writes.hubs.restore(change)),
      find: async (hubId) => reads.hubs.find(hubId),
      list: async (page) => reads.hubs.list(page),
    },
    keys: {
      issue: (newKey) => writer.submit(() => writes.keys.insert(newKey)),
      succeed: (succession) => writer.submit(() => writes.keys.succeed(succession)),
      revoke: (change) => writer.submit(() => writes.keys.revoke(change)),
      block: (change) => writer.submit(() => writes.keys.block(change)),
      addUsage: (tallies) => writer.submit(() => writes.keys.addUsage(tallies)),
      findByTokenHash: async (tokenHash) => reads.keys.findByTokenHash(tokenHash),
      find: async (keyId) => reads.keys.find(keyId),
      list: async (page) => reads.keys.list(page),
      listBlocked: async (now) => reads.keys.listBlocked(now),
    },
    posts: { create: (post) => writer.submit(() => writes.posts.create(post)) },
    audit: { list: async (page) => reads.audit.list(page) },
    workspace: async () => ownWorkspace,
    totals: async (now) => readTotals(db, now),
    probe: async () => {
      try {
        db.select({ epoch: workspace.epoch }).from(workspace).get();
      } catch (error) {
        throw new StoreUnavailable(error);
      }
    },
    sizes: () => ({ databaseBytes: fileBytes(file), walBytes: fileBytes(`${file}-wal`) }),
    waitingWrites: () => writer.waiting,
    close: async () => {
      await writer.idle();
      // Leaves one file behind, without a log beside it, which is the simplest thing to copy or to move.
      db.$client.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.$client.close(false);
    },
  };
}

function findOrCreateWorkspace(db: Db, { newId, clock }: OpenStoreOptions): WorkspaceRecord {
  const columns = { botId: workspace.botId, botName: workspace.botName, epoch: workspace.epoch };
  const found = db.select(columns).from(workspace).get();
  if (found) return found;
  const created = { botId: newId('bot'), botName: 'Bot', epoch: newId('epoch') };
  db.insert(workspace)
    .values({ id: 1, ...created, createdAt: clock.now() })
    .run();
  return created;
}

function readTotals(db: Db, now: number): Totals {
  const usable = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
    or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, now)),
  );
  const one = { n: count() };
  return {
    hubs: db.select(one).from(hubs).where(isNull(hubs.deletedAt)).get()?.n ?? 0,
    keys: db.select(one).from(apiKeys).where(usable).get()?.n ?? 0,
    items: db.select(one).from(items).get()?.n ?? 0,
  };
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
