import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { describeStore } from '../contract-suite/store-contract.ts';

describeStore('SQLite', async (options) => openSqliteUnderTest(undefined, options));
