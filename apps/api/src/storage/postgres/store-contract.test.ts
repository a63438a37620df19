import { describe } from 'bun:test';
import { isPostgresInstalled, openPostgresUnderTest } from '../../../test/support/postgres-under-test.ts';
import { describeStore } from '../contract-suite/store-contract.ts';

describe.skipIf(!isPostgresInstalled)('PostgreSQL', () => {
  describeStore('PostgreSQL', (options) => openPostgresUnderTest(options));
});
