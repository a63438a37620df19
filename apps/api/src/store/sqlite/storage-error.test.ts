import { Database, SQLiteError } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../errors.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, newKey, newPost, testAudit, testIds } from '../../testing/store-records.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { CommitNotes } from './commit-notes.ts';
import { type Db, openDatabase } from './database.ts';
import { type BatchReport, GroupCommit } from './group-commit.ts';
import { keyReads } from './key-lists.queries.ts';
import { migrateDatabase } from './migrate.ts';
import { createPostCounts } from './post-counts.ts';
import { isStorageError, reading } from './storage-error.ts';
import { sqliteTransaction } from './transaction.ts';
import { findOrCreateWorkspace } from './workspace.queries.ts';
import { prepareWrites } from './writes.ts';

const LARGE = 'x'.repeat(100_000);
const ROOMY = 1_000_000;

let dataDir: string;
let db: Db;
let writer: GroupCommit;
let writes: ReturnType<typeof prepareWrites>;
let reads: ReturnType<typeof keyReads>;
let key: { id: string; hubId: string };
const reports: BatchReport[] = [];

/** As openStore puts it together, with the connection in hand, whose size can then be limited. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-full-'));
  db = openDatabase(join(dataDir, 'hub.db'));
  migrateDatabase(db, { dataDir, now: 0 });
  const { botId } = findOrCreateWorkspace(db, { newId: testIds, clock: new TestClock() });
  const counts = createPostCounts(db);
  writes = prepareWrites(db, { counts, notes: new CommitNotes(), botId });
  reads = keyReads(db, counts);
  reports.length = 0;
  writer = new GroupCommit({
    transaction: sqliteTransaction(db, counts),
    monotonic: () => 0,
    onBatch: (report) => reports.push(report),
  });
  const hub = hubRecord();
  writes.createHub({ hub, audit: testAudit() });
  const issued = newKey(hub.id);
  writes.issueKey(issued);
  key = { id: issued.key.id, hubId: hub.id };
});
afterEach(() => {
  db.$client.close(false);
  rmSync(dataDir, { recursive: true, force: true });
});

const limitPages = (pages: number) => db.$client.query(`PRAGMA max_page_count = ${pages}`).get();
const fill = () => {
  const { page_count } = db.$client.query<{ page_count: number }, []>('PRAGMA page_count').get() ?? { page_count: 0 };
  limitPages(page_count);
};
const post = (body = 'small') => writer.submit(() => writes.createPost(newPost(key, { body })));
const stored = () => db.$client.query<{ seq: number }, []>('SELECT seq FROM items ORDER BY rank').all();

describe('a full disk', () => {
  test('makes the write that does not fit unavailable, and the others of its batch are stored', async () => {
    await post();
    fill();
    const [first, second, third] = await Promise.allSettled([post(), post(LARGE), post()]);
    expect(first).toMatchObject({ value: { seq: 2 } });
    expect(second).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(third).toMatchObject({ value: { seq: 3 } });
    expect(stored()).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  });

  test('is recovered from by itself once there is room', async () => {
    fill();
    await expect(post(LARGE)).rejects.toBeInstanceOf(StoreUnavailable);
    limitPages(ROOMY);
    expect(await post(LARGE)).toMatchObject({ seq: 1 });
  });
});

describe('a batch that SQLite loses', () => {
  /** What a batch can be lost by, as a write among others. */
  const LOSSES = {
    // The check that was put off fails the commit, and leaves the transaction open.
    'in its commit': () => {
      db.$client.exec('PRAGMA defer_foreign_keys = ON');
      db.$client.exec("INSERT INTO events (hub_id, seq, at, event) VALUES ('hub_unknown', 1, 1, 'x')");
    },
    // As SQLite may do by itself on a full disk or an I/O error.
    'by rolling back on its own': () => {
      db.$client.exec('INSERT OR ROLLBACK INTO workspace (id) VALUES (1)');
    },
  };

  for (const [how, lose] of Object.entries(LOSSES)) {
    test(`${how} is unavailability for all its senders, and nothing of it is kept`, async () => {
      await post();
      const outcomes = await Promise.allSettled([post(), writer.submit(lose), post()]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
      expect(db.$client.inTransaction).toBe(false);
      expect(stored()).toEqual([{ seq: 1 }]);
      expect(reports.at(-1)).toMatchObject({ failed: true, cause: { name: 'SQLiteError' } });
    });

    test(`${how} leaves no hole in the sequence and no post counted that is not there`, async () => {
      await post();
      await Promise.allSettled([post(), writer.submit(lose), post()]);
      expect(await Promise.all([post(), post()])).toMatchObject([{ seq: 2 }, { seq: 3 }]);
      expect(reads.find(key.id)).toMatchObject({ postCount: 3 });
    });

    test(`${how} takes back the writings-down of use that were in it`, async () => {
      await post();
      const tallies = new Map([[key.id, { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] }]]);
      await Promise.allSettled([
        writer.submit(() => writes.addUsage(tallies)),
        writer.submit(() => writes.addUsage(tallies)),
        writer.submit(lose),
      ]);
      expect(reads.find(key.id)).toMatchObject({ postCount: 1, requestCount: 0 });
      await writer.submit(() => writes.addUsage(tallies));
      expect(reads.find(key.id)).toMatchObject({ postCount: 1, requestCount: 1 });
    });
  }
});

test('a commit that fails is written over in the log at once, so that no start can take it up', async () => {
  await post();
  const logBytes = () => statSync(join(dataDir, 'hub.db-wal')).size;
  const before = logBytes();
  const lost = writer.submit(() => {
    writes.createPost(newPost(key));
    db.$client.exec('PRAGMA defer_foreign_keys = ON');
    db.$client.exec("INSERT INTO events (hub_id, seq, at, event) VALUES ('hub_unknown', 1, 1, 'x')");
  });
  await expect(lost).rejects.toBeInstanceOf(StoreUnavailable);
  const [FRAME_HEADER_BYTES, PAGE_BYTES] = [24, 4096];
  expect(logBytes()).toBe(before + FRAME_HEADER_BYTES + PAGE_BYTES);
  // The size of the database after it, in pages, is set in the last frame of a transaction alone.
  expect(readFileSync(join(dataDir, 'hub.db-wal')).readUInt32BE(before + 4)).toBeGreaterThan(0);
  expect(db.$client.inTransaction).toBe(false);
});

describe('a write that fails after it was done', () => {
  const fail = () => {
    throw new Error('a bug');
  };

  test('leaves no post counted', async () => {
    const outcomes = await Promise.allSettled([
      post(),
      writer.submit(() => {
        writes.createPost(newPost(key));
        fail();
      }),
      post(),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(reads.find(key.id)).toMatchObject({ postCount: 2 });
    expect(stored()).toEqual([{ seq: 1 }, { seq: 2 }]);
  });

  test('leaves no post counted as written down', async () => {
    await post();
    const failed = writer.submit(() => {
      writes.addUsage(new Map());
      fail();
    });
    await expect(failed).rejects.toThrow('a bug');
    expect(reads.find(key.id)).toMatchObject({ postCount: 1 });
    await writer.submit(() => writes.addUsage(new Map()));
    expect(reads.find(key.id)).toMatchObject({ postCount: 1 });
  });
});

describe('another program that holds the write lock', () => {
  let subject: SqliteUnderTest;
  beforeEach(() => {
    subject = openSqliteUnderTest();
  });
  afterEach(() => subject.dispose());

  test('makes writes unavailable at once, without waiting for it, and reads go on', async () => {
    const { store, database } = subject;
    database.exec('BEGIN IMMEDIATE');
    await expect(store.hubs.create(hubRecord(), testAudit())).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await store.hubs.list({ limit: 1, filter: 'all' })).toEqual([]);
    database.exec('ROLLBACK');
    expect(await store.hubs.create(hubRecord(), testAudit())).toMatchObject({ name: 'Releases' });
  });

  test('does not keep the store from closing while it reads', async () => {
    const { store, database } = subject;
    await store.hubs.create(hubRecord(), testAudit());
    database.exec('BEGIN');
    database.query('SELECT 1 FROM hubs').get();
    await store.close();
    database.exec('ROLLBACK');
  });
});

describe('faults of the storage', () => {
  const thrownBy = (act: () => unknown): unknown => {
    try {
      act();
    } catch (error) {
      return error;
    }
    throw new Error('Nothing was thrown');
  };

  test('are told from errors of a statement, and Drizzle wraps neither', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-fault-'));
    writeFileSync(join(folder, 'garbage'), 'no database at all, but long enough to be looked at');
    const garbage = thrownBy(() => new Database(join(folder, 'garbage')).exec('SELECT 1 FROM sqlite_schema'));
    rmSync(folder, { recursive: true });
    expect(garbage).toBeInstanceOf(SQLiteError);
    expect(isStorageError(garbage)).toBe(true);

    const syntax = thrownBy(() => new Database(':memory:').exec('SELEKT'));
    expect(syntax).toBeInstanceOf(SQLiteError);
    expect(isStorageError(syntax)).toBe(false);
    expect(isStorageError(new Error('a bug'))).toBe(false);
  });

  test('of a read are unavailability, and other errors stay what they are', async () => {
    const missing = join(tmpdir(), 'no-such-folder', 'hub.db');
    const problem = reading(() => new Database(missing, { readonly: true }));
    await expect(problem()).rejects.toBeInstanceOf(StoreUnavailable);
    const bug = reading(() => {
      throw new TypeError('a bug');
    });
    await expect(bug()).rejects.toBeInstanceOf(TypeError);
  });

  test('a violated constraint comes out of the store as SQLite says it', async () => {
    const subject = openSqliteUnderTest();
    const hub = hubRecord();
    await subject.store.hubs.create(hub, testAudit());
    await expect(subject.store.hubs.create(hub, testAudit())).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    });
    await subject.dispose();
  });
});
