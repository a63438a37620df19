import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { describeStore } from '../contract-suite/store-contract.ts';

describeStore('SQLite', async () => openSqliteUnderTest());
