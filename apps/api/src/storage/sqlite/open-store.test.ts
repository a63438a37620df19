import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { describeStore } from '../store-contract.ts';

describeStore('SQLite', async () => openSqliteUnderTest());
