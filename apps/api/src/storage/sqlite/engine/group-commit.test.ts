import { Database, SQLiteError } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { failureOf } from '@hub/testkit/concurrency';
import { perTest } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { hubRecord, newKey, newPost, testIds } from '../../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost } from '../../../../test/store/writes.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { ruleOf } from '../../../programs/public-api.ts';
import type { CommitReport } from '../../commit-report.ts';
import type { Connection } from '../../engine/connection.ts';
import { isStorageError } from '../../engine/storage-error.ts';
import { keyReads } from '../../keys.ts';
import type { BatchReport } from '../../store.ts';
import { findOrCreateWorkspace } from '../epoch.ts';
import { openWriter } from '../open-store.ts';
import { SqliteConnection, TransactionSession } from './connection.ts';
import { openDatabase } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { migrateDatabase } from './migrate.ts';

/** A writer over a transaction that records its calls, and cannot begin while there is a problem. */
function setUp(options: { maxWaiting?: number } = {}) {
  const state = { calls: [] as string[], reports: [] as BatchReport[], problem: null as Error | null };
  let isOpen = false;
  const step = (name: string, opens: boolean) => () => {
    state.calls.push(name);
    if (opens && state.problem) throw state.problem;
    isOpen = opens;
  };
  const writer = new GroupCommit({
    transaction: {
      begin: step('begin', true),
      commit: step('commit', false),
      rollback: step('rollback', false),
      isOpen: () => isOpen,
      isStorageError: (error) => error === state.problem,
      isLocked: () => false,
    },
    session: new TransactionSession({} as Connection, () => ({})),
    clock: new TestClock(),
    onBatch: (report) => state.reports.push(report),
    ...options,
  });
  return { state, writer };
}

/** How failed writes and full disks end is shown on a real database, below. */
test('group commit settles no write before the commit has returned', async () => {
  const { state, writer } = setUp();
  const responded = writer.submit(async () => 1).then(() => state.calls.push('resolved'));
  const rejected = writer.submit(() => Promise.reject(new Error())).catch(() => state.calls.push('rejected'));
  await Promise.all([responded, rejected]);
  expect(state.calls).toEqual(['begin', 'commit', 'resolved', 'rejected']);
});

test('group commit rejects the whole batch as unavailable when it cannot begin, and commits the next one', async () => {
  const { state, writer } = setUp();
  const problem = new Error('disk I/O error');
  state.problem = problem;
  const outcomes = await Promise.allSettled([1, 2, 3].map((n) => writer.submit(async () => n)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
  expect(state.reports).toEqual([{ writes: 3, commitMs: 0, failed: true, cause: problem }]);
  state.problem = null;
  expect(await writer.submit(async () => 4)).toBe(4);
});

test('group commit commits a single write in the same turn of the event loop, without a timer', async () => {
  const { state, writer } = setUp();
  const submitted = writer.submit(async () => 1);
  // Immediates run in the order in which they were set, and before any timer of a later turn.
  await new Promise(setImmediate);
  expect(state.calls.at(-1)).toBe('commit');
  await submitted;
});

test('group commit rejects a write as unavailable when the queue is full, and accepts writes again later', async () => {
  const { writer } = setUp({ maxWaiting: 2 });
  const waiting = [writer.submit(async () => 1), writer.submit(async () => 2)];
  expect(writer.waiting).toBe(2);
  await expect(writer.submit(async () => 3)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await Promise.all(waiting)).toEqual([1, 2]);
  expect(await writer.submit(async () => 4)).toBe(4);
});

test('work sees the posts before it in the same batch', async () => {
  await using subject = openSqliteUnderTest();
  const hub = await insertHub(subject.store);
  const key = await insertKey(subject.store, newKey(hub.id));
  const posted = insertPost(subject.store, newPost(key));
  expect(await subject.store.transaction(({ hubs }) => hubs.find(hub.id))).toMatchObject({ seq: 1 });
  await posted;
});

test('a commit reports the newest event of each Hub, without those of writes that failed', async () => {
  const commits: CommitReport[] = [];
  await using subject = openSqliteUnderTest(undefined, { onCommit: (report) => commits.push(report) });
  const { store } = subject;
  const [one, two] = [await insertHub(store), await insertHub(store)];
  const change = (hubId: string, isFailing = false) =>
    store.transaction(async ({ events }) => {
      const hub = await events.append({ hubId, at: 1, event: 'hub.changed', itemId: null, data: {} });
      if (isFailing) throw new Error('fails after the event');
      return hub;
    });
  const failing = (hubId: string) => failureOf(change(hubId, true));
  commits.length = 0;

  const [first, , , second] = await Promise.all([change(one.id), failing(one.id), failing(two.id), change(one.id)]);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  const [third] = await Promise.all([change(two.id), failing(two.id)]);
  const heads = [[[one.id, second?.seq ?? 0]], [[two.id, third?.seq ?? 0]]];
  expect(commits.map((commit) => [...commit.heads])).toEqual(heads as never);
});

/** Set up like `openStore`, but with access to the connection, so that the size of the database can be limited. */
const opened = perTest(async () => {
  const folder = temporaryFolder();
  const db = openDatabase(folder.file('hub.db'));
  migrateDatabase(db, { dataDir: folder.path, now: 0 });
  const { botId } = findOrCreateWorkspace(db, { newId: testIds, clock: new TestClock() });
  const reports: BatchReport[] = [];
  const options = { botId, clock: new TestClock(), onBatch: (report: BatchReport) => void reports.push(report) };
  const { commit: writer, posts, counts } = openWriter(db, options);
  const hub = hubRecord();
  const { key, tokenHash } = newKey(hub.id);
  await writer.submit(async ({ hubs, keys }) => {
    await hubs.insert(hub);
    await keys.insert(key, tokenHash);
  });
  reports.length = 0;
  const dispose = async () => {
    db.$client.close(false);
    folder[Symbol.dispose]();
  };
  const reads = keyReads(new SqliteConnection(db), counts.unsaved);
  return { folder, client: db.$client, writer, posts, reads, key, reports, [Symbol.asyncDispose]: dispose };
});

const post = (body = 'small') => {
  const sent = newPost(opened.key, { body });
  return opened.writer.submitDirect((changing) => opened.posts.write(sent, ruleOf(sent), changing));
};
/** The deferred check fails the commit, and leaves the transaction open. */
function failCommit(): void {
  opened.client.exec('PRAGMA defer_foreign_keys = ON');
  opened.client.exec("INSERT INTO events (hub_number, seq, at, event) VALUES (99, 1, 1, 'x')");
}
const stored = () => opened.client.query('SELECT seq FROM items ORDER BY global_seq').values().flat();

test('a full disk rejects as unavailable only the write that does not fit, and stores the others in its batch', async () => {
  await post();
  // The database cannot grow.
  const [pages] = opened.client.query('PRAGMA page_count').values()[0] ?? [];
  opened.client.query(`PRAGMA max_page_count = ${pages}`).get();
  expect(await Promise.allSettled([post(), post('x'.repeat(100_000)), post()])).toMatchObject([
    { value: { seq: 2 } },
    { reason: expect.any(StoreUnavailable) },
    { value: { seq: 3 } },
  ]);
  expect(stored()).toEqual([1, 2, 3]);
});

describe('a batch that SQLite loses', () => {
  /** Writes that make SQLite lose the batch they are part of, and how many of its two others are kept. */
  const LOSSES: [how: string, kept: number, lose: () => void][] = [
    ['in the commit', 0, failCommit],
    // SQLite may do this by itself on a full disk or an I/O error.
    ['by rolling back by itself', 2, () => opened.client.exec('INSERT OR ROLLBACK INTO workspace (id) VALUES (1)')],
  ];

  for (const [how, kept, lose] of LOSSES) {
    test(`${how} is rejected as unavailable, and nothing that was rejected is kept`, async () => {
      await post();
      const outcomes = await Promise.allSettled([post(), opened.writer.submit(async () => lose()), post()]);
      const lost = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(3 - kept);
      for (const outcome of lost) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
      expect(opened.client.inTransaction).toBe(false);
      expect(stored()).toEqual([1, 2, 3].slice(0, 1 + kept));
      expect(opened.reports.find(({ failed }) => failed)).toMatchObject({ cause: { name: 'SQLiteError' } });
    });

    test(`${how} restores the pending usage that was saved in it`, async () => {
      await post();
      const tally = { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] };
      const save = () => opened.writer.submit(({ keys }) => keys.addUsage(new Map([[opened.key.id, tally]])));
      await Promise.allSettled([save(), save(), opened.writer.submit(async () => lose())]);
      expect(await opened.reads.find(opened.key.id)).toMatchObject({ postCount: 1, requestCount: kept });
      await save();
      expect(await opened.reads.find(opened.key.id)).toMatchObject({ postCount: 1, requestCount: kept + 1 });
    });
  }
});

test('a failed commit is overwritten in the log immediately, so that no later start can apply it', async () => {
  await post();
  const logBytes = () => statSync(opened.folder.file('hub.db-wal')).size;
  const before = logBytes();
  const written = post();
  const lost = opened.writer.submit(async () => failCommit());
  const reasons = (await Promise.allSettled([written, lost])).map((outcome) => 'reason' in outcome && outcome.reason);
  expect(reasons).toEqual([expect.any(StoreUnavailable), expect.any(StoreUnavailable)]);
  const [FRAME_HEADER_BYTES, PAGE_BYTES] = [24, 4096];
  expect(logBytes()).toBe(before + FRAME_HEADER_BYTES + PAGE_BYTES);
  // Only the last frame of a transaction contains the size of the database, in pages.
  expect(readFileSync(opened.folder.file('hub.db-wal')).readUInt32BE(before + 4)).toBeGreaterThan(0);
  expect(opened.client.inTransaction).toBe(false);
});

test('storage errors are distinguished from errors in a statement', async () => {
  const thrownBy = (act: () => unknown) => failureOf(Promise.try(act));
  writeFileSync(opened.folder.file('garbage'), 'not a database, but long enough to be read');
  const garbage = await thrownBy(() => new Database(opened.folder.file('garbage')).exec('SELECT 1 FROM sqlite_schema'));
  const syntax = await thrownBy(() => new Database(':memory:').exec('SELEKT'));
  for (const error of [garbage, syntax]) expect(error).toBeInstanceOf(SQLiteError);
  expect([garbage, syntax, new Error('a bug')].map(isStorageError)).toEqual([true, false, false]);
});
