import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { insertHub } from '@hub/testkit/storage/store-writes';
import { commitsBehindDamage } from './inspect-log.ts';

const COMMITS = 20;

/** The files that a killed server leaves behind. */
let dataDir: string;
let log: string;
beforeEach(async () => {
  const subject = openSqliteUnderTest();
  subject.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (let n = 0; n < COMMITS; n += 1) await insertHub(subject.store);
  dataDir = mkdtempSync(join(tmpdir(), 'hub-log-'));
  log = join(dataDir, 'hub.db-wal');
  for (const name of ['hub.db', 'hub.db-wal']) cpSync(join(subject.dataDir, name), join(dataDir, name));
  await subject.dispose();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const flip = (offset: number): void => {
  const bytes = readFileSync(log);
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
  writeFileSync(log, bytes);
};

test('counts the commits after a damaged part of the log, and reports the number when the store is opened', async () => {
  flip(Math.floor(statSync(log).size / 2));
  const behind = commitsBehindDamage(log);
  expect(behind).toBeGreaterThan(5);
  expect(behind).toBeLessThan(COMMITS);
  const reported: number[] = [];
  const subject = openSqliteUnderTest(dataDir, { onDamagedLog: (commits) => reported.push(commits) });
  expect(reported).toEqual([behind]);
  expect(await subject.store.hubs.list({ limit: 100, filter: 'all' })).toHaveLength(COMMITS - behind);
  await subject.dispose();
});

test('reports nothing for a log that is intact, truncated, outdated or missing', async () => {
  expect(commitsBehindDamage(log)).toBe(0);
  truncateSync(log, statSync(log).size - 5_000);
  expect(commitsBehindDamage(log)).toBe(0);
  const reported: number[] = [];
  const subject = openSqliteUnderTest(dataDir, { onDamagedLog: (commits) => reported.push(commits) });
  await insertHub(subject.store);
  subject.database.exec('PRAGMA wal_checkpoint(RESTART)');
  await insertHub(subject.store);
  expect(commitsBehindDamage(log)).toBe(0);
  await subject.dispose();
  expect(commitsBehindDamage(log)).toBe(0);
  expect(reported).toEqual([]);
});
