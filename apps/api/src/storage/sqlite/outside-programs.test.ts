import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { insertHub } from '@hub/testkit/storage/store-writes';

let subject: SqliteUnderTest | undefined;
afterEach(() => subject?.dispose());

/** Returns the locks of all processes on this file, as reported by the kernel (proc(5)). */
function locksOn(file: string): string[] {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${ino} `));
}

/**
 * While the server holds SQLite's shared lock on the database, another program that opens and closes the file (the
 * sqlite3 shell, a database browser) sees that it is not the last program using it. Without the lock, that program
 * would clean up and delete the log, and everything the server wrote to the log afterwards would be lost. A process
 * loses all its locks on a file when it closes any descriptor of that file (fcntl(2), "Record locking"), so nothing
 * here may open the database except SQLite.
 */
describe.if(process.platform === 'linux')('the lock that keeps other programs from deleting the log', () => {
  test('is held while the store is open', async () => {
    subject = openSqliteUnderTest();
    await insertHub(subject.store);
    expect(locksOn(subject.file)).not.toEqual([]);
    // The lock must also survive opening, reading and closing the file within this process.
    const again = openSqliteUnderTest(subject.dataDir);
    await again.store.hubs.list({ limit: 1, filter: 'all' });
    again.database.close(false);
    expect(locksOn(subject.file)).not.toEqual([]);
  });
});
