import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { testFolder } from '@hub/testkit/test-folder';
import { testIds } from '../../../../test/store/records.ts';
import { fillDatabase, openingError, openSqliteUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub } from '../../../../test/store/writes.ts';
import { beginRun } from '../epoch.ts';
import { DATABASE_FILE, openStore } from '../open-store.ts';
import { openDatabase } from './database.ts';
import { commitsBehindDamage, explainOpenError } from './inspect-database.ts';

describe('a damaged or missing database is rejected, and nothing is changed', () => {
  let dataDir: string;
  let file: string;
  beforeEach(() => {
    dataDir = testFolder('hub-inspect-');
    file = join(dataDir, DATABASE_FILE);
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  /** Expects that these bytes are rejected and kept. */
  function expectRejected(bytes: Buffer, error: RegExp): void {
    writeFileSync(file, bytes);
    expect(openingError(dataDir)).toMatch(error);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }

  test('when an index contradicts its table', async () => {
    const hubId = await fillDatabase(dataDir);
    using database = new Database(file, { readonly: true });
    const roots = database.query("SELECT rootpage FROM sqlite_schema WHERE type = 'index'").values() as number[][];
    const bytes = readFileSync(file);
    const starts = roots.map(([page = 0]) => (page - 1) * 4096);
    const start = starts.find((from) => bytes.subarray(from, from + 4096).includes(hubId)) ?? 0;
    bytes.write('!', bytes.indexOf(hubId, start) + hubId.length - 1);
    expectRejected(bytes, /is damaged \(row \d+ missing from index/);
  });

  test('when the file is empty, except after a failed first start', async () => {
    writeFileSync(file, '');
    await openSqliteUnderTest(dataDir).store.close();
    const error = /is damaged \(it is empty, although a server has used this folder; to start over.*with a backup/s;
    expectRejected(Buffer.alloc(0), error);
  });

  test('when any of its pages are overwritten', async () => {
    await fillDatabase(dataDir);
    const bytes = readFileSync(file);
    const pages = bytes.length / 4096;
    for (const page of [1, 2, Math.floor(pages / 2), pages - 1]) {
      const damaged = Buffer.from(bytes).fill(0xa5, page * 4096, page * 4096 + 4096);
      expectRejected(damaged, /is damaged \(\S.*\)\. Make a copy of the whole folder/);
    }
  });
});

describe('the log of a database', () => {
  const COMMITS = 20;

  /** The files that a killed server leaves behind. */
  let dataDir: string;
  let log: string;
  beforeEach(async () => {
    await using subject = openSqliteUnderTest();
    subject.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let n = 0; n < COMMITS; n += 1) await insertHub(subject.store);
    dataDir = testFolder('hub-log-');
    log = join(dataDir, 'hub.db-wal');
    for (const name of ['hub.db', 'hub.db-wal']) cpSync(join(subject.dataDir, name), join(dataDir, name));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  test('counts the commits after a damaged part of the log, and reports the number when the store is opened', async () => {
    const bytes = readFileSync(log);
    const half = Math.floor(bytes.length / 2);
    writeFileSync(log, bytes.fill(bytes.readUInt8(half) ^ 1, half, half + 1));
    const behind = commitsBehindDamage(log);
    expect(behind).toBeWithin(6, COMMITS);
    const reported: number[] = [];
    await using subject = openSqliteUnderTest(dataDir, { onDamagedLog: (commits) => reported.push(commits) });
    expect(reported).toEqual([behind]);
    expect(await subject.store.hubs.list({ limit: 100, filter: 'all' })).toHaveLength(COMMITS - behind);
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
    await subject[Symbol.asyncDispose]();
    expect(commitsBehindDamage(log)).toBe(0);
    expect(reported).toEqual([]);
  });
});

test.each([
  ['SQLITE_FULL', /The disk of \/data\/hub\.db is full\. Free some space/],
  ['SQLITE_IOERR_SHMSIZE', /is full\. Free some space/],
  ['ENOSPC', /is full\. Free some space/],
  ['EROFS', /read-only.*dmesg.*mount it writable/],
  ['EIO', /cannot be opened for writing \(EIO\).*the disk is healthy/],
])('explains %s in a readable message with advice when the server starts', (code, pattern) => {
  const paths = { file: '/data/hub.db', dataDir: '/data' };
  expect(String(explainOpenError(Object.assign(new Error('raw'), { code }), paths))).toMatch(pattern);
});

/** Starts and stops the store once. Returns its epoch. */
async function epochOf(dataDir: string): Promise<string> {
  const store = openStore({ dataDir, clock: new TestClock(), newId: testIds });
  const { epoch } = await store.workspace.find();
  await store.close();
  return epoch;
}

test('restoring an older copy of the database starts a new epoch, once, and no server if it cannot be written', async () => {
  const dataDir = testFolder('hub-run-');
  const file = join(dataDir, DATABASE_FILE);
  const epoch = await epochOf(dataDir);
  copyFileSync(file, `${file}.copy`);
  expect(await epochOf(dataDir)).toBe(epoch);
  copyFileSync(`${file}.copy`, file);
  const other = await epochOf(dataDir);
  expect(other).not.toBe(epoch);
  expect(await epochOf(dataDir)).toBe(other);

  copyFileSync(`${file}.copy`, file);
  const db = openDatabase(file);
  db.$client.exec('PRAGMA query_only = 1');
  expect(() => beginRun(db, { dataDir, newId: testIds })).toThrow('readonly');
  db.$client.close(false);
  rmSync(dataDir, { recursive: true });
});

/** Whether a process has a lock on this file, as reported by the kernel (proc(5)). */
const isLocked = (file: string): boolean => readFileSync('/proc/locks', 'utf8').includes(`:${statSync(file).ino} `);

/**
 * While the server holds SQLite's shared lock on the database, another program that opens and closes the file (the
 * sqlite3 shell, a database browser) sees that it is not the last program using it. Without the lock, that program
 * would clean up and delete the log, and everything the server wrote to the log afterwards would be lost. A process
 * loses all its locks on a file when it closes any descriptor of that file (fcntl(2), "Record locking"), so nothing
 * here may open the database except SQLite.
 */
test.if(process.platform === 'linux')(
  'the lock that keeps other programs from deleting the log is held while the store is open',
  async () => {
    await using subject = openSqliteUnderTest();
    await insertHub(subject.store);
    expect(isLocked(subject.file)).toBe(true);
    // The lock must also survive opening, reading and closing the file within this process.
    const again = openSqliteUnderTest(subject.dataDir);
    await again.store.hubs.list({ limit: 1, filter: 'all' });
    again.database.close(false);
    expect(isLocked(subject.file)).toBe(true);
  },
);
