import { expect, test } from 'bun:test';
import { explainOpenError, UnusableDatabase } from './unusable-database.ts';

const PLACE = { file: '/data/hub.db', dataDir: '/data' };

test.each([
  ['SQLITE_FULL', /The disk of \/data\/hub\.db is full\. Make room/],
  ['SQLITE_IOERR_SHMSIZE', /is full\. Make room/],
  ['ENOSPC', /is full\. Make room/],
  ['EROFS', /read-only.*dmesg.*mount it writable/],
  ['SQLITE_IOERR_WRITE', /cannot be opened for writing \(SQLITE_IOERR_WRITE\)/],
  ['EIO', /cannot be opened for writing \(EIO\).*the disk is sound/],
])('%s at the start is told in words for people, with what to do', (code, words) => {
  const notified = explainOpenError(Object.assign(new Error('raw'), { code }), PLACE);
  expect(notified).toBeInstanceOf(UnusableDatabase);
  expect((notified as Error).message).toMatch(words);
});

test('a fault of the program stays what it is', () => {
  const bug = new TypeError('a bug');
  expect(explainOpenError(bug, PLACE)).toBe(bug);
});
