import { Database, SQLiteError } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { hubRecord, newKey, newPost, testIds } from '../../../../test/store/records.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { ruleOf } from '../../../programs/public-api.ts';
import { isStorageError } from '../../engine/storage-error.ts';
import { keyReads } from '../../keys.ts';
import type { Repositories } from '../../repositories.ts';
import type { BatchReport } from '../../store.ts';
import { findOrCreateWorkspace } from '../epoch.ts';
import { openWriter } from '../open-store.ts';
import type { postWrites } from '../posts.ts';
import { SqliteConnection } from './connection.ts';
import { type Db, openDatabase } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import { migrateDatabase } from './migrate.ts';

let dataDir: string;
let db: Db;
let writer: GroupCommit<Repositories>;
let posts: ReturnType<typeof postWrites>;
let reads: ReturnType<typeof keyReads>;
let key: { id: string; hubId: string };
const reports: BatchReport[] = [];

/** Set up like `openStore`, but with access to the connection, so that the size of the database can be limited. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-full-'));
  db = openDatabase(join(dataDir, 'hub.db'));
  migrateDatabase(db, { dataDir, now: 0 });
  const { botId } = findOrCreateWorkspace(db, { newId: testIds, clock: new TestClock() });
  const opened = openWriter(db, { botId, clock: new TestClock(), onBatch: (report) => reports.push(report) });
  ({ commit: writer, posts } = opened);
  reads = keyReads(new SqliteConnection(db), opened.counts.unsaved);
  const hub = hubRecord();
  const issued = newKey(hub.id);
  await writer.submit(async ({ hubs, keys }) => {
    await hubs.insert(hub);
    await keys.insert(issued.key, issued.tokenHash);
  });
  reports.length = 0;
  key = { id: issued.key.id, hubId: hub.id };
});
afterEach(() => {
  db.$client.close(false);
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (body = 'small') => {
  const sent = newPost(key, { body });
  return writer.submitDirect((changing) => posts.write(sent, ruleOf(sent), changing));
};
/** The deferred check fails the commit, and leaves the transaction open. */
function failCommit(): void {
  db.$client.exec('PRAGMA defer_foreign_keys = ON');
  db.$client.exec("INSERT INTO events (hub_number, seq, at, event) VALUES (99, 1, 1, 'x')");
}
const stored = () => db.$client.query<{ seq: number }, []>('SELECT seq FROM items ORDER BY global_seq').all();

test('a full disk rejects as unavailable only the write that does not fit, and stores the others in its batch', async () => {
  await post();
  // The database cannot grow.
  const [pages] = db.$client.query('PRAGMA page_count').values()[0] ?? [];
  db.$client.query(`PRAGMA max_page_count = ${pages}`).get();
  expect(await Promise.allSettled([post(), post('x'.repeat(100_000)), post()])).toMatchObject([
    { value: { seq: 2 } },
    { reason: expect.any(StoreUnavailable) },
    { value: { seq: 3 } },
  ]);
  expect(stored()).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
});

describe('a batch that SQLite loses', () => {
  /** Writes that make SQLite lose the batch they are part of, and how many of its two others are kept. */
  const LOSSES: [how: string, kept: number, lose: () => void][] = [
    ['in the commit', 0, failCommit],
    // SQLite may do this by itself on a full disk or an I/O error.
    ['by rolling back by itself', 2, () => db.$client.exec('INSERT OR ROLLBACK INTO workspace (id) VALUES (1)')],
  ];

  for (const [how, kept, lose] of LOSSES) {
    test(`${how} is rejected as unavailable, and nothing that was rejected is kept`, async () => {
      await post();
      const outcomes = await Promise.allSettled([post(), writer.submit(async () => lose()), post()]);
      const lost = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(3 - kept);
      for (const outcome of lost) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
      expect(db.$client.inTransaction).toBe(false);
      expect(stored()).toEqual(Array.from({ length: 1 + kept }, (_, index) => ({ seq: index + 1 })));
      expect(reports.find(({ failed }) => failed)).toMatchObject({ cause: { name: 'SQLiteError' } });
    });

    test(`${how} restores the pending usage that was saved in it`, async () => {
      await post();
      const tallies = new Map([[key.id, { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] }]]);
      await Promise.allSettled([
        writer.submit(({ keys }) => keys.addUsage(tallies)),
        writer.submit(({ keys }) => keys.addUsage(tallies)),
        writer.submit(async () => lose()),
      ]);
      expect(await reads.find(key.id)).toMatchObject({ postCount: 1, requestCount: kept });
      await writer.submit(({ keys }) => keys.addUsage(tallies));
      expect(await reads.find(key.id)).toMatchObject({ postCount: 1, requestCount: kept + 1 });
    });
  }
});

test('a failed commit is overwritten in the log immediately, so that no later start can apply it', async () => {
  await post();
  const logBytes = () => statSync(join(dataDir, 'hub.db-wal')).size;
  const before = logBytes();
  const written = post();
  const lost = writer.submit(async () => failCommit());
  const reasons = (await Promise.allSettled([written, lost])).map((outcome) => 'reason' in outcome && outcome.reason);
  expect(reasons).toEqual([expect.any(StoreUnavailable), expect.any(StoreUnavailable)]);
  const [FRAME_HEADER_BYTES, PAGE_BYTES] = [24, 4096];
  expect(logBytes()).toBe(before + FRAME_HEADER_BYTES + PAGE_BYTES);
  // Only the last frame of a transaction contains the size of the database, in pages.
  expect(readFileSync(join(dataDir, 'hub.db-wal')).readUInt32BE(before + 4)).toBeGreaterThan(0);
  expect(db.$client.inTransaction).toBe(false);
});

test('storage errors are distinguished from errors in a statement', () => {
  const thrownBy = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };
  writeFileSync(join(dataDir, 'garbage'), 'not a database, but long enough to be read');
  const garbage = thrownBy(() => new Database(join(dataDir, 'garbage')).exec('SELECT 1 FROM sqlite_schema'));
  const syntax = thrownBy(() => new Database(':memory:').exec('SELEKT'));
  for (const error of [garbage, syntax]) expect(error).toBeInstanceOf(SQLiteError);
  expect([garbage, syntax, new Error('a bug')].map(isStorageError)).toEqual([true, false, false]);
});
