import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, StoreUnavailable } from '../../errors.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, newKey, newPost, testAudit } from '../../testing/store-records.ts';
import type { BatchReport } from './group-commit.ts';
import { startWriterThread } from './writer-thread.ts';

let subject: SqliteUnderTest;
let reports: BatchReport[];
beforeEach(() => {
  reports = [];
  subject = openSqliteUnderTest(undefined, { writerThread: true, onBatch: (report) => reports.push(report) });
});
afterEach(() => subject.dispose());

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (reason: unknown) => reason,
  );

async function hubWithKey() {
  const hub = await subject.store.hubs.create(hubRecord(), testAudit());
  const issued = newKey(hub.id);
  await subject.store.keys.issue(issued);
  return { hubId: hub.id, key: { id: issued.key.id, hubId: hub.id }, tokenHash: issued.tokenHash };
}

describe('a writer on a thread of its own', () => {
  test('commits together what came together, and reports its batches', async () => {
    const { key } = await hubWithKey();
    reports.length = 0;
    const posts = await Promise.all(Array.from({ length: 50 }, () => subject.store.posts.create(newPost(key))));
    expect(posts.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(reports.reduce((sum, report) => sum + report.writes, 0)).toBe(50);
    expect(reports.length).toBeLessThan(10);
  });

  test('what it has answered is there for the next read', async () => {
    const { hubId } = await hubWithKey();
    await subject.store.hubs.change({ hubId, name: 'Renamed', audit: testAudit() });
    expect(await subject.store.hubs.find(hubId)).toMatchObject({ name: 'Renamed' });
  });

  test('a key that it has revoked is revoked for the very next look, though it was in memory', async () => {
    const { key, tokenHash } = await hubWithKey();
    expect(await subject.store.keys.findByTokenHash(tokenHash)).toMatchObject({ revokedAt: null });
    await subject.store.keys.revoke({ keyId: key.id, at: 7, audit: testAudit() });
    expect(await subject.store.keys.findByTokenHash(tokenHash)).toMatchObject({ revokedAt: 7 });
  });

  test('a refusal is a refusal with its header fields and a fault of the disk unavailability on this side too', async () => {
    const rejected = subject.store.keys.issue(newKey('hub_none'));
    const error = await failure(rejected);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'not_found' });
    const { key } = await hubWithKey();
    await subject.store.keys.revoke({ keyId: key.id, at: 7, audit: testAudit() });
    expect(await failure(subject.store.posts.create(newPost(key)))).toMatchObject({
      code: 'unauthenticated',
      headers: { 'www-authenticate': 'Bearer' },
    });
    subject.database.exec('BEGIN IMMEDIATE');
    const locked = subject.store.hubs.create(hubRecord(), testAudit());
    expect(await failure(locked)).toBeInstanceOf(StoreUnavailable);
    subject.database.exec('ROLLBACK');
  });

  test('closing commits what waits', async () => {
    const { key, hubId } = await hubWithKey();
    const waiting = subject.store.posts.create(newPost(key));
    const reopened = await subject.reopen();
    expect(await waiting).toMatchObject({ seq: 1 });
    expect(reopened.itemsOf(hubId)).toHaveLength(1);
    subject = reopened;
  });

  test('that is lost answers everything as unavailable, and never hangs', async () => {
    const losses: Error[] = [];
    const garbage = join(subject.dataDir, 'garbage.db');
    writeFileSync(garbage, 'this is no database, however long one looks at it');
    const lost = startWriterThread({
      file: garbage,
      botId: 'bot_1',
      onLost: (error) => losses.push(error),
    });
    const audit = testAudit();
    expect(await failure(lost.write('createHub', { hub: hubRecord(), audit }))).toBeInstanceOf(StoreUnavailable);
    expect(await failure(lost.write('createHub', { hub: hubRecord(), audit }))).toBeInstanceOf(StoreUnavailable);
    expect(losses).toHaveLength(1);
    await lost.close();
  });

  test('refuses over its bound at once, and takes more when there is room again', async () => {
    const { hubId } = await hubWithKey();
    await subject.store.close();
    const bounded = startWriterThread({
      file: subject.file,
      botId: 'bot_1',
      maxWaiting: 2,
      onLost: () => {},
    });
    const rename = () => bounded.write('changeHub', { hubId, name: 'N', audit: testAudit() });
    const outcomes = await Promise.allSettled([rename(), rename(), rename()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await rename()).toMatchObject({ name: 'N' });
    await bounded.close();
  });
});
