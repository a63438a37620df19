import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import type { OpenStoreUnderTest } from '../../../test/support/store-subject.ts';
import { describeCredentialStore } from '../credentials-store-contract.ts';
import { describeLinkStore } from '../links-store-contract.ts';
import { describeUserStore } from '../users-store-contract.ts';

const open: OpenStoreUnderTest = async (options) => openSqliteUnderTest(undefined, options);

describeUserStore('SQLite', open);
describeCredentialStore('SQLite', open);
describeLinkStore('SQLite', open);
