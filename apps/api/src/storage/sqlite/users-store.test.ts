import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import type { OpenStoreUnderTest } from '../../testing/store-subject.ts';
import { describeCredentialStore } from '../credentials-store-contract.ts';
import { describeFormerAdmins } from '../former-admins-store-contract.ts';
import { describeLinkStore } from '../links-store-contract.ts';
import { describeUserStore } from '../users-store-contract.ts';

const adapters: Readonly<Record<string, OpenStoreUnderTest>> = {
  SQLite: async (options) => openSqliteUnderTest(undefined, options),
  'SQLite with a thread that writes': async (options) =>
    openSqliteUnderTest(undefined, { ...options, writerThread: true }),
};

for (const [name, open] of Object.entries(adapters)) {
  describeUserStore(name, open);
  describeCredentialStore(name, open);
  describeLinkStore(name, open);
  describeFormerAdmins(name, open);
}
