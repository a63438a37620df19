import { expect, test } from 'bun:test';
import { databaseError } from './database-error.ts';

const sqliteError = (code: string): Error => Object.assign(new Error('internal text'), { code });

test.each([
  ['SQLITE_CORRUPT', 'is damaged', 'restore a backup'],
  ['SQLITE_NOTADB', 'is damaged', 'restore a backup'],
  ['SQLITE_CANTOPEN', 'cannot be opened for writing', 'Check that this user may write'],
  ['SQLITE_READONLY_DBMOVED', 'cannot be opened for writing', 'Check that this user may write'],
  ['SQLITE_BUSY', 'has locked the database', 'Close it'],
  ['SQLITE_IOERR_WRITE', 'does not take writes', 'check the disk'],
  ['SQLITE_FULL', 'does not take writes', 'Make room'],
])('%s is put into words that say what to do', (code, what, remedy) => {
  const message = databaseError(sqliteError(code), '/data')?.message;
  expect(message).toContain(what);
  expect(message).toContain(remedy);
  expect(message).toContain('/data');
  expect(message).not.toContain('internal text');
});

test('anything else is not foreseen', () => {
  expect(databaseError(new TypeError('x is not a function'), '/data')).toBeNull();
  expect(databaseError(sqliteError('SQLITE_CONSTRAINT_UNIQUE'), '/data')).toBeNull();
});
