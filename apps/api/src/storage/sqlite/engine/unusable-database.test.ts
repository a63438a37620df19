import { expect, test } from 'bun:test';
import { explainOpenError, UnusableDatabase } from './unusable-database.ts';

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
  expect(explained).toBeInstanceOf(UnusableDatabase);
  expect((explained as Error).message).toMatch(pattern);
});

test('passes on a programming error unchanged', () => {
  const bug = new TypeError('a bug');
  expect(explainOpenError(bug, PATHS)).toBe(bug);
});
