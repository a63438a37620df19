import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeKeyUse } from '../key-use-store-contract.ts';

describeKeyUse('SQLite', async () => openSqliteUnderTest());
