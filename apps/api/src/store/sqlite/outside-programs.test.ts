import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, testAudit } from '../../testing/store-records.ts';

let subject: SqliteUnderTest | undefined;
afterEach(() => subject?.dispose());

/** The locks of all processes on this file, as the kernel tells (proc(5)). */
function locksOn(file: string): string[] {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${ino} `));
}

/**
 * While the server holds SQLite's shared lock on the database, another program that opens the file and closes it again
 * (the sqlite3 shell, a browser for databases) sees that it is not the last. Without the lock it would tidy up: delete the
 * log, into which the server then goes on writing for nobody. A process loses all its locks on a file when it closes
 * any descriptor of that file (fcntl(2), "Record locking"), so nothing here may open the database but SQLite.
 */
describe.if(process.platform === 'linux')('the lock that keeps other programs from taking the log away', () => {
  for (const writerThread of [false, true]) {
    test(`is held while the store is open (${writerThread ? 'with a thread that writes' : 'on one thread'})`, async () => {
      subject = openSqliteUnderTest(undefined, { writerThread });
      await subject.store.hubs.create(hubRecord(), testAudit());
      expect(locksOn(subject.file)).not.toEqual([]);
      // And after it was opened, read and closed once more within this process.
      const again = openSqliteUnderTest(subject.dataDir);
      await again.store.hubs.list({ limit: 1, filter: 'all' });
      again.database.close(false);
      expect(locksOn(subject.file)).not.toEqual([]);
    });
  }
});
