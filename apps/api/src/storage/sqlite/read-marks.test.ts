import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeReadMarks } from '../read-marks-store-contract.ts';

describeReadMarks('SQLite', async () => openSqliteUnderTest());
describeReadMarks('SQLite with a thread that writes', async () =>
  openSqliteUnderTest(undefined, { writerThread: true }),
);
