import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, testAudit } from '../../testing/store-records.ts';
import { commitsBehindDamage } from './inspect-log.ts';

const COMMITS = 20;

/** What a killed server has left behind. */
let dataDir: string;
let log: string;
beforeEach(async () => {
  const subject = openSqliteUnderTest();
  subject.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (let n = 0; n < COMMITS; n += 1) await subject.store.hubs.create(hubRecord(), testAudit());
  dataDir = mkdtempSync(join(tmpdir(), 'hub-log-'));
  log = join(dataDir, 'hub.db-wal');
  for (const name of ['hub.db', 'hub.db-wal']) cpSync(join(subject.dataDir, name), join(dataDir, name));
  await subject.dispose();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const flip = (place: number): void => {
  const bytes = readFileSync(log);
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(log, bytes);
};

test('commits behind a damaged place of the log are counted, and told at the start', async () => {
  flip(Math.floor(statSync(log).size / 2));
  const behind = commitsBehindDamage(log);
  expect(behind).toBeGreaterThan(5);
  expect(behind).toBeLessThan(COMMITS);
  const notified: number[] = [];
  const subject = openSqliteUnderTest(dataDir, { onDamagedLog: (commits) => notified.push(commits) });
  expect(notified).toEqual([behind]);
  expect(await subject.store.hubs.list({ limit: 100, filter: 'all' })).toHaveLength(COMMITS - behind);
  await subject.dispose();
});

test('a log that is whole, ends in the middle of a commit, is of before or is not there tells nothing', async () => {
  expect(commitsBehindDamage(log)).toBe(0);
  truncateSync(log, statSync(log).size - 5_000);
  expect(commitsBehindDamage(log)).toBe(0);
  const notified: number[] = [];
  const subject = openSqliteUnderTest(dataDir, { onDamagedLog: (commits) => notified.push(commits) });
  await subject.store.hubs.create(hubRecord(), testAudit());
  subject.database.exec('PRAGMA wal_checkpoint(RESTART)');
  await subject.store.hubs.create(hubRecord(), testAudit());
  expect(commitsBehindDamage(log)).toBe(0);
  await subject.dispose();
  expect(commitsBehindDamage(log)).toBe(0);
  expect(notified).toEqual([]);
});
