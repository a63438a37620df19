import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDatabase, openingError, openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { insertHub } from '@hub/testkit/storage/store-writes';
import { StartError } from '../../../platform/errors.ts';
import { explainOpenError, requireSpaceForSharedMemory } from './inspect-database.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-inspect-'));
  file = join(dataDir, 'hub.db');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const makeDatabase = (): Promise<string> => fillDatabase(dataDir);
const error = (): string => openingError(dataDir);

describe('a damaged or missing database is rejected, and nothing is changed', () => {
  test('when it is truncated', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    expect(error()).toMatch(/is damaged.*replace the database with a backup.*snapshots/s);
    expect(statSync(file).size).toBe(Math.floor(bytes.length / 2));
  });

  test('when an index contradicts its table', async () => {
    const hubId = await makeDatabase();
    const database = new Database(file, { readonly: true });
    const roots = database.query("SELECT rootpage FROM sqlite_schema WHERE type = 'index'").values() as number[][];
    database.close();
    const bytes = readFileSync(file);
    const offsets = roots.flatMap(([page = 0]) => {
      const start = (page - 1) * 4096;
      const found = bytes.indexOf(hubId, start);
      return found > 0 && found < start + 4096 ? [found] : [];
    });
    bytes.write('!', (offsets[0] ?? 0) + hubId.length - 1);
    writeFileSync(file, bytes);
    expect(error()).toMatch(/is damaged \(row \d+ missing from index/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('when its last page is truncated', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    for (const missing of [1, 100, 4095]) {
      writeFileSync(file, bytes.subarray(0, -missing));
      expect(error()).toMatch(/is damaged/);
    }
  });

  test('when the file is empty, except after a failed first start', async () => {
    writeFileSync(file, '');
    await openSqliteUnderTest(dataDir).store.close();
    writeFileSync(file, '');
    expect(error()).toMatch(
      /is damaged \(it is empty, although a server has used this folder; to start over.*with a backup/s,
    );
    expect(readFileSync(file)).toHaveLength(0);
  });

  test('when it is missing from a folder that a server has used', async () => {
    await openSqliteUnderTest(dataDir).store.close();
    rmSync(file);
    expect(error()).toMatch(
      /is damaged \(it is missing, although a server has used this folder; to start over, move the whole folder/,
    );
    expect(existsSync(file)).toBe(false);
  });

  test('when it is missing but its log exists', async () => {
    const subject = openSqliteUnderTest(dataDir);
    await insertHub(subject.store);
    const copied = mkdtempSync(join(tmpdir(), 'hub-copied-'));
    cpSync(join(dataDir, 'hub.db-wal'), join(copied, 'hub.db-wal'));
    expect(() => openSqliteUnderTest(copied)).toThrow('it is missing, but its log exists');
    expect(statSync(join(copied, 'hub.db-wal')).size).toBeGreaterThan(0);
    await subject.dispose();
    rmSync(copied, { recursive: true });
  });

  test('when any of its pages are overwritten', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    const pages = bytes.length / 4096;
    for (const page of [1, 2, Math.floor(pages / 2), pages - 1]) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, page * 4096, page * 4096 + 4096);
      writeFileSync(file, damaged);
      expect(error()).toMatch(/is damaged \(\S.*\)\. Make a copy of the whole folder/);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    }
  });
});

const startOn = (bsize: number, freeBytes: number) => () =>
  requireSpaceForSharedMemory('/data', () => ({ bsize, bavail: freeBytes / bsize }));

test('a server does not start on a full disk with blocks smaller than pages, where the kernel would kill it', () => {
  expect(startOn(1024, 20 * 1024)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(startOn(1024, 256 * 1024)).not.toThrow();
});

test('a server starts on any other full disk, to serve its data', () => {
  expect(startOn(4096, 0)).not.toThrow();
});

const PATHS = { file: '/data/hub.db', dataDir: '/data' };

test.each([
  ['SQLITE_FULL', /The disk of \/data\/hub\.db is full\. Free some space/],
  ['SQLITE_IOERR_SHMSIZE', /is full\. Free some space/],
  ['ENOSPC', /is full\. Free some space/],
  ['EROFS', /read-only.*dmesg.*mount it writable/],
  ['SQLITE_IOERR_WRITE', /cannot be opened for writing \(SQLITE_IOERR_WRITE\)/],
  ['EIO', /cannot be opened for writing \(EIO\).*the disk is healthy/],
])('explains %s in a readable message with advice when the server starts', (code, pattern) => {
  const explained = explainOpenError(Object.assign(new Error('raw'), { code }), PATHS);
  expect(explained).toBeInstanceOf(StartError);
  expect((explained as Error).message).toMatch(pattern);
});

test('passes on a programming error unchanged', () => {
  const bug = new TypeError('a bug');
  expect(explainOpenError(bug, PATHS)).toBe(bug);
});
