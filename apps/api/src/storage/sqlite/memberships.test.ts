import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { describeMembershipStore } from '../membership-store-contract.ts';
import { describeReadMarks } from '../read-marks-store-contract.ts';

describeMembershipStore('SQLite', async () => openSqliteUnderTest());
describeReadMarks('SQLite', async () => openSqliteUnderTest());
