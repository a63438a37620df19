import { describe } from 'bun:test';
import { openPostgresUnderTest } from '../../../test/support/postgres-under-test.ts';
import { isOnPostgres } from '../../../test/support/test-storage.ts';
import { describeStore } from '../contract-suite/store-contract.ts';

// `bun run test:postgres` runs this, not `bun run test`: each of its hundred tests opens a store.
describe.skipIf(!isOnPostgres)('PostgreSQL', () => {
  describeStore('PostgreSQL', (options) => openPostgresUnderTest(options));
});
