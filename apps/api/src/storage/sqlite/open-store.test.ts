import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeStore } from '../store-contract.ts';

describeStore('SQLite', async () => openSqliteUnderTest());
describeStore('SQLite with a thread that writes', async () => openSqliteUnderTest(undefined, { writerThread: true }));
