import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, StoreUnavailable } from '../../errors.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, newKey, newPost, testAudit } from '../../testing/store-records.ts';
import type { BatchReport } from './engine/group-commit.ts';
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

describe('a writer thread', () => {
  test('commits simultaneous writes together, and reports its batches', async () => {
    const { key } = await hubWithKey();
    reports.length = 0;
    const posts = await Promise.all(Array.from({ length: 50 }, () => subject.store.posts.create(newPost(key))));
    expect(posts.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(reports.reduce((sum, report) => sum + report.writes, 0)).toBe(50);
    expect(reports.length).toBeLessThan(10);
  });

  test('makes committed writes visible to the next read', async () => {
    const { hubId } = await hubWithKey();
    await subject.store.hubs.change({ hubId, name: 'Renamed', audit: testAudit() });
    expect(await subject.store.hubs.find(hubId)).toMatchObject({ name: 'Renamed' });
  });

  test('clears a revoked key from the cache before the next look-up', async () => {
    const { key, tokenHash } = await hubWithKey();
    expect(await subject.store.keys.findByTokenHash(tokenHash)).toMatchObject({ revokedAt: null });
    await subject.store.keys.revoke({ keyId: key.id, at: 7, audit: testAudit() });
    expect(await subject.store.keys.findByTokenHash(tokenHash)).toMatchObject({ revokedAt: 7 });
  });

  test('passes on errors with their headers, and reports storage errors as unavailable', async () => {
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

  test('commits waiting writes when it is closed', async () => {
    const { key, hubId } = await hubWithKey();
    const waiting = subject.store.posts.create(newPost(key));
    const reopened = await subject.reopen();
    expect(await waiting).toMatchObject({ seq: 1 });
    expect(reopened.itemsOf(hubId)).toHaveLength(1);
    subject = reopened;
  });

  test('rejects every write as unavailable once the thread has died, and never hangs', async () => {
    const losses: Error[] = [];
    const garbage = join(subject.dataDir, 'garbage.db');
    writeFileSync(garbage, 'this is not a database, however long you read it');
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

  test('rejects writes beyond its limit immediately, and accepts more when there is room again', async () => {
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
