import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { describeKeyUse } from '../key-use-store-contract.ts';

describeKeyUse('SQLite', async () => openSqliteUnderTest());
