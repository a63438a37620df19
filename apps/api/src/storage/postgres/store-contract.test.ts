import { openPostgresUnderTest } from '../../../test/support/postgres-under-test.ts';
import { onlyOnPostgres } from '../../../test/support/test-storage.ts';
import { describeStore } from '../contract-suite/store-contract.ts';

onlyOnPostgres.describe('PostgreSQL', () => {
  describeStore('PostgreSQL', (options) => openPostgresUnderTest(options));
});
