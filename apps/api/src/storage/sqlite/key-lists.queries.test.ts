import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeKeyUse } from '../key-use-store-contract.ts';

describeKeyUse('SQLite', async () => openSqliteUnderTest());
describeKeyUse('SQLite with a thread that writes', async () => openSqliteUnderTest(undefined, { writerThread: true }));
