import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeMembershipStore } from '../membership-store-contract.ts';

describeMembershipStore('SQLite', async () => openSqliteUnderTest());
