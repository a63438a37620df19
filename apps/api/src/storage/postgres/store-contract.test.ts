import { openPostgresUnderTest } from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { describeStore } from '../contract-suite/store-contract.ts';

onlyOnPostgres.describe('PostgreSQL', () => {
  describeStore('PostgreSQL', (options) => openPostgresUnderTest(options));
});
