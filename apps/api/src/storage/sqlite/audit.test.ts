import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import { describeAuditStore } from '../audit-store-contract.ts';

describeAuditStore('SQLite', async () => openSqliteUnderTest());
